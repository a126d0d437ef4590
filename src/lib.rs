//! Exact chance-node expectimax for Dice Chess, as a Rust library and as the native half of a JVM library.
//!
//! Dice Chess is chess with three dice a turn: each die names the piece type that may move, up to three micro-moves, and the
//! king is captured, not mated. [`rules`] tells the game in full.
//!
//! Dependence goes one way: [`board`] ← [`rules`] ← [`eval`] ← [`search`] ← the boundary to the JVM, which has no public
//! items. Nothing below knows anything above. Apart from it stand [`stopping`], rules of when a search of any game may stop,
//! and [`domineering`], which measures them where every stop can be checked.
//!
//! ```
//! use dicechess_native::board::Position;
//! use dicechess_native::eval::BuiltIn;
//! use dicechess_native::search::{Expectimax, ExpectimaxConfig, SearchControl};
//!
//! let dfen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 3 NBP";
//! let position: Position = dfen.parse()?;
//! let search = Expectimax::new(ExpectimaxConfig::default(), &BuiltIn::Material)?;
//! let result = search.find_best_move(&position, &SearchControl::unbounded(), 1)?;
//! let best = result.best.expect("this roll is no forced pass");
//! assert!(best.outcome.is_exact());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod board;
pub mod domineering;
pub mod eval;
#[allow(unsafe_code)]
mod jni;
pub mod rules;
pub mod search;
pub mod stopping;

/// The Rust example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
