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

    /// The type of the moving piece before any promotion.
    #[inline]
    pub(crate) const fn piece(self) -> PieceType {
        match self {
            Self::Knight => PieceType::Knight,
            Self::Bishop => PieceType::Bishop,
            Self::Rook => PieceType::Rook,
            Self::Queen => PieceType::Queen,
            Self::King | Self::Castling => PieceType::King,
            _ => PieceType::Pawn,
        }
    }

    /// Whether the piece goes to its target as it is, and nothing leaves the board but what stood there.
    #[inline]
    pub(crate) const fn is_plain(self) -> bool {
        (self as u8) <= Self::DoubleStep as u8
    }

    /// The type a pawn becomes.
    #[inline]
    pub(crate) const fn promotion(self) -> Option<PieceType> {
        match self {
            Self::PromoteKnight => Some(PieceType::Knight),
            Self::PromoteBishop => Some(PieceType::Bishop),
            Self::PromoteRook => Some(PieceType::Rook),
            Self::PromoteQueen => Some(PieceType::Queen),
            _ => None,
        }
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
    pub(crate) const TO_SHIFT: u32 = 6;
    const KIND_SHIFT: u32 = 12;

    #[inline]
    pub(crate) const fn new(from: Square, to: Square, kind: MoveKind) -> Self {
        let (from, to, kind) = (from.index() as u16, to.index() as u16, kind as u16);
        Self(from | to << Self::TO_SHIFT | kind << Self::KIND_SHIFT)
    }

    /// The square the piece leaves; for castling the king's.
    #[inline]
    pub const fn from(self) -> Square {
        Square::masked(self.0 as u32)
    }

    /// The square the piece goes to; for castling the king's.
    #[inline]
    pub const fn to(self) -> Square {
        Square::masked((self.0 >> Self::TO_SHIFT) as u32)
    }

    #[inline]
    pub(crate) const fn kind(self) -> MoveKind {
        MoveKind::ALL[(self.0 >> Self::KIND_SHIFT) as usize]
    }

    /// The type of the moving piece before any promotion: the die the move spends, beside a rook die for castling.
    #[inline]
    pub const fn piece(self) -> PieceType {
        self.kind().piece()
    }

    /// The type a pawn becomes, when it promotes.
    #[inline]
    pub const fn promotion(self) -> Option<PieceType> {
        self.kind().promotion()
    }

    /// Whether this is castling, which spends a king die and a rook die.
    #[inline]
    pub const fn is_castling(self) -> bool {
        matches!(self.kind(), MoveKind::Castling)
    }

    /// Whether this is an en-passant capture.
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        matches!(self.kind(), MoveKind::EnPassant)
    }

    /// Whether the piece goes to its target as it is, and nothing leaves the board but what stood there.
    #[inline]
    pub(crate) const fn is_plain(self) -> bool {
        (self.0 >> Self::KIND_SHIFT) <= MoveKind::DoubleStep as u16
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

/// Where en-passant targets expire when `mover` ends its turn: what the other side left behind a turn ago.
pub(crate) const fn expiring_targets(mover: Color) -> Bitboard {
    Bitboard::rank(mover.relative_rank(5))
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
        let mut next = self.after(micro_move);
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
        next.drop_targets(expiring_targets(mover));
        next
    }

    /// The position after a micro-move on the board; the dice stay.
    #[inline]
    pub(crate) fn after(&self, micro_move: MicroMove) -> Self {
        let (from, kind) = (micro_move.from(), micro_move.kind());
        Lifted::new(self, self.side_to_move(), from, kind, Clock::Counts).land(micro_move.to())
    }

    fn drop_castling(&mut self, lost: CastlingRights) {
        self.set_castling(self.castling().without(lost));
    }

    /// En-passant targets die when a piece lands on them, or when the pawn that left them moves on or is captured.
    #[inline]
    fn drop_targets(&mut self, dead: Bitboard) {
        if (self.en_passant() & dead).any() {
            self.set_en_passant(self.en_passant() & !dead);
        }
    }
}

/// Whether the half-move clock is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clock {
    /// Every move counts it up or resets it.
    Counts,
    /// It stands still, for those who never look at it.
    StandsStill,
}

