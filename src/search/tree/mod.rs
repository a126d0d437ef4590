//! The tree below the root: chance nodes and decision nodes in turn, down to batches of leaves, as one recursion.

mod probes;
mod scored;

use self::probes::Stakes;
use self::scored::Scored;
use super::chance_node::{self, ChanceResult, MAX_CLASSES, Policy, Value};
use super::decision::Decision;
use super::material::{BestReply, Prospects};
use super::table::{Bound, Entry, TranspositionTable, role_salt};
use super::{SearchControl, SearchError, UtilityBounds};
use crate::board::{Color, Position};
use crate::eval::{self, Evaluator, saturated};
use crate::rules::{
    Budget, Exhausted, Finals, Identity, Origin, ReachSets, Roll, Turn, capturing_dice, make_room,
};

/// Buffers of one search at a time, kept between searches so that none allocates once they have grown.
#[derive(Debug)]
pub(super) struct Scratch {
    identity: Identity,
    /// By decision plies below the chance node, less one. A node owns its level while it is expanded: recursion goes to
    /// lower levels only.
    levels: Vec<Level>,
    /// By [`Roll::index`].
    killers: [Killers; Roll::COUNT],
}

/// The last two turns that were better than what was known of a roll one ply above the leaves. Replies to be refuted are
/// alike, so what refuted one often refutes the next. An empty turn stands for none.
type Killers = [Turn; KILLERS];

const KILLERS: usize = 2;

const NO_KILLERS: [Killers; Roll::COUNT] = [[Turn::NONE; KILLERS]; Roll::COUNT];

/// What one chance node needs while it is being expanded.
#[derive(Debug)]
pub(super) struct Level {
    pub(super) sets: ReachSets,
    /// The replies of the classes that have been generated, one class after the other, best by material first.
    pub(super) replies: Vec<Position>,
    pub(super) classes: [ClassReplies; MAX_CLASSES],
    pub(super) probes: Vec<Value>,
    scores: Vec<f64>,
    ranking: Vec<(i32, u32)>,
    /// What pure material knows of the positions that `sets` has built.
    prospects: Prospects,
    /// What probes have scored at the node, one ply above the leaves.
    scored: Scored,
    /// How the last round of them was reached.
    origins: Vec<Origin>,
}

/// The replies to the roll of one class.
#[derive(Clone, Copy, Debug)]
pub(super) enum ClassReplies {
    Unknown,
    KingCapture,
    ForcedPass,
    /// From `start` to `end` in the level's replies; the value of the first, if a probe has found it.
    Positions {
        start: usize,
        end: usize,
        probed: Option<Value>,
    },
}

impl Scratch {
    pub(super) fn new(evaluator: &dyn Evaluator) -> Self {
        let identity = if evaluator.reads_clocks() {
            Identity::AfterTurnEnd
        } else {
            Identity::AfterTurnEndIgnoringClock
        };
        Self { identity, levels: Vec::new(), killers: NO_KILLERS }
    }

    /// Forgets what would let one search influence how another works.
    pub(super) fn forget(&mut self) {
        self.killers = NO_KILLERS;
    }

    /// Gives up buffers that have grown beyond [`Level::MAX_KEPT_BYTES`].
    pub(super) fn shrink(&mut self) {
        self.levels.iter_mut().for_each(|level| level.shrink(self.identity));
    }

    fn reserve(&mut self, plies: usize) {
        let identity = self.identity;
        self.levels.resize_with(plies.max(self.levels.len()), || Level::new(identity));
    }
}

impl Level {
    /// What has grown beyond this is not kept for the next search. Boards of games need about a tenth.
    const MAX_KEPT_BYTES: usize = 16 << 20;

    /// Starts over when the level has grown too large, not counting what grows no faster than its positions.
    pub(super) fn shrink(&mut self, identity: Identity) {
        if self.sets.bytes() + self.replies.capacity() * size_of::<Position>() > Self::MAX_KEPT_BYTES {
            *self = Self::new(identity);
        }
    }

