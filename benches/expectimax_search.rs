//! Whole searches with cold trees, after the seeds' `ExpectimaxSearchBenchmark`, and how long a search takes to stop.

use std::cell::Cell;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use dicechess_native::board::{Color, Position};
use dicechess_native::eval::{BuiltIn, Evaluator};
use dicechess_native::rules::Budget;
use dicechess_native::search::{
    Expectimax, ExpectimaxConfig, ProofVerdict, SearchControl, TranspositionTable, WinProof, WinProofConfig,
};

const ROOK_ENDING: &str = "k7/8/8/8/8/8/8/R3K3 w - - 0 1 NBK";
const F10: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 3 NBP";

/// A host's evaluator: as cheap as can be, but nothing may be assumed of it.
struct CheapBatch;

impl Evaluator for CheapBatch {
    fn name(&self) -> &str {
        "cheap batch"
    }

    fn evaluate(&self, positions: &[Position], _perspective: Color, scores: &mut [f64]) {
        for (score, position) in scores.iter_mut().zip(positions) {
            *score = (position.key() >> 54) as f64;
        }
    }

    fn reads_clocks(&self) -> bool {
        false
    }
}

const EVALUATORS: [(&str, &dyn Evaluator); 2] = [("material", &BuiltIn::Material), ("batch", &CheapBatch)];

fn search(depth: u32, candidate_limit: usize, evaluator: &dyn Evaluator) -> Expectimax<'_> {
    let config = ExpectimaxConfig { search_depth: depth, candidate_limit, ..ExpectimaxConfig::default() };
    Expectimax::new(config, evaluator).expect("a valid configuration")
}

fn position(dfen: &str) -> Position {
    dfen.parse().expect("a valid DFEN")
}

/// One chance node of a full board, the unit that a depth-2 search is made of.
fn chance_node(criterion: &mut Criterion) {
    let after_turn = position("r1bqkbnr/pppp1ppp/2n5/4N3/2B1P3/3P4/PPP2PPP/RNBQK2R b KQkq - 0 3");
    for (name, evaluator) in EVALUATORS {
        let search = search(2, 8, evaluator);
        criterion.bench_function(&format!("expectimax_search/chance_node/{name}"), |bencher| {
            let control = SearchControl::unbounded();
            bencher.iter(|| search.chance_value(black_box(&after_turn), Color::White, &control));
        });
    }
}

fn rook_ending(criterion: &mut Criterion) {
    let root = position(ROOK_ENDING);
    for depth in [2, 3] {
        let search = search(depth, 8, &BuiltIn::Material);
        let group = format!("expectimax_search/rook_ending/depth_{depth}");
        let unbounded = search.find_best_move(&root, &SearchControl::unbounded(), 1).expect("both kings");
        assert!(unbounded.best.expect("a turn").outcome.is_exact());
        criterion.bench_function(&format!("{group}/unbounded"), |bencher| {
            bencher.iter(|| search.find_best_move(black_box(&root), &SearchControl::unbounded(), 1));
        });
        criterion.bench_function(&format!("{group}/budget"), |bencher| {
            bencher.iter(|| {
                let budget = Budget::new(u64::MAX);
                let control = SearchControl::unbounded().with_budget(&budget);
                search.find_best_move(black_box(&root), &control, 1)
            });
        });
    }
}

fn f10(criterion: &mut Criterion, depth: u32) {
    let root = position(F10);
    for candidate_limit in [1, 8] {
        for (name, evaluator) in EVALUATORS {
            let group = format!("expectimax_search/f10/depth_{depth}/limit_{candidate_limit}/{name}");
            let plain = search(depth, candidate_limit, evaluator);
            criterion.bench_function(&format!("{group}/no_table"), |bencher| {
                bencher.iter(|| plain.find_best_move(black_box(&root), &SearchControl::unbounded(), 1));
            });
            let table = TranspositionTable::default();
            let cached = search(depth, candidate_limit, evaluator).with_table(&table).expect("a new table");
            criterion.bench_function(&format!("{group}/cold_table"), |bencher| {
                bencher.iter_batched(
                    || {
                        table.clear();
                        black_box(root)
                    },
                    |root| cached.find_best_move(&root, &SearchControl::unbounded(), 1),
                    BatchSize::PerIteration,
                );
            });
        }
    }
}

fn f10_two_deep(criterion: &mut Criterion) {
    f10(criterion, 2);
}

fn f10_three_deep(criterion: &mut Criterion) {
    f10(criterion, 3);
}

