//! x
#![allow(missing_docs)]
pub mod board;
pub mod rules;
