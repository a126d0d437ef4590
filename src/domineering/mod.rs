//! Domineering on boards small enough to solve whole, where every stop of a search can be checked against the truth.
//!
//! Left places vertical dominoes, Right horizontal ones, and the player who cannot place loses. A [`Census`] holds every
//! position that play can reach with its exact answer; a [`Profile`] runs a search with one horizon from all of them. The
//! searches and their stopping rules are those of [`stopping`](crate::stopping), with the players' placements as the count;
//! nothing else of the crate is used. Source: "Where a search may stop".

mod board;
mod census;
mod combination;
mod contest;
mod margins;
mod profile;
mod stops;

pub use board::{Board, BoardError, Player, Position};
pub use census::{Census, Id, Order};
pub use combination::{Combination, WIDE_WINDOWS, WINDOWS, combinations};
pub use contest::{Contest, contests};
pub use margins::{MarginCount, margins};
pub use profile::{Accuracy, Profile, Run, both_sides, deepen, late_agreements};
pub use stops::Stops;
