//! Plays many turns of one position.

use super::Turn;
use crate::board::Position;

/// Plays turns of one position, one after the other. A turn that differs from the one before in its last micro-move only, as
/// most do in canonical order, costs that micro-move.
#[derive(Clone, Debug)]
pub struct TurnPlayer {
    root: Position,
    stem: Turn,
    before_last: Position,
}

impl TurnPlayer {
    /// Starts at a position with its dice.
    pub fn new(root: &Position) -> Self {
        Self { root: *root, stem: Turn::default(), before_last: *root }
    }

    /// The position after a turn, as [`Position::play_turn`] gives it.
    pub fn play(&mut self, turn: Turn) -> Position {
        let Some((stem, last)) = turn.split_last() else {
            return self.root;
        };
        if stem != self.stem {
            self.stem = stem;
            self.before_last = self.root.play_turn(stem);
        }
        self.before_last.play(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::legal_turns;

    #[test]
    fn turns_played_one_after_the_other_are_those_played_alone_in_any_order() {
        let root: Position =
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 PRK".parse().unwrap();
        let turns: Vec<Turn> = legal_turns(&root).iter().collect();
        let mut player = TurnPlayer::new(&root);
        for &turn in turns.iter().chain(turns.iter().rev()).chain([&Turn::default()]) {
            assert_eq!(player.play(turn), root.play_turn(turn));
        }
    }
}
