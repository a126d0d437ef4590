//! Counts of sequences of micro-moves and of turns, to compare move generators by.

use super::micro_move::MicroMove;
use super::movegen::for_each_group;
use super::{Roll, Turn, legal_turns};
use crate::board::{PieceType, Position};

/// The number of sequences of `depth` single micro-moves in which every side always has one `die`.
///
/// After each micro-move the turn ends. Castling never appears, as one die cannot pay for it; a captured king does not stop
/// the count.
///
/// ```
/// use dicechess_native::board::{PieceType, Position};
/// use dicechess_native::rules::perft;
/// assert_eq!(perft(&Position::start(), PieceType::Pawn, 3), 3846);
/// ```
pub fn perft(position: &Position, die: PieceType, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    divide(position, die, depth).iter().map(|(_, nodes)| nodes).sum()
}

/// [`perft`] split by the first micro-move, in canonical order: the tool to find where two generators part.
///
/// Empty at depth 0, where [`perft`] counts the position itself.
pub fn divide(position: &Position, die: PieceType, depth: u32) -> Vec<(MicroMove, u64)> {
    let mut counts = Vec::new();
    let Some(rest) = depth.checked_sub(1) else {
        return counts;
    };
    for_each_group(position, die, |group| {
        counts.extend(
            group
                .moves()
                .map(|micro_move| (micro_move, perft(&position.after(micro_move).end_turn(), die, rest))),
        );
    });
    counts
}

/// The number of sequences of `depth` turns in which every side always rolls `roll`.
///
/// A forced pass is the one way to go on from a roll without a legal turn. A turn that captures the king ends its sequence,
/// which counts only if it has `depth` turns by then.
///
/// ```
/// use dicechess_native::{board::Position, rules::{Roll, turn_perft}};
/// let f10: Position = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 3 PNB".parse().unwrap();
/// assert_eq!(turn_perft(&f10, Roll::of(f10.dice()), 1), 4654);
/// ```
pub fn turn_perft(position: &Position, roll: Roll, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    turn_divide(position, roll, depth).iter().map(|(_, sequences)| sequences).sum()
}

/// [`turn_perft`] split by the first turn, in canonical order; a forced pass stands as the empty turn.
///
/// Empty at depth 0, where [`turn_perft`] counts the position itself.
pub fn turn_divide(position: &Position, roll: Roll, depth: u32) -> Vec<(Turn, u64)> {
    let Some(rest) = depth.checked_sub(1) else {
        return Vec::new();
    };
    let rolled = position.with_dice(roll.pool());
    let turns = legal_turns(&rolled);
    if turns.is_empty() {
        return vec![(Turn::default(), turn_perft(&rolled.end_turn(), roll, rest))];
    }
    let captures = turns.captures().iter().map(|&turn| (turn, u64::from(rest == 0)));
    let quiet =
        turns.quiet().iter().map(|&turn| (turn, turn_perft(&rolled.play_turn(turn).end_turn(), roll, rest)));
    captures.chain(quiet).collect()
}
