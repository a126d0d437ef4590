//! How positions were reached: the turn that leads to one, and the same turn played at another root.

use super::ReachSets;
use crate::board::{DicePool, PieceType, Position};
use crate::rules::micro_move::{Lifted, MicroMove};
use crate::rules::movegen::{DieBoard, is_legal_plain};
use crate::rules::{Budget, Exhausted, Roll, Turn};

/// The micro-move by which a position was first reached, and from which of the positions of the sets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    pub(super) parent: u32,
    pub(super) micro_move: MicroMove,
}

impl ReachSets {
    /// Calls `visit` with each position after the last die of a roll at the `i`-th position of `reach(part)`, which must be built,
    /// and with how it was reached. They are distinct; castling and captures of the king are left out.
    pub(crate) fn for_each_final_from(
        &self,
        part: Roll,
        i: usize,
        die: PieceType,
        budget: &Budget,
        mut visit: impl FnMut(&Position, Origin),
    ) -> Result<(), Exhausted> {
        let at = self.built(part).start + i;
        let position = &self.positions[at];
        let mut examined = 1;
        DieBoard::new(position, self.mover, die).for_each_group(|group| {
            let mut lifted = Lifted::new(position, self.mover, group.from, group.kind, self.clock());
            lifted.expire_targets(self.expiring_targets());
            for to in group.targets & self.allowed {
                examined += 1;
                let micro_move = MicroMove::new(group.from, to, group.kind);
                visit(&lifted.land(to), Origin { parent: at as u32, micro_move });
            }
        });
        budget.charge(examined)
    }

    /// The turn that ends with this step.
    pub(crate) fn turn_to(&self, last: Origin) -> Turn {
        let mut moves = [last.micro_move; DicePool::MAX];
        let (mut count, mut at) = (1, last.parent as usize);
        while at > 0 {
            let Origin { parent, micro_move } = self.arrivals[at].origin();
            (moves[count], count, at) = (micro_move, count + 1, parent as usize);
        }
        moves[..count].iter().rev().fold(Turn::default(), |turn, &micro_move| turn.then(micro_move))
    }

    /// The final position after a turn that was found elsewhere, if it is legal here for a roll of just its dice; `None` for
    /// some that are legal too.
    pub(crate) fn after_turn(&self, turn: Turn) -> Option<Position> {
        let mut position = self.positions[0];
        let mut left = turn.len();
        for micro_move in turn.moves() {
            if !is_legal_plain(&position, self.mover, self.allowed, micro_move) {
                return None;
            }
            let (from, kind) = (micro_move.from(), micro_move.kind());
            let mut lifted = Lifted::new(&position, self.mover, from, kind, self.clock());
            left -= 1;
            if left == 0 {
                lifted.expire_targets(self.expiring_targets());
            }
            position = lifted.land(micro_move.to());
        }
        Some(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Identity, legal_turns, partition};

    /// Alike, so that many turns of one are legal in another, but not all.
    const ALIKE: [&str; 4] = [
        "r1bqkbnr/pppp1ppp/2n5/4N3/2B1P3/3P4/PPP2PPP/RNBQK2R b KQkq - 0 3",
        "r1bqkbnr/pppp1ppp/8/4n3/2B1P3/3P4/PPP2PPP/RNBQK2R b KQkq - 0 3",
        "r2qkbnr/ppp2ppp/2np4/4N3/2B1P1b1/3P4/PPP2PPP/RNBQK2R b KQkq - 0 3",
        "r3k2r/1ppq1ppp/2n2n2/4N3/pPB1P1b1/3P4/P1P2PPP/RNBQK2R b KQkq b3 0 3",
    ];

    /// For Black and, with the board turned, for White.
    fn alike() -> impl Iterator<Item = [Position; 4]> {
        let positions = ALIKE.map(|dfen| dfen.parse::<Position>().unwrap());
        [positions, positions.map(|position| position.flipped())].into_iter()
    }

    /// As final positions of this identity stand.
    fn ended(after: Position, root: &Position, identity: Identity) -> Position {
        let mut ended = after.with_dice(DicePool::EMPTY).end_turn();
        if identity == Identity::AfterTurnEndIgnoringClock {
            ended.set_half_move(root.half_move());
        }
        ended
    }

    #[test]
    fn a_turn_found_elsewhere_is_played_exactly_where_it_is_legal() {
        for identity in [Identity::AfterTurnEnd, Identity::AfterTurnEndIgnoringClock] {
            for positions in alike() {
                assert_played_where_legal(&positions, identity);
            }
        }
    }

    fn assert_played_where_legal(alike: &[Position], identity: Identity) {
        let mut sets = ReachSets::new(identity);
        let (mut played, mut refused) = (0, 0);
        for (here, there) in alike.iter().flat_map(|here| alike.iter().map(move |there| (here, there))) {
            sets.reset(here);
            for roll in partition(here).iter().map(|class| class.roll).step_by(5) {
                let [legal, elsewhere] = [here, there].map(|at| legal_turns(&at.with_dice(roll.pool())));
                let legal: std::collections::HashSet<Turn> = legal.iter().collect();
                for turn in elsewhere.iter().filter(|turn| turn.len() == roll.len()) {
                    let plain = turn.moves().all(MicroMove::is_plain);
                    let after = here.with_dice(roll.pool()).play_turn(turn);
                    let expected = (legal.contains(&turn) && plain && after.has_king(!here.side_to_move()))
                        .then(|| ended(after, here, identity));
                    assert_eq!(sets.after_turn(turn), expected, "{turn} at {here}");
                    played += u32::from(expected.is_some());
                    refused += u32::from(expected.is_none());
                }
            }
        }
        assert!(played > 1000 && refused > 1000, "{played} {refused}");
    }

    #[test]
    fn finals_from_one_position_are_reached_by_the_turns_that_are_told() {
        for identity in [Identity::AfterTurnEnd, Identity::AfterTurnEndIgnoringClock] {
            alike().for_each(|positions| assert_reached_by_turns(&positions[3], identity));
        }
    }

    fn assert_reached_by_turns(root: &Position, identity: Identity) {
        let mut sets = ReachSets::new(identity);
        sets.reset(root);
        let unlimited = Budget::unlimited();
        for (class, die) in
            partition(root).iter().flat_map(|class| class.roll.distinct().map(move |die| (class, die)))
        {
            let part = class.roll.without(die).unwrap();
            sets.build(part, &unlimited).unwrap();
            for i in (0..sets.reached(part).positions().len()).step_by(7) {
                let mut found = Vec::new();
                let visit = |after: &Position, origin| found.push((*after, origin));
                sets.for_each_final_from(part, i, die, &unlimited, visit).unwrap();
                for (after, origin) in found {
                    let turn = sets.turn_to(origin);
                    let rolled = root.with_dice(class.roll.pool());
                    assert!(legal_turns(&rolled).iter().any(|legal| legal == turn), "{turn}");
                    assert_eq!(ended(rolled.play_turn(turn), root, identity), after, "{turn}");
                }
            }
        }
    }
}
