//! Every position that play can reach, with its exact answer.

use std::collections::HashMap;

use super::{Board, Player, Position};
use crate::stopping::Game;

/// The order in which a search tries the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// By the lowest square of the domino.
    Generation,
    /// By the number of placements that the opponent then has, ties by generation.
    FewestReplies,
}

/// The number of a position in a [`Census`]. Moves lead to higher numbers; a number means the same for both orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(u32);

/// The positions that alternating play reaches from the empty board with either player starting, both starts included.
pub struct Census {
    board: Board,
    entries: Vec<Entry>,
}

struct Entry {
    position: Position,
    replies: Vec<Id>,
    margin: i32,
    mover_wins: bool,
    longest_line: u32,
}

impl Census {
    /// Counts and solves the positions of a board.
    pub fn new(board: Board, order: Order) -> Self {
        let mut entries = reachable(board);
        if order == Order::FewestReplies {
            sort_by_fewest_replies(board, &mut entries);
        }
        solve(&mut entries);
        Self { board, entries }
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// All positions; the first two are the empty board with Left and with Right to move.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = Id> + use<> {
        (0..self.entries.len() as u32).map(Id)
    }

    /// The position of this number.
    pub fn position(&self, id: Id) -> Position {
        self.entry(id).position
    }

    /// Whether the mover wins, exactly.
    pub fn mover_wins(&self, id: Id) -> bool {
        self.entry(id).mover_wins
    }

    /// The most moves that play can still last.
    pub fn longest_line(&self, id: Id) -> u32 {
        self.entry(id).longest_line
    }

    fn entry(&self, id: Id) -> &Entry {
        &self.entries[id.0 as usize]
    }
}

impl Game for Census {
    type Position = Id;

    fn replies(&self, id: Id) -> impl Iterator<Item = Id> {
        self.entry(id).replies.iter().copied()
    }

    /// The mover's placements less the opponent's.
    fn margin(&self, id: Id) -> i32 {
        self.entry(id).margin
    }
}

/// Numbers positions in the order in which they are first reached, breadth first.
fn reachable(board: Board) -> Vec<Entry> {
    let mut positions = Player::BOTH.map(|mover| Position { covered: 0, mover }).to_vec();
    let mut numbers: HashMap<Position, Id> = positions.iter().copied().zip((0..).map(Id)).collect();
    let mut entries = Vec::new();
    while let Some(&position) = positions.get(entries.len()) {
        let number = |reply| {
            *numbers.entry(reply).or_insert_with(|| {
                positions.push(reply);
                Id(positions.len() as u32 - 1)
            })
        };
        let replies = board.replies(position).map(number).collect();
        let margin = board.margin(position);
        entries.push(Entry { position, replies, margin, mover_wins: false, longest_line: 0 });
    }
    entries
}

fn sort_by_fewest_replies(board: Board, entries: &mut [Entry]) {
    let placements: Vec<u32> = entries
        .iter()
        .map(|Entry { position, .. }| board.placements(position.covered, position.mover).count_ones())
        .collect();
    for entry in entries {
        entry.replies.sort_by_key(|id| placements[id.0 as usize]);
    }
}

/// Backwards, so that the replies of a position are solved before it.
fn solve(entries: &mut [Entry]) {
    for i in (0..entries.len()).rev() {
        let replies = || entries[i].replies.iter().map(|id| &entries[id.0 as usize]);
        let mover_wins = replies().any(|reply| !reply.mover_wins);
        let longest_line = replies().map(|reply| reply.longest_line + 1).max().unwrap_or(0);
        (entries[i].mover_wins, entries[i].longest_line) = (mover_wins, longest_line);
    }
}
