//! The work behind the JVM benchmarks of `jvm-bindings/benchmarks`, without the way to the JVM and back.

use criterion::{Criterion, criterion_group, criterion_main};
use dicechess_native::board::Position;
use dicechess_native::eval::BuiltIn;
use dicechess_native::rules::{TurnPlayer, legal_turns};
use dicechess_native::search::{Expectimax, ExpectimaxConfig, SearchControl};

const F10: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 3 NBP";
const FORCED_PASS: &str = "4k3/8/8/8/8/p7/P7/R3K3 w - - 0 1 PPP";

fn boundary(c: &mut Criterion) {
    let search = Expectimax::new(ExpectimaxConfig::default(), &BuiltIn::Material).unwrap();
    let find = |dfen: &str| {
        let root: Position = dfen.parse().unwrap();
        search.find_best_move(&root, &SearchControl::unbounded(), 0).unwrap()
    };
    assert!(find(FORCED_PASS).best.is_none());
    let mut group = c.benchmark_group("boundary");
    group.bench_function("forced pass", |b| b.iter(|| find(FORCED_PASS)));
    group.bench_function("F10", |b| b.iter(|| find(F10)));
    group.bench_function("round trip", |b| b.iter(|| F10.parse::<Position>().unwrap().to_string()));
    let root: Position = F10.parse().unwrap();
    group.bench_function("legal turns and their positions", |b| {
        b.iter(|| {
            let mut player = TurnPlayer::new(&root);
            legal_turns(&root).iter().map(|turn| player.play(turn)).collect::<Vec<_>>()
        })
    });
    group.finish();
}

criterion_group!(benches, boundary);
criterion_main!(benches);
