//! The transposition table makes searches faster and changes nothing else: not after interruptions, not for other
//! evaluators or clocks, not when it is tiny or shared by racing threads.

mod reference;

use std::sync::atomic::{AtomicBool, Ordering};

use dicechess_native::board::{Color, Position};
use dicechess_native::eval::{BuiltIn, Evaluator};
use dicechess_native::rules::{Budget, Turn};
use dicechess_native::search::{
    Expectimax, ExpectimaxConfig, SearchControl, SearchError, SearchOutcome, SearchResult, TranspositionTable,
};
use reference::{CLOCKED, F10, ROOK_ENDING, ROUGH, config, position, ranked, selected_turns};

const FOUR_KING_STEPS: &str = "7k/8/8/8/8/8/r2P4/3K4 w - - 0 1 K";
const SEED: u64 = 11;

/// With the depth that each is searched to.
const SEARCHES: [(&str, u32); 5] = [
    (F10, 2),
    ("r3k2r/8/8/1B6/8/8/8/4K3 b kq - 0 1 rk", 2),
    (FOUR_KING_STEPS, 2),
    (ROOK_ENDING, 3),
    (FOUR_KING_STEPS, 3),
];

fn search_of(config: ExpectimaxConfig, evaluator: &dyn Evaluator) -> Expectimax<'_> {
    Expectimax::new(config, evaluator).unwrap()
}

fn unlimited(search: &Expectimax<'_>, dfen: &str) -> SearchResult {
    search.find_best_move(&position(dfen), &SearchControl::unbounded(), SEED).unwrap()
}

/// What must not depend on a table.
fn found(result: &SearchResult) -> (Turn, i32, Option<f64>) {
    let best = result.best.expect("a turn");
    (best.turn, best.score, best.outcome.exact())
}

/// 1, 2, 5, 10, 20, 50, …
fn budgets() -> impl Iterator<Item = u64> {
    (0..).flat_map(|zeros| [1, 2, 5].map(|digit| digit * 10_u64.pow(zeros)))
}

#[test]
fn sea_09_a_search_after_interrupted_ones_is_as_on_a_fresh_table() {
    for (dfen, depth) in SEARCHES {
        for evaluator in [&BuiltIn::Material as &dyn Evaluator, &ROUGH] {
            for reply_probes in [false, true] {
                let config = ExpectimaxConfig { reply_probes, ..config(depth, 8) };
                let fresh_table = TranspositionTable::new(1 << 12);
                let fresh = search_of(config, evaluator).with_table(&fresh_table).unwrap();
                let expected = found(&unlimited(&fresh, dfen));
                assert_eq!(expected, found(&unlimited(&search_of(config, evaluator), dfen)), "{dfen}");
                // What one interruption leaves behind, and what all of them together do.
                let all_together = TranspositionTable::new(1 << 12);
                for limit in budgets() {
                    let alone = TranspositionTable::new(1 << 12);
                    let mut exhausted = false;
                    for table in [&alone, &all_together] {
                        let search = search_of(config, evaluator).with_table(table).unwrap();
                        let budget = Budget::new(limit);
                        let control = SearchControl::unbounded().with_budget(&budget);
                        search.find_best_move(&position(dfen), &control, SEED).unwrap();
                        exhausted |= budget.is_exhausted();
                    }
                    let search = search_of(config, evaluator).with_table(&alone).unwrap();
                    assert_eq!(found(&unlimited(&search, dfen)), expected, "{dfen} budget {limit}");
                    if !exhausted {
                        break;
                    }
                }
                let search = search_of(config, evaluator).with_table(&all_together).unwrap();
                assert_eq!(found(&unlimited(&search, dfen)), expected, "{dfen} all budgets");
            }
        }
    }
}

#[test]
fn an_interrupted_node_is_not_stored() {
    // One candidate: what the table knows of it afterwards is what its chance node left.
    let config = config(2, 1);
    let need = {
        let (table, budget) = (TranspositionTable::new(1 << 8), Budget::new(u64::MAX));
        let search = search_of(config, &ROUGH).with_table(&table).unwrap();
        let control = SearchControl::unbounded().with_budget(&budget);
        search.find_best_move(&position(FOUR_KING_STEPS), &control, SEED).unwrap();
        budget.used()
    };
    for limit in 0..=need {
        let (table, budget) = (TranspositionTable::new(1 << 8), Budget::new(limit));
        let search = search_of(config, &ROUGH).with_table(&table).unwrap();
        let control = SearchControl::unbounded().with_budget(&budget);
        search.find_best_move(&position(FOUR_KING_STEPS), &control, SEED).unwrap();
        let stored = unlimited(&search, FOUR_KING_STEPS).stats.tt_hits;
        assert_eq!(stored, u64::from(limit == need), "budget {limit} of {need}");
    }
}

