//! Micro-moves: one piece moved for one die (two for castling), and what that does to a position.

use std::fmt;

use crate::board::{Bitboard, CastlingRights, Color, PieceType, Position, Square, piece_code};

/// What a micro-move is, beyond its squares; the discriminant fills four bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum MoveKind {
    Pawn = 0,
    Knight = 1,
    Bishop = 2,
    Rook = 3,
    Queen = 4,
    King = 5,
    DoubleStep = 6,
    EnPassant = 7,
    Castling = 8,
    PromoteKnight = 9,
    PromoteBishop = 10,
    PromoteRook = 11,
    PromoteQueen = 12,
}

impl MoveKind {
    const ALL: [Self; 13] = [
        Self::Pawn,
        Self::Knight,
        Self::Bishop,
        Self::Rook,
        Self::Queen,
        Self::King,
        Self::DoubleStep,
        Self::EnPassant,
        Self::Castling,
        Self::PromoteKnight,
        Self::PromoteBishop,
        Self::PromoteRook,
        Self::PromoteQueen,
    ];

    /// The kind of an ordinary move of a piece.
    pub(crate) const fn of(piece: PieceType) -> Self {
        Self::ALL[piece.index()]
    }
}

/// One micro-move: its squares, the moving piece and the promotion, in two bytes.
///
/// It does not know the position it belongs to. Its text is UCI: `e2e4`, `e7e8q`, castling as the king's move `e1g1`.
///
/// ```
/// use dicechess_native::{board::Position, rules};
/// let position: Position = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1 P".parse().unwrap();
/// let moves: Vec<_> = rules::micro_moves(&position).iter().map(|m| m.to_string()).collect();
/// assert_eq!(moves, ["a7a8q", "a7a8r", "a7a8b", "a7a8n"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct MicroMove(u16);

impl MicroMove {
    #[inline]
    pub(crate) const fn new(from: Square, to: Square, kind: MoveKind) -> Self {
        Self(from.index() as u16 | (to.index() as u16) << 6 | (kind as u16) << 12)
    }

    /// The square the piece leaves; for castling the king's.
    #[inline]
    pub const fn from(self) -> Square {
        Square::masked(self.0 as u32)
    }

    /// The square the piece goes to; for castling the king's.
    #[inline]
    pub const fn to(self) -> Square {
        Square::masked((self.0 >> 6) as u32)
    }

    #[inline]
    pub(crate) const fn kind(self) -> MoveKind {
        MoveKind::ALL[(self.0 >> 12) as usize]
    }

    /// The type of the moving piece before any promotion: the die the move spends, beside a rook die for castling.
    #[inline]
    pub const fn piece(self) -> PieceType {
        match self.kind() {
            MoveKind::Knight => PieceType::Knight,
            MoveKind::Bishop => PieceType::Bishop,
            MoveKind::Rook => PieceType::Rook,
            MoveKind::Queen => PieceType::Queen,
            MoveKind::King | MoveKind::Castling => PieceType::King,
            _ => PieceType::Pawn,
        }
    }

    /// The type a pawn becomes, when it promotes.
    #[inline]
    pub const fn promotion(self) -> Option<PieceType> {
        match self.kind() {
            MoveKind::PromoteKnight => Some(PieceType::Knight),
            MoveKind::PromoteBishop => Some(PieceType::Bishop),
            MoveKind::PromoteRook => Some(PieceType::Rook),
            MoveKind::PromoteQueen => Some(PieceType::Queen),
            _ => None,
        }
    }

    /// Whether this is castling, which spends a king die and a rook die.
    #[inline]
    pub const fn is_castling(self) -> bool {
        matches!(self.kind(), MoveKind::Castling)
    }

    /// How many dice the move spends: 2 for castling, else 1.
    #[inline]
    pub const fn dice_spent(self) -> usize {
        if self.is_castling() { 2 } else { 1 }
    }

    /// Bits 0–5 from, 6–11 to, 12–15 kind; never 0.
    pub(crate) const fn bits(self) -> u16 {
        self.0
    }

    pub(crate) const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }
}

impl fmt::Display for MicroMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(piece) => write!(f, "{}", piece.letter(Color::Black)),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for MicroMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// How far a pawn of this side steps, in square indices.
pub(crate) const fn forward(color: Color) -> i32 {
    match color {
        Color::White => 8,
        Color::Black => -8,
    }
}

/// The square a side's king starts on, and castles from.
pub(crate) const fn king_home(color: Color) -> Square {
    Square::from_coords(4, color.relative_rank(0))
}

/// The corner a side's king-side (or queen-side) rook starts on.
pub(crate) const fn rook_home(color: Color, king_side: bool) -> Square {
    Square::from_coords(if king_side { 7 } else { 0 }, color.relative_rank(0))
}

