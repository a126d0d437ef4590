//! The state of a game: placement, en-passant targets, castling rights, side to move, dice and clocks.

use super::{Bitboard, Color, DicePool, PieceType, Square, attacks, zobrist};

/// The castling rights of both sides, as DFEN states them.
///
/// A right is a promise about history; whether castling is possible also depends on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct CastlingRights(u8);

impl CastlingRights {
    /// No rights.
    pub const NONE: Self = Self(0);
    /// All four rights.
    pub const ALL: Self = Self(15);

    /// The king-side right (`e→g`) of a side.
    pub const fn king_side(color: Color) -> Self {
        Self(1 << (2 * color.index()))
    }

    /// The queen-side right (`e→c`) of a side.
    pub const fn queen_side(color: Color) -> Self {
        Self(2 << (2 * color.index()))
    }

    /// Both rights of a side.
    pub const fn of(color: Color) -> Self {
        Self(3 << (2 * color.index()))
    }

    /// Whether every right of `other` is held.
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The rights of both.
    #[inline]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The rights without those of `other`.
    #[inline]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Bits 0–3 are K, Q, k, q.
    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    pub(crate) const fn from_bits(bits: u8) -> Self {
        Self(bits & 15)
    }
}

/// A piece as four bits, one for each plane of a [`Position`].
///
/// Bits: 0 moves orthogonally, 1 diagonally, 2 does not slide, 3 is white. The sliders are then 1 rook, 2 bishop, 3 queen;
/// of the codes that do not slide, 4 is the pawn, 5 the king, 6 the knight.
#[inline]
pub(crate) const fn piece_code(color: Color, piece: PieceType) -> u8 {
    let kind = match piece {
        PieceType::Rook => 1,
        PieceType::Bishop => 2,
        PieceType::Queen => 3,
        PieceType::Pawn => 4,
        PieceType::King => 5,
        PieceType::Knight => 6,
    };
    match color {
        Color::White => kind | 8,
        Color::Black => kind,
    }
}

/// By the low three bits of a piece code.
const TYPE_OF_CODE: [Option<PieceType>; 8] = [
    None,
    Some(PieceType::Rook),
    Some(PieceType::Bishop),
    Some(PieceType::Queen),
    Some(PieceType::Pawn),
    Some(PieceType::King),
    Some(PieceType::Knight),
    None,
];

/// A position of Dice Chess: 56 bytes, `Copy`, without heap.
///
/// The board is held as four bit planes ("quad-bitboards"): a piece is a four-bit code spread over the planes, so moving
/// one is the same few word operations whatever it captures. Boards need not be sensible: any number of kings, pawns on
/// any rank. Two positions are equal when everything is, the order of the dice and the clocks included.
///
/// ```
/// use dicechess_native::board::{Color, PieceType, Position};
/// let start = Position::start();
/// assert_eq!(start.side_to_move(), Color::White);
/// assert_eq!(start.pieces(Color::Black, PieceType::Pawn).count(), 8);
/// assert_eq!(start.to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    planes: [u64; 4],
    en_passant: Bitboard,
    key: u64,
    full_move: u32,
    dice: DicePool,
    half_move: u8,
    /// Bits 0–3: castling rights; bit 4: Black to move.
    flags: u8,
}

const BLACK_FLAG: u8 = 16;

impl Position {
    /// The half-move clock stops here.
    pub const MAX_HALF_MOVE: u8 = 127;
    /// The full-move number stops here.
    pub const MAX_FULL_MOVE: u32 = i32::MAX as u32;

    /// The empty board: White to move, no rights, no dice, clocks 0 and 1.
    pub const fn empty() -> Self {
        Self {
            planes: [0; 4],
            en_passant: Bitboard::EMPTY,
            key: 0,
            full_move: 1,
            dice: DicePool::EMPTY,
            half_move: 0,
            flags: 0,
        }
    }