    pub(super) fn new(identity: Identity) -> Self {
        Self {
            sets: ReachSets::new(identity),
            replies: Vec::new(),
            classes: [ClassReplies::Unknown; MAX_CLASSES],
            probes: Vec::with_capacity(MAX_CLASSES),
            scores: Vec::new(),
            ranking: Vec::new(),
            prospects: Prospects::new(),
            scored: Scored::new(),
            origins: Vec::new(),
        }
    }

    pub(super) fn enter(&mut self, after_turn: &Position) {
        self.sets.reset(after_turn);
        self.replies.clear();
        self.prospects.clear();
        self.scored.begin(0);
        self.classes = [ClassReplies::Unknown; MAX_CLASSES];
    }

    /// The replies to a class's roll, generated once.
    pub(super) fn generate(
        &mut self,
        rolled: &Position,
        class_index: usize,
        cost: impl Fn(&Position) -> i32,
        budget: &Budget,
    ) -> Result<ClassReplies, Exhausted> {
        if !matches!(self.classes[class_index], ClassReplies::Unknown) {
            return Ok(self.classes[class_index]);
        }
        let replies = match self.sets.finals(Roll::of(rolled.dice()), budget)? {
            Finals::KingCapture => ClassReplies::KingCapture,
            Finals::ForcedPass => ClassReplies::ForcedPass,
            Finals::Positions(positions) => {
                let start = self.replies.len();
                self.ranking.clear();
                make_room(&mut self.ranking, positions.len());
                make_room(&mut self.replies, positions.len());
                self.ranking.extend((0..).zip(positions).map(|(i, reply)| (cost(reply), i)));
                self.ranking.sort_unstable();
                self.replies.extend(self.ranking.iter().map(|&(_, i)| positions[i as usize]));
                ClassReplies::Positions { start, end: self.replies.len(), probed: None }
            }
        };
        self.classes[class_index] = replies;
        Ok(replies)
    }
}

/// How the nodes below the root are valued: what all of them have in common during one search.
pub(super) struct Tree<'s> {
    pub(super) evaluator: &'s dyn Evaluator,
    pub(super) bounds: UtilityBounds,
    pub(super) control: &'s SearchControl<'s>,
    pub(super) table: Option<&'s TranspositionTable>,
    pub(super) exact_only: bool,
    pub(super) reply_probes: bool,
    pub(super) scratch: &'s mut Scratch,
    pub(super) unlimited: Budget,
    pub(super) chance_nodes: u64,
    pub(super) leaves: u64,
}

/// How a chance node was resolved.
pub(super) enum NodeSource {
    /// The control had cancelled before anything was looked at.
    Cancelled,
    Table,
    Expansion(ChanceResult),
}

impl<'s> Tree<'s> {
    /// The value of the chance node at `position` with `plies` decision plies below it, at least 1.
    ///
    /// The control is asked before the table, so that a cancelled search is never rescued by a hit.
    pub(super) fn node(
        &mut self,
        position: &Position,
        plies: usize,
        window: (f64, f64),
    ) -> Result<(Value, NodeSource), SearchError> {
        self.node_by(position, plies, window, |tree| tree.expand(position, plies, window))
    }

    /// [`Tree::node`] with another way to expand it.
    pub(super) fn node_by(
        &mut self,
        position: &Position,
        plies: usize,
        window: (f64, f64),
        expand: impl FnOnce(&mut Self) -> Result<ChanceResult, SearchError>,
    ) -> Result<(Value, NodeSource), SearchError> {
        let Some(table) = self.table else {
            let result = expand(self)?;
            return Ok((result.value(), NodeSource::Expansion(result)));
        };
        // A look into the table is work too, so that a budget of nothing gets nothing out of a warm one.
        let budget = self.control.budget().unwrap_or(&self.unlimited);
        if self.control.is_cancelled() || budget.charge(1).is_err() {
            return Ok((Value::incomplete(self.control), NodeSource::Cancelled));
        }
        let key = self.key(position);
        if let Some(value) = self.proven(table.get(key, plies as u8), window) {
            return Ok((value, NodeSource::Table));
        }
        let result = expand(self)?;
        if result.outcome.is_exact() || !self.exact_only {
            table.put(key, plies as u8, result.value());
        }
        Ok((result.value(), NodeSource::Expansion(result)))
    }

