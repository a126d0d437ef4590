//! The root of a search: where the legal turns lead, and what each place is worth.

use super::chance::Leaf;
use super::{State, chance_numerator_weighted};

impl State {
    /// Every legal turn as text with the position after `end_turn`, in canonical order.
    pub fn played_turns(&self) -> Vec<(String, State)> {
        self.turns().all().map(|(moves, after)| (moves.join(" "), after.end_turn())).collect()
    }

    /// The distinct positions among `played_turns`, each with the first turn that leads there.
    pub fn root_positions(&self) -> Vec<(String, State)> {
        let mut seen = std::collections::HashSet::new();
        let mut turns = self.played_turns();
        turns.retain(|(_, after)| seen.insert(after.clone()));
        turns
    }

    /// For each of `root_positions` the first turn, and the numerator of the chance node with
    /// `plies` decision plies below it, from the view of the side to move here. Slow where there
    /// are many.
    pub fn root_table(&self, plies: u32, leaf: Leaf<'_>) -> Vec<(String, i64)> {
        let value = |after: &State| chance_numerator_weighted(after, plies, self.mover, leaf);
        self.root_positions().into_iter().map(|(turn, after)| (turn, value(&after))).collect()
    }
}
