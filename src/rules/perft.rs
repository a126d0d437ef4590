//! Counts of move sequences, to compare move generators by.

use super::micro_move::MicroMove;
use super::movegen::for_each_group;
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
