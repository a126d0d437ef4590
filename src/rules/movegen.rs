//! Pseudo-legal micro-moves of one die, in canonical order; and the reverse question, which dice capture the king now.

use super::commute::LastMove;
use super::micro_move::{MicroMove, MoveKind, forward, king_home, rook_home};
use crate::board::{Bitboard, CastlingRights, Color, PieceType, Position, Square, attacks};

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

/// How many micro-moves `mover` has, whoever is to move, if every die is there: castling and captures of the king included,
/// each promotion counted.
///
/// ```
/// use dicechess_native::{board::{Color, Position}, rules::mobility};
/// assert_eq!(mobility(&Position::start(), Color::Black), 20);
/// let castles: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
/// assert_eq!(mobility(&castles, Color::White), 15);
/// ```
pub fn mobility(position: &Position, mover: Color) -> u32 {
    let mut position = *position;
    position.set_side_to_move(mover);
    let mut count = 0;
    let mut add = |group: MoveGroup| count += group.targets.count();
    for die in PieceType::ALL {
        for_each_group(&position, die, &mut add);
    }
    for_each_castling(&position, mover, add);
    count
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
    /// A queen in the middle of an empty board.
    pub(crate) const MAX_TARGETS: usize = 27;

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
            for_each_group(position, die, &mut visit);
        }
    }
}

/// The moves of one die at any position, in no particular order: the form for loops over many positions, which are
/// compiled for each die.
pub(super) trait MoveSource {
    /// Calls `visit` for the moves that must be tried.
    fn for_each(&self, from: MovesFrom<'_>, visit: impl FnMut(MoveGroup));
}

/// Where a [`MoveSource`] looks for moves.
#[derive(Clone, Copy)]
pub(super) struct MovesFrom<'a> {
    pub(super) position: &'a Position,
    /// The side that moves, whoever is to move in `position`.
    pub(super) mover: Color,
    /// Squares that a move may go to.
    pub(super) allowed: Bitboard,
    /// The move that led to `position`: moves that need not be tried after it are left out.
    pub(super) last_move: &'a LastMove,
}

/// The moves of the pieces of a type other than pawns, by their attack function.
pub(super) struct PieceMoves<A>(pub(super) PieceType, pub(super) A);

impl<A: Fn(Square, Bitboard) -> Bitboard> MoveSource for PieceMoves<A> {
    #[inline(always)]
    fn for_each(&self, from: MovesFrom<'_>, mut visit: impl FnMut(MoveGroup)) {
        let MovesFrom { position, mover, allowed, last_move } = from;
        for_each_piece_group(position, mover, self.0, allowed, &self.1, |group| {
            let targets = last_move.targets_to_try(position, mover, group);
            if targets.any() {
                visit(MoveGroup { targets, ..group });
            }
        });
    }
}

/// The moves of the pawns.
pub(super) struct PawnMoves;

impl MoveSource for PawnMoves {
    #[inline(always)]
    fn for_each(&self, from: MovesFrom<'_>, mut visit: impl FnMut(MoveGroup)) {
        let MovesFrom { position, mover, allowed, last_move } = from;
        let mut targets = PawnTargets::new(position, mover, allowed);
        if let Some(steps) = last_move.pawn_steps_to_try(mover) {
            targets.single &= steps.single;
            targets.double &= steps.double;
            targets.h_side = Bitboard::EMPTY;
            targets.a_side = Bitboard::EMPTY;
        }
        targets.for_each(position, mover, |group| {
            if last_move.targets_to_try(position, mover, group).any() {
                visit(group);
            }
        });
    }
}

/// Castling, for a king and a rook die.
pub(super) struct CastlingMoves;

impl MoveSource for CastlingMoves {
    fn for_each(&self, from: MovesFrom<'_>, visit: impl FnMut(MoveGroup)) {
        for_each_castling(from.position, from.mover, visit);
    }
}

/// Where the pieces of one type can go, all together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps {
    /// Every target, en passant apart.
    pub(crate) targets: Bitboard,
    /// Those of the targets that promote a pawn.
    pub(crate) promoting: Bitboard,
    /// Whether a pawn can capture en passant.
    pub(crate) en_passant: bool,
}

