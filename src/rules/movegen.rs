//! Pseudo-legal micro-moves of one die, in canonical order; and the reverse question, which dice capture the king now.

use super::micro_move::{MicroMove, MoveKind, forward, king_home, rook_home};
use crate::board::{Bitboard, CastlingRights, PieceType, Position, Square, attacks};

/// Promotions in canonical order.
const PROMOTIONS: [MoveKind; 4] =
    [MoveKind::PromoteQueen, MoveKind::PromoteRook, MoveKind::PromoteBishop, MoveKind::PromoteKnight];

/// Every micro-move of the side to move that its dice allow, in canonical order.
///
/// Pseudo-legal for the single micro-move: whether a turn may begin with it depends on the maximum rule, see
/// [`legal_turns`](super::legal_turns). Captures of the king are included.
pub fn micro_moves(position: &Position) -> Vec<MicroMove> {
    let mut moves = Vec::new();
    for_each_pool_move(position, |micro_move| moves.push(micro_move));
    moves
}

/// Calls `visit` for each of [`micro_moves`].
#[inline]
pub(crate) fn for_each_pool_move(position: &Position, mut visit: impl FnMut(MicroMove)) {
    for die in position.dice().distinct() {
        if die == PieceType::King && position.dice().contains(PieceType::Rook) {
            for_each_king_move_with_castling(position, &mut visit);
        } else {
            for_each_move(position, die, !Bitboard::EMPTY, &mut visit);
        }
    }
}

/// Castling follows the ordinary moves of the king that castles, which matters where there are several.
fn for_each_king_move_with_castling(position: &Position, visit: &mut impl FnMut(MicroMove)) {
    let mover = position.side_to_move();
    let allowed = !position.color(mover);
    for from in position.pieces(mover, PieceType::King) {
        visit_all(from, attacks::king(from) & allowed, MoveKind::King, visit);
        if from == king_home(mover) {
            for_each_castling(position, &mut *visit);
        }
    }
}

/// Calls `visit` for each move of the pieces of type `die` to a square of `allowed`, in canonical order, without castling.
#[inline]
pub(crate) fn for_each_move(
    position: &Position,
    die: PieceType,
    allowed: Bitboard,
    visit: impl FnMut(MicroMove),
) {
    match die {
        PieceType::Pawn => for_each_pawn_move(position, allowed, visit),
        PieceType::Knight => {
            for_each_piece_move(position, die, allowed, |from, _| attacks::knight(from), visit)
        }
        PieceType::Bishop => for_each_piece_move(position, die, allowed, attacks::bishop, visit),
        PieceType::Rook => for_each_piece_move(position, die, allowed, attacks::rook, visit),
        PieceType::Queen => for_each_piece_move(position, die, allowed, attacks::queen, visit),
        PieceType::King => for_each_piece_move(position, die, allowed, |from, _| attacks::king(from), visit),
    }
}

#[inline]
fn for_each_piece_move(
    position: &Position,
    piece: PieceType,
    allowed: Bitboard,
    attacks: impl Fn(Square, Bitboard) -> Bitboard,
    mut visit: impl FnMut(MicroMove),
) {
    let mover = position.side_to_move();
    let occupied = position.occupied();
    let allowed = allowed & !position.color(mover);
    for from in position.pieces(mover, piece) {
        for to in attacks(from, occupied) & allowed {
            visit(MicroMove::new(from, to, MoveKind::of(piece)));
        }
    }
}

fn for_each_pawn_move(position: &Position, allowed: Bitboard, mut visit: impl FnMut(MicroMove)) {
    let mover = position.side_to_move();
    let step = forward(mover);
    let empty = !position.occupied();
    let capturable = position.color(!mover) & allowed;
    let kings = position.pieces(!mover, PieceType::King);
    let en_passant = en_passant_targets(position) & allowed;
    // Taking the king on the last rank is one plain capture: the game is over.
    let promoting = Bitboard::rank(mover.relative_rank(7)) & !kings;
    for from in position.pieces(mover, PieceType::Pawn) {
        let ahead = from.bitboard().shifted(step);
        let single = ahead & empty;
        visit_pawn_move(from, single & allowed, promoting, &mut visit);
        if mover.relative_rank(from.rank()) == 1 {
            let double = single.shifted(step) & empty & allowed;
            visit_all(from, double, MoveKind::DoubleStep, &mut visit);
        }
        let h_side = ahead.shifted(1) & !Bitboard::FILE_A;
        let a_side = ahead.shifted(-1) & !Bitboard::FILE_H;
        visit_pawn_move(from, h_side & capturable, promoting, &mut visit);
        visit_pawn_move(from, a_side & capturable, promoting, &mut visit);
        visit_all(from, (h_side | a_side) & en_passant, MoveKind::EnPassant, &mut visit);
    }
}

/// A pawn's step or capture, as four promotions on the squares of `promoting`.
#[inline]
fn visit_pawn_move(from: Square, to: Bitboard, promoting: Bitboard, visit: &mut impl FnMut(MicroMove)) {
    if (to & promoting).any() {
        for kind in PROMOTIONS {
            visit_all(from, to, kind, visit);
        }
    } else {
        visit_all(from, to, MoveKind::Pawn, visit);
    }
}

#[inline]
fn visit_all(from: Square, targets: Bitboard, kind: MoveKind, visit: &mut impl FnMut(MicroMove)) {
    for to in targets {
        visit(MicroMove::new(from, to, kind));
    }
}

/// The targets that the side to move may capture en passant if a pawn of its attacks them: on the right rank, empty, with
/// the enemy pawn that jumped over them still behind.
#[inline]
fn en_passant_targets(position: &Position) -> Bitboard {
    let targets = position.en_passant();
    if targets.is_empty() {
        return targets;
    }
    let mover = position.side_to_move();
    let jumpers = position.pieces(!mover, PieceType::Pawn);
    targets & Bitboard::rank(mover.relative_rank(5)) & !position.occupied() & jumpers.shifted(forward(mover))
}

/// Calls `visit` for king-side, then queen-side castling, where the position allows them. Both dice must be left, which is
/// the caller's to know; attacks do not matter.
#[inline]
pub(crate) fn for_each_castling(position: &Position, mut visit: impl FnMut(MicroMove)) {
    let mover = position.side_to_move();
    let rights = position.castling();
    if (rights.bits() & CastlingRights::of(mover).bits()) == 0 {
        return;
    }
    let king = king_home(mover);
    if !position.pieces(mover, PieceType::King).contains(king) {
        return;
    }
    let home_rank = Bitboard::rank(king.rank());
    for (king_side, right, between) in [
        (true, CastlingRights::king_side(mover), Bitboard(0x6000_0000_0000_0060)),
        (false, CastlingRights::queen_side(mover), Bitboard(0x0E00_0000_0000_000E)),
    ] {
        let rook = position.pieces(mover, PieceType::Rook).contains(rook_home(mover, king_side));
        let free = (between & home_rank & position.occupied()).is_empty();
        if rights.contains(right) && rook && free {
            let to = Square::from_coords(if king_side { 6 } else { 2 }, king.rank());
            visit(MicroMove::new(king, to, MoveKind::Castling));
        }
    }
}

/// The dice, as bits by [`PieceType::index`], with which the side to move could capture an enemy king at once.
#[inline]
pub(crate) fn capturing_dice(position: &Position) -> u8 {
    let mover = position.side_to_move();
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
