//! The rules of Dice Chess: what a side may do with its dice.
//!
//! # The game
//!
//! Two sides play with ordinary chess pieces from the ordinary start position. A **turn** is one roll of three dice and up to
//! three **micro-moves**. A die names the type of piece that may move: 1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king.
//! A micro-move spends one die of the moved piece's type; the same piece may move again if another die allows. The side to
//! move changes only when the turn ends.
//!
//! The game is won by **capturing the king**. There is no check, checkmate, stalemate or pin: a king may stay on, step onto
//! or castle through attacked squares. A position where a king is missing is a finished game.
//!
//! * **Maximum rule.** A turn must spend as many dice as any turn of this roll can spend without capturing the king. A turn
//!   that captures the king is legal whatever its length, and ends there. A sequence that can only go on by capturing the
//!   king must do so: by itself it is no turn.
//! * **Forced pass.** A roll without a legal turn ends the turn with the board as it is. There is no voluntary pass.
//! * **Castling** is one king micro-move that spends a king die and a rook die. It needs the right, king and rook on their
//!   home squares and nothing between them; attacks do not matter.
//! * **En passant.** A double step leaves a target on the square it jumped over; there can be several. The opponent may
//!   capture there with a pawn at any micro-move of its next turn, as long as the target is empty and the pawn that jumped
//!   still stands behind it.
//! * **Promotion** turns a pawn that reaches the last rank into a queen, rook, bishop or knight, which may move on in the
//!   same turn if its die is left. A pawn that captures the king there just captures it.
//! * **Draws** are left to the host; the half-move clock is kept for it.
//!
//! # One turn, three ways to look at it
//!
//! ```
//! use dicechess_native::board::Position;
//! use dicechess_native::rules::{Budget, Finals, Identity, ReachSets, Roll, legal_turns, micro_moves};
//!
//! // White has rolled a pawn and a knight die. The black pawn has just jumped to d5.
//! let position: Position = "4k3/8/8/3pP3/8/8/8/N3K3 w - d6 0 1 PN".parse()?;
//!
//! // The micro-moves that the dice allow now, in canonical order.
//! let texts: Vec<_> = micro_moves(&position).iter().map(ToString::to_string).collect();
//! assert_eq!(texts, ["e5e6", "e5d6", "a1c2", "a1b3"]);
//!
//! // The legal turns. En passant may come second: the target lasts as long as the turn.
//! let turns = legal_turns(&position);
//! assert_eq!(turns.len(), 8);
//! assert_eq!(turns.iter().last().unwrap().to_string(), "a1b3 e5d6");
//!
//! // The distinct positions these turns lead to: all a search needs.
//! let mut sets = ReachSets::new(Identity::AfterTurnEndIgnoringClock);
//! sets.reset(&position);
//! let finals = sets.finals(Roll::of(position.dice()), &Budget::unlimited())?;
//! assert!(matches!(finals, Finals::Positions(positions) if positions.len() == 4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Which of several turns comes first is part of the contract: see [`Turns`].

mod budget;
mod commute;
mod king_capture;
mod micro_move;
mod movegen;
mod partition;
mod perft;
mod position_set;
mod queries;
mod reach;
mod roll;
mod turn_player;
mod turns;

pub use budget::{Budget, Exhausted};
pub(crate) use king_capture::capturing_dice;
pub use micro_move::MicroMove;
pub(crate) use movegen::{Steps, can_promote_in_a_turn};
pub use movegen::{micro_moves, mobility};
pub use partition::{WeightedRoll, partition};
pub use perft::{divide, perft, turn_divide, turn_perft};
pub(crate) use position_set::make_room;
pub use queries::{king_capture_path, king_capture_rolls, turn_paths, visit_turn_states};
pub use reach::{Finals, Identity, ReachSets};
pub(crate) use reach::{Origin, QuietRun, Reached};
pub use roll::{ORDERED_ROLLS, Roll};
pub use turn_player::TurnPlayer;
pub use turns::{Turn, Turns, Unlisted, legal_turns};