    /// [`Tree::node`] without the table, which the nodes below still use.
    pub(super) fn expand(
        &mut self,
        position: &Position,
        plies: usize,
        window: (f64, f64),
    ) -> Result<ChanceResult, SearchError> {
        self.chance_nodes += 1;
        let (bounds, control) = (self.bounds, self.control);
        let mut ply = self.ply(position, plies, window);
        chance_node::expand_least_promised_first(position, &bounds, control, window, &mut ply)
    }

    /// A chance node as the mechanism sees it, with the level of scratch that is its own.
    pub(super) fn ply<'p>(
        &'p mut self,
        position: &Position,
        plies: usize,
        window: (f64, f64),
    ) -> impl Policy + use<'p, 's> {
        self.scratch.reserve(plies);
        self.scratch.levels[plies - 1].enter(position);
        let maximizes = self.bounds.is_maximizing(position.side_to_move());
        let standing = self.standing(position, plies);
        Ply { tree: self, plies, maximizes, standing, window }
    }

    /// What the chance node's mover has for certain, one ply above the leaves: no turn loses material of its own.
    fn standing(&self, position: &Position, plies: usize) -> Option<f64> {
        (plies == 1 && self.evaluator.is_pure_material())
            .then(|| saturated(eval::material(position, self.bounds.perspective())))
    }

    /// The bound on a chance node whose mover stands outside the window before the roll, so that no roll need be looked at.
    fn standing_cut(&self, position: &Position, plies: usize, (alpha, beta): (f64, f64)) -> Option<Value> {
        let standing = self.standing(position, plies)?;
        if self.bounds.is_maximizing(position.side_to_move()) {
            (standing > beta).then(|| Value::lower_bound(standing, self.control))
        } else {
            (standing < alpha).then(|| Value::upper_bound(standing, self.control))
        }
    }

    /// What an entry of the table proves within the window.
    fn proven(&self, entry: Option<Entry>, window: (f64, f64)) -> Option<Value> {
        let usable = |entry: &Entry| entry.bound == Bound::Exact || !self.exact_only;
        entry.filter(usable)?.proven(window, self.control)
    }

    /// The position's key, salted with the role of its mover and with the clocks if the evaluator reads them.
    fn key(&self, position: &Position) -> u64 {
        let role = role_salt(&self.bounds, position);
        let clocks = if self.evaluator.reads_clocks() {
            (u64::from(position.full_move()) << 8 | u64::from(position.half_move()))
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        } else {
            0
        };
        position.key() ^ role ^ clocks
    }

    /// The value of `mover` capturing the king.
    fn king_capture(&self, mover: Color) -> Value {
        let lost = !self.bounds.is_maximizing(mover);
        Value::exact(self.bounds.terminal(mover), self.control).tainted_if(lost)
    }

    /// The decision one ply above the leaves.
    fn decide_leaf(&mut self, rolled: &Position, class_index: usize) -> Result<Value, SearchError> {
        if self.evaluator.is_pure_material()
            && matches!(self.scratch.levels[0].classes[class_index], ClassReplies::Unknown)
            && let Some(value) = self.decide_by_material(rolled)
        {
            return Ok(value);
        }
        self.decide_by_scores(rolled, class_index)
    }

    /// The best reply by pure material; `None` when that takes the replies themselves.
    fn decide_by_material(&mut self, rolled: &Position) -> Option<Value> {
        let mover = rolled.side_to_move();
        let level = &mut self.scratch.levels[0];
        let budget = self.control.budget().unwrap_or(&self.unlimited);
        let roll = Roll::of(rolled.dice());
        let best = level.prospects.best_reply(&mut level.sets, rolled, roll, budget);
        if self.control.is_cancelled() {
            return Some(Value::incomplete(self.control));
        }
        match best {
            Err(Exhausted { .. }) => Some(Value::incomplete(self.control)),
            Ok(BestReply::KingCapture) => Some(self.king_capture(mover)),
            Ok(BestReply::Worth { value, visited }) => {
                self.leaves += visited;
                let sign = if self.bounds.is_maximizing(mover) { 1 } else { -1 };
                Some(Value::exact(saturated(sign * value), self.control))
            }
            Ok(BestReply::Unknown) => None,
        }
    }

    /// The best distinct reply, scored in one batch; those that probes have scored already are not scored again.
    fn decide_by_scores(&mut self, rolled: &Position, class_index: usize) -> Result<Value, SearchError> {
        let mover = rolled.side_to_move();
        let level = &mut self.scratch.levels[0];
        let budget = self.control.budget().unwrap_or(&self.unlimited);
        let mut probed_best = None;
        let passed;
        let leaves = match level.classes[class_index] {
            ClassReplies::Positions { start, end, probed } => {
                probed_best = probed.and_then(|value| value.outcome.exact());
                let first = if probed_best.is_some() { start + 1 } else { start };
                &level.replies[first..end]
            }
            _ => match level.sets.finals_beyond(
                level.scored.of_class(class_index),
                Roll::of(rolled.dice()),
                budget,
            ) {
                Err(Exhausted { .. }) => return Ok(Value::incomplete(self.control)),
                Ok(Finals::KingCapture) => return Ok(self.king_capture(mover)),
                Ok(Finals::ForcedPass) => {
                    passed = [rolled.end_turn()];
                    &passed[..]
                }
                Ok(Finals::Positions(positions)) => {
                    if level.scored.of_class(class_index).next().is_some() {
                        probed_best = level.probes[class_index].outcome.value();
                    }
                    positions
                }
            },
        };
        if self.control.is_cancelled() {
            return Ok(Value::incomplete(self.control));
        }
        self.leaves += leaves.len() as u64;
        if !score(self.evaluator, leaves, &self.bounds, Some(self.control), &mut level.scores)? {
            return Ok(Value::incomplete(self.control));
        }
        let scores = level.scores.iter().copied().chain(probed_best);
        Ok(Value::exact(best_of(scores, self.bounds.is_maximizing(mover)), self.control))
    }

    /// A decision deeper in the tree: the replies in material order, each under the tightening window.
    fn decide_inner(
        &mut self,
        rolled: &Position,
        class_index: usize,
        plies: usize,
        (alpha, beta): (f64, f64),
    ) -> Result<Value, SearchError> {
        let mover = rolled.side_to_move();
        let (start, end, probed) = match self.generate(rolled, class_index, plies) {
            Err(Exhausted { .. }) => return Ok(Value::incomplete(self.control)),
            Ok(ClassReplies::KingCapture) => return Ok(self.king_capture(mover)),
            Ok(ClassReplies::ForcedPass) => {
                return Ok(self.node(&rolled.end_turn(), plies - 1, (alpha, beta))?.0);
            }
            Ok(ClassReplies::Positions { start, end, probed }) => (start, end, probed),
            Ok(ClassReplies::Unknown) => unreachable!("generated replies are known"),
        };
        let decision = Decision::new(self.bounds.is_maximizing(mover), alpha, beta);
        decision.take_best(start..end, self.bounds.terminal(mover), self.control, |i, window| match probed {
            Some(value) if i == start => Ok(value),
            _ => {
                let position = self.scratch.levels[plies - 1].replies[i];
                match self.standing_cut(&position, plies - 1, window) {
                    Some(bound) => Ok(bound),
                    None => Ok(self.node(&position, plies - 1, window)?.0),
                }
            }
        })
    }

    fn generate(
        &mut self,
        rolled: &Position,
        class_index: usize,
        plies: usize,
    ) -> Result<ClassReplies, Exhausted> {
        let budget = self.control.budget().unwrap_or(&self.unlimited);
        let perspective = self.bounds.perspective();
        let sign = if self.bounds.is_maximizing(rolled.side_to_move()) { -1 } else { 1 };
        // The best by material first; of equal ones those that leave the king under attack by fewer dice: they are likely
        // better, and the sooner a good reply is known, the sooner others are cut.
        let cost = |reply: &Position| {
            let danger = capturing_dice(reply, reply.side_to_move()).count_ones() as i32;
            sign * 8 * eval::material(reply, perspective) + danger
        };
        self.scratch.levels[plies - 1].generate(rolled, class_index, cost, budget)
    }
}

