//! Which moves need not be tried after another one, because the same two in the other order reach the same position.
//!
//! Sets of positions are built by every die from every smaller set, so most positions would be reached by each order of the
//! moves that lead there. Let a stored position remember the move c by which it was first reached. A move b of another piece
//! is skipped there when b and c commute and b comes before c in a fixed order of moves. Nothing is lost: b was then playable
//! before c, so the position before c and after b is stored too; from it c is tried, unless it commutes with the move c′
//! remembered there and comes before it; and so on, along b < c < c′ < …, which must end.

use super::micro_move::{MicroMove, MoveKind, forward};
use super::movegen::MoveGroup;
use crate::board::{Bitboard, PieceType, Position, Square, attacks};

/// The move by which a position was reached, seen from the moves that may follow.
#[derive(Clone, Copy)]
pub(super) struct LastMove {
    micro_move: MicroMove,
    /// Squares it passed over.
    path: Bitboard,
    /// Whether it set the half-move clock to zero; `None` when nobody looks at the clock.
    reset_clock: Option<bool>,
}

impl LastMove {
    /// What there is to know of the move that led to `position`.
    #[inline]
    pub(super) fn new(micro_move: MicroMove, position: &Position, clock_matters: bool) -> Self {
        Self {
            micro_move,
            path: attacks::between(micro_move.from(), micro_move.to()),
            reset_clock: clock_matters.then_some(position.half_move() == 0),
        }
    }

    /// The targets of `group` at `position` that must be tried after this move.
    #[inline]
    pub(super) fn targets_to_try(&self, position: &Position, group: MoveGroup) -> Bitboard {
        let last = self.micro_move;
        let comes_later = (group.kind.piece(), group.from) > (last.piece(), last.from());
        if comes_later || group.from == last.to() || !may_commute(group.kind) || !may_commute(last.kind()) {
            return group.targets;
        }
        // Played first, the other move would stand in the way of this one.
        let mut to_try = group.targets & self.path;
        to_try |= opened_targets(position, group, last.from());
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
}

/// Castling needs two dice and two pieces, en passant takes a piece off another square: both are left to be tried.
const fn may_commute(kind: MoveKind) -> bool {
    !matches!(kind, MoveKind::Castling | MoveKind::EnPassant)
}

/// The targets of `group` that a piece on `vacated` would block.
#[inline]
fn opened_targets(position: &Position, group: MoveGroup, vacated: Square) -> Bitboard {
    let blocked = match group.kind {
        MoveKind::Bishop => attacks::bishop,
        MoveKind::Rook => attacks::rook,
        MoveKind::Queen => attacks::queen,
        MoveKind::DoubleStep => {
            let jumped = group.from.bitboard().shifted(forward(position.side_to_move()));
            let blocks = (jumped | group.targets).contains(vacated);
            return if blocks { group.targets } else { Bitboard::EMPTY };
        }
        _ => return group.targets & vacated.bitboard(),
    };
    if group.targets.contains(vacated) {
        group.targets & !(blocked(group.from, position.occupied() | vacated.bitboard()) & !vacated.bitboard())
    } else {
        Bitboard::EMPTY
    }
}
