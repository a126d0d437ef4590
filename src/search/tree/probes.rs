//! Probes: what bounds the classes of a chance node before any of them is decided, as cheaply as can be (Star2).

use std::ops::Range;

use super::{ClassReplies, KILLERS, Killers, Level, Scratch, Tree, best_of, score};
use crate::board::{DicePool, Position};
use crate::eval::saturated;
use crate::rules::{Exhausted, MicroMove, ORDERED_ROLLS, Turn, WeightedRoll, make_room, partition};
use crate::search::chance_node::Value;
use crate::search::{SearchControl, SearchError, SearchOutcome};

/// What a chance node is worth at worst for its mover, in its role's direction, while its classes are probed.
pub(super) struct Stakes {
    maximizes: bool,
    /// Of a class that has not been probed.
    unknown: f64,
    /// Beyond which the node is settled.
    limit: f64,
    /// The weighted sum of all classes.
    sum: f64,
    /// The part of it by which the last round of probes has improved on bounds that were known before: what first bounds gain over
    /// the end of the scale says nothing about the next round.
    improved: f64,
}

impl Stakes {
    /// Nothing has been probed yet.
    pub(super) fn new(maximizes: bool, unknown: f64, limit: f64) -> Self {
        Self { maximizes, unknown, limit, sum: unknown * f64::from(ORDERED_ROLLS), improved: 0.0 }
    }

    /// Takes in what has been found of a class, if that is better than what is known; tells whether it is.
    fn raise(&mut self, weight: u32, known: &mut Value, found: Value) -> bool {
        let (before, after) = (self.worth(known), self.worth(&found));
        let better = self.is_worse(before, after);
        if better {
            let gain = f64::from(weight) * (after - before);
            self.sum += gain;
            if before != self.unknown {
                self.improved += gain.abs();
            }
            *known = found;
        }
        better
    }

    /// What a class is worth at worst, by what is known of it.
    fn worth(&self, known: &Value) -> f64 {
        known.outcome.value().unwrap_or(self.unknown)
    }

    fn is_worse(&self, worth: f64, than: f64) -> bool {
        if self.maximizes { worth < than } else { worth > than }
    }

    /// The mean of what the classes are worth at worst that are not settled; NaN without any.
    fn mean_of_open(&self, classes: &[WeightedRoll], probes: &[Value]) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for (class, probe) in classes.iter().zip(probes).filter(|(_, probe)| !probe.outcome.is_exact()) {
            sum += f64::from(class.weight) * self.worth(probe);
            weights += f64::from(class.weight);
        }
        sum / weights
    }

    /// Whether the node will be cut: good enough to end the probes; the cut itself is proven afresh.
    fn settle_node(&self) -> bool {
        let mean = self.sum / f64::from(ORDERED_ROLLS);
        if self.maximizes { mean > self.limit } else { mean < self.limit }
    }

    /// Whether two more rounds of probes like the last one would settle the node: each gains less than the one before it.
    fn near_settled(&self) -> bool {
        let gap = self.limit * f64::from(ORDERED_ROLLS) - self.sum;
        2.0 * self.improved >= gap.abs()
    }

    /// What is known of a class that is worth this at worst.
    fn bound(&self, worth: f64, control: &SearchControl<'_>) -> Value {
        if self.maximizes { Value::lower_bound(worth, control) } else { Value::upper_bound(worth, control) }
    }
}

/// Makes a turn the first of the killers, unless it could not be tried elsewhere.
fn note_killer([first, second]: &mut Killers, turn: Turn) {
    if turn != *first && turn.moves().all(MicroMove::is_plain) {
        (*first, *second) = (turn, *first);
    }
}

