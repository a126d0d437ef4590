//! Which dice capture the king at once: the moves of one die, seen from their target.

use super::commute::LastMove;
use crate::board::{Bitboard, Color, PieceType, Position, attacks};

/// The dice, as bits by [`PieceType::index`], with which `mover` could capture an enemy king at once.
#[inline]
pub(crate) fn capturing_dice(position: &Position, mover: Color) -> u8 {
    let mut dice = 0;
    for king in position.pieces(!mover, PieceType::King) {
        let attackers = position.attackers(mover, king);
        if attackers.any() {
            for piece in PieceType::ALL {
                let attacks = (attackers & position.of_type(piece)).any();
                dice |= u8::from(attacks) << piece.index();
            }
        }
    }
    dice
}

/// The enemy kings of a turn, which stay where they are while it lasts.
#[derive(Clone, Copy, Debug)]
pub(super) struct KingsAtRisk {
    mover: Color,
    /// By [`PieceType::index`]: the squares from which a piece of the mover captures a king if nothing stands between.
    from: [Bitboard; 6],
}

impl KingsAtRisk {
    pub(super) fn new(position: &Position, mover: Color) -> Self {
        let mut from = [Bitboard::EMPTY; 6];
        for king in position.pieces(!mover, PieceType::King) {
            let (rook, bishop) =
                (attacks::rook(king, Bitboard::EMPTY), attacks::bishop(king, Bitboard::EMPTY));
            let squares = [
                attacks::pawn(!mover, king),
                attacks::knight(king),
                bishop,
                rook,
                rook | bishop,
                attacks::king(king),
            ];
            from.iter_mut().zip(squares).for_each(|(from, squares)| *from |= squares);
        }
        Self { mover, from }
    }

    /// Of [`capturing_dice`], at least those beyond the `known` that the move which led to `position` has made possible: for
    /// the piece that moved, or along a line that it left.
    #[inline]
    pub(super) fn newly_capturing_dice(&self, position: &Position, last_move: &LastMove, known: u8) -> u8 {
        let new = last_move.plain().is_none_or(|(piece, from, to)| {
            self.from[piece.index()].contains(to) && known >> piece.index() & 1 == 0
                || self.from[PieceType::Queen.index()].contains(from) && self.has_slider_in_line(position)
        });
        if new { capturing_dice(position, self.mover) } else { 0 }
    }

    /// Whether a slider of the mover stands on a line with a king along which it slides, whatever stands between.
    fn has_slider_in_line(&self, position: &Position) -> bool {
        let of = |piece: PieceType| self.from[piece.index()];
        let in_line = of(PieceType::Rook) & position.orthogonal_sliders()
            | of(PieceType::Bishop) & position.diagonal_sliders();
        (in_line & position.color(self.mover)).any()
    }
}
