//! One end of a bracket as an expectimax: lines undecided at the horizon count as lost, or as won.

use super::bracket::Bracket;
use crate::board::{Color, Position};
use crate::eval::material;
use crate::rules::{Budget, Exhausted, Identity, Roll, capturing_dice};
use crate::search::chance_node::{self, ChanceResult, Policy, Value};
use crate::search::decision::Decision;
use crate::search::table::{TranspositionTable, role_salt};
use crate::search::tree::{ClassReplies, Level};
use crate::search::{SearchControl, SearchError, SearchOutcome, UtilityBounds};

const WON: f64 = 1.0;
const LOST: f64 = 0.0;
const OPEN: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

/// An end of a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Undecided lines count as lost.
    Lower,
    /// Undecided lines count as won.
    Upper,
}

impl End {
    /// The end that the last of `horizon` turns can move.
    ///
    /// Only kings that the perspective captures raise the lower end, and only kings that it loses lower the upper end. So
    /// one of the two is, bit for bit, what it was a turn before.
    fn moved_by(horizon: u32, before_roll: &Position, perspective: Color) -> Self {
        let first_is_own = before_roll.side_to_move() == perspective;
        if first_is_own == (horizon % 2 == 1) { Self::Lower } else { Self::Upper }
    }

    const fn undecided(self) -> f64 {
        match self {
            Self::Lower => LOST,
            Self::Upper => WON,
        }
    }
}

/// Draws are left to the host, so clocks tell no positions apart.
const IDENTITY: Identity = Identity::AfterTurnEndIgnoringClock;

/// Buffers and tables of one search at a time, kept between searches so that none allocates once they have grown.
#[derive(Debug)]
pub(super) struct Scratch {
    /// By decision plies below the chance node, less one.
    levels: Vec<Level>,
    /// By [`End`].
    tables: [TranspositionTable; 2],
    in_use: [bool; 2],
}

impl Scratch {
    pub(super) fn new(table_capacity: usize) -> Result<Self, SearchError> {
        let table = || TranspositionTable::try_new(table_capacity);
        Ok(Self { levels: Vec::new(), tables: [table()?, table()?], in_use: [false; 2] })
    }

    /// Gives up buffers that have grown too large.
    pub(super) fn shrink(&mut self) {
        self.levels.iter_mut().for_each(|level| level.shrink(IDENTITY));
    }

    /// Forgets the search before, so that a budget reaches as far as in a fresh one.
    pub(super) fn reset(&mut self) {
        for (table, in_use) in self.tables.iter().zip(&mut self.in_use) {
            if std::mem::take(in_use) {
                table.clear();
            }
        }
    }
}

/// What all nodes have in common during one search.
pub(super) struct Tree<'s> {
    bounds: UtilityBounds,
    end: End,
    control: &'s SearchControl<'s>,
    scratch: &'s mut Scratch,
    unlimited: Budget,
    pub(super) chance_nodes: u64,
}

impl<'s> Tree<'s> {
    pub(super) fn new(perspective: Color, control: &'s SearchControl<'s>, scratch: &'s mut Scratch) -> Self {
        scratch.reset();
        Self {
            bounds: UtilityBounds::probability(perspective),
            end: End::Lower,
            control,
            scratch,
            unlimited: Budget::unlimited(),
            chance_nodes: 0,
        }
    }

    /// The end of a bracket at `before_roll` that a search of `horizon` turns moves.
    pub(super) fn end_moved_by(&self, horizon: u32, before_roll: &Position) -> End {
        End::moved_by(horizon, before_roll, self.bounds.perspective())
    }

    /// Searches the end of `bracket` that `horizon` turns move; the bracket is narrowed by what is found. `false` when the
    /// control has cancelled: then it is as it was.
    ///
    /// An end below `alpha` need not be found: a lower one then stays as it was, an upper one is narrowed to what was
    /// proven.
    pub(super) fn narrow(
        &mut self,
        bracket: &mut Bracket,
        before_roll: &Position,
        horizon: u32,
        alpha: f64,
    ) -> Result<bool, SearchError> {
        self.end = self.end_moved_by(horizon, before_roll);
        let result = self.expand(before_roll, horizon as usize, (alpha, f64::INFINITY))?;
        match result.outcome {
            SearchOutcome::Incomplete { .. } => return Ok(false),
            SearchOutcome::UpperBound { .. } if self.end == End::Lower => bracket.horizon = horizon,
            SearchOutcome::Exact { value, .. } | SearchOutcome::UpperBound { value, .. } => {
                *bracket = bracket.moved(self.end, value, horizon);
            }
            SearchOutcome::LowerBound { .. } => unreachable!("nothing lies above an open window"),
        }
        Ok(true)
    }

