//! Pseudo-legal micro-moves of one die, in canonical order.

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
#[derive(Clone, Copy, Debug)]
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

/// The board as the moves of one die see it: less than a [`Position`], and quicker to bring up to date.
#[derive(Clone, Copy)]
pub(crate) struct DieBoard {
    /// The side that moves.
    mover: Color,
    die: PieceType,
    /// The mover's pieces of the die's type.
    pieces: Bitboard,
    own: Bitboard,
    enemy: Bitboard,
    enemy_pawns: Bitboard,
    enemy_kings: Bitboard,
    en_passant: Bitboard,
}

impl DieBoard {
    #[inline(always)]
    pub(crate) fn new(position: &Position, mover: Color, die: PieceType) -> Self {
        Self {
            mover,
            die,
            pieces: position.pieces(mover, die),
            own: position.color(mover),
            enemy: position.color(!mover),
            enemy_pawns: position.pieces(!mover, PieceType::Pawn),
            enemy_kings: position.pieces(!mover, PieceType::King),
            en_passant: position.en_passant(),
        }
    }

    /// The board without a piece of the mover of type `piece` that stands on `from`.
    #[inline(always)]
    pub(crate) fn lift(self, piece: PieceType, from: Square) -> Self {
        let from = !from.bitboard();
        let pieces = if piece == self.die { self.pieces & from } else { self.pieces };
        Self { pieces, own: self.own & from, ..self }
    }

    /// The board with a piece of the mover put down, as a move does that captures nothing but what stands on `to`.
    ///
    /// Targets that the move leaves behind are of no matter: no pawn of the mover can capture there.
    #[inline(always)]
    pub(crate) fn land(self, piece: PieceType, to: Square) -> Self {
        let to = to.bitboard();
        Self {
            pieces: if piece == self.die { self.pieces | to } else { self.pieces },
            own: self.own | to,
            enemy: self.enemy & !to,
            enemy_pawns: self.enemy_pawns & !to,
            en_passant: self.en_passant & !to,
            ..self
        }
    }

    /// The kings whose capture ends the turn.
    #[inline]
    pub(crate) fn enemy_kings(&self) -> Bitboard {
        self.enemy_kings
    }

    #[inline(always)]
    fn occupied(&self) -> Bitboard {
        self.own | self.enemy
    }

    /// The targets that the mover may capture en passant if a pawn of its attacks them: on the right rank, empty, with
    /// the enemy pawn that jumped over them still behind.
    #[inline(always)]
    fn en_passant_targets(&self) -> Bitboard {
        if self.en_passant.is_empty() {
            return Bitboard::EMPTY;
        }
        let jumped_over = self.enemy_pawns.shifted(forward(self.mover));
        self.en_passant & Bitboard::rank(self.mover.relative_rank(5)) & !self.occupied() & jumped_over
    }

    /// Calls `visit` for the moves in canonical order, without castling.
    #[inline(always)]
    pub(crate) fn for_each_group(&self, mut visit: impl FnMut(MoveGroup)) {
        match self.die {
            PieceType::Pawn => for_each_pawn_move(self, |micro_move| visit(micro_move.into())),
            _ => self.for_each_piece_group(visit),
        }
    }

    /// [`DieBoard::for_each_group`], one by one.
    #[inline(always)]
    pub(crate) fn for_each_move(&self, mut visit: impl FnMut(MicroMove)) {
        match self.die {
            PieceType::Pawn => for_each_pawn_move(self, visit),
            _ => self.for_each_piece_group(|group| group.moves().for_each(&mut visit)),
        }
    }

    /// The moves of a die other than the pawns'.
    #[inline(always)]
    fn for_each_piece_group(&self, visit: impl FnMut(MoveGroup)) {
        let allowed = !Bitboard::EMPTY;
        match self.die {
            PieceType::Knight => for_each_piece_group(self, allowed, |from, _| attacks::knight(from), visit),
            PieceType::Bishop => for_each_piece_group(self, allowed, attacks::bishop, visit),
            PieceType::Rook => for_each_piece_group(self, allowed, attacks::rook, visit),
            PieceType::Queen => for_each_piece_group(self, allowed, attacks::queen, visit),
            PieceType::King => for_each_piece_group(self, allowed, |from, _| attacks::king(from), visit),
            PieceType::Pawn => {}
        }
    }
}

impl From<MicroMove> for MoveGroup {
    #[inline]
    fn from(micro_move: MicroMove) -> Self {
        Self { from: micro_move.from(), kind: micro_move.kind(), targets: micro_move.to().bitboard() }
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
        let board = DieBoard::new(position, mover, self.0);
        for_each_piece_group(&board, allowed, &self.1, |group| {
            let targets = last_move.targets_to_try(position, mover, group);
            if targets.any() {
                visit(MoveGroup { targets, ..group });
            }
        });
    }
}

