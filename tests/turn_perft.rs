//! Counting sequences of turns agrees with plain enumeration.

mod oracle;

use dicechess_native::board::{DicePool, Position};
use dicechess_native::rules::{Roll, turn_divide, turn_perft};
use oracle::State;

/// The same count by the oracle: a pass goes on, a captured king does not.
fn sequences(state: &State, dice: &[u8], depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let rolled = state.with_dice(dice);
    let turns = rolled.turns();
    if turns.captures.is_empty() && turns.quiet.is_empty() {
        return sequences(&rolled.end_turn(), dice, depth - 1);
    }
    let captures = if depth == 1 { turns.captures.len() as u64 } else { 0 };
    captures + turns.quiet.iter().map(|(_, after)| sequences(&after.end_turn(), dice, depth - 1)).sum::<u64>()
}

#[test]
fn turn_perft_counts_the_sequences_that_plain_enumeration_finds() {
    for (dfen, faces, depth) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", [1, 2, 4], 2),
        ("4k3/8/8/pPpPpP2/8/8/8/4K3 w - a6c6e6 0 3", [1, 1, 6], 2),
        ("4k3/8/8/8/8/p7/P7/R3K3 w Q - 0 1", [1, 1, 1], 3),
        ("4k3/8/8/8/8/p7/P7/R3K3 w Q - 0 1", [2, 4, 6], 2),
        ("8/8/8/2k5/8/1N6/2P5/K7 w - - 0 1", [1, 1, 2], 2),
    ] {
        let (position, state) = (dfen.parse::<Position>().unwrap(), State::parse(dfen).unwrap());
        let roll = Roll::of(DicePool::from_faces(&faces).unwrap());
        for depth in 0..=depth {
            let expected = sequences(&state, &faces, depth);
            assert_eq!(turn_perft(&position, roll, depth), expected, "{dfen} {faces:?} {depth}");
        }
        let split: u64 = turn_divide(&position, roll, depth).iter().map(|(_, count)| count).sum();
        assert_eq!(split, turn_perft(&position, roll, depth));
    }
}