/// One chance node of the tree, as the mechanism sees it.
struct Ply<'p, 's> {
    tree: &'p mut Tree<'s>,
    plies: usize,
    maximizes: bool,
    /// See [`Tree::standing`].
    standing: Option<f64>,
    window: (f64, f64),
}

impl Ply<'_, '_> {
    fn stakes(&self) -> Stakes {
        let (unknown, limit) = if self.maximizes {
            (self.lowest_value(), self.window.1)
        } else {
            (self.highest_value(), self.window.0)
        };
        Stakes::new(self.maximizes, unknown, limit)
    }
}

impl Policy for Ply<'_, '_> {
    /// One ply above the leaves only the mover's own king capture is terminal.
    fn lowest_value(&self) -> f64 {
        let bounds = &self.tree.bounds;
        match self.standing {
            Some(standing) if self.maximizes => standing,
            _ if self.plies == 1 && self.maximizes => bounds.min_non_terminal(),
            _ => bounds.terminal_loss(),
        }
    }

    fn highest_value(&self) -> f64 {
        let bounds = &self.tree.bounds;
        match self.standing {
            Some(standing) if !self.maximizes => standing,
            _ if self.plies == 1 && !self.maximizes => bounds.max_non_terminal(),
            _ => bounds.terminal_win(),
        }
    }

