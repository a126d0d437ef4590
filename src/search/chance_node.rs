//! The chance node: the expectation over a roll that is not known yet ("Weighted Chance-Node Search").
//!
//! The mechanism owns classes, weights, arithmetic and cancellation; a [`Policy`] owns how the decision after a roll is
//! valued.

use super::{SearchControl, SearchError, SearchOutcome};
use crate::board::{Color, Position};
use crate::rules::{ORDERED_ROLLS, partition};

/// How one search values the decision node below a roll.
pub trait Policy {
    /// The value of the decision of `rolled`'s side to move: the position after the turn with the dice of class
    /// `class_index`. Exact, or incomplete when the control cancels.
    ///
    /// # Errors
    /// Passed on by [`expand`].
    fn decide(
        &mut self,
        rolled: &Position,
        class_index: usize,
        control: &SearchControl<'_>,
    ) -> Result<SearchOutcome<f64>, SearchError>;
}

/// The value of a chance node, with its telemetry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChanceResult {
    /// The expectation, for the perspective of the scale.
    pub outcome: SearchOutcome<f64>,
    /// How many classes the node has.
    pub classes: usize,
    /// How many of them were valued.
    pub classes_resolved: usize,
}

/// The expectation at `after_turn`, whose side to move is about to roll.
///
/// The integer-weighted sum of the classes' values is divided by 216 once, so for integer leaves the result is the exact
/// rational, rounded: bit for bit what an enumeration of the 216 ordered rolls gives. The control is asked before each
/// class; a cancelled node is incomplete.
///
/// # Errors
/// When dice are left or a king is missing in `after_turn`, and whatever the policy reports.
pub fn expand(
    after_turn: &Position,
    control: &SearchControl<'_>,
    policy: &mut impl Policy,
) -> Result<ChanceResult, SearchError> {
    if !after_turn.dice().is_empty() {
        return Err(SearchError::PoolNotEmpty(after_turn.dice().to_string()));
    }
    require_kings(after_turn)?;
    let classes = partition(after_turn);
    let mut sum = 0.0;
    for (index, class) in classes.iter().enumerate() {
        let value = if control.is_cancelled() {
            None
        } else {
            let rolled = after_turn.with_dice(class.roll.pool());
            policy.decide(&rolled, index, control)?.exact()
        };
        let Some(value) = value else {
            return Ok(ChanceResult {
                outcome: SearchOutcome::Incomplete { work_used: control.work_used() },
                classes: classes.len(),
                classes_resolved: index,
            });
        };
        sum += f64::from(class.weight) * value;
    }
    Ok(ChanceResult {
        outcome: SearchOutcome::Exact {
            value: sum / f64::from(ORDERED_ROLLS),
            work_used: control.work_used(),
        },
        classes: classes.len(),
        classes_resolved: classes.len(),
    })
}

/// Both kings are on the board, or the error that names the missing one.
pub(super) fn require_kings(position: &Position) -> Result<(), SearchError> {
    match Color::ALL.into_iter().find(|&color| !position.has_king(color)) {
        Some(color) => Err(SearchError::MissingKing(color)),
        None => Ok(()),
    }
}
