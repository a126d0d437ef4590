//! Errors of the search: each names what is wrong and its value.

use crate::board::Color;

/// A search that could not be started, or met an evaluator that breaks its contract.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SearchError {
    /// A side has no king: the game is over, or the board is not one of a game.
    #[error("{0:?} has no king: there is no game to search")]
    MissingKing(Color),
    /// The root has no dice: that is a position before a roll, not a forced pass.
    #[error("the dice pool is empty: a root position needs its roll")]
    EmptyPool,
    /// A chance node starts before the roll, but dice are left.
    #[error("the dice pool of a chance node must be empty, not {0}")]
    PoolNotEmpty(String),
    /// No candidate could be searched.
    #[error("candidate limit must be at least 1, not {0}")]
    CandidateLimit(usize),
    /// The depth is not supported.
    #[error("search depth must be 2, not {0}")]
    SearchDepth(u32),
    /// The parts of a scale are not finite or not in order.
    #[error("utility scale must be finite with loss < min <= max < win, not {scale:?}")]
    UtilityScale {
        /// Terminal loss, least and greatest non-terminal value, terminal win.
        scale: [f64; 4],
    },
    /// An evaluator gave a leaf a value outside the non-terminal range, or NaN.
    #[error("evaluator '{evaluator}' gave {value}, outside {min}..={max}")]
    LeafOutOfRange {
        /// The evaluator's name.
        evaluator: String,
        /// What it gave.
        value: f64,
        /// The least value allowed.
        min: f64,
        /// The greatest value allowed.
        max: f64,
    },
}
