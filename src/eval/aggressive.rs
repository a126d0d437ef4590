//! The evaluator that goes for the enemy king.

use super::standard;
use crate::board::{Color, PieceType, Position, Square, attacks};

/// For each rank that an own pawn has advanced from its start rank.
const STORM: i32 = 15;

/// For each own piece that attacks a square next to the enemy king, and each such square.
const RING_ATTACK: i32 = 25;

/// For each step that an own piece is closer to the enemy king than eight.
const PROXIMITY: [(PieceType, i32); 4] =
    [(PieceType::Knight, 15), (PieceType::Bishop, 15), (PieceType::Rook, 25), (PieceType::Queen, 40)];

/// [`standard`] plus, for `color` alone, what threatens the enemy king; just [`standard`] when there is none. Of several
/// enemy kings the one on the lowest square counts.
///
/// * Pawn storm: 15 for each rank that an own pawn has advanced from its start rank; a pawn behind it costs 15.
/// * Proximity: knight and bishop 15, rook 25, queen 40, times 8 less the steps a king would need to the enemy king.
/// * Ring: 25 for each own piece, of any type, that attacks one of the up to eight squares around the enemy king; a piece
///   that attacks three of them counts three times.
///
/// ```
/// use dicechess_native::{board::{Color, Position}, eval::{aggressive, standard}};
/// let position: Position = "7k/8/8/8/4P3/8/8/R3K3 w - - 0 1".parse().unwrap();
/// // The pawn has advanced two ranks, the rook is seven steps away and attacks no square of g8, g7, h7.
/// assert_eq!(aggressive(&position, Color::White), standard(&position, Color::White) + 2 * 15 + 25);
/// ```
pub fn aggressive(position: &Position, color: Color) -> i32 {
    let standard = standard(position, color);
    match position.pieces(!color, PieceType::King).first() {
        Some(king) => {
            standard
                + pawn_storm(position, color)
                + proximity(position, color, king)
                + ring_attacks(position, color, king)
        }
        None => standard,
    }
}

fn pawn_storm(position: &Position, color: Color) -> i32 {
    let advanced = |pawn: Square| i32::from(color.relative_rank(pawn.rank())) - 1;
    STORM * position.pieces(color, PieceType::Pawn).into_iter().map(advanced).sum::<i32>()
}

fn proximity(position: &Position, color: Color, king: Square) -> i32 {
    let closeness = |from: Square| i32::from(8 - from.distance(king));
    let of_type = |(piece, weight): (PieceType, i32)| {
        weight * position.pieces(color, piece).into_iter().map(closeness).sum::<i32>()
    };
    PROXIMITY.into_iter().map(of_type).sum()
}

fn ring_attacks(position: &Position, color: Color, king: Square) -> i32 {
    let attackers = |square| position.attackers(color, square).count() as i32;
    RING_ATTACK * attacks::king(king).into_iter().map(attackers).sum::<i32>()
}
