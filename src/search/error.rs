//! Errors of the search: each names what is wrong and its value.

use crate::board::Color;
use crate::rules::Turns;

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
    /// The order given is no permutation of the class indices.
    #[error("the order of {classes} classes must name each once, not {order:?}")]
    ClassOrder {
        /// How many classes the node has.
        classes: usize,
        /// The order given.
        order: Vec<usize>,
    },
    /// A window that is inverted, or NaN.
    #[error("the window from {alpha} to {beta} is not in order")]
    Window {
        /// The lower end.
        alpha: f64,
        /// The upper end.
        beta: f64,
    },
    /// A policy declared a range that is inverted or leaves the scale.
    #[error("a policy's range must be ordered and within the scale, not {lowest}..={highest}")]
    PolicyRange {
        /// The least value declared.
        lowest: f64,
        /// The greatest value declared.
        highest: f64,
    },
    /// A policy gave a number of probes that is not the number of classes.
    #[error("{classes} classes need {classes} probes, not {probes}")]
    ProbeCount {
        /// How many classes the node has.
        classes: usize,
        /// How many probes were given.
        probes: usize,
    },
    /// A policy answered an open window with a bound.
    #[error("class {class} was decided with an open window, but only bounded by {value}")]
    BoundUnderOpenWindow {
        /// The class's index.
        class: usize,
        /// The bound.
        value: f64,
    },
    /// A policy gave an exact value outside the range it declared, a bound that contradicts it, or NaN.
    #[error("the value {value} is outside the policy's range {lowest}..={highest}")]
    ValueOutOfRange {
        /// The value.
        value: f64,
        /// The least value declared.
        lowest: f64,
        /// The greatest value declared.
        highest: f64,
    },
    /// No candidate could be searched.
    #[error("candidate limit must be at least 1, not {0}")]
    CandidateLimit(usize),
    /// The depth is not supported.
    #[error("search depth must be from 2 to {max}, not {0}", max = super::MAX_SEARCH_DEPTH)]
    SearchDepth(u32),
    /// The number of threads is not supported.
    #[error("threads must be from 1 to {max}, not {0}", max = super::MAX_THREADS)]
    Threads(usize),
    /// Several threads cannot share a work budget and stay reproducible.
    #[error("a search on {0} threads cannot have a work budget")]
    ThreadsWithBudget(usize),
    /// The horizon of a proof is not supported.
    #[error("proof horizon must be from 1 to {max}, not {0}", max = super::MAX_PROOF_HORIZON)]
    ProofHorizon(u32),
    /// The weight of a root rescore is outside 0..=1, or NaN.
    #[error("root rescore weight must be from 0 to 1, not {0}")]
    RescoreWeight(f64),
    /// The transposition table holds another evaluator's values.
    #[error("the transposition table belongs to another evaluator than '{evaluator}'")]
    ForeignTable {
        /// The evaluator that was refused.
        evaluator: String,
    },
    /// A transposition table of this capacity is over the limit.
    #[error("no table of {capacity} entries: the limit is {max}, and memory must hold 24 bytes for each")]
    TableCapacity {
        /// The entries asked for.
        capacity: usize,
        /// The most entries a table can have.
        max: usize,
    },
    /// Memory does not hold a transposition table of this capacity.
    #[error("no memory for a table of {capacity} entries of 24 bytes")]
    TableMemory {
        /// The entries asked for.
        capacity: usize,
    },
    /// The root has more legal turns than are listed, or than memory holds together with what their search needs.
    /// Searches of other roots are not affected.
    #[error(
        "a root of {turns} legal turns or more: the limit is {max}, and memory must hold them and what their search needs",
        max = Turns::MAX
    )]
    TooManyTurns {
        /// How many turns were held.
        turns: usize,
    },
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
