//! The bots: how long each takes for a turn, and how many random games a second `monte-carlo` plays.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use dicechess_native::board::Position;
use dicechess_native::rules::legal_turns;
use dicechess_native::search::SearchControl;
use dicechess_native::search::bots::Bot;

const F10: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 3";
const ROOK_ENDING: &str = "k7/8/8/8/8/8/8/R3K3 w - - 0 1";

/// Random games for each candidate when there is no deadline.
const GAMES: usize = 120;

fn position(dfen: &str, dice: &str) -> Position {
    format!("{dfen} {dice}").parse().expect("a valid DFEN")
}

fn bench_bot(criterion: &mut Criterion, bot: Bot, name: &str, root: &Position, elements: usize) {
    let mut group = criterion.benchmark_group(format!("bots/{name}"));
    group.throughput(Throughput::Elements(elements as u64));
    group.bench_function(BenchmarkId::from_parameter(bot), |bencher| {
        bencher.iter(|| bot.best_turn(black_box(root), &SearchControl::unbounded(), 7));
    });
}

/// Elements are the legal turns, among which the bot chooses.
fn one_turn(criterion: &mut Criterion) {
    let root = position(F10, "NBP");
    for bot in Bot::ALL.into_iter().filter(|&bot| bot != Bot::MonteCarlo) {
        bench_bot(criterion, bot, "f10", &root, legal_turns(&root).len());
    }
}

/// Elements are random games. The rolls leave few turns, so that one answer takes few games.
fn random_games(criterion: &mut Criterion) {
    for (name, dfen) in [("f10_king", F10), ("rook_ending_king", ROOK_ENDING)] {
        let root = position(dfen, "K");
        bench_bot(criterion, Bot::MonteCarlo, name, &root, legal_turns(&root).len() * GAMES);
    }
}

criterion_group!(benches, one_turn);
criterion_group! {
    name = slow_benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(5));
    targets = random_games
}
criterion_main!(benches, slow_benches);
