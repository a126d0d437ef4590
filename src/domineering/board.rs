//! Boards, positions and the rules: normal-play Domineering.

use std::fmt;

use thiserror::Error;

/// A player; either may move first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// Places vertical dominoes.
    Left,
    /// Places horizontal dominoes.
    Right,
}

impl Player {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// The other player.
    pub const fn opponent(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// Covered squares and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Bit r × columns + c is set when the square in row r and column c is covered.
    pub covered: u32,
    /// Whose turn it is.
    pub mover: Player,
}

/// What [`Board::new`] refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a board of {rows} rows and {columns} columns is not of 1 to {} squares", Board::MAX_SQUARES)]
pub struct BoardError {
    rows: u32,
    columns: u32,
}

/// A rectangular board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    rows: u32,
    columns: u32,
}

impl Board {
    /// The most squares a board may have, so that all its positions fit in memory.
    pub const MAX_SQUARES: u32 = 20;

    /// The four boards that are measured: 3 × 4, 4 × 4, 3 × 6 and 4 × 5.
    pub const MEASURED: [Self; 4] = [
        Self { rows: 3, columns: 4 },
        Self { rows: 4, columns: 4 },
        Self { rows: 3, columns: 6 },
        Self { rows: 4, columns: 5 },
    ];

    /// A board of `rows` × `columns` squares, at least 1 and at most [`Self::MAX_SQUARES`].
    pub fn new(rows: u32, columns: u32) -> Result<Self, BoardError> {
        match rows.checked_mul(columns) {
            Some(1..=Self::MAX_SQUARES) => Ok(Self { rows, columns }),
            _ => Err(BoardError { rows, columns }),
        }
    }

    /// The number of squares.
    pub const fn squares(self) -> u32 {
        self.rows * self.columns
    }

    /// The lowest squares of all the dominoes that `player` could place now, as bits.
    pub fn placements(self, covered: u32, player: Player) -> u32 {
        let free = !covered & ((1 << self.squares()) - 1);
        match player {
            Player::Left => free & (free >> self.columns),
            Player::Right => free & (free >> 1) & !self.last_column(),
        }
    }

    /// The positions after each placement of the mover, by the lowest square of the domino.
    pub fn replies(self, position: Position) -> impl Iterator<Item = Position> {
        let Position { covered, mover } = position;
        let domino = match mover {
            Player::Left => 1 | 1 << self.columns,
            Player::Right => 0b11,
        };
        let placements = self.placements(covered, mover);
        (0..self.squares())
            .filter(move |square| placements >> square & 1 == 1)
            .map(move |square| Position { covered: covered | domino << square, mover: mover.opponent() })
    }

    /// The mover's placements less the opponent's.
    pub fn margin(self, position: Position) -> i32 {
        let [mine, theirs] = [position.mover, position.mover.opponent()]
            .map(|player| self.placements(position.covered, player).count_ones() as i32);
        mine - theirs
    }

    /// A position as rows of `#` for covered and `.` for free squares.
    pub fn draw(self, position: Position) -> String {
        let square = |bit: u32| if position.covered >> bit & 1 == 1 { '#' } else { '.' };
        let row = |row: u32| (0..self.columns).map(|column| square(row * self.columns + column)).collect();
        (0..self.rows).map(row).collect::<Vec<String>>().join("\n")
    }

    fn last_column(self) -> u32 {
        (0..self.rows).map(|row| 1 << (row * self.columns + self.columns - 1)).sum()
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} × {}", self.rows, self.columns)
    }
}
