//! Which moves need not be tried after another one, because the same two in the other order reach the same position.
//!
//! Sets of positions are built by every die from every smaller set, so most positions would be reached by each order of the
//! moves that lead there. Let a stored position remember the move c by which it was first reached. A move b of another piece
//! is skipped there when b and c commute and b comes before c in a fixed order of moves. Nothing is lost: b was then playable
//! before c, so the position before c and after b is stored too; from it c is tried, unless it commutes with the move c′
//! remembered there and comes before it; and so on, along b < c < c′ < …, which must end.

use super::micro_move::{Clock, MoveKind, forward};
use super::movegen::MoveGroup;
use crate::board::{Bitboard, Color, PieceType, Position, Square, attacks};

/// The move by which a position was reached, seen from the moves that may follow.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastMove {
    /// Its place in the order of moves; 0 when it commutes with nothing.
    order: u16,
    /// Up to this place in the order of moves all captures must be tried after it.
    captures_before: u16,
    /// What it put down.
    piece: PieceType,
    from: Square,
    to: Square,
    /// Whether it set the half-move clock to zero; `None` when nobody looks at the clock.
    reset_clock: Option<bool>,
}

/// By type, then by square: pawns come first.
const fn order(piece: PieceType, from: Square) -> u16 {
    (piece.index() * 64 + from.index()) as u16 + 1
}

/// The place of the last pawn in the order.
const LAST_PAWN: u16 = 64;

impl LastMove {
    /// For a position that no move led to.
    pub(super) const NONE: Self = Self {
        order: 0,
        captures_before: u16::MAX,
        piece: PieceType::Pawn,
        from: Square::from_coords(0, 0),
        to: Square::from_coords(0, 0),
        reset_clock: None,
    };

    /// What there is to know of a move of this kind.
    #[inline(always)]
    pub(super) fn new(from: Square, to: Square, kind: MoveKind, captures: bool, clock: Clock) -> Self {
        // Castling moves two pieces and en passant takes one off another square: these commute with nothing.
        let commutes = !matches!(kind, MoveKind::Castling | MoveKind::EnPassant);
        let piece = kind.piece();
        let wins = captures || kind.promotion().is_some();
        let order = if commutes { order(piece, from) } else { 0 };
        Self {
            order,
            captures_before: match (commutes, wins) {
                (true, true) => order,
                (true, false) => 0,
                (false, _) => u16::MAX,
            },
            piece: kind.promotion().unwrap_or(piece),
            from,
            to,
            reset_clock: (clock == Clock::Counts).then_some(captures || piece == PieceType::Pawn),
        }
    }

    /// The squares it passed over.
    #[inline(always)]
    fn path(&self) -> Bitboard {
        attacks::between(self.from, self.to)
    }

    /// The square it left, as a set.
    #[inline(always)]
    fn vacated(&self) -> Bitboard {
        self.from.bitboard()
    }

    /// The piece it put down, the square it left, and where it is now; `None` for no move, castling and en passant, which are
    /// more than that.
    #[inline]
    pub(super) fn plain(&self) -> Option<(PieceType, Square, Square)> {
        (self.order > 0).then_some((self.piece, self.from, self.to))
    }

    /// Where the pieces of a type stand whose captures must be tried after this move, en passant apart: all of them, or the
    /// one that moved and those on lines that it left.
    ///
    /// The captures of the others commute with this move. If this move captured nothing, the other one before it wins as
    /// much; if it did, one order of the two will do: that in which cheap captures come last.
    #[inline(always)]
    pub(super) fn capturers_to_try(&self, piece: PieceType) -> Bitboard {
        let all = order(piece, Square::from_coords(0, 0)) <= self.captures_before;
        if all { !Bitboard::EMPTY } else { self.to.bitboard() | attacks::lines(piece, self.from) }
    }

    /// What it put down, and where.
    #[inline(always)]
    pub(super) fn put_down(&self) -> (PieceType, Square) {
        (self.piece, self.to)
    }

    /// The sliders of `mover` on lines that it left, where there are enemies on these; itself apart.
    #[inline(always)]
    pub(super) fn opened(&self, position: &Position, mover: Color) -> Bitboard {
        let enemy = position.color(!mover);
        let own = position.color(mover) & !self.to.bitboard();
        let if_enemies = |line: Bitboard| if (line & enemy).any() { line } else { Bitboard::EMPTY };
        let [file, rank] = attacks::orthogonals(self.from).map(if_enemies);
        let [diagonal, anti_diagonal] = attacks::diagonals(self.from).map(if_enemies);
        let sliders = (file | rank) & position.orthogonal_sliders()
            | (diagonal | anti_diagonal) & position.diagonal_sliders();
        sliders & own
    }

    /// The targets of a group of moves at `position` that must be tried after this move.
    #[inline]
    pub(super) fn targets_to_try(&self, position: &Position, mover: Color, group: MoveGroup) -> Bitboard {
        if order(group.kind.piece(), group.from) >= self.order
            || group.from == self.to
            || group.kind == MoveKind::EnPassant
        {
            return group.targets;
        }
        // Played first, the other move would stand in the way of this one.
        let mut to_try = group.targets & self.path();
        to_try |= self.opened_targets(position, mover, group);
        if let Some(reset) = self.reset_clock {
            // The clock ends at another count when only one of the two moves resets it.
            let resetting = match group.kind.piece() {
                PieceType::Pawn => group.targets,
                _ => group.targets & position.occupied(),
            };
            to_try |= if reset { group.targets & !resetting } else { resetting };
        }
        to_try
    }

    /// The targets that the piece of this move would have blocked before it moved.
    #[inline]
    fn opened_targets(&self, position: &Position, mover: Color, group: MoveGroup) -> Bitboard {
        let attacks = match group.kind {
            MoveKind::Bishop => attacks::bishop,
            MoveKind::Rook => attacks::rook,
            MoveKind::Queen => attacks::queen,
            MoveKind::DoubleStep => {
                return group.targets & self.opened_double_steps(mover);
            }
            _ => return group.targets & self.vacated(),
        };
        if (group.targets & self.vacated()).is_empty() {
            return Bitboard::EMPTY;
        }
        group.targets & !attacks(group.from, position.occupied() | self.vacated()) | self.vacated()
    }

    #[inline]
    fn opened_double_steps(&self, mover: Color) -> Bitboard {
        self.vacated() | self.vacated().shifted(forward(mover))
    }

    /// The most that pawns may step to, and then no capture by a pawn is to be tried, when all pawn moves come before this
    /// one and commute with it as far as the clock goes; else `None`.
    #[inline]
    pub(super) fn pawn_steps_to_try(&self, mover: Color) -> Option<PawnSteps> {
        let quiet = self.reset_clock == Some(false);
        (self.order > LAST_PAWN && !quiet).then(|| PawnSteps {
            single: self.vacated() | self.path(),
            double: self.opened_double_steps(mover) | self.path(),
        })
    }
}

/// Squares by the kind of step that leads there.
#[derive(Clone, Copy)]
pub(super) struct PawnSteps {
    pub(super) single: Bitboard,
    pub(super) double: Bitboard,
}
