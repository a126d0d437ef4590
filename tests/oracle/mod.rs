//! A second implementation of the rules to test the engine against: a mailbox board and plain
//! enumeration of every turn.
//!
//! It is slow on purpose. Nothing is incremental or clever, so that each function can be checked by
//! reading it next to the rules. Results come out as text or as plain owned values.

// Every test file that includes the oracle uses its own part of it, as it would of a library.
#![allow(dead_code, unused_imports, unreachable_pub)]

mod chance;
mod dfen;
mod eval;
mod moves;
mod root;
mod turns;

pub use chance::{
    Reply, chance_numerator, chance_numerator_weighted, ordered_rolls, weighted_rolls, win_numerator,
};
pub use eval::{aggressive, evaluate, material, onnx_features, rich_features, saturated};
pub use moves::{MicroMove, Step};
pub use turns::Turns;

use std::collections::BTreeSet;

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    White,
    Black,
}

impl Color {
    /// The opponent.
    pub fn other(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }

    /// +1 where pawns walk up the ranks, else -1.
    pub fn forward(self) -> i32 {
        match self {
            Color::White => 1,
            Color::Black => -1,
        }
    }

    /// The rank (0 to 7) that is the `n`-th (1 to 8) as this side sees the board.
    pub fn rank(self, n: usize) -> usize {
        match self {
            Color::White => n - 1,
            Color::Black => 8 - n,
        }
    }
}

/// A piece type, and the face of a die that names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl Kind {
    /// All types, in the order of the faces 1 to 6.
    pub const ALL: [Kind; 6] = [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen, Kind::King];

    /// The upper-case letter.
    pub fn letter(self) -> char {
        ['P', 'N', 'B', 'R', 'Q', 'K'][self as usize]
    }

    /// The type of a letter of either case.
    pub fn from_letter(letter: char) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_uppercase())
    }
}

/// The letters of some dice, in the order given.
pub fn letters(dice: &[Kind]) -> String {
    dice.iter().map(|die| die.letter()).collect()
}

/// A piece: whose it is, and what.
pub type Piece = (Color, Kind);

/// Everything the rules know about a position. Squares are numbered a1 = 0, b1 = 1, … h8 = 63.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// What stands on each square.
    pub board: [Option<Piece>; 64],
    /// En-passant targets.
    pub targets: BTreeSet<usize>,
    /// Castling rights in the order K, Q, k, q.
    pub rights: [bool; 4],
    /// The side to move.
    pub mover: Color,
    /// Dice left, in the order they were given.
    pub pool: Vec<Kind>,
    /// Half-move clock, 0 to 127.
    pub half_moves: u32,
    /// Full-move number, at least 1.
    pub full_moves: u32,
}

/// The square of a file and a rank, both 0 to 7.
pub fn square(file: usize, rank: usize) -> usize {
    rank * 8 + file
}

/// The file of a square, 0 for the a-file.
pub fn file_of(square: usize) -> usize {
    square % 8
}

/// The rank of a square, 0 for rank 1.
pub fn rank_of(square: usize) -> usize {
    square / 8
}

/// The square some files and ranks away, if it is on the board.
pub fn offset(from: usize, files: i32, ranks: i32) -> Option<usize> {
    let file = file_of(from) as i32 + files;
    let rank = rank_of(from) as i32 + ranks;
    let on_board = (0..8).contains(&file) && (0..8).contains(&rank);
    on_board.then(|| square(file as usize, rank as usize))
}

impl State {
    /// This position with these dice (1 pawn … 6 king) in this order.
    pub fn with_dice(&self, dice: &[u8]) -> State {
        self.with_pool(&dice.iter().map(|&die| Kind::ALL[usize::from(die) - 1]).collect::<Vec<_>>())
    }

    /// This position with the dice of these letters in this order.
    pub fn with_dice_letters(&self, dice: &str) -> State {
        self.with_pool(
            &dice.chars().map(|die| Kind::from_letter(die).expect("a die letter")).collect::<Vec<_>>(),
        )
    }

    /// This position with these dice in this order.
    pub fn with_pool(&self, dice: &[Kind]) -> State {
        State { pool: dice.to_vec(), ..self.clone() }
    }

    /// The position with the turn over and the other side to roll.
    pub fn end_turn(&self) -> State {
        let mut next = self.clone();
        next.mover = self.mover.other();
        next.pool.clear();
        if self.mover == Color::Black {
            next.full_moves = (self.full_moves + 1).min(i32::MAX as u32);
        }
        // What the new mover left behind a turn ago can no longer be taken.
        next.targets.retain(|&target| rank_of(target) != next.mover.rank(3));
        next
    }

    /// The same position seen from the other side of the board: ranks turned over, colours swapped.
    pub fn mirrored(&self) -> State {
        let flip = |square: usize| square ^ 56;
        let mut board = [None; 64];
        for (from, cell) in self.board.iter().enumerate() {
            board[flip(from)] = cell.map(|(color, kind)| (color.other(), kind));
        }
        let [white_short, white_long, black_short, black_long] = self.rights;
        State {
            board,
            targets: self.targets.iter().map(|&target| flip(target)).collect(),
            rights: [black_short, black_long, white_short, white_long],
            mover: self.mover.other(),
            ..self.clone()
        }
    }

    /// The squares with pieces of one colour and type, ascending.
    pub fn squares_of(&self, piece: Piece) -> Vec<usize> {
        (0..64).filter(|&square| self.board[square] == Some(piece)).collect()
    }

    /// Whether such a piece is on the board.
    pub fn has(&self, piece: Piece) -> bool {
        self.board.contains(&Some(piece))
    }
}
