//! A search with one horizon, run from every position of a census at every depth.

use super::{Census, Id};
use crate::stopping::{CutSearch, Extension, Guess, Horizon, Reason, Verdict, deepen_until_agreement};

/// What the searches of one depth got wrong, over all positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accuracy {
    /// Lost positions that were called won.
    pub false_wins: usize,
    /// Won positions that were called lost.
    pub false_losses: usize,
    /// Entries looked at, all searches together.
    pub cost: usize,
}

impl Accuracy {
    /// Wrong verdicts of either kind.
    pub const fn wrong(self) -> usize {
        self.false_wins + self.false_losses
    }
}

/// A deepening search from one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// From where.
    pub root: Id,
    /// The depth at which it stopped.
    pub depth: u32,
    /// Why: exhausted when the moves that it followed met no guess, which can be short of the longest line.
    pub reason: Reason,
    /// Whether its verdict was right.
    pub right: bool,
    /// How many moves short of the longest line it stopped.
    pub saved: u32,
    /// Entries looked at, all depths together, each with a table of its own.
    pub cost: usize,
    /// Entries that finishing looks at from the same position.
    pub finishing: usize,
}

/// What a search with one horizon does from every position.
pub struct Profile {
    /// By depth, from 0 to the longest line of the board.
    pub accuracy: Vec<Accuracy>,
    /// Deepening to agreement from each position, in the order of the census.
    pub runs: Vec<Run>,
}

impl Profile {
    /// Runs the searches.
    pub fn measure(census: &Census, horizon: Horizon) -> Self {
        let depths = census.ids().map(|id| census.longest_line(id)).max().unwrap_or(0);
        let mut accuracy = vec![Accuracy::default(); depths as usize + 1];
        let mut search = CutSearch::new(census, horizon);
        let runs = census.ids().map(|root| {
            let searches = Searches::from(census, &mut search, root);
            searches.count(&mut accuracy);
            searches.deepen()
        });
        let runs = runs.collect();
        Self { accuracy, runs }
    }

    /// Among the agreements at `depth` or deeper, the first of those that saved the most moves; `None` without any.
    pub fn best_saving(&self, depth: u32) -> Option<Run> {
        let is_deep_agreement = |run: &&Run| run.reason == Reason::Agreement && run.depth >= depth;
        self.runs.iter().rev().filter(is_deep_agreement).max_by_key(|run| run.saved).copied()
    }

    /// Entries looked at by a search of `depth`, on average over all positions.
    pub fn mean_cost(&self, depth: usize) -> f64 {
        self.accuracy[depth].cost as f64 / self.runs.len() as f64
    }
}

/// Deepens to agreement from one position.
pub fn deepen(census: &Census, horizon: Horizon, root: Id) -> Run {
    Searches::from(census, &mut CutSearch::new(census, horizon), root).deepen()
}

/// The searches of all depths from one position.
struct Searches {
    root: Id,
    mover_wins: bool,
    /// By depth up to the longest line, where a search is the finishing one; with the cost of each.
    verdicts: Vec<(Verdict<bool>, usize)>,
}

impl Searches {
    fn from(census: &Census, search: &mut CutSearch<'_, Census>, root: Id) -> Self {
        let verdicts =
            (0..=census.longest_line(root)).map(|depth| (search.verdict(root, depth), search.cost()));
        Self { root, mover_wins: census.mover_wins(root), verdicts: verdicts.collect() }
    }

    fn longest_line(&self) -> usize {
        self.verdicts.len() - 1
    }

    fn count(&self, accuracy: &mut [Accuracy]) {
        for (depth, accuracy) in accuracy.iter_mut().enumerate() {
            let (verdict, cost) = self.verdicts[depth.min(self.longest_line())];
            accuracy.cost += cost;
            accuracy.false_wins += usize::from(verdict.value && !self.mover_wins);
            accuracy.false_losses += usize::from(!verdict.value && self.mover_wins);
        }
    }

    fn deepen(&self) -> Run {
        let stop =
            deepen_until_agreement(self.longest_line() as u32, |depth| self.verdicts[depth as usize].0)
                .expect("at the longest line a search is exhaustive");
        self.run(stop.depth, stop.reason, stop.value, self.cost(stop.depth))
    }

    fn run(&self, depth: u32, reason: Reason, value: bool, cost: usize) -> Run {
        Run {
            root: self.root,
            depth,
            reason,
            right: value == self.mover_wins,
            saved: self.longest_line() as u32 - depth,
            cost,
            finishing: self.verdicts[self.longest_line()].1,
        }
    }

    /// Of all depths up to this one.
    fn cost(&self, depth: u32) -> usize {
        self.verdicts[..=depth as usize].iter().map(|&(_, cost)| cost).sum()
    }
}

/// Two searches at each depth, one that guesses for the player at the root and one that guesses against; from each position,
/// until they say the same.
pub fn both_sides(census: &Census, extension: Option<Extension>) -> Vec<Run> {
    let [mut above, mut below] =
        [Guess::Root, Guess::RootOpponent].map(|guess| CutSearch::new(census, Horizon { extension, guess }));
    let run = |root| {
        let [above, below] = [&mut above, &mut below].map(|search| Searches::from(census, search, root));
        let values = |depth: u32| [&above, &below].map(|side| side.verdicts[depth as usize].0.value);
        let depth = (0..=census.longest_line(root))
            .find(|&depth| values(depth)[0] == values(depth)[1])
            .expect("at the longest line both searches are exhaustive");
        let cost = above.cost(depth) + below.cost(depth);
        above.run(depth, Reason::Agreement, values(depth)[0], cost)
    };
    census.ids().map(run).collect()
}

/// From how many positions the know-nothing verdicts first agree one move after the end of every line.
pub fn late_agreements(census: &Census) -> usize {
    let mut search = CutSearch::new(census, Horizon::plain(Guess::Mover));
    let mut is_late = |root| {
        let end = census.longest_line(root);
        let guess_at_will = |depth| Verdict { guessed: true, ..search.verdict(root, depth) };
        deepen_until_agreement(end, guess_at_will).is_none()
    };
    census.ids().filter(|&id| is_late(id)).count()
}