impl Steps {
    /// The moves of `mover` with its pieces of type `die` to squares of `allowed`, without castling.
    #[inline]
    pub(super) fn new(position: &Position, mover: Color, die: PieceType, allowed: Bitboard) -> Self {
        if die == PieceType::Pawn {
            let pawns = PawnTargets::new(position, mover, allowed);
            let targets = pawns.single | pawns.double | pawns.h_side | pawns.a_side;
            let attacked = |from| attacks::pawn(mover, from) & pawns.en_passant;
            let en_passant = pawns.en_passant.any()
                && position.pieces(mover, PieceType::Pawn).into_iter().any(|from| attacked(from).any());
            return Self { targets, promoting: targets & pawns.promoting, en_passant };
        }
        let mut targets = Bitboard::EMPTY;
        let occupied = position.occupied();
        for from in position.pieces(mover, die) {
            targets |= match die {
                PieceType::Knight => attacks::knight(from),
                PieceType::Bishop => attacks::bishop(from, occupied),
                PieceType::Rook => attacks::rook(from, occupied),
                PieceType::Queen => attacks::queen(from, occupied),
                _ => attacks::king(from),
            };
        }
        let targets = targets & allowed & !position.color(mover);
        Self { targets, promoting: Bitboard::EMPTY, en_passant: false }
    }

    /// Whether there is no move.
    pub(crate) fn is_empty(&self) -> bool {
        self.targets.is_empty() && !self.en_passant
    }
}

/// Castling follows the ordinary moves of the king that castles, which matters where there are several.
fn for_each_king_group_with_castling(position: &Position, visit: &mut impl FnMut(MoveGroup)) {
    let mover = position.side_to_move();
    let allowed = !position.color(mover);
    for from in position.pieces(mover, PieceType::King) {
        visit_group(from, attacks::king(from) & allowed, MoveKind::King, visit);
        if from == king_home(mover) {
            for_each_castling(position, mover, &mut *visit);
        }
    }
}

/// Calls `visit` for the moves of the side to move with its pieces of type `die`, in canonical order, without castling.
#[inline]
pub(crate) fn for_each_group(position: &Position, die: PieceType, visit: impl FnMut(MoveGroup)) {
    let (mover, allowed) = (position.side_to_move(), !Bitboard::EMPTY);
    match die {
        PieceType::Pawn => for_each_pawn_group(position, visit),
        PieceType::Knight => {
            for_each_piece_group(position, mover, die, allowed, |from, _| attacks::knight(from), visit);
        }
        PieceType::Bishop => for_each_piece_group(position, mover, die, allowed, attacks::bishop, visit),
        PieceType::Rook => for_each_piece_group(position, mover, die, allowed, attacks::rook, visit),
        PieceType::Queen => for_each_piece_group(position, mover, die, allowed, attacks::queen, visit),
        PieceType::King => {
            for_each_piece_group(position, mover, die, allowed, |from, _| attacks::king(from), visit);
        }
    }
}

#[inline(always)]
fn for_each_piece_group(
    position: &Position,
    mover: Color,
    piece: PieceType,
    allowed: Bitboard,
    attacks: impl Fn(Square, Bitboard) -> Bitboard,
    mut visit: impl FnMut(MoveGroup),
) {
    let occupied = position.occupied();
    let allowed = allowed & !position.color(mover);
    for from in position.pieces(mover, piece) {
        visit_group(from, attacks(from, occupied) & allowed, MoveKind::of(piece), &mut visit);
    }
}

/// Where the pawns of a side can go, all pawns at once.
struct PawnTargets {
    single: Bitboard,
    double: Bitboard,
    /// Captures towards the h-file.
    h_side: Bitboard,
    /// Captures towards the a-file.
    a_side: Bitboard,
    en_passant: Bitboard,
    /// Where a pawn that arrives promotes. Taking the king on the last rank is one plain capture: the game is over.
    promoting: Bitboard,
}

