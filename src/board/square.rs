//! Squares, colours and piece types: the small vocabulary everything else is written in.

use std::fmt;
use std::ops::Not;
use std::str::FromStr;

use super::Bitboard;

/// One of the 64 squares, numbered a1 = 0, b1 = 1, … h8 = 63.
///
/// ```
/// use dicechess_native::board::Square;
/// let e4: Square = "e4".parse().unwrap();
/// assert_eq!((e4.index(), e4.file(), e4.rank()), (28, 4, 3));
/// assert_eq!(e4.to_string(), "e4");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square with this index; `None` above 63.
    pub const fn new(index: u8) -> Option<Self> {
        if index < 64 { Some(Self(index)) } else { None }
    }

    /// The square of a file and a rank, both 0–7; only the low three bits of each count.
    pub const fn from_coords(file: u8, rank: u8) -> Self {
        Self((rank & 7) << 3 | (file & 7))
    }

    /// The square of the low six bits, for callers that know the index is in range.
    pub(crate) const fn masked(index: u32) -> Self {
        Self((index & 63) as u8)
    }

    /// The square `offset` indices below this one, for callers that know it is on the board.
    pub(crate) const fn back(self, offset: i32) -> Self {
        Self::masked((self.0 as i32 - offset) as u32)
    }

    /// 0 for a1 to 63 for h8.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 for the a-file to 7 for the h-file.
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0 for the first rank to 7 for the eighth.
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The set that holds just this square.
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(1 << self.0)
    }

    /// The square seen from the other side of the board: same file, opposite rank.
    pub const fn flipped(self) -> Self {
        Self(self.0 ^ 56)
    }

    /// How many steps a king needs from here to `other`, 0–7: the Chebyshev distance.
    pub const fn distance(self, other: Self) -> u8 {
        let (files, ranks) = (self.file().abs_diff(other.file()), self.rank().abs_diff(other.rank()));
        if files > ranks { files } else { ranks }
    }

    /// All squares, a1 first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..64).map(Self)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, (b'1' + self.rank()) as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text was not a square name such as `e4`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a square: '{0}'")]
pub struct ParseSquareError(pub String);

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Self::from_coords(file - b'a', rank - b'1')),
            _ => Err(ParseSquareError(text.to_owned())),
        }
    }
}

/// A side of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Color {
    /// The side that moves up the board.
    White = 0,
    /// The side that moves down the board.
    Black = 1,
}

impl Color {
    /// Both sides, White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// 0 for White, 1 for Black.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// A rank as this side counts it: 0 is the own home rank, 7 the promotion rank. Only the low three bits count.
    pub const fn relative_rank(self, rank: u8) -> u8 {
        match self {
            Self::White => rank & 7,
            Self::Black => 7 - (rank & 7),
        }
    }
}

impl Not for Color {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// A kind of piece, and at the same time a face of a die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum PieceType {
    /// Die face 1.
    Pawn = 0,
    /// Die face 2.
    Knight = 1,
    /// Die face 3.
    Bishop = 2,
    /// Die face 4.
    Rook = 3,
    /// Die face 5.
    Queen = 4,
    /// Die face 6.
    King = 5,
}

impl PieceType {
    /// All types in die order.
    pub const ALL: [Self; 6] = [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];

    /// 0 for the pawn to 5 for the king.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The type that a die face names; `None` unless `face` is 1–6.
    pub const fn from_face(face: u8) -> Option<Self> {
        match face {
            1..=6 => Some(Self::ALL[face as usize - 1]),
            _ => None,
        }
    }

    /// The die face, 1–6.
    pub const fn face(self) -> u8 {
        self as u8 + 1
    }

    /// The type of a letter, in either case.
    pub const fn from_letter(letter: u8) -> Option<Self> {
        match letter.to_ascii_uppercase() {
            b'P' => Some(Self::Pawn),
            b'N' => Some(Self::Knight),
            b'B' => Some(Self::Bishop),
            b'R' => Some(Self::Rook),
            b'Q' => Some(Self::Queen),
            b'K' => Some(Self::King),
            _ => None,
        }
    }

    /// The letter of DFEN: upper case for White, lower case for Black.
    pub const fn letter(self, color: Color) -> char {
        let upper = [b'P', b'N', b'B', b'R', b'Q', b'K'][self as usize];
        match color {
            Color::White => upper as char,
            Color::Black => upper.to_ascii_lowercase() as char,
        }
    }
}
