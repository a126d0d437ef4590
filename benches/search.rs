//! The search: one chance node, and the root search on F10.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use dicechess_native::board::{Color, Position};
use dicechess_native::eval::{BuiltIn, Evaluator};
use dicechess_native::search::{Expectimax, ExpectimaxConfig, SearchControl};

const F10: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 3 NBP";
const F10_AFTER_A_TURN: &str = "r1bqkbnr/pppp1ppp/2n5/4N3/2B1P3/3P4/PPP2PPP/RNBQK2R b KQkq - 0 3";

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

fn evaluators() -> [(&'static str, Box<dyn Evaluator>); 2] {
    [("material", Box::new(BuiltIn::Material)), ("batch", Box::new(CheapBatch))]
}

fn chance_node(criterion: &mut Criterion) {
    let position: Position = F10_AFTER_A_TURN.parse().expect("a valid DFEN");

    for (name, evaluator) in evaluators() {
        let search =
            Expectimax::new(ExpectimaxConfig::default(), &*evaluator).expect("a valid configuration");
        criterion.bench_function(&format!("chance_node/f10_after_a_turn/{name}"), |bencher| {
            bencher.iter(|| {
                search.chance_value(black_box(&position), Color::White, &SearchControl::unbounded())
            });
        });
    }
}

fn root(criterion: &mut Criterion) {
    let position: Position = F10.parse().expect("a valid DFEN");
    for (name, evaluator) in evaluators() {
        let search =
            Expectimax::new(ExpectimaxConfig::default(), &*evaluator).expect("a valid configuration");
        criterion.bench_function(&format!("expectimax/f10_depth_2/{name}"), |bencher| {
            bencher.iter(|| search.find_best_move(black_box(&position), &SearchControl::unbounded(), 1));
        });
    }
}

criterion_group!(benches, chance_node, root);
criterion_main!(benches);