/// Proofs from start to stop, after docs/stopping-in-dice-chess.md; the last is a full board.
fn win_proof(criterion: &mut Criterion) {
    let proof = WinProof::new(WinProofConfig::default()).expect("a valid configuration");
    for (name, dfen) in [
        ("queens", "6R1/1n6/2Q5/4K2q/2N1k3/5r2/8/8 w - - 0 1 PPR"),
        ("bishops", "7q/5b2/8/7P/6K1/3B3k/8/8 w - - 0 1 BR"),
        ("middlegame", "r1bq3r/pppp1ppp/2n2n2/Kkb1p3/2B1P3/2N2N2/PPPP1PPP/R1BQ3R w - - 6 5 QQQ"),
    ] {
        let root = position(dfen);
        let search = || proof.find_proven_move(black_box(&root), &SearchControl::unbounded(), 1);
        let best = search().expect("both kings").best.expect("a turn");
        assert_eq!(best.verdict, ProofVerdict::Proven);
        criterion
            .bench_function(&format!("expectimax_search/win_proof/{name}"), |bencher| bencher.iter(search));
    }
}

/// What is searched three deep, which takes longer than until it is cancelled.
const MIDDLEGAMES: [&str; 4] = [
    F10,
    "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 6 5 BNQ",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 PNQ",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10 NBR",
];

const CANCELLED_SEARCHES: usize = 200;

/// Prints the times from `cancel()` to the return of the search: what matters is the tail, not the mean. On a busy machine
/// the tail is that of its scheduler; the most work between two checks is the engine's own part.
fn cancellation(_: &mut Criterion) {
    // Criterion's other modes want no measurements.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    for (name, evaluator) in EVALUATORS {
        for reply_probes in [false, true] {
            let mut times = times_to_return(evaluator, reply_probes);
            times.sort();
            println!(
                "expectimax_search/cancellation/{name}{}: at most {} units of work between checks; {} searches, \
                 median {:?}, 99 % {:?}, worst {:?}",
                if reply_probes { "/reply_probes" } else { "" },
                most_work_between_checks(evaluator, reply_probes),
                times.len(),
                times[times.len() / 2],
                times[times.len() * 99 / 100],
                times[times.len() - 1],
            );
        }
    }
}

fn cancellable(evaluator: &dyn Evaluator, reply_probes: bool) -> Expectimax<'_> {
    let config = ExpectimaxConfig { search_depth: 3, reply_probes, ..ExpectimaxConfig::default() };
    Expectimax::new(config, evaluator).expect("a valid configuration")
}

fn most_work_between_checks(evaluator: &dyn Evaluator, reply_probes: bool) -> u64 {
    let search = cancellable(evaluator, reply_probes);
    let most = Cell::new(0);
    for dfen in MIDDLEGAMES {
        let (budget, before) = (Budget::new(5_000_000), Cell::new(0));
        // Asked at every check, and never late.
        let clock = || {
            most.set(most.get().max(budget.used() - before.replace(budget.used())));
            i64::MIN
        };
        let control = SearchControl::unbounded().with_budget(&budget).with_deadline(0).with_clock(&clock);
        search.find_best_move(&position(dfen), &control, 1).expect("both kings");
    }
    most.get()
}

fn times_to_return(evaluator: &dyn Evaluator, reply_probes: bool) -> Vec<Duration> {
    let search = cancellable(evaluator, reply_probes);
    let mut times = Vec::new();
    for i in 0..CANCELLED_SEARCHES {
        let root = position(MIDDLEGAMES[i % MIDDLEGAMES.len()]);
        let flag = AtomicBool::new(false);
        let (result, returned, cancelled) = std::thread::scope(|scope| {
            let canceller = scope.spawn(|| {
                // Anywhere in the tree: from 1 to 16 ms, in no step with the work.
                std::thread::sleep(Duration::from_micros(1000 + (i as u64 * 7919) % 15_000));
                let cancelled = Instant::now();
                flag.store(true, Ordering::Relaxed);
                cancelled
            });
            let control = SearchControl::unbounded().with_cancel_flag(&flag);
            let result = search.find_best_move(&root, &control, 1).expect("both kings");
            let returned = Instant::now();
            (result, returned, canceller.join().expect("no panic"))
        });
        // A search that ended by itself tells nothing.
        if result.stats.deadline_truncated {
            times.push(returned.saturating_duration_since(cancelled));
        }
    }
    assert!(times.len() > CANCELLED_SEARCHES / 2, "most searches are cancelled");
    times
}

criterion_group!(benches, chance_node, rook_ending, f10_two_deep, win_proof, cancellation);
criterion_group! {
    name = slow_benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(3));
    targets = f10_three_deep
}
criterion_main!(benches, slow_benches);
