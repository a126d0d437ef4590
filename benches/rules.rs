//! The rules layer: distinct final positions, leaves, legal turns, DFEN. Beside the reach sets stands plain enumeration of all
//! sequences, replayed and collected in a hash set.

#[path = "common/mod.rs"]
mod common;

use std::collections::HashSet;
use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use dicechess_native::board::Position;
use dicechess_native::rules::{Budget, Finals, Identity, ReachSets, Roll, Turns};

const POSITIONS: [(&str, &str); 4] = [
    ("f10_after_a_turn", "r1bqkbnr/pppp1ppp/2n5/4N3/2B1P3/3P4/PPP2PPP/RNBQK2R b KQkq - 0 3"),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("rook_ending", "k7/8/8/8/8/8/8/R3K3 w - - 0 1"),
];

const ROLLS: [(&str, &str, &str); 6] = [
    ("f10", "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 3", "PNB"),
    ("kiwipete", POSITIONS[1].1, "PNB"),
    ("kiwipete", POSITIONS[1].1, "QQQ"),
    ("start", POSITIONS[2].1, "PPP"),
    ("start", POSITIONS[2].1, "PNB"),
    ("rook_ending", POSITIONS[3].1, "RRK"),
];

fn position(dfen: &str, dice: &str) -> Position {
    format!("{dfen} {dice}").parse().expect("a valid DFEN")
}

/// How many distinct final positions the reach sets find for a roll.
fn finals(sets: &mut ReachSets, roll: Roll) -> usize {
    match sets.finals(roll, &Budget::unlimited()).expect("unlimited") {
        Finals::Positions(positions) => black_box(positions).len(),
        Finals::KingCapture | Finals::ForcedPass => 0,
    }
}

/// The same by playing out every legal turn.
fn naive_finals(turns: &mut Turns, position: &Position) -> usize {
    turns.generate(position, &Budget::unlimited()).expect("unlimited");
    let finals: HashSet<Position> =
        turns.quiet().iter().map(|&turn| position.play_turn(turn).end_turn()).collect();
    black_box(finals).len()
}

fn final_positions_of_one_roll(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("final_positions_of_one_roll");
    for (name, dfen, dice) in ROLLS {
        let position = position(dfen, dice);
        let mut sets = ReachSets::new(Identity::AfterTurnEnd);
        let mut turns = Turns::new();
        group.throughput(Throughput::Elements(naive_finals(&mut turns, &position) as u64));
        group.bench_function(BenchmarkId::new("reach_sets", format!("{name}_{dice}")), |bencher| {
            bencher.iter(|| {
                sets.reset(black_box(&position));
                finals(&mut sets, Roll::of(position.dice()))
            });
        });
        group.bench_function(BenchmarkId::new("plain_enumeration", format!("{name}_{dice}")), |bencher| {
            bencher.iter(|| naive_finals(&mut turns, black_box(&position)));
        });
    }
}

fn final_positions_of_all_rolls(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("final_positions_of_all_rolls");
    for (name, dfen) in POSITIONS {
        let position = position(dfen, "-");
        for (kind, identity) in [
            ("reach_sets", Identity::AfterTurnEnd),
            ("reach_sets_ignoring_clock", Identity::AfterTurnEndIgnoringClock),
        ] {
            let mut sets = ReachSets::new(identity);
            let mut all = |position: &Position| {
                sets.reset(position);
                Roll::all_full().map(|roll| finals(&mut sets, roll)).sum::<usize>()
            };
            group.throughput(Throughput::Elements(all(&position) as u64));
            group.bench_function(BenchmarkId::new(kind, name), |bencher| {
                bencher.iter(|| all(black_box(&position)));
            });
        }
        let mut turns = Turns::new();
        group.bench_function(BenchmarkId::new("plain_enumeration", name), |bencher| {
            bencher.iter(|| {
                let rolled = |roll: Roll| black_box(&position).with_dice(roll.pool());
                Roll::all_full().map(|roll| naive_finals(&mut turns, &rolled(roll))).sum::<usize>()
            });
        });
    }
}

/// A cheap batch evaluator's view: what a leaf costs from its generation to its score.
fn leaves_generated_and_scored(criterion: &mut Criterion) {
    let mut score_all = common::scoring_of_all_leaves(position(POSITIONS[0].1, "-"));
    let mut group = criterion.benchmark_group("leaves_generated_and_scored");
    group.throughput(Throughput::Elements(score_all() as u64));
    group.bench_function(POSITIONS[0].0, |bencher| bencher.iter(&mut score_all));
}

fn legal_turns(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("legal_turns");
    for (name, dfen, dice) in ROLLS {
        let position = position(dfen, dice);
        let mut turns = Turns::new();
        turns.generate(&position, &Budget::unlimited()).expect("unlimited");
        group.throughput(Throughput::Elements(turns.len() as u64));
        group.bench_function(format!("{name}_{dice}"), |bencher| {
            bencher.iter(|| {
                turns.generate(black_box(&position), &Budget::unlimited()).expect("unlimited");
                turns.len()
            });
        });
    }
}

fn dfen(criterion: &mut Criterion) {
    let text = format!("{} PNB", POSITIONS[1].1);
    let position: Position = text.parse().expect("a valid DFEN");
    criterion.bench_function("dfen/parse", |bencher| bencher.iter(|| black_box(&text).parse::<Position>()));
    criterion.bench_function("dfen/print", |bencher| bencher.iter(|| black_box(&position).to_string()));
}

criterion_group!(
    benches,
    final_positions_of_one_roll,
    final_positions_of_all_rolls,
    leaves_generated_and_scored,
    legal_turns,
    dfen
);
criterion_main!(benches);