/// Steps of pawns to the next square and their captures, without promotion. The sorts of pawn moves are sources of their own,
/// as loops over one of them compile best.
pub(super) struct PlainPawnMoves;

/// Double steps of pawns.
pub(super) struct DoubleSteps;

/// Promotions and captures en passant.
pub(super) struct RarePawnMoves;

impl MoveSource for PlainPawnMoves {
    #[inline(always)]
    fn for_each(&self, from: MovesFrom<'_>, mut visit: impl FnMut(MoveGroup)) {
        PawnTargets::to_try(&from)
            .for_each_plain(from.mover, |group| from.visit_if_to_try(group, &mut visit));
    }
}

impl MoveSource for DoubleSteps {
    #[inline(always)]
    fn for_each(&self, from: MovesFrom<'_>, mut visit: impl FnMut(MoveGroup)) {
        for to in PawnTargets::to_try(&from).double {
            let origin = to.back(2 * forward(from.mover));
            let group = MoveGroup { from: origin, kind: MoveKind::DoubleStep, targets: to.bitboard() };
            from.visit_if_to_try(group, &mut visit);
        }
    }
}

impl MoveSource for RarePawnMoves {
    fn for_each(&self, from: MovesFrom<'_>, mut visit: impl FnMut(MoveGroup)) {
        let pawns = from.position.pieces(from.mover, PieceType::Pawn);
        PawnTargets::to_try(&from)
            .for_each_rare(pawns, from.mover, |group| from.visit_if_to_try(group, &mut visit));
    }
}

impl MovesFrom<'_> {
    #[inline(always)]
    fn visit_if_to_try(&self, group: MoveGroup, visit: &mut impl FnMut(MoveGroup)) {
        if self.last_move.targets_to_try(self.position, self.mover, group).any() {
            visit(group);
        }
    }
}

/// Whether `mover` can play this micro-move, given its die, to one of the `allowed` squares. Castling, promotions and captures
/// en passant are not looked into: the answer is no.
pub(super) fn is_legal_plain(
    position: &Position,
    mover: Color,
    allowed: Bitboard,
    micro_move: MicroMove,
) -> bool {
    let (from, to, piece) = (micro_move.from(), micro_move.to(), micro_move.piece());
    if !micro_move.is_plain() || !position.pieces(mover, piece).contains(from) {
        return false;
    }
    if piece != PieceType::Pawn {
        let attacked = attacks::of_piece(mover, piece, from, position.occupied());
        return (attacked & allowed & !position.color(mover)).contains(to);
    }
    let pawns = PawnTargets::new(&DieBoard::new(position, mover, piece), allowed);
    let step = forward(mover);
    if micro_move.kind() == MoveKind::DoubleStep {
        return pawns.double.contains(to) && to.back(2 * step) == from;
    }
    [(pawns.single, step), (pawns.h_side, step + 1), (pawns.a_side, step - 1)]
        .into_iter()
        .any(|(squares, offset)| (squares & !pawns.promoting).contains(to) && to.back(offset) == from)
}

/// Whether a pawn of `mover` is so far ahead that three dice can promote it.
pub(crate) fn can_promote_in_a_turn(position: &Position, mover: Color) -> bool {
    let pawns = position.pieces(mover, PieceType::Pawn);
    [4, 5, 6].into_iter().any(|rank| (pawns & Bitboard::rank(mover.relative_rank(rank))).any())
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
            let pawns = PawnTargets::new(&DieBoard::new(position, mover, die), allowed);
            let targets = pawns.single | pawns.double | pawns.h_side | pawns.a_side;
            let attacked = |from| attacks::pawn(mover, from) & pawns.en_passant;
            let en_passant = pawns.en_passant.any()
                && position.pieces(mover, PieceType::Pawn).into_iter().any(|from| attacked(from).any());
            return Self { targets, promoting: targets & pawns.promoting, en_passant };
        }
        let occupied = position.occupied();
        let targets = position
            .pieces(mover, die)
            .into_iter()
            .fold(Bitboard::EMPTY, |targets, from| targets | attacks::of_piece(mover, die, from, occupied));
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
    DieBoard::new(position, position.side_to_move(), die).for_each_group(visit);
}

