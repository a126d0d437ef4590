//! Searches on the rules and an evaluator: outcomes, limits, the chance node, the expectimax on top of it, and bots.

pub mod bots;
mod bounds;
pub mod chance_node;
mod control;
mod decision;
mod error;
mod expectimax;
mod material;
mod outcome;
mod root;
mod table;
mod ties;
mod tree;

pub use bounds::UtilityBounds;
pub use control::{SearchControl, monotonic_nanos};
pub use error::SearchError;
pub(crate) use expectimax::ScratchPool;
pub use expectimax::{Expectimax, ExpectimaxConfig, MAX_SEARCH_DEPTH, MAX_THREADS, RootRescore};
pub use outcome::SearchOutcome;
pub use root::{BestTurn, Candidate, RootSearchStats, ScoreSource, SearchResult};
pub use table::TranspositionTable;
