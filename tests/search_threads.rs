//! Eight threads that search at once find what one finds alone (SEA-15).

mod reference;

use dicechess_native::board::Position;
use dicechess_native::eval::{BuiltIn, Evaluator};
use dicechess_native::rules::{Budget, Turn};
use dicechess_native::search::{Expectimax, SearchControl, SearchResult, TranspositionTable};
use reference::{CLOCKED, F10, ROOK_ENDING, ROUGH, config, position};

const THREADS: usize = 8;
const SEEDS: [u64; 3] = [1, 2, 3];

/// With the depth that each can be searched to in little time.
const POSITIONS: [(&str, u32); 12] = [
    (F10, 2),
    ("r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 6 5 BNQ", 2),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 PRK", 2),
    ("r3k2r/8/8/1B6/8/8/8/4K3 b kq - 0 1 rk", 2),
    ("8/P5k1/8/2pP4/4pP2/8/p5K1/8 w - c6 0 1 PPN", 2),
    ("4k3/8/8/8/PpPpP3/8/8/4K3 b - a3c3e3 0 1 pp", 2),
    ("n6k/8/3P4/P7/8/8/8/7K b - - 0 1 nk", 2),
    (ROOK_ENDING, 3),
    ("7k/8/8/8/8/8/r2P4/3K4 w - - 0 1 K", 3),
    ("8/1k4P1/8/8/8/8/8/6K1 w - - 5 1 PQ", 3),
    ("8/8/8/5k2/8/8/8/N3K3 w - - 0 1 NK", 3),
    ("4k3/8/8/3p4/2P5/8/8/4K3 w - - 0 1 PPK", 3),
];

fn evaluators() -> [&'static (dyn Evaluator + Sync); 3] {
    [&BuiltIn::Material, &ROUGH, &CLOCKED]
}

/// What must be the same whatever else goes on: a table may change the rest.
fn found(result: &SearchResult) -> (Turn, i32, Option<f64>) {
    let best = result.best.expect("a turn");
    (best.turn, best.score, best.outcome.value())
}

/// What each thread gets, every one starting elsewhere in the list so that different searches meet.
fn on_eight_threads<T: Send>(search: impl Fn(&Position, u32, u64) -> T + Sync) -> Vec<Vec<T>> {
    let run = |thread: usize| {
        let mut results: Vec<T> = Vec::new();
        let len = POSITIONS.len();
        for i in 0..len {
            let (dfen, depth) = POSITIONS[(i + thread) % len];
            results.extend(SEEDS.map(|seed| search(&position(dfen), depth, seed)));
        }
        results.rotate_right(thread % len * SEEDS.len());
        results
    };
    std::thread::scope(|scope| {
        let run = &run;
        let threads: Vec<_> = (0..THREADS).map(|thread| scope.spawn(move || run(thread))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn alone<T>(search: impl Fn(&Position, u32, u64) -> T) -> Vec<T> {
    let each = |(dfen, depth): (&str, u32)| SEEDS.map(|seed| search(&position(dfen), depth, seed));
    POSITIONS.into_iter().flat_map(each).collect()
}

/// Searches two and three turns deep, with a table if there is one.
fn both_depths<'a>(
    evaluator: &'a (dyn Evaluator + Sync),
    table: Option<&'a TranspositionTable>,
) -> [Expectimax<'a>; 2] {
    [2, 3].map(|depth| {
        let search = Expectimax::new(config(depth, 6), evaluator).unwrap();
        match table {
            Some(table) => search.with_table(table).unwrap(),
            None => search,
        }
    })
}

#[test]
fn one_search_shared_by_eight_threads_gives_what_it_gives_alone() {
    for evaluator in evaluators() {
        let searches = both_depths(evaluator, None);
        let search = |root: &Position, depth: u32, seed: u64| {
            let search = &searches[depth as usize - 2];
            search.find_best_move(root, &SearchControl::unbounded(), seed).unwrap()
        };
        let expected = alone(search);
        for results in on_eight_threads(search) {
            assert_eq!(results, expected, "{}", evaluator.name());
        }
    }
}

#[test]
fn eight_threads_on_one_table_find_what_one_finds_without_cold_and_warm() {
    for evaluator in evaluators() {
        let plain = both_depths(evaluator, None);
        let open = SearchControl::unbounded();
        let expected = alone(|root, depth, seed| {
            found(&plain[depth as usize - 2].find_best_move(root, &open, seed).unwrap())
        });
        let table = TranspositionTable::new(1 << 12);
        let searches = both_depths(evaluator, Some(&table));
        for temperature in ["cold", "warm"] {
            let results = on_eight_threads(|root, depth, seed| {
                let search = &searches[depth as usize - 2];
                found(&search.find_best_move(root, &SearchControl::unbounded(), seed).unwrap())
            });
            for results in results {
                assert_eq!(results, expected, "{} {temperature}", evaluator.name());
            }
        }
    }
}

#[test]
fn a_fixed_budget_from_a_cold_table_gives_one_result_on_eight_threads() {
    for limit in [500, 20_000] {
        let search = |root: &Position, depth: u32, seed: u64| {
            let (table, budget) = (TranspositionTable::new(1 << 8), Budget::new(limit));
            let search = Expectimax::new(config(depth, 6), &ROUGH).unwrap().with_table(&table).unwrap();
            let control = SearchControl::unbounded().with_budget(&budget);
            search.find_best_move(root, &control, seed).unwrap()
        };
        let expected = alone(search);
        let truncated = expected.iter().filter(|result| result.stats.deadline_truncated).count();
        assert!(truncated > 0, "the budget of {limit} ends some searches early");
        for results in on_eight_threads(search) {
            assert_eq!(results, expected, "budget {limit}");
        }
    }
}
