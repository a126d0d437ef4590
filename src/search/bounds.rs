//! The scale that values of a search lie on.

use super::SearchError;
use crate::board::Color;
use crate::rules::ORDERED_ROLLS;

/// The perspective of a search and the scale of its values ("Bounded Search Outcomes", section 3).
///
/// A decision node maximises when its mover is the perspective and minimises otherwise; no value is negated on its way up.
/// The two sentinels dominate every evaluation, so a lost line ranks last and a won line first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UtilityBounds {
    perspective: Color,
    terminal_loss: f64,
    min_non_terminal: f64,
    max_non_terminal: f64,
    terminal_win: f64,
}

impl UtilityBounds {
    /// A scale of your own.
    ///
    /// # Errors
    /// Unless `terminal_loss < min_non_terminal <= max_non_terminal < terminal_win` and all are finite, also 216-fold, as a
    /// chance node adds them up.
    pub fn new(
        perspective: Color,
        terminal_loss: f64,
        min_non_terminal: f64,
        max_non_terminal: f64,
        terminal_win: f64,
    ) -> Result<Self, SearchError> {
        let scale = [terminal_loss, min_non_terminal, max_non_terminal, terminal_win];
        let ordered = terminal_loss < min_non_terminal
            && min_non_terminal <= max_non_terminal
            && max_non_terminal < terminal_win;
        if !ordered || scale.iter().any(|value| !(value * f64::from(ORDERED_ROLLS)).is_finite()) {
            return Err(SearchError::UtilityScale { scale });
        }
        Ok(Self { perspective, terminal_loss, min_non_terminal, max_non_terminal, terminal_win })
    }

    /// The scale of the expectimax search: −1e9, −10000, 10000, 10001.
    pub const fn expectimax(perspective: Color) -> Self {
        Self {
            perspective,
            terminal_loss: -1e9,
            min_non_terminal: -10_000.0,
            max_non_terminal: 10_000.0,
            terminal_win: 10_001.0,
        }
    }

    /// The scale of win probabilities: 0 to 1 between the sentinels −1 and 2.
    ///
    /// A lost line is worth 0 and a won one 1, as undecided lines may be: no value is a sentinel. They only leave room for
    /// windows strictly beyond 0 and 1.
    pub const fn probability(perspective: Color) -> Self {
        Self {
            perspective,
            terminal_loss: -1.0,
            min_non_terminal: 0.0,
            max_non_terminal: 1.0,
            terminal_win: 2.0,
        }
    }

    /// The side that values are stated for.
    pub const fn perspective(&self) -> Color {
        self.perspective
    }

    /// The value of losing the perspective's king.
    pub const fn terminal_loss(&self) -> f64 {
        self.terminal_loss
    }

    /// The least value an evaluator may give.
    pub const fn min_non_terminal(&self) -> f64 {
        self.min_non_terminal
    }

    /// The greatest value an evaluator may give.
    pub const fn max_non_terminal(&self) -> f64 {
        self.max_non_terminal
    }

    /// The value of capturing the enemy king.
    pub const fn terminal_win(&self) -> f64 {
        self.terminal_win
    }

    /// Whether a decision of `mover` maximises.
    pub fn is_maximizing(&self, mover: Color) -> bool {
        mover == self.perspective
    }

    /// The value of `mover` capturing the king of the other side.
    pub fn terminal(&self, mover: Color) -> f64 {
        if self.is_maximizing(mover) { self.terminal_win } else { self.terminal_loss }
    }
}