    /// The value of the chance node at `position` with `plies` decision plies below it, at least 1.
    ///
    /// The control is asked before the table, so that a cancelled search is never rescued by a hit.
    fn node(&mut self, position: &Position, plies: usize, window: (f64, f64)) -> Result<Value, SearchError> {
        if self.control.is_cancelled() {
            return Ok(Value::incomplete(self.control));
        }
        let key = position.key() ^ role_salt(&self.bounds, position);
        let known = self.table().get(key, plies as u8);
        if let Some(value) = known.and_then(|entry| entry.proven(window, self.control)) {
            return Ok(value);
        }
        let value = self.expand(position, plies, window)?.value();
        self.table().put(key, plies as u8, value);
        Ok(value)
    }

    fn table(&mut self) -> &TranspositionTable {
        let end = self.end as usize;
        self.scratch.in_use[end] = true;
        &self.scratch.tables[end]
    }

    /// [`Tree::node`] without the table, which the nodes below still use.
    fn expand(
        &mut self,
        position: &Position,
        plies: usize,
        window: (f64, f64),
    ) -> Result<ChanceResult, SearchError> {
        let levels = &mut self.scratch.levels;
        levels.resize_with(plies.max(levels.len()), || Level::new(IDENTITY));
        levels[plies - 1].enter(position);
        self.chance_nodes += 1;
        let (bounds, control) = (self.bounds, self.control);
        chance_node::expand(position, &bounds, control, window, &mut Ply { tree: self, plies })
    }

    /// The value of `mover` capturing the king: the best there is for it.
    fn king_capture(&self, mover: Color) -> f64 {
        if self.bounds.is_maximizing(mover) { WON } else { LOST }
    }

    /// Whether some turn with the dice of `rolled` captures the king by its `dice`-th die at the latest.
    fn captures_king_within(
        &mut self,
        rolled: &Position,
        plies: usize,
        dice: usize,
    ) -> Result<bool, Exhausted> {
        let budget = self.control.budget().unwrap_or(&self.unlimited);
        let sets = &mut self.scratch.levels[plies - 1].sets;
        sets.captures_king_within(Roll::of(rolled.dice()), dice, budget)
    }

    /// The replies to a class's roll, those first after which the fewest dice capture the mover's king at once, and of
    /// these the best by material.
    fn generate(
        &mut self,
        rolled: &Position,
        class_index: usize,
        plies: usize,
    ) -> Result<ClassReplies, Exhausted> {
        const KING_IN_DANGER: i32 = 100_000;
        let opponent = !rolled.side_to_move();
        let cost = |reply: &Position| {
            let danger = capturing_dice(reply, opponent).count_ones() as i32;
            danger * KING_IN_DANGER + material(reply, opponent)
        };
        let budget = self.control.budget().unwrap_or(&self.unlimited);
        self.scratch.levels[plies - 1].generate(rolled, class_index, cost, budget)
    }

    /// The last turn before the horizon: all that matters is whether it captures the king.
    fn decide_last(&mut self, rolled: &Position) -> Value {
        match self.captures_king_within(rolled, 1, rolled.dice().len()) {
            Err(Exhausted { .. }) => Value::incomplete(self.control),
            Ok(true) => Value::exact(self.king_capture(rolled.side_to_move()), self.control),
            Ok(false) => Value::exact(self.end.undecided(), self.control),
        }
    }

