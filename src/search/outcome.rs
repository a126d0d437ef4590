//! What a search may say: an exact value, a proven bound, or that it was interrupted, which is no value at all.

use crate::rules::{Budget, Exhausted};

/// The result of evaluating a node ("Bounded Search Outcomes", section 1).
///
/// A value computed to the end, a bound proven by a cut, and an interrupted accumulation are never mixed up: the last
/// carries no number, so it cannot be ranked, blended or cached by accident. Every value is stated for the one perspective
/// the search was asked for. `work_used` is the budget's cumulative count when the outcome was produced, 0 without a
/// budget.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SearchOutcome<A> {
    /// The true value of the node is `value`.
    Exact {
        /// The true value.
        value: A,
        /// Units of the budget used so far.
        work_used: u64,
    },
    /// The true value is at least `value`.
    LowerBound {
        /// At most the true value.
        value: A,
        /// Units of the budget used so far.
        work_used: u64,
    },
    /// The true value is at most `value`.
    UpperBound {
        /// At least the true value.
        value: A,
        /// Units of the budget used so far.
        work_used: u64,
    },
    /// Cancelled before a value or a bound was proven.
    Incomplete {
        /// Units of the budget used so far.
        work_used: u64,
    },
}

impl<A> SearchOutcome<A> {
    /// The value or bound; `None` when incomplete.
    pub fn value(self) -> Option<A> {
        match self {
            Self::Exact { value, .. } | Self::LowerBound { value, .. } | Self::UpperBound { value, .. } => {
                Some(value)
            }
            Self::Incomplete { .. } => None,
        }
    }

    /// The value when it is exact.
    pub fn exact(self) -> Option<A> {
        match self {
            Self::Exact { value, .. } => Some(value),
            _ => None,
        }
    }

    /// Whether the value is exact.
    pub const fn is_exact(&self) -> bool {
        matches!(self, Self::Exact { .. })
    }

    /// Units of the budget used when the outcome was produced.
    pub const fn work_used(&self) -> u64 {
        match self {
            Self::Exact { work_used, .. }
            | Self::LowerBound { work_used, .. }
            | Self::UpperBound { work_used, .. }
            | Self::Incomplete { work_used } => *work_used,
        }
    }

    /// The outcome of `f` of the value. `f` must preserve order, or the bounds become false.
    pub fn map<B>(self, f: impl FnOnce(A) -> B) -> SearchOutcome<B> {
        match self {
            Self::Exact { value, work_used } => SearchOutcome::Exact { value: f(value), work_used },
            Self::LowerBound { value, work_used } => SearchOutcome::LowerBound { value: f(value), work_used },
            Self::UpperBound { value, work_used } => SearchOutcome::UpperBound { value: f(value), work_used },
            Self::Incomplete { work_used } => SearchOutcome::Incomplete { work_used },
        }
    }

    /// The outcome of `f` of the value, lower and upper bounds exchanged. `f` must reverse order, as a change of
    /// perspective does.
    ///
    /// ```
    /// use dicechess_native::search::SearchOutcome;
    /// let white = SearchOutcome::LowerBound { value: 50, work_used: 7 };
    /// assert_eq!(white.map_reversing(|v: i32| -v), SearchOutcome::UpperBound { value: -50, work_used: 7 });
    /// ```
    pub fn map_reversing<B>(self, f: impl FnOnce(A) -> B) -> SearchOutcome<B> {
        match self.map(f) {
            SearchOutcome::LowerBound { value, work_used } => SearchOutcome::UpperBound { value, work_used },
            SearchOutcome::UpperBound { value, work_used } => SearchOutcome::LowerBound { value, work_used },
            unchanged => unchanged,
        }
    }

    /// The outcome of a rules query on `budget`: exact or incomplete, never a bound.
    ///
    /// ```
    /// use dicechess_native::{board::{Color, Position}, rules::{Budget, king_capture_rolls}, search::SearchOutcome};
    /// let budget = Budget::new(3);
    /// let rolls = king_capture_rolls(&Position::start(), Color::White, &budget);
    /// assert_eq!(SearchOutcome::from_rules(rolls, &budget), SearchOutcome::Incomplete { work_used: 3 });
    /// ```
    pub fn from_rules(result: Result<A, Exhausted>, budget: &Budget) -> Self {
        match result {
            Ok(value) => Self::Exact { value, work_used: budget.used() },
            Err(Exhausted { work_used }) => Self::Incomplete { work_used },
        }
    }
}
