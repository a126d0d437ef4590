//! One search on several threads answers what it answers on one (SEA-15), stops when told to, and passes faults on.

mod reference;

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use dicechess_native::board::{Color, Position};
use dicechess_native::eval::{BuiltIn, Evaluator};
use dicechess_native::rules::Budget;
use dicechess_native::search::{
    Expectimax, ExpectimaxConfig, MAX_THREADS, RootRescore, SearchControl, SearchError, SearchOutcome,
    SearchResult, TranspositionTable,
};
use reference::{CLOCKED, F10, ROOK_ENDING, ROUGH, config, position};

/// With the depth that each can be searched to in little time.
const POSITIONS: [(&str, u32); 10] = [
    (F10, 2),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 PRK", 2),
    ("r3k2r/8/8/1B6/8/8/8/4K3 b kq - 0 1 rk", 2),
    ("8/P5k1/8/2pP4/4pP2/8/p5K1/8 w - c6 0 1 PPN", 2),
    ("4k3/8/8/8/8/p7/P7/R3K3 w - - 0 1 PPP", 2),
    ("8/8/8/2k5/8/1N6/2P5/K7 w - - 0 1 NPP", 2),
    (ROOK_ENDING, 3),
    ("7k/8/8/8/8/8/r2P4/3K4 w - - 0 1 K", 3),
    ("8/8/8/5k2/8/8/8/N3K3 w - - 0 1 NK", 3),
    ("4k3/8/8/3p4/2P5/8/8/4K3 w - - 0 1 PPK", 3),
];

fn on_threads(threads: usize, search_depth: u32) -> ExpectimaxConfig {
    ExpectimaxConfig { threads, ..config(search_depth, 6) }
}

fn open_search(search: &Expectimax<'_>, root: &Position, seed: u64) -> SearchResult {
    search.find_best_move(root, &SearchControl::unbounded(), seed).unwrap()
}

#[test]
fn turn_score_outcome_and_ties_are_those_of_one_thread() {
    let evaluators: [&dyn Evaluator; 4] = [&BuiltIn::Material, &BuiltIn::Standard, &ROUGH, &CLOCKED];
    for evaluator in evaluators {
        for (dfen, depth) in POSITIONS {
            let root = position(dfen);
            for rescored in [false, true] {
                let build = |threads| {
                    let weight = if rescored { 0.25 } else { 0.0 };
                    let search = Expectimax::new(on_threads(threads, depth), evaluator).unwrap();
                    search.with_root_rescore(RootRescore { evaluator: &BuiltIn::Standard, weight }).unwrap()
                };
                for seed in 1..=3 {
                    let expected = open_search(&build(1), &root, seed);
                    for threads in [2, 5] {
                        let found = open_search(&build(threads), &root, seed);
                        assert_eq!(found.best, expected.best, "{dfen} {} {threads} {seed}", evaluator.name());
                        assert_eq!(found.stats.legal_turns, expected.stats.legal_turns);
                        assert_eq!(found.stats.candidates_selected, expected.stats.candidates_selected);
                        assert!(!found.stats.deadline_truncated && !found.stats.fell_back_to_pre_rank);
                    }
                }
            }
        }
    }
}

#[test]
fn a_shared_table_cold_and_warm_changes_no_answer() {
    for (dfen, depth) in POSITIONS {
        let root = position(dfen);
        let plain = Expectimax::new(on_threads(1, depth), &ROUGH).unwrap();
        let table = TranspositionTable::new(1 << 12);
        let shared = Expectimax::new(on_threads(2, depth), &ROUGH).unwrap().with_table(&table).unwrap();
        for seed in [1, 2, 3] {
            for _ in ["cold", "warm"] {
                assert_eq!(
                    open_search(&shared, &root, seed).best,
                    open_search(&plain, &root, seed).best,
                    "{dfen}"
                );
            }
        }
    }
}

#[test]
fn the_value_before_the_roll_is_that_of_one_thread() {
    for (dfen, depth) in POSITIONS {
        let node = position(dfen).end_turn();
        for perspective in Color::ALL {
            let value = |threads| {
                let search = Expectimax::new(on_threads(threads, depth), &ROUGH).unwrap();
                search.chance_value(&node, perspective, &SearchControl::unbounded()).unwrap()
            };
            let (one, three) = (value(1), value(3));
            assert_eq!((three.outcome, three.loss_tainted), (one.outcome, one.loss_tainted), "{dfen}");
            assert_eq!((three.classes, three.classes_resolved), (one.classes, one.classes_resolved));
        }
    }
}

