//! Where deepening searches stopped, added up over all positions.

use super::Run;

/// Totals of the runs from every position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stops {
    /// Positions, one run each.
    pub positions: usize,
    /// Runs whose verdict was wrong.
    pub wrong: usize,
    /// Runs that stopped before the longest line.
    pub early: usize,
    /// Moves short of it, all runs together.
    pub moves_saved: usize,
    /// Entries looked at.
    pub cost: usize,
    /// Entries that finishing looks at from the same positions.
    pub finishing: usize,
    /// Runs that cost more than finishing.
    pub dearer: usize,
    /// Runs that cost less.
    pub cheaper: usize,
}

impl Stops {
    /// Adds up runs.
    pub fn of(runs: &[Run]) -> Self {
        let count = |is: fn(&Run) -> bool| runs.iter().filter(|&run| is(run)).count();
        Self {
            positions: runs.len(),
            wrong: count(|run| !run.right),
            early: count(|run| run.saved > 0),
            moves_saved: runs.iter().map(|run| run.saved as usize).sum(),
            cost: runs.iter().map(|run| run.cost).sum(),
            finishing: runs.iter().map(|run| run.finishing).sum(),
            dearer: count(|run| run.cost > run.finishing),
            cheaper: count(|run| run.cost < run.finishing),
        }
    }

    /// Of all runs, the share that stopped before the longest line.
    pub fn early_share(self) -> f64 {
        self.early as f64 / self.positions as f64
    }

    /// Entries looked at by a run, on average.
    pub fn mean_cost(self) -> f64 {
        self.cost as f64 / self.positions as f64
    }

    /// The cost in units of the cost of finishing.
    pub fn cost_ratio(self) -> f64 {
        self.cost as f64 / self.finishing as f64
    }
}
