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
    for_each_pool_group(position, |group| moves.extend(group.moves()));
    moves
}

/// Moves of one piece that differ in their target only.
#[derive(Clone, Copy)]
pub(crate) struct MoveGroup {
    pub(crate) from: Square,
    pub(crate) kind: MoveKind,
    /// Never empty.
    pub(crate) targets: Bitboard,
}

impl MoveGroup {
    /// The moves by ascending target.
    #[inline]
    pub(crate) fn moves(self) -> impl ExactSizeIterator<Item = MicroMove> {
        self.targets.into_iter().map(move |to| MicroMove::new(self.from, to, self.kind))
    }
}

/// Calls `visit` for each of [`micro_moves`], as groups.
#[inline]
pub(crate) fn for_each_pool_group(position: &Position, mut visit: impl FnMut(MoveGroup)) {
    for die in position.dice().distinct() {
        if die == PieceType::King && position.dice().contains(PieceType::Rook) {
            for_each_king_group_with_castling(position, &mut visit);
        } else {
            for_each_group(position, die, !Bitboard::EMPTY, &mut visit);
        }
    }
}

/// The moves of one die at any position, in no particular order: the form for loops over many positions, which are
/// compiled for each die.
pub(crate) trait MoveSource {
    /// Calls `visit` for the moves of the side to move to squares of `allowed`.
    fn for_each(&self, position: &Position, allowed: Bitboard, visit: impl FnMut(MoveGroup));
}

/// The moves of the pieces of a type other than pawns, by their attack function.
pub(crate) struct PieceMoves<A>(pub(crate) PieceType, pub(crate) A);

impl<A: Fn(Square, Bitboard) -> Bitboard> MoveSource for PieceMoves<A> {
    #[inline]
    fn for_each(&self, position: &Position, allowed: Bitboard, visit: impl FnMut(MoveGroup)) {
        for_each_piece_group(position, self.0, allowed, &self.1, visit);
    }
}

/// The moves of the pawns.
pub(crate) struct PawnMoves;

impl MoveSource for PawnMoves {
    #[inline]
    fn for_each(&self, position: &Position, allowed: Bitboard, visit: impl FnMut(MoveGroup)) {
        for_each_pawn_move(position, allowed, visit);
    }
}

/// Castling, for a king and a rook die.
pub(crate) struct CastlingMoves;

impl MoveSource for CastlingMoves {
    #[inline]
    fn for_each(&self, position: &Position, _allowed: Bitboard, visit: impl FnMut(MoveGroup)) {
        for_each_castling(position, visit);
    }
}

/// Castling follows the ordinary moves of the king that castles, which matters where there are several.
fn for_each_king_group_with_castling(position: &Position, visit: &mut impl FnMut(MoveGroup)) {
    let mover = position.side_to_move();
    let allowed = !position.color(mover);
    for from in position.pieces(mover, PieceType::King) {
        visit_group(from, attacks::king(from) & allowed, MoveKind::King, visit);
        if from == king_home(mover) {
            for_each_castling(position, &mut *visit);
        }
    }
}

/// Calls `visit` for the moves of the pieces of type `die` to squares of `allowed`, in canonical order, without castling.
#[inline]
pub(crate) fn for_each_group(
    position: &Position,
    die: PieceType,
    allowed: Bitboard,
    visit: impl FnMut(MoveGroup),
) {
    match die {
        PieceType::Pawn => for_each_pawn_group(position, allowed, visit),
        PieceType::Knight => {
            for_each_piece_group(position, die, allowed, |from, _| attacks::knight(from), visit)
        }
        PieceType::Bishop => for_each_piece_group(position, die, allowed, attacks::bishop, visit),
        PieceType::Rook => for_each_piece_group(position, die, allowed, attacks::rook, visit),
        PieceType::Queen => for_each_piece_group(position, die, allowed, attacks::queen, visit),
        PieceType::King => for_each_piece_group(position, die, allowed, |from, _| attacks::king(from), visit),
    }
}

#[inline]
fn for_each_piece_group(
    position: &Position,
    piece: PieceType,
    allowed: Bitboard,
    attacks: impl Fn(Square, Bitboard) -> Bitboard,
    mut visit: impl FnMut(MoveGroup),
) {
    let mover = position.side_to_move();
    let occupied = position.occupied();
    let allowed = allowed & !position.color(mover);
    for from in position.pieces(mover, piece) {
        visit_group(from, attacks(from, occupied) & allowed, MoveKind::of(piece), &mut visit);
    }
}

