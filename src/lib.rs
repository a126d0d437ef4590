//! x
pub mod board;
pub mod eval;
pub mod rules;
pub mod search;