/// A piece in the hand: what all its moves of one kind have in common, before it lands.
pub(crate) struct Lifted {
    /// The piece is off the board, and everything is as after a landing that captures nothing.
    base: Position,
    mover: Color,
    from: Square,
    kind: MoveKind,
    /// What will be put down.
    code: u8,
    /// The half-move clock after a capture.
    capture_clock: u8,
}

impl Lifted {
    /// Lifts a piece of `mover` from its square, whoever is to move in `position`.
    #[inline(always)]
    pub(crate) fn new(position: &Position, mover: Color, from: Square, kind: MoveKind, clock: Clock) -> Self {
        let piece = kind.piece();
        let code = piece_code(mover, kind.promotion().unwrap_or(piece));
        let mut lifted =
            Self { base: *position, mover, from, kind, code, capture_clock: position.half_move() };
        let base = &mut lifted.base;
        base.take(piece_code(mover, piece), from);
        if base.castling() != CastlingRights::NONE {
            match piece {
                PieceType::King => base.drop_castling(CastlingRights::of(mover)),
                PieceType::Rook => base.drop_castling(corner_right(mover, from)),
                _ => {}
            }
        }
        if piece == PieceType::Pawn && base.en_passant().any() && mover.relative_rank(from.rank()) == 3 {
            // The pawn moves on from where its double step ended.
            base.drop_targets(from.bitboard().shifted(-forward(mover)));
        }
        if clock == Clock::Counts {
            base.set_half_move(if piece == PieceType::Pawn { 0 } else { position.half_move() + 1 });
            lifted.capture_clock = 0;
        }
        lifted
    }

    /// Lets the en-passant targets of `squares` expire.
    #[inline]
    pub(crate) fn expire_targets(&mut self, squares: Bitboard) {
        self.base.drop_targets(squares);
    }

    /// The position after the piece has landed.
    #[inline]
    pub(crate) fn land(&self, to: Square) -> Position {
        match self.base.code_at(to) {
            0 => self.land_on_empty(to),
            captured => self.land_on(captured, to),
        }
    }

    /// [`Lifted::land`] on a square where a piece of code `captured` stands.
    #[inline]
    pub(crate) fn land_on(&self, captured: u8, to: Square) -> Position {
        let mut next = self.base;
        next.take(captured, to);
        next.put(self.code, to);
        next.set_half_move(self.capture_clock);
        let enemy = !self.mover;
        if next.castling() != CastlingRights::NONE {
            if captured == piece_code(enemy, PieceType::Rook) {
                next.drop_castling(corner_right(enemy, to));
            } else if captured == piece_code(enemy, PieceType::King) {
                next.drop_castling(CastlingRights::of(enemy));
            }
        }
        if next.en_passant().any() {
            next.drop_targets(to.bitboard());
            if captured == piece_code(enemy, PieceType::Pawn) {
                next.drop_targets(to.bitboard().shifted(forward(self.mover)));
            }
        }
        next
    }

    /// [`Lifted::land`] on an empty square.
    #[inline]
    pub(crate) fn land_on_empty(&self, to: Square) -> Position {
        let mut next = self.put_down(to);
        if next.en_passant().any() {
            next.drop_targets(to.bitboard());
        }
        match self.kind {
            MoveKind::DoubleStep => {
                let jumped = self.from.bitboard().shifted(forward(self.mover));
                next.set_en_passant(next.en_passant() | jumped);
            }
            MoveKind::EnPassant => {
                let behind = Square::from_coords(to.file(), self.from.rank());
                next.take(piece_code(!self.mover, PieceType::Pawn), behind);
            }
            MoveKind::Castling => {
                let king_side = to.file() == 6;
                let rook = piece_code(self.mover, PieceType::Rook);
                next.take(rook, rook_home(self.mover, king_side));
                next.put(rook, Square::from_coords(if king_side { 5 } else { 3 }, to.rank()));
            }
            _ => {}
        }
        next
    }

    /// Whether landing on any of these squares, where they are empty, is just [`Lifted::put_down`].
    #[inline]
    pub(crate) fn lands_plainly(&self, squares: Bitboard) -> bool {
        let special = matches!(self.kind, MoveKind::DoubleStep | MoveKind::EnPassant | MoveKind::Castling);
        !special && (self.base.en_passant() & squares).is_empty()
    }

    /// The position with the piece on an empty square, and nothing else done.
    #[inline]
    pub(crate) fn put_down(&self, to: Square) -> Position {
        let mut next = self.base;
        next.put(self.code, to);
        next
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
