//! Searches on the rules and an evaluator: outcomes, limits, the chance node and the expectimax on top of it.

mod bounds;
pub mod chance_node;
mod control;
mod error;
mod expectimax;
mod leaf;
mod outcome;

pub use bounds::UtilityBounds;
pub use control::{SearchControl, monotonic_nanos};
pub use error::SearchError;
pub use expectimax::{
    BestTurn, Candidate, Expectimax, ExpectimaxConfig, RootSearchStats, ScoreSource, SearchResult,
};
pub use leaf::LeafPolicy;
pub use outcome::SearchOutcome;