#[test]
fn a_cancelled_search_is_not_rescued_by_a_warm_table() {
    for (dfen, depth) in SEARCHES {
        let table = TranspositionTable::new(1 << 12);
        let search = search_of(config(depth, 8), &BuiltIn::Material).with_table(&table).unwrap();
        unlimited(&search, dfen);
        let warm = unlimited(&search, dfen).stats;
        assert!(warm.tt_hits > 0 && warm.candidates_completed == 0, "{dfen}: {warm:?}");
        let control = SearchControl::unbounded().with_deadline(i64::MIN);
        let (result, candidates) = ranked(&search, &position(dfen), &control, SEED);
        assert_eq!((result.stats.tt_hits, result.stats.tt_cutoffs), (0, 0), "{dfen}");
        assert!(candidates.iter().all(|candidate| candidate.outcome.value().is_none()), "{dfen}");
        assert_eq!(result.best.unwrap().outcome, SearchOutcome::Incomplete { work_used: 0 });
    }
}

#[test]
fn exact_only_neither_stores_bounds_nor_uses_them() {
    let [bounds_too, exact_only] =
        [false, true].map(|exact_only| ExpectimaxConfig { exact_only, ..config(2, 8) });
    // Three candidates are exact, one is cut. By the second search: hits, cuts by the table, cuts by itself.
    for (first, second, expected) in [
        (bounds_too, bounds_too, (3, 1, 0)),
        (bounds_too, exact_only, (3, 0, 1)),
        (exact_only, bounds_too, (3, 0, 1)),
        (exact_only, exact_only, (3, 0, 1)),
    ] {
        let table = TranspositionTable::new(1 << 8);
        let [first, second] =
            [first, second].map(|config| search_of(config, &BuiltIn::Material).with_table(&table).unwrap());
        let cold = unlimited(&first, FOUR_KING_STEPS);
        assert_eq!((cold.stats.candidates_completed, cold.stats.cutoffs), (3, 1));
        let warm = unlimited(&second, FOUR_KING_STEPS);
        assert_eq!((warm.stats.tt_hits, warm.stats.tt_cutoffs, warm.stats.cutoffs), expected);
        assert_eq!(found(&warm), found(&cold));
    }
}

#[test]
fn a_table_of_another_evaluator_is_refused_by_name() {
    let table = TranspositionTable::new(1 << 8);
    let refused = |evaluator: &dyn Evaluator| search_of(config(2, 8), evaluator).with_table(&table).err();
    assert_eq!(refused(&BuiltIn::Material), None);
    assert_eq!(refused(&BuiltIn::Material), None, "its own again");
    let error = refused(&BuiltIn::Standard).unwrap();
    assert_eq!(error, SearchError::ForeignTable { evaluator: "standard".into() });
    assert_eq!(error.to_string(), "the transposition table belongs to another evaluator than 'standard'");
    table.clear();
    // Searches of the first may still be around.
    assert_eq!(refused(&BuiltIn::Standard), Some(error), "a cleared table keeps its evaluator");
    assert_eq!(refused(&BuiltIn::Material), None);
}

/// Tells itself apart by a number of its own choice.
struct Numbered(u64);

impl Evaluator for Numbered {
    fn name(&self) -> &str {
        "numbered"
    }

    fn evaluate(&self, _: &[Position], _: Color, scores: &mut [f64]) {
        scores.fill(0.0);
    }

    fn fingerprint(&self) -> u64 {
        self.0
    }
}

#[test]
fn fingerprints_that_differ_in_any_bit_tell_evaluators_apart() {
    for fingerprint in [0, 2, u64::MAX] {
        for bit in 0..64 {
            let table = TranspositionTable::new(1 << 8);
            let [one, other] = [fingerprint, fingerprint ^ 1 << bit].map(Numbered);
            search_of(config(2, 8), &one).with_table(&table).unwrap();
            let refused = search_of(config(2, 8), &other).with_table(&table).err();
            assert_eq!(
                refused,
                Some(SearchError::ForeignTable { evaluator: "numbered".into() }),
                "bit {bit}"
            );
        }
    }
}

/// Worth the clocks it sees.
struct ClockReader;

impl Evaluator for ClockReader {
    fn name(&self) -> &str {
        "clock reader"
    }

    fn evaluate(&self, positions: &[Position], _: Color, scores: &mut [f64]) {
        for (score, position) in scores.iter_mut().zip(positions) {
            *score = f64::from(position.half_move()) * 10.0 + f64::from(position.full_move());
        }
    }
}

