//! Searches on the rules and an evaluator: outcomes, limits, the chance node and, on top of it, the expectimax and the win
//! proof; and bots.

pub mod bots;
mod bounds;
pub mod chance_node;
mod control;
mod decision;
mod error;
mod expectimax;
mod material;
mod outcome;
mod pool;
mod proof;
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
pub(crate) use proof::ProofPool;
pub use proof::{
    Bracket, BracketedTurn, MAX_PROOF_HORIZON, ProofResult, ProofStats, ProofTurn, ProofVerdict, WinProof,
    WinProofConfig,
};
pub use root::{BestTurn, Candidate, RootSearchStats, ScoreSource, SearchResult};
pub use table::TranspositionTable;
