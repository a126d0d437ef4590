//! The rules layer allocates nothing per position once its buffers have grown.

use dicechess_native::board::{Color, Position};
use dicechess_native::rules::{
    Budget, Identity, ReachSets, Roll, Turns, king_capture_path, king_capture_rolls, micro_moves, partition,
};

fn allocations(work: impl FnOnce()) -> u64 {
    allocation_counter::measure(work).count_total
}

const POSITIONS: [&str; 4] = [
    "r1bqkbnr/pppp1ppp/2n5/4N3/2B1P3/3P4/PPP2PPP/RNBQK2R b KQkq - 0 3 pnb",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 QQQ",
    "4k3/8/8/pPpPpP2/8/8/8/4K3 w - a6c6e6 0 3 PPP",
    "k7/8/8/8/8/8/8/R3K3 w - - 0 1 RRK",
];

/// All that a search asks of the rules at one position.
fn ask_everything(position: &Position, turns: &mut Turns, sets: &mut ReachSets) {
    turns.generate(position, &Budget::unlimited()).unwrap();
    sets.reset(position);
    for class in partition(position) {
        sets.finals(class.roll, &Budget::unlimited()).unwrap();
    }
    for roll in Roll::all_full() {
        sets.captures_king(roll, &Budget::unlimited()).unwrap();
    }
}

#[test]
fn turns_and_reach_sets_allocate_nothing_once_their_buffers_have_grown() {
    for identity in [Identity::BeforeTurnEnd, Identity::AfterTurnEnd, Identity::AfterTurnEndIgnoringClock] {
        let positions = POSITIONS.map(|dfen| dfen.parse::<Position>().unwrap());
        let (mut turns, mut sets) = (Turns::new(), ReachSets::new(identity));
        let mut round = || positions.iter().for_each(|p| ask_everything(p, &mut turns, &mut sets));
        assert!(allocations(&mut round) > 0, "the counter counts");
        assert_eq!(allocations(&mut round), 0, "{identity:?}");
    }
}

#[test]
fn playing_and_ending_turns_allocates_nothing() {
    let position: Position = POSITIONS[0].parse().unwrap();
    let moves = micro_moves(&position);
    let played = allocations(|| {
        for &micro_move in &moves {
            std::hint::black_box(position.play(micro_move).end_turn());
        }
    });
    assert_eq!(played, 0);
}

#[test]
fn queries_allocate_a_few_buffers_and_nothing_per_position() {
    let position: Position = POSITIONS[0].parse().unwrap();
    let budget = Budget::unlimited();
    let queries = allocations(|| {
        king_capture_path(&position, &budget).unwrap();
        king_capture_rolls(&position, Color::White, &budget).unwrap();
    });
    assert!(budget.used() > 500, "many positions: {} units", budget.used());
    assert!(10 * queries < budget.used(), "{queries} allocations for {} units", budget.used());
}
