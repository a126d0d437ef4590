//! The decision one ply above the leaves: the best distinct position after the roll, as an evaluator sees it.

use super::chance_node::Policy;
use super::{SearchControl, SearchError, SearchOutcome, UtilityBounds};
use crate::board::Position;
use crate::eval::Evaluator;
use crate::rules::{Budget, Finals, Identity, ReachSets, Roll};

/// Values a roll by the mover's best distinct final position, scored in one batch.
///
/// A roll that captures the king is terminal; a forced pass is worth the position after the turn. The evaluator sees each
/// distinct position of a roll once.
pub struct LeafPolicy<'a> {
    evaluator: &'a dyn Evaluator,
    bounds: UtilityBounds,
    sets: ReachSets,
    scores: Vec<f64>,
    unlimited: Budget,
    leaves: u64,
}

impl<'a> LeafPolicy<'a> {
    /// A policy for the chance nodes of one search; [`LeafPolicy::enter`] each node before it is expanded.
    pub fn new(evaluator: &'a dyn Evaluator, bounds: UtilityBounds) -> Self {
        let identity = if evaluator.reads_clocks() {
            Identity::AfterTurnEnd
        } else {
            Identity::AfterTurnEndIgnoringClock
        };
        Self {
            evaluator,
            bounds,
            sets: ReachSets::new(identity),
            scores: Vec::new(),
            unlimited: Budget::unlimited(),
            leaves: 0,
        }
    }

    /// Turns to the chance node at `after_turn`.
    pub fn enter(&mut self, after_turn: &Position) {
        self.sets.reset(after_turn);
    }

    /// How many positions the evaluator has been asked about.
    pub fn leaves(&self) -> u64 {
        self.leaves
    }
}

impl Policy for LeafPolicy<'_> {
    fn decide(
        &mut self,
        rolled: &Position,
        _class_index: usize,
        control: &SearchControl<'_>,
    ) -> Result<SearchOutcome<f64>, SearchError> {
        let mover = rolled.side_to_move();
        let incomplete = || SearchOutcome::Incomplete { work_used: control.work_used() };
        let exact = |value| SearchOutcome::Exact { value, work_used: control.work_used() };
        let passed;
        let budget = control.budget().unwrap_or(&self.unlimited);
        let leaves = match self.sets.finals(Roll::of(rolled.dice()), budget) {
            Err(_) => return Ok(incomplete()),
            Ok(Finals::KingCapture) => return Ok(exact(self.bounds.terminal(mover))),
            Ok(Finals::ForcedPass) => {
                passed = [rolled.end_turn()];
                &passed[..]
            }
            Ok(Finals::Positions(positions)) => positions,
        };
        if control.is_cancelled() {
            return Ok(incomplete());
        }
        self.leaves += leaves.len() as u64;
        self.scores.resize(leaves.len(), f64::NAN);
        self.evaluator.evaluate(leaves, self.bounds.perspective(), &mut self.scores);
        if control.is_cancelled() {
            return Ok(incomplete());
        }
        check_range(self.evaluator, &self.scores, &self.bounds)?;
        let scores = self.scores.iter().copied();
        Ok(exact(if self.bounds.is_maximizing(mover) {
            scores.fold(f64::NEG_INFINITY, f64::max)
        } else {
            scores.fold(f64::INFINITY, f64::min)
        }))
    }
}

/// An evaluator that leaves the non-terminal range is a bug to be reported, not clamped.
pub(super) fn check_range(
    evaluator: &dyn Evaluator,
    scores: &[f64],
    bounds: &UtilityBounds,
) -> Result<(), SearchError> {
    let (min, max) = (bounds.min_non_terminal(), bounds.max_non_terminal());
    match scores.iter().find(|&score| !(min..=max).contains(score)) {
        None => Ok(()),
        Some(&value) => {
            Err(SearchError::LeafOutOfRange { evaluator: evaluator.name().to_owned(), value, min, max })
        }
    }
}