#[test]
fn a_value_found_with_other_clocks_is_no_hit_for_an_evaluator_that_reads_them() {
    for depth in [2, 3] {
        let table = TranspositionTable::new(1 << 12);
        let search = search_of(config(depth, 8), &ClockReader).with_table(&table).unwrap();
        let mut values = Vec::new();
        for clocks in ["0 1", "50 1", "0 9", "127 9"] {
            let dfen = format!("k7/8/8/8/8/8/8/R3K3 w - - {clocks} K");
            let fresh = unlimited(&search_of(config(depth, 8), &ClockReader), &dfen);
            let result = unlimited(&search, &dfen);
            assert_eq!((found(&result), result.stats.tt_hits), (found(&fresh), 0), "{dfen}");
            assert!(!values.contains(&found(&result).2), "clocks {clocks} matter");
            values.push(found(&result).2);
        }
    }
}

#[test]
fn clocks_do_not_matter_to_an_evaluator_that_does_not_read_them() {
    let table = TranspositionTable::new(1 << 12);
    let search = search_of(config(2, 8), &ROUGH).with_table(&table).unwrap();
    let cold = unlimited(&search, "k7/8/8/8/8/8/8/R3K3 w - - 0 1 K");
    let other_clocks = unlimited(&search, "k7/8/8/8/8/8/8/R3K3 w - - 50 9 K");
    assert_eq!(found(&other_clocks), found(&cold));
    let stats = other_clocks.stats;
    assert_eq!(stats.tt_hits + stats.tt_cutoffs, stats.candidates_selected);
}

#[test]
fn one_table_serves_both_sides_and_both_depths() {
    let table = TranspositionTable::new(1 << 12);
    for (dfen, _) in SEARCHES.into_iter().filter(|&(_, depth)| depth == 3) {
        for root in [position(dfen), position(dfen).flipped()] {
            for depth in [2, 3, 2] {
                let dfen = root.to_string();
                let search = search_of(config(depth, 8), &CLOCKED).with_table(&table).unwrap();
                let fresh = unlimited(&search_of(config(depth, 8), &CLOCKED), &dfen);
                assert_eq!(found(&unlimited(&search, &dfen)), found(&fresh), "{dfen} {depth}");
                // The same positions seen by the other side, in the role of a candidate's opponent.
                let (_, after) = selected_turns(&root, 1)[0];
                for perspective in Color::ALL {
                    let open = SearchControl::unbounded();
                    let node = search.chance_value(&after, perspective, &open).unwrap();
                    let plain = search_of(config(depth, 8), &CLOCKED);
                    let expected = plain.chance_value(&after, perspective, &open).unwrap();
                    assert_eq!(node.outcome, expected.outcome, "{dfen} {perspective:?}");
                }
            }
        }
    }
}

#[test]
fn the_smallest_table_is_right() {
    for (dfen, depth) in SEARCHES {
        for evaluator in [&BuiltIn::Standard as &dyn Evaluator, &ROUGH] {
            let expected = found(&unlimited(&search_of(config(depth, 8), evaluator), dfen));
            let table = TranspositionTable::new(1);
            let search = search_of(config(depth, 8), evaluator).with_table(&table).unwrap();
            for _ in ["cold", "warm"] {
                assert_eq!(found(&unlimited(&search, dfen)), expected, "{dfen}");
            }
        }
    }
}

#[test]
fn threads_that_race_on_a_tiny_table_stay_right() {
    let expected =
        SEARCHES.map(|(dfen, depth)| found(&unlimited(&search_of(config(depth, 8), &ROUGH), dfen)));
    for capacity in [1, 16] {
        let table = TranspositionTable::new(capacity);
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let (table, expected) = (&table, &expected);
                scope.spawn(move || {
                    for round in 0..6 {
                        let i = (thread + round) % SEARCHES.len();
                        let (dfen, depth) = SEARCHES[i];
                        let search = search_of(config(depth, 8), &ROUGH).with_table(table).unwrap();
                        assert_eq!(found(&unlimited(&search, dfen)), expected[i], "{dfen}");
                    }
                });
            }
        });
    }
}

#[test]
fn a_table_cleared_during_a_search_does_no_harm() {
    let table = TranspositionTable::new(1 << 8);
    let root = position(ROOK_ENDING);
    let expected = found(&unlimited(&search_of(config(3, 8), &ROUGH), ROOK_ENDING));
    let running = AtomicBool::new(true);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while running.load(Ordering::Relaxed) {
                table.clear();
            }
        });
        let search = search_of(config(3, 8), &ROUGH).with_table(&table).unwrap();
        let results = [(); 5].map(|()| search.find_best_move(&root, &SearchControl::unbounded(), SEED));
        running.store(false, Ordering::Relaxed);
        for result in results {
            assert_eq!(found(&result.unwrap()), expected);
        }
    });
}