    /// The start position, without dice.
    pub fn start() -> Self {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
            .parse()
            .expect("the start position is valid DFEN")
    }

    /// The piece on a square.
    #[inline]
    pub const fn piece_at(&self, square: Square) -> Option<(Color, PieceType)> {
        let code = self.code_at(square);
        match TYPE_OF_CODE[(code & 7) as usize] {
            Some(piece) if code & 8 != 0 => Some((Color::White, piece)),
            Some(piece) => Some((Color::Black, piece)),
            None => None,
        }
    }

    /// Every occupied square.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.planes[0] | self.planes[1] | self.planes[2])
    }

    /// The squares of a side's pieces.
    #[inline]
    pub const fn color(&self, color: Color) -> Bitboard {
        match color {
            Color::White => Bitboard(self.planes[3]),
            Color::Black => Bitboard(self.occupied().0 & !self.planes[3]),
        }
    }

    /// The squares of all pieces of a type, of both sides.
    #[inline]
    pub const fn of_type(&self, piece: PieceType) -> Bitboard {
        let [orthogonal, diagonal, steps, _] = self.planes;
        Bitboard(match piece {
            PieceType::Pawn => steps & !(orthogonal | diagonal),
            PieceType::Knight => steps & diagonal,
            PieceType::Bishop => diagonal & !(orthogonal | steps),
            PieceType::Rook => orthogonal & !(diagonal | steps),
            PieceType::Queen => orthogonal & diagonal,
            PieceType::King => steps & orthogonal,
        })
    }

    /// Rooks and queens of both sides.
    #[inline]
    pub const fn orthogonal_sliders(&self) -> Bitboard {
        Bitboard(self.planes[0] & !self.planes[2])
    }

    /// Bishops and queens of both sides.
    #[inline]
    pub const fn diagonal_sliders(&self) -> Bitboard {
        Bitboard(self.planes[1] & !self.planes[2])
    }

    /// The squares of a side's pieces of a type.
    #[inline]
    pub const fn pieces(&self, color: Color, piece: PieceType) -> Bitboard {
        Bitboard(self.of_type(piece).0 & self.color(color).0)
    }

    /// Whether a side has a king.
    #[inline]
    pub const fn has_king(&self, color: Color) -> bool {
        self.pieces(color, PieceType::King).any()
    }

    /// The squares from which a piece of `color` attacks `square`, as the board stands: no dice, no en passant.
    #[inline]
    pub fn attackers(&self, color: Color, square: Square) -> Bitboard {
        let occupied = self.occupied();
        let reach = attacks::knight(square) & self.of_type(PieceType::Knight)
            | attacks::king(square) & self.of_type(PieceType::King)
            | attacks::pawn(!color, square) & self.of_type(PieceType::Pawn)
            | attacks::rook(square, occupied) & self.orthogonal_sliders()
            | attacks::bishop(square, occupied) & self.diagonal_sliders();
        reach & self.color(color)
    }

    /// The en-passant targets: squares that pawns have jumped over and that may still be captured on.
    #[inline]
    pub const fn en_passant(&self) -> Bitboard {
        self.en_passant
    }

    /// The castling rights of both sides.
    #[inline]
    pub const fn castling(&self) -> CastlingRights {
        CastlingRights::from_bits(self.flags)
    }

    /// The side to move; it stays the same from micro-move to micro-move until the turn ends.
    #[inline]
    pub const fn side_to_move(&self) -> Color {
        if self.flags & BLACK_FLAG == 0 { Color::White } else { Color::Black }
    }

    /// The dice left to spend.
    #[inline]
    pub const fn dice(&self) -> DicePool {
        self.dice
    }

    /// Micro-moves since the last pawn move or capture, 0–127, saturating.
    #[inline]
    pub const fn half_move(&self) -> u8 {
        self.half_move
    }

    /// The number of the full move, from 1, saturating at 2147483647.
    #[inline]
    pub const fn full_move(&self) -> u32 {
        self.full_move
    }

    /// The Zobrist key of placement, en-passant targets, castling rights and side to move.
    ///
    /// Kept up to date by every change. Dice and clocks are not part of it.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// [`Position::key`] computed from nothing: the definition that the kept key must equal.
    pub fn key_from_scratch(&self) -> u64 {
        let placement = self
            .occupied()
            .into_iter()
            .fold(0, |key, square| key ^ zobrist::piece(self.code_at(square), square));
        let side = match self.side_to_move() {
            Color::White => 0,
            Color::Black => zobrist::BLACK_TO_MOVE,
        };
        placement ^ zobrist::en_passant(self.en_passant) ^ zobrist::castling(self.castling()) ^ side
    }

    /// Puts a piece on a square, in place of whatever stood there; `None` clears it.
    pub fn set_piece(&mut self, square: Square, piece: Option<(Color, PieceType)>) {
        self.take(self.code_at(square), square);
        if let Some((color, piece)) = piece {
            self.put(piece_code(color, piece), square);
        }
    }

    /// The key after [`Position::put`].
    #[inline(always)]
    pub(crate) fn key_with(&self, code: u8, square: Square) -> u64 {
        self.key ^ zobrist::piece(code, square)
    }

    /// Puts a piece of this code on an empty square.
    #[inline]
    pub(crate) fn put(&mut self, code: u8, square: Square) {
        self.key = self.key_with(code, square);
        let bit = square.bitboard().0;
        let masks = &PLANE_MASKS[usize::from(code & 15)];
        for (plane, mask) in self.planes.iter_mut().zip(masks) {
            *plane |= mask & bit;
        }
    }

    /// Takes the piece of this code, which stands there, off a square.
    #[inline]
    pub(crate) fn take(&mut self, code: u8, square: Square) {
        self.key ^= zobrist::piece(code, square);
        let bit = square.bitboard().0;
        for plane in &mut self.planes {
            *plane &= !bit;
        }
    }

    /// Replaces the en-passant targets; any set of squares is allowed.
    #[inline]
    pub fn set_en_passant(&mut self, targets: Bitboard) {
        self.key ^= zobrist::en_passant(self.en_passant ^ targets);
        self.en_passant = targets;
    }

    /// Replaces the castling rights.
    #[inline]
    pub fn set_castling(&mut self, rights: CastlingRights) {
        self.key ^= zobrist::castling(self.castling()) ^ zobrist::castling(rights);
        self.flags = self.flags & BLACK_FLAG | rights.bits();
    }

    /// Replaces the side to move.
    pub fn set_side_to_move(&mut self, color: Color) {
        if color != self.side_to_move() {
            self.flags ^= BLACK_FLAG;
            self.key ^= zobrist::BLACK_TO_MOVE;
        }
    }

    /// Replaces the dice pool.
    #[inline]
    pub fn set_dice(&mut self, dice: DicePool) {
        self.dice = dice;
    }

    /// The same position with another dice pool.
    #[inline]
    #[must_use]
    pub fn with_dice(mut self, dice: DicePool) -> Self {
        self.dice = dice;
        self
    }

    /// Replaces the half-move clock, at most 127.
    #[inline]
    pub fn set_half_move(&mut self, half_move: u8) {
        self.half_move = half_move.min(Self::MAX_HALF_MOVE);
    }

    /// Replaces the full-move number, kept within 1–2147483647.
    pub fn set_full_move(&mut self, full_move: u32) {
        self.full_move = full_move.clamp(1, Self::MAX_FULL_MOVE);
    }

    /// The position with the board upside down and the colours exchanged: the same game from the other side.
    #[must_use]
    pub fn flipped(&self) -> Self {
        let mut flipped = Self::empty();
        for square in self.occupied() {
            let piece = self.piece_at(square).map(|(color, piece)| (!color, piece));
            flipped.set_piece(square.flipped(), piece);
        }
        flipped.set_en_passant(self.en_passant.flipped());
        let rights = self.castling().bits();
        flipped.set_castling(CastlingRights::from_bits(rights << 2 | rights >> 2));
        flipped.set_side_to_move(!self.side_to_move());
        flipped.dice = self.dice;
        flipped.half_move = self.half_move;
        flipped.full_move = self.full_move;
        flipped
    }

    #[inline]
    pub(crate) const fn code_at(&self, square: Square) -> u8 {
        let at = square.index();
        let [orthogonal, diagonal, steps, white] = self.planes;
        (orthogonal >> at & 1 | (diagonal >> at & 1) << 1 | (steps >> at & 1) << 2 | (white >> at & 1) << 3)
            as u8
    }

    /// The position as six words, for hosts that keep it by value: four planes, the en-passant targets, and the rest.
    pub(crate) fn to_words(self) -> [u64; 6] {
        let [orthogonal, diagonal, steps, white] = self.planes;
        let rest = u64::from(self.full_move)
            | u64::from(self.dice.bits()) << 32
            | u64::from(self.half_move) << 48
            | u64::from(self.flags) << 56;
        [orthogonal, diagonal, steps, white, self.en_passant.0, rest]
    }

    /// The position of six words from [`Position::to_words`]; `None` for words that no position has.
    pub(crate) fn from_words(words: [u64; 6]) -> Option<Self> {
        let [orthogonal, diagonal, steps, white, en_passant, rest] = words;
        let occupied = orthogonal | diagonal | steps;
        let (full_move, half_move, flags) = (rest as u32, (rest >> 48) as u8, (rest >> 56) as u8);
        let valid = orthogonal & diagonal & steps == 0
            && white & !occupied == 0
            && (1..=Self::MAX_FULL_MOVE).contains(&full_move)
            && half_move <= Self::MAX_HALF_MOVE
            && flags < 2 * BLACK_FLAG;
        let mut position = Self {
            planes: [orthogonal, diagonal, steps, white],
            en_passant: Bitboard(en_passant),
            key: 0,
            full_move,
            dice: DicePool::from_bits((rest >> 32) as u16)?,
            half_move,
            flags,
        };
        position.key = position.key_from_scratch();
        valid.then_some(position)
    }
}

