//! The board: squares, sets of squares, attacks, positions, and their text form DFEN.

pub mod attacks;
mod bitboard;
mod dfen;
mod dice;
mod position;
mod square;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use dfen::{DfenError, MAX_DFEN_LENGTH};
pub use dice::{Dice, DicePool};
pub(crate) use position::piece_code;
pub use position::{CastlingRights, Position};
pub use square::{Color, ParseSquareError, PieceType, Square};
