//! How good the count of placements is as a guess, by how far apart the counts are.

use std::collections::BTreeMap;

use super::Census;
use crate::stopping::Game;

/// The positions with a move at one margin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MarginCount {
    /// How many there are.
    pub positions: usize,
    /// How many of them the mover wins.
    pub won: usize,
}

impl MarginCount {
    /// On how many the guess is wrong that the mover wins if and only if `ahead`.
    pub const fn wrong(self, ahead: bool) -> usize {
        if ahead { self.positions - self.won } else { self.won }
    }
}

/// The positions with a move by margin, the mover's placements less the opponent's.
pub fn margins(census: &Census) -> BTreeMap<i32, MarginCount> {
    let mut counts: BTreeMap<i32, MarginCount> = BTreeMap::new();
    for id in census.ids().filter(|&id| census.longest_line(id) > 0) {
        let count = counts.entry(census.margin(id)).or_default();
        count.positions += 1;
        count.won += usize::from(census.mover_wins(id));
    }
    counts
}