/// By piece code and plane: all ones when a piece of that code has its bit in the plane.
static PLANE_MASKS: [[u64; 4]; 16] = plane_masks();

const fn plane_masks() -> [[u64; 4]; 16] {
    let mut table = [[0; 4]; 16];
    let mut code = 0;
    while code < 16 {
        let mut plane = 0;
        while plane < 4 {
            table[code][plane] = ((code >> plane & 1) as u64).wrapping_neg();
            plane += 1;
        }
        code += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_56_bytes() {
        assert_eq!(std::mem::size_of::<Position>(), 56);
    }

    #[test]
    fn every_piece_is_read_back_from_every_square() {
        for square in Square::all() {
            for color in Color::ALL {
                for piece in PieceType::ALL {
                    let mut position = Position::empty();
                    position.set_piece(square, Some((color, piece)));
                    assert_eq!(position.piece_at(square), Some((color, piece)));
                    assert_eq!(position.pieces(color, piece), square.bitboard());
                    assert_eq!(position.key(), position.key_from_scratch());
                    position.set_piece(square, None);
                    assert_eq!(position, Position::empty());
                }
            }
        }
    }

    #[test]
    fn words_carry_a_position_and_refuse_what_is_none() {
        let position: Position = "r3k2r/8/8/pP6/8/8/8/R3K2R w KQkq a6 5 9 PRK".parse().unwrap();
        let words = position.to_words();
        assert_eq!(Position::from_words(words), Some(position));
        for (word, bits) in [(1, u64::MAX), (3, u64::MAX), (5, 0), (5, u64::MAX)] {
            let mut bad = words;
            bad[word] = bits;
            assert_eq!(Position::from_words(bad), None);
        }
    }
}