impl Position {
    /// The position after a micro-move, with its dice spent and the same side to move.
    ///
    /// The move must be one that [`micro_moves`](super::micro_moves) lists here; others give a position, but one
    /// without meaning.
    #[inline]
    #[must_use]
    pub fn play(&self, micro_move: MicroMove) -> Self {
        let mut next = *self;
        next.apply(micro_move);
        let mut dice = self.dice();
        dice = dice.without(micro_move.piece()).unwrap_or(dice);
        if micro_move.is_castling() {
            dice = dice.without(PieceType::Rook).unwrap_or(dice);
        }
        next.set_dice(dice);
        next
    }

    /// The position after the turn of the side to move: the other side to move, no dice.
    ///
    /// En-passant targets that the new mover left behind a turn ago expire; the full-move number grows after Black.
    #[inline]
    #[must_use]
    pub fn end_turn(&self) -> Self {
        let mut next = *self;
        let mover = self.side_to_move();
        if mover == Color::Black {
            next.set_full_move(self.full_move() + 1);
        }
        next.set_side_to_move(!mover);
        next.set_dice(crate::board::DicePool::EMPTY);
        let expired = Bitboard::rank((!mover).relative_rank(2));
        if (self.en_passant() & expired).any() {
            next.set_en_passant(self.en_passant() & !expired);
        }
        next
    }

    /// Plays a micro-move on the board; the dice stay.
    #[inline]
    pub(crate) fn apply(&mut self, micro_move: MicroMove) {
        let (from, to, kind) = (micro_move.from(), micro_move.to(), micro_move.kind());
        let mover = self.side_to_move();
        let piece = micro_move.piece();
        let captured = self.piece_at(to);
        if self.castling() != CastlingRights::NONE {
            self.drop_castling_rights(piece, from, to);
        }
        if self.en_passant().any() {
            self.drop_en_passant_targets(piece, from, to);
        }
        let placed = micro_move.promotion().unwrap_or(piece);
        self.move_piece(piece_code(mover, placed), from, to);
        match kind {
            MoveKind::DoubleStep => {
                let jumped = from.bitboard().shifted(forward(mover));
                self.set_en_passant(self.en_passant() | jumped);
            }
            MoveKind::EnPassant => {
                let behind = Square::from_coords(to.file(), from.rank());
                self.set_piece(behind, None);
            }
            MoveKind::Castling => self.castle_rook(mover, to),
            _ => {}
        }
        let resets = piece == PieceType::Pawn || captured.is_some();
        self.set_half_move(if resets { 0 } else { self.half_move() + 1 });
    }

    fn castle_rook(&mut self, mover: Color, king_to: Square) {
        let king_side = king_to.file() == 6;
        let rook_to = Square::from_coords(if king_side { 5 } else { 3 }, king_to.rank());
        let rook = piece_code(mover, PieceType::Rook);
        self.move_piece(rook, rook_home(mover, king_side), rook_to);
    }

    fn drop_castling_rights(&mut self, piece: PieceType, from: Square, to: Square) {
        let mover = self.side_to_move();
        let mut lost = CastlingRights::NONE;
        if piece == PieceType::King {
            lost = CastlingRights::of(mover);
        }
        if piece == PieceType::Rook {
            lost = corner_right(mover, from);
        }
        match self.piece_at(to) {
            Some((enemy, PieceType::Rook)) => lost = lost.with(corner_right(enemy, to)),
            Some((enemy, PieceType::King)) => lost = lost.with(CastlingRights::of(enemy)),
            _ => {}
        }
        if lost != CastlingRights::NONE {
            self.set_castling(self.castling().without(lost));
        }
    }

    /// Targets die when a piece lands on them, or when the pawn that left them moves on or is captured.
    fn drop_en_passant_targets(&mut self, piece: PieceType, from: Square, to: Square) {
        let mover = self.side_to_move();
        let mut dead = to.bitboard();
        if piece == PieceType::Pawn && mover.relative_rank(from.rank()) == 3 {
            dead |= from.bitboard().shifted(-forward(mover));
        }
        if let Some((enemy, PieceType::Pawn)) = self.piece_at(to) {
            dead |= to.bitboard().shifted(-forward(enemy));
        }
        if (self.en_passant() & dead).any() {
            self.set_en_passant(self.en_passant() & !dead);
        }
    }
}

/// The right that depends on a rook of this side standing on `square`.
fn corner_right(color: Color, square: Square) -> CastlingRights {
    if square == rook_home(color, true) {
        CastlingRights::king_side(color)
    } else if square == rook_home(color, false) {
        CastlingRights::queen_side(color)
    } else {
        CastlingRights::NONE
    }
}
