//! The leaves that probes have scored at one chance node, so that its decisions do not score them again.

use std::ops::Range;

use crate::board::Position;
use crate::rules::make_room;
use crate::search::chance_node::MAX_CLASSES;

/// Leaves by round of probes, and within a round by class.
#[derive(Debug)]
pub(super) struct Scored {
    leaves: Vec<Position>,
    /// Where the leaves of each class end, round after round.
    ends: Vec<usize>,
    classes: usize,
}

impl Scored {
    pub(super) fn new() -> Self {
        Self { leaves: Vec::new(), ends: Vec::with_capacity(Self::ROUNDS * MAX_CLASSES), classes: 0 }
    }

    /// Killers, and replies that win material.
    const ROUNDS: usize = 2;

    /// Starts over, for a node with so many classes.
    pub(super) fn begin(&mut self, classes: usize) {
        self.leaves.clear();
        self.ends.clear();
        self.classes = classes;
    }

    /// Adds a leaf to the class that is open; `false` when a round that is closed has it already. Within a round the leaves of
    /// a class must differ.
    pub(super) fn add(&mut self, leaf: &Position) -> bool {
        let open = self.ends.len() % self.classes;
        if self.of_class(open).any(|other| other == leaf) {
            return false;
        }
        make_room(&mut self.leaves, 1);
        self.leaves.push(*leaf);
        true
    }

    /// The leaves of the class that is open.
    pub(super) fn open_class(&self) -> &[Position] {
        &self.leaves[self.ends.last().copied().unwrap_or(0)..]
    }

    /// Closes the class that is open, and opens the next, or the first of the next round.
    pub(super) fn end_class(&mut self) {
        self.ends.push(self.leaves.len());
    }

    /// The leaves of a class.
    pub(super) fn of_class(&self, class: usize) -> impl Iterator<Item = &Position> {
        let places = (class..self.ends.len()).step_by(self.classes.max(1));
        places.flat_map(|place| &self.leaves[self.start(place)..self.ends[place]])
    }

    /// The leaves of the round that was closed last.
    pub(super) fn last_round(&self) -> &[Position] {
        &self.leaves[self.start(self.ends.len() - self.classes)..]
    }

    /// Where the leaves of a class lie in [`Scored::last_round`].
    pub(super) fn of_last_round(&self, class: usize) -> Range<usize> {
        let first = self.ends.len() - self.classes;
        let base = self.start(first);
        self.start(first + class) - base..self.ends[first + class] - base
    }

    fn start(&self, place: usize) -> usize {
        if place == 0 { 0 } else { self.ends[place - 1] }
    }
}