    fn probe(
        &mut self,
        rolled: &[Position],
        _control: &SearchControl<'_>,
    ) -> Result<Option<&[Value]>, SearchError> {
        if self.tree.reply_probes {
            self.tree.probe_best_replies(rolled, self.plies)?;
        } else {
            self.tree.probe_cheaply(rolled, self.plies, self.stakes())?;
        }
        Ok(Some(&self.tree.scratch.levels[self.plies - 1].probes))
    }

    fn decide(
        &mut self,
        rolled: &Position,
        class_index: usize,
        alpha: f64,
        beta: f64,
        _control: &SearchControl<'_>,
    ) -> Result<Value, SearchError> {
        if self.plies == 1 {
            self.tree.decide_leaf(rolled, class_index)
        } else {
            self.tree.decide_inner(rolled, class_index, self.plies, (alpha, beta))
        }
    }
}

/// The mover's best of these scores.
fn best_of(scores: impl Iterator<Item = f64>, maximizes: bool) -> f64 {
    if maximizes { scores.fold(f64::NEG_INFINITY, f64::max) } else { scores.fold(f64::INFINITY, f64::min) }
}

/// Scores positions in one batch, which takes the place of what is in `scores`. `false` when the control has cancelled
/// meanwhile: then the scores are not even looked at.
///
/// An evaluator that leaves the non-terminal range is a bug to be reported, not clamped.
pub(super) fn score(
    evaluator: &dyn Evaluator,
    positions: &[Position],
    bounds: &UtilityBounds,
    control: Option<&SearchControl<'_>>,
    scores: &mut Vec<f64>,
) -> Result<bool, SearchError> {
    scores.clear();
    make_room(scores, positions.len());
    scores.resize(positions.len(), f64::NAN);
    if positions.is_empty() {
        return Ok(true);
    }
    evaluator.evaluate(positions, bounds.perspective(), scores);
    if control.is_some_and(SearchControl::is_cancelled) {
        return Ok(false);
    }
    let (min, max) = (bounds.min_non_terminal(), bounds.max_non_terminal());
    match scores.iter().find(|&score| !(min..=max).contains(score)) {
        None => Ok(true),
        Some(&value) => {
            Err(SearchError::LeafOutOfRange { evaluator: evaluator.name().to_owned(), value, min, max })
        }
    }
}