#[test]
fn cancelled_at_any_read_of_the_clock_it_has_the_best_of_what_it_finished() {
    let root = position(ROOK_ENDING);
    let search = Expectimax::new(on_threads(3, 3), &BuiltIn::Material).unwrap();
    let full = open_search(&search, &root, 5);
    for deadline in (0..200).step_by(7).chain([1_000, 10_000]) {
        let now = Cell::new(0);
        let clock = || {
            now.set(now.get() + 1);
            now.get()
        };
        let control = SearchControl::unbounded().with_deadline(deadline).with_clock(&clock);
        let found = search.find_best_move(&root, &control, 5).unwrap();
        let best = found.best.expect("a legal turn whatever the limit");
        assert!(found.stats.candidates_abandoned <= 1);
        match best.outcome {
            SearchOutcome::Incomplete { .. } => assert!(found.stats.fell_back_to_pre_rank),
            SearchOutcome::Exact { .. } => assert_eq!(found.best, full.best),
            SearchOutcome::LowerBound { value, .. } => {
                assert!(value <= full.best.unwrap().outcome.value().unwrap());
            }
            SearchOutcome::UpperBound { .. } => panic!("no candidate is bounded from above alone"),
        }
    }
    assert_eq!(open_search(&search, &root, 5).best, full.best, "nothing stays of the cancelled searches");
}

/// Does something unusual at the n-th batch.
struct Trips<'a> {
    batches: AtomicUsize,
    at: usize,
    trip: &'a (dyn Fn(&mut [f64]) + Sync),
}

impl Evaluator for Trips<'_> {
    fn name(&self) -> &str {
        "trips"
    }

    fn evaluate(&self, positions: &[Position], perspective: Color, scores: &mut [f64]) {
        BuiltIn::Standard.evaluate(positions, perspective, scores);
        if self.batches.fetch_add(1, Ordering::Relaxed) == self.at {
            (self.trip)(scores);
        }
    }
}

#[test]
fn a_flag_set_by_another_thread_stops_all_of_them() {
    let stop = AtomicBool::new(false);
    let trip = |_: &mut [f64]| stop.store(true, Ordering::Relaxed);
    let evaluator = Trips { batches: AtomicUsize::new(0), at: 40, trip: &trip };
    let search = Expectimax::new(on_threads(3, 3), &evaluator).unwrap();
    let control = SearchControl::unbounded().with_cancel_flag(&stop);
    let found = search.find_best_move(&position(F10), &control, 1).unwrap();
    assert!(found.best.is_some() && found.stats.deadline_truncated);
    let batches = evaluator.batches.load(Ordering::Relaxed);
    assert!(batches < 2_000, "{batches} batches were scored all the same");
}

#[test]
fn a_value_out_of_range_on_any_thread_is_the_error_of_the_search() {
    let trip = |scores: &mut [f64]| scores[0] = 20_000.0;
    for at in [3, 30, 60] {
        let evaluator = Trips { batches: AtomicUsize::new(0), at, trip: &trip };
        let search = Expectimax::new(on_threads(3, 2), &evaluator).unwrap();
        let error = search.find_best_move(&position(F10), &SearchControl::unbounded(), 1).unwrap_err();
        assert_eq!(error.to_string(), "evaluator 'trips' gave 20000, outside -10000..=10000");
    }
}

#[test]
fn a_panic_on_any_thread_comes_out_with_its_message_and_leaves_the_search_usable() {
    let root = position(F10);
    for at in [3, 30, 60] {
        let trip = |_: &mut [f64]| panic!("evaluator broke");
        let evaluator = Trips { batches: AtomicUsize::new(0), at, trip: &trip };
        let search = Expectimax::new(on_threads(3, 2), &evaluator).unwrap();
        let search_it = AssertUnwindSafe(|| open_search(&search, &root, 1));
        let panic = catch_unwind(search_it).expect_err("the panic is passed on");
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"evaluator broke"));
        let plain = Expectimax::new(on_threads(1, 2), &BuiltIn::Standard).unwrap();
        assert_eq!(open_search(&search, &root, 1).best, open_search(&plain, &root, 1).best);
    }
}

#[test]
fn threads_are_from_one_to_256_and_have_no_work_budget() {
    for threads in [0, MAX_THREADS + 1] {
        let error = Expectimax::new(on_threads(threads, 2), &BuiltIn::Material).err().unwrap();
        assert_eq!(error, SearchError::Threads(threads));
        assert_eq!(error.to_string(), format!("threads must be from 1 to 256, not {threads}"));
    }
    let search = Expectimax::new(on_threads(2, 2), &BuiltIn::Material).unwrap();
    let budget = Budget::new(1_000);
    let control = SearchControl::unbounded().with_budget(&budget);
    let error = search.find_best_move(&position(F10), &control, 1).unwrap_err();
    assert_eq!(error, SearchError::ThreadsWithBudget(2));
    assert_eq!(error.to_string(), "a search on 2 threads cannot have a work budget");
    let node = position(F10).end_turn();
    assert_eq!(search.chance_value(&node, Color::White, &control), Err(SearchError::ThreadsWithBudget(2)));
    assert_eq!(budget.used(), 0);
}