    /// A turn before the last: the replies in order, each under the tightening window.
    fn decide_inner(
        &mut self,
        rolled: &Position,
        class_index: usize,
        plies: usize,
        window: (f64, f64),
    ) -> Result<Value, SearchError> {
        let mover = rolled.side_to_move();
        let capture = self.king_capture(mover);
        let (start, end, probed) = match self.generate(rolled, class_index, plies) {
            Err(Exhausted { .. }) => return Ok(Value::incomplete(self.control)),
            Ok(ClassReplies::KingCapture) => return Ok(Value::exact(capture, self.control)),
            Ok(ClassReplies::ForcedPass) => return self.node(&rolled.end_turn(), plies - 1, window),
            Ok(ClassReplies::Positions { start, end, probed }) => (start, end, probed),
            Ok(ClassReplies::Unknown) => unreachable!("generated replies are known"),
        };
        let decision = Decision::new(self.bounds.is_maximizing(mover), window.0, window.1);
        decision.take_best(start..end, capture, self.control, |i, window| match probed {
            Some(value) if i == start => Ok(value),
            _ => {
                let position = self.scratch.levels[plies - 1].replies[i];
                self.node(&position, plies - 1, window)
            }
        })
    }

    /// What is known of each class by looking at less than all of it.
    fn probe(&mut self, rolled: &[Position], plies: usize) -> Result<(), SearchError> {
        let mut probes = std::mem::take(&mut self.scratch.levels[plies - 1].probes);
        probes.clear();
        // Nodes of the tree visit their classes in class order.
        for (class_index, rolled) in rolled.iter().enumerate() {
            probes.push(if self.control.is_cancelled() {
                Value::incomplete(self.control)
            } else if plies == 1 {
                self.probe_last(rolled)
            } else {
                self.probe_first_reply(rolled, class_index, plies)?
            });
        }
        self.scratch.levels[plies - 1].probes = probes;
        Ok(())
    }

    /// Captures by the first two dice, which are cheap to find.
    fn probe_last(&mut self, rolled: &Position) -> Value {
        const CHEAP: usize = 2;
        let mover = rolled.side_to_move();
        match self.captures_king_within(rolled, 1, CHEAP) {
            Err(Exhausted { .. }) => Value::incomplete(self.control),
            Ok(true) => Value::exact(self.king_capture(mover), self.control),
            Ok(false) if rolled.dice().len() <= CHEAP => Value::exact(self.end.undecided(), self.control),
            Ok(false) => self.at_least_for(mover, self.king_capture(!mover)),
        }
    }

    /// A king capture is exact; the value of the first reply is a bound and is not searched again.
    fn probe_first_reply(
        &mut self,
        rolled: &Position,
        class_index: usize,
        plies: usize,
    ) -> Result<Value, SearchError> {
        let mover = rolled.side_to_move();
        let (start, end) = match self.generate(rolled, class_index, plies) {
            Err(Exhausted { .. }) => return Ok(Value::incomplete(self.control)),
            Ok(ClassReplies::KingCapture) => {
                return Ok(Value::exact(self.king_capture(mover), self.control));
            }
            Ok(ClassReplies::ForcedPass) => return self.node(&rolled.end_turn(), plies - 1, OPEN),
            Ok(ClassReplies::Positions { start, end, .. }) => (start, end),
            Ok(ClassReplies::Unknown) => unreachable!("generated replies are known"),
        };
        let level = &mut self.scratch.levels[plies - 1];
        let first = level.replies[start];
        let value = self.node(&first, plies - 1, OPEN)?;
        let probed = ClassReplies::Positions { start, end, probed: Some(value) };
        self.scratch.levels[plies - 1].classes[class_index] = probed;
        Ok(value.outcome.exact().map_or(value, |worth| self.at_least_for(mover, worth)))
    }

    /// At least this good for `mover`.
    fn at_least_for(&self, mover: Color, worth: f64) -> Value {
        if self.bounds.is_maximizing(mover) {
            Value::lower_bound(worth, self.control)
        } else {
            Value::upper_bound(worth, self.control)
        }
    }
}

/// One chance node of the tree, as the mechanism sees it.
struct Ply<'p, 's> {
    tree: &'p mut Tree<'s>,
    plies: usize,
}

impl Policy for Ply<'_, '_> {
    fn lowest_value(&self) -> f64 {
        LOST
    }

    fn highest_value(&self) -> f64 {
        WON
    }

    fn probe(
        &mut self,
        rolled: &[Position],
        _control: &SearchControl<'_>,
    ) -> Result<Option<&[Value]>, SearchError> {
        self.tree.probe(rolled, self.plies)?;
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
            Ok(self.tree.decide_last(rolled))
        } else {
            self.tree.decide_inner(rolled, class_index, self.plies, (alpha, beta))
        }
    }
}