impl Tree<'_> {
    /// Where the sets of up to two dice, built by the time this is asked as far as open classes need them, have fewer positions
    /// than this, all replies cost little more to score than probes.
    const SPARSE: usize = 128;

    /// Which replies the rounds of [`Tree::probe_by_scores`] score: those from the position before the last die that has won
    /// most, then those from its neighbours. A few more replies to each of the poorer rolls gain more than all to a few rolls.
    const PLACES: [Range<usize>; 3] = [0..1, 1..2, 2..4];

    /// What the material-best reply to each class is worth, which bounds the class and is not searched again.
    pub(super) fn probe_best_replies(
        &mut self,
        rolled: &[Position],
        plies: usize,
    ) -> Result<(), SearchError> {
        let mut probes = std::mem::take(&mut self.scratch.levels[plies - 1].probes);
        probes.clear();
        // Nodes of the tree are probed in class order, whatever the order of their decisions.
        for (class_index, rolled) in rolled.iter().enumerate() {
            probes.push(if self.control.is_cancelled() {
                Value::incomplete(self.control)
            } else {
                self.probe_best_reply(rolled, class_index, plies)?
            });
        }
        self.scratch.levels[plies - 1].probes = probes;
        Ok(())
    }

    /// Which classes capture the king and, one ply above the leaves, what the others are worth at least; until that settles
    /// the node by `stakes`.
    pub(super) fn probe_cheaply(
        &mut self,
        rolled: &[Position],
        plies: usize,
        mut stakes: Stakes,
    ) -> Result<(), SearchError> {
        let unknown = stakes.bound(stakes.unknown, self.control);
        let probes = &mut self.scratch.levels[plies - 1].probes;
        probes.clear();
        probes.resize(rolled.len(), unknown);
        // Sets of two dice are what costs most, so killers come before the captures that take them.
        const TWO_DICE: usize = DicePool::MAX - 1;
        let rolled = &rolled[0];
        let complete = self.probe_king_captures(rolled, plies, 0..TWO_DICE, &mut stakes)
            && (!self.scores_leaves(plies) || self.probe_killers(rolled, &mut stakes)?)
            && self.probe_king_captures(rolled, plies, TWO_DICE..DicePool::MAX, &mut stakes)
            && (plies > 1 || stakes.settle_node() || self.probe_leaves(rolled, &mut stakes)?);
        if !complete {
            self.scratch.levels[plies - 1].probes[0] = Value::incomplete(self.control);
        }
        Ok(())
    }

    /// Whether the replies to a chance node are scored one by one.
    fn scores_leaves(&self, plies: usize) -> bool {
        plies == 1 && !self.evaluator.is_pure_material()
    }

    /// Looks for captures of the king by the die that follows so many others. `false` when the control has cancelled.
    fn probe_king_captures(
        &mut self,
        rolled: &Position,
        plies: usize,
        dice_before: Range<usize>,
        stakes: &mut Stakes,
    ) -> bool {
        let captured = self.king_capture(rolled.side_to_move());
        let budget = self.control.budget().unwrap_or(&self.unlimited);
        let Level { sets, probes, .. } = &mut self.scratch.levels[plies - 1];
        for before in dice_before {
            for (probe, class) in probes.iter_mut().zip(partition(rolled)) {
                if stakes.settle_node() {
                    return true;
                }
                if probe.outcome.is_exact() {
                    continue;
                }
                let found = sets.captures_king_after(class.roll, before, budget);
                if self.control.is_cancelled() || found.is_err() {
                    return false;
                }
                if found == Ok(true) {
                    stakes.raise(class.weight, probe, captured);
                }
            }
        }
        true
    }

    /// Bounds each class by some replies. `false` when the control has cancelled.
    fn probe_leaves(&mut self, rolled: &Position, stakes: &mut Stakes) -> Result<bool, SearchError> {
        if self.evaluator.is_pure_material() {
            Ok(self.probe_by_material(rolled, stakes).is_ok())
        } else if self.scratch.levels[0].sets.positions_reached() < Self::SPARSE {
            Ok(true)
        } else {
            self.probe_by_scores(rolled, stakes)
        }
    }

    /// Bounds by material alone, until that settles the node.
    fn probe_by_material(&mut self, rolled: &Position, stakes: &mut Stakes) -> Result<(), Exhausted> {
        let sign = if stakes.maximizes { 1 } else { -1 };
        let budget = self.control.budget().unwrap_or(&self.unlimited);
        let Level { sets, probes, prospects, .. } = &mut self.scratch.levels[0];
        for (probe, class) in probes.iter_mut().zip(partition(rolled)) {
            if stakes.settle_node() || self.control.is_cancelled() {
                break;
            }
            if probe.outcome.is_exact() {
                continue;
            }
            if let Some(reply) = prospects.some_reply(sets, rolled, class.roll, &mut self.leaves, budget)? {
                let worth = saturated(sign * reply.worth);
                stakes.raise(class.weight, probe, stakes.bound(worth, self.control));
            }
        }
        Ok(())
    }

    /// Bounds each class by its killers that are legal here: the first of all classes, then, if need be, the second. `false` when
    /// the control has cancelled.
    fn probe_killers(&mut self, rolled: &Position, stakes: &mut Stakes) -> Result<bool, SearchError> {
        self.scratch.levels[0].scored.begin(partition(rolled).len());
        for rank in 0..KILLERS {
            if stakes.settle_node() {
                break;
            }
            if self.gather_killers(rolled, rank).is_err() || !self.raise_by_scores(rolled, stakes)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Collects the killers of this rank, of the classes not settled yet, as a new round.
    fn gather_killers(&mut self, rolled: &Position, rank: usize) -> Result<(), Exhausted> {
        let budget = self.control.budget().unwrap_or(&self.unlimited);
        let Scratch { levels, killers, .. } = &mut *self.scratch;
        let Level { sets, probes, scored, origins, .. } = &mut levels[0];
        origins.clear();
        for (probe, class) in probes.iter().zip(partition(rolled)) {
            let killer = killers[class.roll.index()][rank];
            if !probe.outcome.is_exact() && !killer.is_empty() {
                budget.charge(killer.len() as u64)?;
                if let Some(leaf) = sets.after_turn(killer) {
                    scored.add(&leaf);
                }
            }
            scored.end_class();
        }
        Ok(())
    }

    /// Bounds by the scores of replies of one die: of those that win most material, then, round by round, of others to the poorer
    /// rolls, as long as that may settle the node. Whatever the evaluator makes of material, any reply bounds its class; with one
    /// that values it the first round settles most nodes off the best line.
    fn probe_by_scores(&mut self, rolled: &Position, stakes: &mut Stakes) -> Result<bool, SearchError> {
        for places in Self::PLACES {
            if stakes.settle_node() || places.start > 0 && !stakes.near_settled() {
                break;
            }
            stakes.improved = 0.0;
            let complete = self.gather_leaves(rolled, places, stakes).is_ok()
                && !self.control.is_cancelled()
                && self.raise_by_scores(rolled, stakes)?;
            if !complete {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Scores the round of leaves that is complete, in one batch, and bounds the classes by them. A turn that raises its class
    /// becomes the first of its killers. `false` when the control has cancelled.
    fn raise_by_scores(&mut self, rolled: &Position, stakes: &mut Stakes) -> Result<bool, SearchError> {
        let Scratch { levels, killers, .. } = &mut *self.scratch;
        let Level { sets, probes, scored, scores, origins, .. } = &mut levels[0];
        let leaves = scored.last_round();
        self.leaves += leaves.len() as u64;
        if !score(self.evaluator, leaves, &self.bounds, Some(self.control), scores)? {
            return Ok(false);
        }
        for ((i, class), probe) in partition(rolled).iter().enumerate().zip(probes) {
            let of_class = scored.of_last_round(i);
            let best = best_of(scores[of_class.clone()].iter().copied(), stakes.maximizes);
            if of_class.is_empty() || !stakes.raise(class.weight, probe, stakes.bound(best, self.control)) {
                continue;
            }
            let place = of_class.into_iter().find(|&place| scores[place] == best);
            if let Some(&origin) = place.and_then(|place| origins.get(place)) {
                note_killer(&mut killers[class.roll.index()], sets.turn_to(origin));
            }
        }
        Ok(true)
    }

    /// Collects the replies that are to bound the classes not settled yet, as a new round: those of these places, counted from
    /// the best by material. Later rounds keep to the classes that promise less than the average of the open ones.
    fn gather_leaves(
        &mut self,
        rolled: &Position,
        places: Range<usize>,
        stakes: &Stakes,
    ) -> Result<(), Exhausted> {
        let budget = self.control.budget().unwrap_or(&self.unlimited);
        let Level { sets, probes, prospects, scored, origins, .. } = &mut self.scratch.levels[0];
        origins.clear();
        let enough = (places.start > 0).then(|| stakes.mean_of_open(partition(rolled), probes));
        for (i, (probe, class)) in probes.iter().zip(partition(rolled)).enumerate() {
            if self.control.is_cancelled() {
                break;
            }
            let is_poor = enough.is_none_or(|enough| stakes.is_worse(stakes.worth(probe), enough));
            if is_poor
                && !probe.outcome.is_exact()
                && !(enough.is_some() && scored.is_crowded(i))
                && let Some(step) = prospects.some_reply(sets, rolled, class.roll, &mut 0, budget)?
            {
                let count = sets.reached(step.part).positions().len();
                for place in places.start..places.end.min(count) {
                    let from = (step.from + place) % count;
                    sets.for_each_final_from(step.part, from, step.die, budget, |leaf, origin| {
                        if scored.add(leaf) {
                            make_room(origins, 1);
                            origins.push(origin);
                        }
                    })?;
                }
            }
            scored.end_class();
        }
        Ok(())
    }

    fn probe_best_reply(
        &mut self,
        rolled: &Position,
        class_index: usize,
        plies: usize,
    ) -> Result<Value, SearchError> {
        let mover = rolled.side_to_move();
        let (best, start_end) = match self.generate(rolled, class_index, plies) {
            Err(Exhausted { .. }) => return Ok(Value::incomplete(self.control)),
            Ok(ClassReplies::KingCapture) => return Ok(self.king_capture(mover)),
            Ok(ClassReplies::ForcedPass) => (rolled.end_turn(), None),
            Ok(ClassReplies::Positions { start, end, .. }) => {
                (self.scratch.levels[plies - 1].replies[start], Some((start, end)))
            }
            Ok(ClassReplies::Unknown) => unreachable!("generated replies are known"),
        };
        let value = self.open_value(&best, plies)?;
        let Some((start, end)) = start_end else {
            return Ok(value);
        };
        self.scratch.levels[plies - 1].classes[class_index] =
            ClassReplies::Positions { start, end, probed: Some(value) };
        Ok(match value.outcome {
            SearchOutcome::Exact { value: bound, .. } if self.bounds.is_maximizing(mover) => {
                Value::lower_bound(bound, self.control).tainted_if(value.loss_tainted)
            }
            SearchOutcome::Exact { value: bound, .. } => {
                Value::upper_bound(bound, self.control).tainted_if(value.loss_tainted)
            }
            _ => value,
        })
    }

    /// The exact value of a reply, `plies` being those below the chance node it replies to.
    fn open_value(&mut self, reply: &Position, plies: usize) -> Result<Value, SearchError> {
        if plies > 1 {
            return Ok(self.node(reply, plies - 1, (f64::NEG_INFINITY, f64::INFINITY))?.0);
        }
        self.leaves += 1;
        let scores = &mut self.scratch.levels[0].scores;
        let leaf = std::slice::from_ref(reply);
        Ok(if score(self.evaluator, leaf, &self.bounds, Some(self.control), scores)? {
            Value::exact(scores[0], self.control)
        } else {
            Value::incomplete(self.control)
        })
    }
}