#[inline(always)]
fn for_each_piece_group(
    board: &DieBoard,
    allowed: Bitboard,
    attacks: impl Fn(Square, Bitboard) -> Bitboard,
    mut visit: impl FnMut(MoveGroup),
) {
    let occupied = board.occupied();
    let allowed = allowed & !board.own;
    for from in board.pieces {
        visit_group(from, attacks(from, occupied) & allowed, MoveKind::of(board.die), &mut visit);
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
    fn new(board: &DieBoard, allowed: Bitboard) -> Self {
        let mover = board.mover;
        let step = forward(mover);
        let empty = !board.occupied();
        let capturable = board.enemy & allowed;
        let ahead = board.pieces.shifted(step);
        let jumped = (board.pieces & Bitboard::rank(mover.relative_rank(1))).shifted(step) & empty;
        Self {
            single: ahead & empty & allowed,
            double: jumped.shifted(step) & empty & allowed,
            h_side: (ahead & !Bitboard::FILE_H).shifted(1) & capturable,
            a_side: (ahead & !Bitboard::FILE_A).shifted(-1) & capturable,
            en_passant: board.en_passant_targets() & allowed,
            promoting: Bitboard::rank(mover.relative_rank(7)) & !board.enemy_kings,
        }
    }

    /// Those that must be tried after the last move, at least.
    #[inline(always)]
    fn to_try(from: &MovesFrom<'_>) -> Self {
        let board = DieBoard::new(from.position, from.mover, PieceType::Pawn);
        let mut targets = Self::new(&board, from.allowed);
        if let Some(steps) = from.last_move.pawn_steps_to_try(from.mover) {
            targets.single &= steps.single;
            targets.double &= steps.double;
            targets.h_side = Bitboard::EMPTY;
            targets.a_side = Bitboard::EMPTY;
        }
        targets
    }

    /// Calls `visit` for each step to the next square and each capture without promotion, in no particular order.
    #[inline(always)]
    fn for_each_plain(&self, mover: Color, mut visit: impl FnMut(MoveGroup)) {
        let step = forward(mover);
        // One loop, so that `visit` is compiled into one place.
        for (squares, offset) in [(self.single, step), (self.h_side, step + 1), (self.a_side, step - 1)] {
            for to in squares & !self.promoting {
                visit(MoveGroup { from: to.back(offset), kind: MoveKind::Pawn, targets: to.bitboard() });
            }
        }
    }

    /// Calls `visit` for each promotion and capture en passant, in no particular order.
    fn for_each_rare(&self, pawns: Bitboard, mover: Color, mut visit: impl FnMut(MoveGroup)) {
        let step = forward(mover);
        for (squares, offset) in [(self.single, step), (self.h_side, step + 1), (self.a_side, step - 1)] {
            for to in squares & self.promoting {
                visit_promotions(to.back(offset), to, &mut |micro_move| visit(micro_move.into()));
            }
        }
        for from in pawns {
            let targets = attacks::pawn(mover, from) & self.en_passant;
            visit_en_passant(from, targets, &mut |micro_move| visit(micro_move.into()));
        }
    }
}

/// Calls `visit` for the moves of the pawns in canonical order.
#[inline(always)]
fn for_each_pawn_move(board: &DieBoard, mut visit: impl FnMut(MicroMove)) {
    let targets = PawnTargets::new(board, !Bitboard::EMPTY);
    let step = forward(board.mover);
    let single = targets.single.shifted(-step);
    let double = targets.double.shifted(-2 * step);
    let h_side = targets.h_side.shifted(-step - 1);
    let a_side = targets.a_side.shifted(1 - step);
    let mut movable = single | h_side | a_side;
    if targets.en_passant.any() {
        movable = board.pieces;
    }
    for from in movable {
        for (origins, offset, kind) in [
            (single, step, MoveKind::Pawn),
            (double, 2 * step, MoveKind::DoubleStep),
            (h_side, step + 1, MoveKind::Pawn),
            (a_side, step - 1, MoveKind::Pawn),
        ] {
            let to = from.back(-offset);
            if !origins.contains(from) {
            } else if targets.promoting.contains(to) {
                visit_promotions(from, to, &mut visit);
            } else {
                visit(MicroMove::new(from, to, kind));
            }
        }
        if targets.en_passant.any() {
            visit_en_passant(from, attacks::pawn(board.mover, from) & targets.en_passant, &mut visit);
        }
    }
}

#[cold]
fn visit_promotions(from: Square, to: Square, visit: &mut dyn FnMut(MicroMove)) {
    PROMOTIONS.iter().for_each(|&kind| visit(MicroMove::new(from, to, kind)));
}

#[cold]
fn visit_en_passant(from: Square, targets: Bitboard, visit: &mut dyn FnMut(MicroMove)) {
    targets.into_iter().for_each(|to| visit(MicroMove::new(from, to, MoveKind::EnPassant)));
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
