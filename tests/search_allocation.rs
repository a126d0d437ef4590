//! Searches allocate nothing on the heap once the buffers that they pool have grown.

mod reference;

use dicechess_native::board::{Color, Position};
use dicechess_native::eval::{BuiltIn, Evaluator};
use dicechess_native::rules::Budget;
use dicechess_native::search::{
    Candidate, Expectimax, ExpectimaxConfig, RootRescore, SearchControl, TranspositionTable,
};
use reference::{CLOCKED, F10, ROOK_ENDING, ROUGH, config, position, selected_turns};

/// With the depth that each is searched to; F10 three deep goes as far as a budget lets it.
const SEARCHES: [(&str, u32); 5] = [
    (F10, 2),
    ("r3k2r/8/8/1B6/8/8/8/4K3 b kq - 0 1 rk", 2),
    ("4k3/8/8/8/8/p7/P7/R3K3 w - - 0 1 RK", 2),
    (ROOK_ENDING, 3),
    ("7k/8/8/8/8/8/r2P4/3K4 w - - 0 1 K", 3),
];

fn allocations(work: impl FnOnce()) -> u64 {
    allocation_counter::measure(work).count_total
}

/// What the work allocates after it has been done three times, the first of which allocates.
fn steady_allocations(mut work: impl FnMut()) -> u64 {
    assert!(allocations(&mut work) > 0, "the counter counts");
    work();
    work();
    allocations(work)
}

fn evaluators() -> [&'static dyn Evaluator; 4] {
    [&BuiltIn::Material, &BuiltIn::Standard, &ROUGH, &CLOCKED]
}

fn search(search: &Expectimax<'_>, root: &Position, control: &SearchControl<'_>) {
    std::hint::black_box(search.find_best_move(root, control, 1).unwrap());
}

#[test]
fn finding_the_best_move_allocates_nothing_in_the_steady_state() {
    for evaluator in evaluators() {
        for (dfen, depth) in SEARCHES {
            for reply_probes in [false, true] {
                for cached in [false, true] {
                    let root = position(dfen);
                    let config = ExpectimaxConfig { reply_probes, ..config(depth, 8) };
                    let table = TranspositionTable::new(1 << 10);
                    let mut expectimax = Expectimax::new(config, evaluator).unwrap();
                    if cached {
                        expectimax = expectimax.with_table(&table).unwrap();
                    }
                    let steady = steady_allocations(|| {
                        table.clear();
                        search(&expectimax, &root, &SearchControl::unbounded());
                    });
                    let what = format!("{dfen} {} {config:?} cached: {cached}", evaluator.name());
                    assert_eq!(steady, 0, "{what}");
                    let warm = allocations(|| search(&expectimax, &root, &SearchControl::unbounded()));
                    assert_eq!(warm, 0, "{what}, warm");
                }
            }
        }
    }
}

#[test]
fn limited_searches_allocate_nothing_in_the_steady_state() {
    for evaluator in evaluators() {
        for (dfen, depth) in SEARCHES.into_iter().chain([(F10, 3)]) {
            let root = position(dfen);
            let expectimax = Expectimax::new(config(depth, 8), evaluator).unwrap();
            for limit in [0, 1000, 100_000] {
                let within = |limit| {
                    let budget = Budget::new(limit);
                    search(&expectimax, &root, &SearchControl::unbounded().with_budget(&budget));
                };
                within(100_000);
                within(limit);
                assert_eq!(allocations(|| within(limit)), 0, "{dfen} {} {limit}", evaluator.name());
            }
            let late = || search(&expectimax, &root, &SearchControl::unbounded().with_deadline(i64::MIN));
            assert_eq!(allocations(late), 0, "{dfen} {}", evaluator.name());
        }
    }
}

#[test]
fn a_chance_value_allocates_nothing_in_the_steady_state() {
    for evaluator in evaluators() {
        for (dfen, depth) in SEARCHES {
            let root = position(dfen);
            let (_, after) = selected_turns(&root, 1)[0];
            let expectimax = Expectimax::new(config(depth, 8), evaluator).unwrap();
            for perspective in Color::ALL {
                let value = || {
                    let open = SearchControl::unbounded();
                    std::hint::black_box(expectimax.chance_value(&after, perspective, &open).unwrap());
                };
                value();
                value();
                assert_eq!(allocations(value), 0, "{dfen} {}", evaluator.name());
            }
        }
    }
}

#[test]
fn other_positions_of_the_same_size_allocate_nothing_either() {
    let roots = SEARCHES.map(|(dfen, _)| position(dfen));
    let expectimax = Expectimax::new(config(2, 8), &ROUGH).unwrap();
    let all = || roots.iter().for_each(|root| search(&expectimax, root, &SearchControl::unbounded()));
    assert_eq!(steady_allocations(all), 0);
    let mirrored = roots.map(|root| root.flipped());
    let all = || mirrored.iter().for_each(|root| search(&expectimax, root, &SearchControl::unbounded()));
    assert_eq!(allocations(all), 0);
}

#[test]
fn options_of_the_root_allocate_nothing_in_the_steady_state() {
    let root = position(F10);
    let rescore = RootRescore { evaluator: &CLOCKED, weight: 0.3 };
    for distinct_candidates in [false, true] {
        for pre_ranker in [None, Some(&ROUGH as &dyn Evaluator), Some(&BuiltIn::Material)] {
            let config = ExpectimaxConfig { distinct_candidates, ..config(2, 8) };
            let expectimax = Expectimax::new(config, &ROUGH).unwrap();
            let expectimax = expectimax.with_pre_ranker(pre_ranker).with_root_rescore(rescore).unwrap();
            let mut candidates: Vec<Candidate> = Vec::new();
            let steady = steady_allocations(|| {
                let open = SearchControl::unbounded();
                expectimax.rank_moves(&root, &open, 1, &mut candidates).unwrap();
            });
            assert_eq!(steady, 0, "{config:?}");
        }
    }
}

/// A dozen queens before a king that no three of their moves reach: millions of turns, and hundreds of thousands of
/// positions after them.
const DOZEN_QUEENS: &str = "kppp4/pppp4/pppp4/pppp4/8/QQQ1QQQ1/8/QQQ1QQQK w - - 0 1";

#[test]
fn buffers_that_a_hostile_root_has_blown_up_are_not_kept() {
    let root = position(&format!("{DOZEN_QUEENS} QQQ"));
    let expectimax = Expectimax::new(config(2, 2), &BuiltIn::Material).unwrap();
    let memory = allocation_counter::measure(|| {
        let late = SearchControl::unbounded().with_deadline(i64::MIN);
        search(&expectimax, &root, &late);
    });
    assert!(memory.bytes_max > 16 << 20, "{memory:?}");
    assert!(memory.bytes_current < 1 << 20, "{memory:?}");
}

#[test]
fn buffers_that_hostile_replies_have_blown_up_are_not_kept() {
    let after_turn = position(DOZEN_QUEENS);
    let expectimax = Expectimax::new(config(2, 2), &BuiltIn::Standard).unwrap();
    let memory = allocation_counter::measure(|| {
        let open = SearchControl::unbounded();
        std::hint::black_box(expectimax.chance_value(&after_turn, Color::White, &open).unwrap());
    });
    assert!(memory.bytes_max > 16 << 20, "{memory:?}");
    assert!(memory.bytes_current < 1 << 20, "{memory:?}");
}
