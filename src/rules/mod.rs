//! The rules of Dice Chess.
mod budget;
mod commute;
mod micro_move;
mod movegen;
mod partition;
mod perft;
mod position_set;
mod queries;
mod reach;
mod roll;
mod turns;

pub use budget::{Budget, Exhausted};
pub use micro_move::MicroMove;
pub use movegen::micro_moves;
pub use partition::{WeightedRoll, partition};
pub use perft::{divide, perft};
pub use queries::{king_capture_path, king_capture_rolls, turn_paths, visit_turn_states};
pub use reach::{Finals, Identity, ReachSets};
pub use roll::{ORDERED_ROLLS, Roll};
pub use turns::{Turn, Turns, legal_turns};