impl PawnTargets {
    #[inline]
    fn new(position: &Position, mover: Color, allowed: Bitboard) -> Self {
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
            en_passant: en_passant_targets(position, mover) & allowed,
            promoting: Bitboard::rank(mover.relative_rank(7)) & !position.pieces(!mover, PieceType::King),
        }
    }

    /// Calls `visit` for each move, one by one, in no particular order.
    #[inline(always)]
    fn for_each(&self, position: &Position, mover: Color, mut visit: impl FnMut(MoveGroup)) {
        let step = forward(mover);
        // One loop, so that `visit` is compiled into one place.
        for (squares, offset, kind) in [
            (self.single & !self.promoting, step, MoveKind::Pawn),
            (self.h_side & !self.promoting, step + 1, MoveKind::Pawn),
            (self.a_side & !self.promoting, step - 1, MoveKind::Pawn),
            (self.double, 2 * step, MoveKind::DoubleStep),
        ] {
            for to in squares {
                visit(MoveGroup { from: to.back(offset), kind, targets: to.bitboard() });
            }
        }
        if ((self.single | self.h_side | self.a_side) & self.promoting | self.en_passant).any() {
            self.for_each_rare(position, mover, &mut visit);
        }
    }

    /// Promotions and en passant.
    #[cold]
    fn for_each_rare(&self, position: &Position, mover: Color, visit: &mut dyn FnMut(MoveGroup)) {
        let step = forward(mover);
        for (squares, offset) in [(self.single, step), (self.h_side, step + 1), (self.a_side, step - 1)] {
            for to in squares & self.promoting {
                visit_promotions(to.back(offset), to.bitboard(), visit);
            }
        }
        for from in position.pieces(mover, PieceType::Pawn) {
            let targets = attacks::pawn(mover, from) & self.en_passant;
            visit_group(from, targets, MoveKind::EnPassant, visit);
        }
    }
}

#[inline]
fn for_each_pawn_group(position: &Position, mut visit: impl FnMut(MoveGroup)) {
    let mover = position.side_to_move();
    let step = forward(mover);
    let targets = PawnTargets::new(position, mover, !Bitboard::EMPTY);
    for from in position.pieces(mover, PieceType::Pawn) {
        let ahead = from.bitboard().shifted(step);
        let single = ahead & targets.single;
        let h_side = (ahead & !Bitboard::FILE_H).shifted(1);
        let a_side = (ahead & !Bitboard::FILE_A).shifted(-1);
        let captures = [h_side & targets.h_side, a_side & targets.a_side];
        if ((single | captures[0] | captures[1]) & targets.promoting).any() {
            for to in [single, captures[0], captures[1]] {
                visit_last_rank(from, to, targets.promoting, &mut visit);
            }
            continue;
        }
        // Only a pawn on its start rank may jump, not one that stands where such a jump passes.
        let jumps = mover.relative_rank(from.rank()) == 1;
        let double = if jumps { ahead.shifted(step) & targets.double } else { Bitboard::EMPTY };
        for (targets, kind) in [
            (single, MoveKind::Pawn),
            (double, MoveKind::DoubleStep),
            (captures[0], MoveKind::Pawn),
            (captures[1], MoveKind::Pawn),
            ((h_side | a_side) & targets.en_passant, MoveKind::EnPassant),
        ] {
            if targets.any() {
                visit(MoveGroup { from, kind, targets });
            }
        }
    }
}

/// A pawn's moves to a square of the last rank: promotions, or the capture of a king there.
#[cold]
fn visit_last_rank(from: Square, to: Bitboard, promoting: Bitboard, visit: &mut dyn FnMut(MoveGroup)) {
    visit_promotions(from, to & promoting, visit);
    visit_group(from, to & !promoting, MoveKind::Pawn, visit);
}

fn visit_promotions(from: Square, to: Bitboard, visit: &mut dyn FnMut(MoveGroup)) {
    for kind in PROMOTIONS {
        visit_group(from, to, kind, visit);
    }
}

#[inline]
fn visit_group(
    from: Square,
    targets: Bitboard,
    kind: MoveKind,
    visit: &mut (impl FnMut(MoveGroup) + ?Sized),
) {
    if targets.any() {
        visit(MoveGroup { from, kind, targets });
    }
}

/// The targets that `mover` may capture en passant if a pawn of its attacks them: on the right rank, empty, with
/// the enemy pawn that jumped over them still behind.
#[inline]
fn en_passant_targets(position: &Position, mover: Color) -> Bitboard {
    let targets = position.en_passant();
    if targets.is_empty() {
        return targets;
    }
    let jumpers = position.pieces(!mover, PieceType::Pawn);
    targets & Bitboard::rank(mover.relative_rank(5)) & !position.occupied() & jumpers.shifted(forward(mover))
}

/// Calls `visit` for king-side, then queen-side castling, where the position allows them. Both dice must be left, which is
/// the caller's to know; attacks do not matter.
#[inline]
pub(super) fn for_each_castling(position: &Position, mover: Color, mut visit: impl FnMut(MoveGroup)) {
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