/// Where the pawns of the side to move can go, all pawns at once.
pub(crate) struct PawnTargets {
    pub(crate) single: Bitboard,
    pub(crate) double: Bitboard,
    /// Captures towards the h-file.
    pub(crate) h_side: Bitboard,
    /// Captures towards the a-file.
    pub(crate) a_side: Bitboard,
    pub(crate) en_passant: Bitboard,
    /// Where a pawn that arrives promotes. Taking the king on the last rank is one plain capture: the game is over.
    pub(crate) promoting: Bitboard,
}

impl PawnTargets {
    #[inline]
    pub(crate) fn new(position: &Position, allowed: Bitboard) -> Self {
        let mover = position.side_to_move();
        let step = forward(mover);
        let empty = !position.occupied();
        let capturable = position.color(!mover) & allowed;
        let pawns = position.pieces(mover, PieceType::Pawn);
        let ahead = pawns.shifted(step);
        let jumped = (pawns & Bitboard::rank(mover.relative_rank(1))).shifted(step) & empty;
        Self {
            single: ahead & empty & allowed,
            double: jumped.shifted(step) & empty & allowed,
            h_side: (ahead & !Bitboard::FILE_H).shifted(1) & capturable,
            a_side: (ahead & !Bitboard::FILE_A).shifted(-1) & capturable,
            en_passant: en_passant_targets(position) & allowed,
            promoting: Bitboard::rank(mover.relative_rank(7)) & !position.pieces(!mover, PieceType::King),
        }
    }
}

#[inline]
fn for_each_pawn_group(position: &Position, allowed: Bitboard, mut visit: impl FnMut(MoveGroup)) {
    let mover = position.side_to_move();
    let step = forward(mover);
    let targets = PawnTargets::new(position, allowed);
    for from in position.pieces(mover, PieceType::Pawn) {
        let ahead = from.bitboard().shifted(step);
        visit_pawn_group(from, ahead & targets.single, targets.promoting, &mut visit);
        let two_ahead = ahead.shifted(step) & targets.double;
        // Only a pawn on its start rank may jump, not one that stands where such a jump passes.
        if mover.relative_rank(from.rank()) == 1 {
            visit_group(from, two_ahead, MoveKind::DoubleStep, &mut visit);
        }
        let h_side = (ahead & !Bitboard::FILE_H).shifted(1);
        let a_side = (ahead & !Bitboard::FILE_A).shifted(-1);
        visit_pawn_group(from, h_side & targets.h_side, targets.promoting, &mut visit);
        visit_pawn_group(from, a_side & targets.a_side, targets.promoting, &mut visit);
        visit_group(from, (h_side | a_side) & targets.en_passant, MoveKind::EnPassant, &mut visit);
    }
}

/// Calls `visit` for each pawn move to a square of `allowed`, in no particular order.
#[inline]
fn for_each_pawn_move(position: &Position, allowed: Bitboard, mut visit: impl FnMut(MoveGroup)) {
    let step = forward(position.side_to_move());
    let targets = PawnTargets::new(position, allowed);
    for (squares, offset) in [(targets.single, step), (targets.h_side, step + 1), (targets.a_side, step - 1)]
    {
        for to in squares {
            visit_pawn_group(to.back(offset), to.bitboard(), targets.promoting, &mut visit);
        }
    }
    for to in targets.double {
        visit_group(to.back(2 * step), to.bitboard(), MoveKind::DoubleStep, &mut visit);
    }
    if targets.en_passant.any() {
        for from in position.pieces(position.side_to_move(), PieceType::Pawn) {
            let attacks = attacks::pawn(position.side_to_move(), from);
            visit_group(from, attacks & targets.en_passant, MoveKind::EnPassant, &mut visit);
        }
    }
}

/// A pawn's step or capture, as four promotions on a square of `promoting`.
#[inline]
fn visit_pawn_group(from: Square, to: Bitboard, promoting: Bitboard, visit: &mut impl FnMut(MoveGroup)) {
    if (to & promoting).any() {
        for kind in PROMOTIONS {
            visit_group(from, to, kind, visit);
        }
    } else {
        visit_group(from, to, MoveKind::Pawn, visit);
    }
}

#[inline]
fn visit_group(from: Square, targets: Bitboard, kind: MoveKind, visit: &mut impl FnMut(MoveGroup)) {
    if targets.any() {
        visit(MoveGroup { from, kind, targets });
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
fn for_each_castling(position: &Position, mut visit: impl FnMut(MoveGroup)) {
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
            visit_group(king, to.bitboard(), MoveKind::Castling, &mut visit);
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
