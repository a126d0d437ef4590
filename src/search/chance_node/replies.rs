//! The replies to one roll, for policies that want them all.

use crate::board::Position;
use crate::rules::{Budget, Finals, Identity, ReachSets, Roll, make_room};
use crate::search::SearchControl;

/// The distinct replies to a roll.
#[derive(Clone, Debug, PartialEq)]
pub enum Replies {
    /// Some turn captures the king.
    KingCapture,
    /// There is no legal turn; the position after the turn has ended.
    ForcedPass(Position),
    /// The distinct positions after the legal turns, each turn ended; owned by the caller.
    Positions(Vec<Position>),
}

impl Replies {
    /// The replies at `rolled` on the control's budget; `None` when it runs out, and then the control is cancelled.
    ///
    /// A policy need not use this: one that reads all the rolls of a node saves work with [`ReachSets`] of its own.
    pub fn generate(rolled: &Position, control: &SearchControl<'_>) -> Option<Self> {
        let unlimited = Budget::unlimited();
        let mut sets = ReachSets::new(Identity::AfterTurnEnd);
        sets.reset(rolled);
        let finals = sets.finals(Roll::of(rolled.dice()), control.budget().unwrap_or(&unlimited)).ok()?;
        Some(match finals {
            Finals::KingCapture => Self::KingCapture,
            Finals::ForcedPass => Self::ForcedPass(rolled.end_turn()),
            Finals::Positions(positions) => {
                let mut replies = Vec::new();
                make_room(&mut replies, positions.len());
                replies.extend_from_slice(positions);
                Self::Positions(replies)
            }
        })
    }
}
