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
    /// The class that leaves are added to.
    open: usize,
    /// By class: which of 64 kinds of keys its leaves have. Most new leaves are seen to be new at once.
    kinds: [u64; MAX_CLASSES],
}

impl Scored {
    pub(super) fn new() -> Self {
        Self {
            leaves: Vec::new(),
            ends: Vec::with_capacity(Self::ROUNDS * MAX_CLASSES),
            classes: 0,
            open: 0,
            kinds: [0; MAX_CLASSES],
        }
    }

    /// At most: two of killers, one of replies that win material, two of others.
    const ROUNDS: usize = 5;

    /// Starts over, for a node with so many classes.
    pub(super) fn begin(&mut self, classes: usize) {
        self.leaves.clear();
        self.ends.clear();
        self.classes = classes;
        self.open = 0;
        self.kinds = [0; MAX_CLASSES];
    }

    /// Adds a leaf to the class that is open; `false` when a round that is closed has it already.
    #[inline]
    pub(super) fn add(&mut self, leaf: &Position) -> bool {
        let kind = 1 << (leaf.key() % 64);
        if self.kinds[self.open] & kind != 0 && self.holds(leaf) {
            return false;
        }
        self.kinds[self.open] |= kind;
        make_room(&mut self.leaves, 1);
        self.leaves.push(*leaf);
        true
    }

    /// Whether a round that is closed has the leaf in the class that is open.
    #[inline(never)]
    fn holds(&self, leaf: &Position) -> bool {
        self.of_class(self.open).any(|other| other == leaf)
    }

    /// Whether a class has so many leaves that a look for one among them takes long.
    pub(super) fn is_crowded(&self, class: usize) -> bool {
        self.of_class(class).nth(63).is_some()
    }

    /// Closes the class that is open, and opens the next, or the first of the next round.
    pub(super) fn end_class(&mut self) {
        self.ends.push(self.leaves.len());
        self.open = if self.open + 1 < self.classes { self.open + 1 } else { 0 };
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
