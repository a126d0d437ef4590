//! Whole searches with cold trees, after the seeds' `ExpectimaxSearchBenchmark`.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use dicechess_native::board::Color;
use dicechess_native::eval::BuiltIn;
use dicechess_native::rules::Budget;
use dicechess_native::search::{ProofVerdict, SearchControl, TranspositionTable, WinProof, WinProofConfig};

mod common;
use common::{AFTER_TURN, EVALUATORS, F10, ROOK_ENDING, position, search};

/// One chance node of a full board, the unit that a depth-2 search is made of.
fn chance_node(criterion: &mut Criterion) {
    let after_turn = position(AFTER_TURN);
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

criterion_group!(benches, chance_node, rook_ending, f10_two_deep, win_proof);
criterion_group! {
    name = slow_benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(3));
    targets = f10_three_deep
}
criterion_main!(benches, slow_benches);
