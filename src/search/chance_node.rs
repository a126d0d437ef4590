//! The chance node: the expectation over a roll that is not known yet ("Weighted Chance-Node Search").
//!
//! The mechanism owns what holds for every search: classes and weights, arithmetic, Star1 and Star2 cuts on proven bounds,
//! child windows, cancellation. A [`Policy`] owns what makes one search differ from another: how the decision after a roll is
//! valued, what a cheap probe can prove about it, and which range its values lie in.
//!
//! The seed's example, a consumer with a policy of its own:
//!
//! ```
//! use dicechess_native::board::{Color, Position};
//! use dicechess_native::eval::material;
//! use dicechess_native::search::chance_node::{self, Policy, Replies, Value};
//! use dicechess_native::search::{SearchControl, SearchError, UtilityBounds};
//!
//! struct BlackReplies { bounds: UtilityBounds }
//!
//! impl Policy for BlackReplies {
//!     // Exact decisions only: no probe callback, and rolled positions are built one at a time.
//!     fn probing_enabled(&self) -> bool { false }
//!     // The opponent may capture White's king, but one ply of the opponent's can never win for White.
//!     fn lowest_value(&self) -> f64 { self.bounds.terminal_loss() }
//!     fn highest_value(&self) -> f64 { self.bounds.max_non_terminal() }
//!
//!     fn decide(
//!         &mut self, rolled: &Position, _class: usize, _alpha: f64, _beta: f64, control: &SearchControl<'_>,
//!     ) -> Result<Value, SearchError> {
//!         let worth = |position: &Position| f64::from(material(position, Color::White));
//!         Ok(match Replies::generate(rolled, control) {
//!             None => Value::incomplete(control),
//!             Some(Replies::KingCapture) => Value::exact(self.bounds.terminal_loss(), control).tainted(),
//!             Some(Replies::ForcedPass(passed)) => Value::exact(worth(&passed), control),
//!             Some(Replies::Positions(replies)) => {
//!                 Value::exact(replies.iter().map(worth).fold(f64::INFINITY, f64::min), control)
//!             }
//!         })
//!     }
//! }
//!
//! // Black is to move on a fresh, unknown roll; a lone king retains 0 to 3 king dice: four classes.
//! let after_turn: Position = "4k3/8/8/8/8/8/8/4K3 b - - 0 1".parse()?;
//! let bounds = UtilityBounds::expectimax(Color::White);
//! let open = (f64::NEG_INFINITY, f64::INFINITY);
//! let control = SearchControl::unbounded();
//! let result = chance_node::expand(&after_turn, &bounds, &control, open, &mut BlackReplies { bounds })?;
//! assert!(result.outcome.is_exact() && result.classes == 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::{SearchControl, SearchError, SearchOutcome, UtilityBounds};
use crate::board::{Color, Position};
use crate::rules::{Budget, Finals, Identity, ORDERED_ROLLS, ReachSets, Roll, WeightedRoll, partition};

/// The most classes a chance node can have.
pub const MAX_CLASSES: usize = 56;

/// What a policy says of a decision: an outcome, and whether the perspective's king is lost in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// Exact, a proven bound, or incomplete.
    pub outcome: SearchOutcome<f64>,
    /// Whether the line that the outcome stands for loses the perspective's king on some roll.
    pub loss_tainted: bool,
}

impl Value {
    const fn untainted(outcome: SearchOutcome<f64>) -> Self {
        Self { outcome, loss_tainted: false }
    }

    /// The true value.
    pub fn exact(value: f64, control: &SearchControl<'_>) -> Self {
        Self::untainted(SearchOutcome::Exact { value, work_used: control.work_used() })
    }

    /// At most the true value.
    pub fn lower_bound(value: f64, control: &SearchControl<'_>) -> Self {
        Self::untainted(SearchOutcome::LowerBound { value, work_used: control.work_used() })
    }

    /// At least the true value.
    pub fn upper_bound(value: f64, control: &SearchControl<'_>) -> Self {
        Self::untainted(SearchOutcome::UpperBound { value, work_used: control.work_used() })
    }

    /// Cancelled: no value.
    pub fn incomplete(control: &SearchControl<'_>) -> Self {
        Self::untainted(SearchOutcome::Incomplete { work_used: control.work_used() })
    }

    /// The same, with the perspective's king lost.
    #[must_use]
    pub const fn tainted(self) -> Self {
        self.tainted_if(true)
    }

    /// The same, with the perspective's king lost if `lost`.
    #[must_use]
    pub const fn tainted_if(self, lost: bool) -> Self {
        Self { loss_tainted: self.loss_tainted || lost, ..self }
    }
}

/// How one search values the decisions below a chance node.
///
/// Everything is stated for the perspective of the [`UtilityBounds`]. The decision belongs to the side to move of the chance
/// node's position: it maximises when that side is the perspective, and minimises otherwise.
pub trait Policy {
    /// The least value that a decision below this node can have; within the scale.
    fn lowest_value(&self) -> f64;

    /// The greatest value that a decision below this node can have; within the scale.
    fn highest_value(&self) -> f64;

    /// Whether [`Policy::probe`] is to be asked. `false` declares that the policy has no probes: rolled positions are then
    /// built only for classes that are expanded.
    fn probing_enabled(&self) -> bool {
        true
    }

    /// One value for each rolled position, in visiting order, or nothing at all.
    ///
    /// Asked at most once a node, before any decision, and only when the node's own side of the window is finite: alpha at a
    /// minimising node, beta at a maximising one. A bound must be sound in the role's direction: an upper bound at a
    /// minimising node (any legal reply is at least the minimum), a lower bound at a maximising one; one that points the
    /// other way is ignored. An exact value settles its class, which is then never decided. An incomplete one cancels the
    /// node.
    ///
    /// # Errors
    /// Passed on by [`expand`].
    fn probe(
        &mut self,
        rolled: &[Position],
        control: &SearchControl<'_>,
    ) -> Result<Option<&[Value]>, SearchError> {
        let _ = (rolled, control);
        Ok(None)
    }

    /// The value of the decision at `rolled`: the chance node's position with the dice of a class.
    ///
    /// Exact; or a bound, when the value lies strictly outside the window `alpha..=beta`, which is on the class's own scale;
    /// or incomplete. A call with an open window must not answer with a bound. `class_index` is the class's place in the
    /// partition, so that a policy can keep something for it between a probe and the decision.
    ///
    /// # Errors
    /// Passed on by [`expand`].
    fn decide(
        &mut self,
        rolled: &Position,
        class_index: usize,
        alpha: f64,
        beta: f64,
        control: &SearchControl<'_>,
    ) -> Result<Value, SearchError>;
}

/// The value of a chance node, with its telemetry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChanceResult {
    /// The expectation, or a bound outside the window, for the perspective of the scale.
    pub outcome: SearchOutcome<f64>,
    /// Whether the perspective's king is lost on some roll that the outcome stands for.
    pub loss_tainted: bool,
    /// How many classes the node has.
    pub classes: usize,
    /// How many of them are settled: decided, or valued exactly by a probe.
    pub classes_resolved: usize,
    /// Whether the probes alone proved the bound.
    pub probe_pruned: bool,
    /// What had to be built for it.
    pub construction: Construction,
}

/// What an expansion had to build, which is as little as its window and its policy allow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Construction {
    /// Positions with the dice of a class.
    pub rolled_positions: usize,
    /// Whether ceilings and floors of the classes were laid out: not for open windows and immediate cuts.
    pub ranges: bool,
    /// Whether the policy was asked for probes.
    pub probed: bool,
}

/// The outcome of the chance node at `after_turn`, whose side to move is about to roll, within the window `(alpha, beta)`.
///
/// An expectation is the integer-weighted sum of the classes' values, in class order, divided by 216 once. For integer
/// leaves that is the exact rational, rounded: bit for bit what an enumeration of the 216 ordered rolls gives. Cuts are
/// strict (`< alpha`, `> beta`), so equal candidates never cut each other, and a bound is the quotient that proved it.
///
/// The control is asked at entry, after the probes and before each class that is decided.
///
/// # Errors
/// When dice are left or a king is missing in `after_turn`, when the policy breaks its contract, and whatever the policy
/// reports.
pub fn expand(
    after_turn: &Position,
    bounds: &UtilityBounds,
    control: &SearchControl<'_>,
    window: (f64, f64),
    policy: &mut impl Policy,
) -> Result<ChanceResult, SearchError> {
    const CLASS_ORDER: [usize; MAX_CLASSES] = {
        let mut order = [0; MAX_CLASSES];
        let mut i = 0;
        while i < MAX_CLASSES {
            order[i] = i;
            i += 1;
        }
        order
    };
    require_fresh(after_turn)?;
    let classes = partition(after_turn);
    Expansion::new(after_turn, classes, bounds, control, window, policy)?.run(&CLASS_ORDER[..classes.len()])
}

/// [`expand`] with the classes visited in `order`, a permutation of their indices. The order decides which bound is proven
/// first, never an exact value.
///
/// # Errors
/// As [`expand`], and when `order` is no permutation.
pub fn expand_in_order(
    after_turn: &Position,
    bounds: &UtilityBounds,
    control: &SearchControl<'_>,
    window: (f64, f64),
    policy: &mut impl Policy,
    order: &[usize],
) -> Result<ChanceResult, SearchError> {
    require_fresh(after_turn)?;
    let classes = partition(after_turn);
    let mut seen = 0u64;
    for &index in order {
        seen |= 1u64.checked_shl(index as u32).unwrap_or(0);
    }
    if order.len() != classes.len() || seen != (1u64 << classes.len()) - 1 {
        return Err(SearchError::ClassOrder { classes: classes.len(), order: order.to_vec() });
    }
    Expansion::new(after_turn, classes, bounds, control, window, policy)?.run(order)
}

fn require_fresh(after_turn: &Position) -> Result<(), SearchError> {
    if !after_turn.dice().is_empty() {
        return Err(SearchError::PoolNotEmpty(after_turn.dice().to_string()));
    }
    require_kings(after_turn)
}

/// Both kings are on the board, or the error that names the missing one.
pub(super) fn require_kings(position: &Position) -> Result<(), SearchError> {
    match Color::ALL.into_iter().find(|&color| !position.has_king(color)) {
        Some(color) => Err(SearchError::MissingKing(color)),
        None => Ok(()),
    }
}

/// What each class can still be worth; a settled class has one value left.
struct Ranges {
    ceilings: [f64; MAX_CLASSES],
    floors: [f64; MAX_CLASSES],
    /// Weighted sums of these, kept up step by step: good enough to guess a cut, which is then proven afresh.
    ceiling_sum: f64,
    floor_sum: f64,
}

/// One chance node being expanded. All of it lives on the stack and dies with the call.
struct Expansion<'e, P> {
    after_turn: &'e Position,
    classes: &'static [WeightedRoll],
    control: &'e SearchControl<'e>,
    bounds: &'e UtilityBounds,
    policy: &'e mut P,
    alpha: f64,
    beta: f64,
    lowest: f64,
    highest: f64,
    values: [f64; MAX_CLASSES],
    settled: u64,
    /// Of the settled classes.
    loss_tainted: bool,
    /// Of probes that settled nothing, which only a bound may rest on.
    probe_tainted: bool,
    construction: Construction,
}

/// What a class's decision leads to.
enum Step {
    Settled,
    Cut(SearchOutcome<f64>),
    Incomplete,
}

impl<'e, P: Policy> Expansion<'e, P> {
    fn new(
        after_turn: &'e Position,
        classes: &'static [WeightedRoll],
        bounds: &'e UtilityBounds,
        control: &'e SearchControl<'e>,
        (alpha, beta): (f64, f64),
        policy: &'e mut P,
    ) -> Result<Self, SearchError> {
        let (lowest, highest) = (policy.lowest_value(), policy.highest_value());
        let within =
            bounds.terminal_loss() <= lowest && lowest <= highest && highest <= bounds.terminal_win();
        if !within {
            return Err(SearchError::PolicyRange { lowest, highest });
        }
        Ok(Self {
            after_turn,
            classes,
            control,
            bounds,
            policy,
            alpha,
            beta,
            lowest,
            highest,
            values: [0.0; MAX_CLASSES],
            settled: 0,
            loss_tainted: false,
            probe_tainted: false,
            construction: Construction::default(),
        })
    }

    fn run(mut self, order: &[usize]) -> Result<ChanceResult, SearchError> {
        if self.control.is_cancelled() {
            return Ok(self.incomplete());
        }
        if self.is_open() {
            return self.run_open(order);
        }
        let probed = self.probe(order)?;
        if self.control.is_cancelled() || matches!(probed, Some(None)) {
            return Ok(self.incomplete());
        }
        let untouched = probed.is_none();
        if untouched && let Some(outcome) = self.cut(|_| self.highest, |_| self.lowest) {
            return Ok(self.result(outcome, false));
        }
        let mut ranges = probed.flatten().unwrap_or_else(|| self.ranges());
        self.construction.ranges = true;
        if let Some(outcome) = self.cut_by(&ranges) {
            return Ok(self.result(outcome, true));
        }
        for &index in order {
            if self.is_settled(index) {
                continue;
            }
            if self.control.is_cancelled() {
                return Ok(self.incomplete());
            }
            match self.decide_within(index, &mut ranges)? {
                Step::Settled => {}
                Step::Cut(outcome) => return Ok(self.result(outcome, false)),
                Step::Incomplete => return Ok(self.incomplete()),
            }
            if let Some(outcome) = self.cut_by(&ranges) {
                return Ok(self.result(outcome, false));
            }
        }
        Ok(self.exact())
    }

    /// Nothing can be cut, so nothing but the values is kept.
    fn run_open(mut self, order: &[usize]) -> Result<ChanceResult, SearchError> {
        for &index in order {
            if self.control.is_cancelled() || !self.decide_open(index)? {
                return Ok(self.incomplete());
            }
        }
        Ok(self.exact())
    }

    fn is_open(&self) -> bool {
        self.alpha == f64::NEG_INFINITY && self.beta == f64::INFINITY
    }

    fn minimizes(&self) -> bool {
        !self.bounds.is_maximizing(self.after_turn.side_to_move())
    }

    fn is_settled(&self, index: usize) -> bool {
        self.settled >> index & 1 != 0
    }

    fn rolled(&mut self, index: usize) -> Position {
        self.construction.rolled_positions += 1;
        self.after_turn.with_dice(self.classes[index].roll.pool())
    }

    /// Asks for probes where they can help. `None`: there are none; `Some(None)`: a probe is incomplete.
    fn probe(&mut self, order: &[usize]) -> Result<Option<Option<Ranges>>, SearchError> {
        let minimizes = self.minimizes();
        let own_side = if minimizes { self.alpha } else { self.beta };
        if !self.policy.probing_enabled() || !own_side.is_finite() {
            return Ok(None);
        }
        let mut rolled = [Position::empty(); MAX_CLASSES];
        for (slot, &index) in rolled.iter_mut().zip(order) {
            *slot = self.rolled(index);
        }
        self.construction.probed = true;
        let mut ranges = self.ranges();
        let Some(probes) = self.policy.probe(&rolled[..order.len()], self.control)? else {
            return Ok(None);
        };
        if probes.len() != order.len() {
            return Err(SearchError::ProbeCount { classes: order.len(), probes: probes.len() });
        }
        for (&index, probe) in order.iter().zip(probes) {
            let range = self.lowest..=self.highest;
            match probe.outcome {
                SearchOutcome::Incomplete { .. } => return Ok(Some(None)),
                SearchOutcome::Exact { value, .. } => {
                    check_value(value, &range)?;
                    self.values[index] = value;
                    self.settled |= 1 << index;
                    self.loss_tainted |= probe.loss_tainted;
                    ranges.settle(index, value, self.classes);
                }
                SearchOutcome::UpperBound { value, .. } if minimizes => {
                    self.probe_tainted |= probe.loss_tainted;
                    ranges.lower_ceiling(index, value, self.classes);
                }
                SearchOutcome::LowerBound { value, .. } if !minimizes => {
                    self.probe_tainted |= probe.loss_tainted;
                    ranges.raise_floor(index, value, self.classes);
                }
                SearchOutcome::UpperBound { .. } | SearchOutcome::LowerBound { .. } => {}
            }
        }
        Ok(Some(Some(ranges)))
    }

    fn ranges(&self) -> Ranges {
        Ranges {
            ceilings: [self.highest; MAX_CLASSES],
            floors: [self.lowest; MAX_CLASSES],
            ceiling_sum: self.highest * f64::from(ORDERED_ROLLS),
            floor_sum: self.lowest * f64::from(ORDERED_ROLLS),
        }
    }

    /// Decides a class within its share of the node's window; a bound that does not settle the node is searched again.
    fn decide_within(&mut self, index: usize, ranges: &mut Ranges) -> Result<Step, SearchError> {
        let (alpha, beta) = self.child_window(index, ranges);
        let rolled = self.rolled(index);
        let value = self.policy.decide(&rolled, index, alpha, beta, self.control)?;
        match value.outcome {
            SearchOutcome::Incomplete { .. } => return Ok(Step::Incomplete),
            SearchOutcome::Exact { value: exact, .. } => self.settle(index, exact, value.loss_tainted)?,
            SearchOutcome::UpperBound { value: bound, .. } => {
                let ceiling = |i: usize| if i == index { bound } else { ranges.ceilings[i] };
                if let Some(outcome) = self.cut_low(ceiling) {
                    self.probe_tainted |= value.loss_tainted;
                    return Ok(Step::Cut(outcome));
                }
            }
            SearchOutcome::LowerBound { value: bound, .. } => {
                let floor = |i: usize| if i == index { bound } else { ranges.floors[i] };
                if let Some(outcome) = self.cut_high(floor) {
                    self.probe_tainted |= value.loss_tainted;
                    return Ok(Step::Cut(outcome));
                }
            }
        }
        if !self.is_settled(index) && !self.decide_open(index)? {
            return Ok(Step::Incomplete);
        }
        ranges.settle(index, self.values[index], self.classes);
        Ok(Step::Settled)
    }

    /// Decides a class with an open window; `false` when cancelled.
    fn decide_open(&mut self, index: usize) -> Result<bool, SearchError> {
        let rolled = self.rolled(index);
        let (alpha, beta) = (f64::NEG_INFINITY, f64::INFINITY);
        let value = self.policy.decide(&rolled, index, alpha, beta, self.control)?;
        match value.outcome {
            SearchOutcome::Incomplete { .. } => Ok(false),
            SearchOutcome::Exact { value: exact, .. } => {
                self.settle(index, exact, value.loss_tainted)?;
                Ok(true)
            }
            SearchOutcome::LowerBound { value, .. } | SearchOutcome::UpperBound { value, .. } => {
                Err(SearchError::BoundUnderOpenWindow { class: index, value })
            }
        }
    }

    fn settle(&mut self, index: usize, value: f64, loss_tainted: bool) -> Result<(), SearchError> {
        check_value(value, &(self.lowest..=self.highest))?;
        self.values[index] = value;
        self.settled |= 1 << index;
        self.loss_tainted |= loss_tainted;
        Ok(())
    }

    /// The window in which a class's value matters, given what the others can be worth at most and at least. It steers the
    /// effort only: cuts are proven by the quotients.
    fn child_window(&self, index: usize, ranges: &Ranges) -> (f64, f64) {
        let (loss, win) = (self.bounds.terminal_loss(), self.bounds.terminal_win());
        let weight = f64::from(self.classes[index].weight);
        let total = f64::from(ORDERED_ROLLS);
        let share = |bound: f64, sum: f64, own: f64| {
            if bound.is_finite() {
                ((total * bound - (sum - weight * own)) / weight).clamp(loss, win)
            } else {
                bound
            }
        };
        (
            share(self.alpha, ranges.ceiling_sum, ranges.ceilings[index]),
            share(self.beta, ranges.floor_sum, ranges.floors[index]),
        )
    }

    /// A cut by the ranges: guessed by the running sums, proven by the quotients.
    fn cut_by(&self, ranges: &Ranges) -> Option<SearchOutcome<f64>> {
        let total = f64::from(ORDERED_ROLLS);
        let likely = ranges.ceiling_sum / total < self.alpha || ranges.floor_sum / total > self.beta;
        if !likely {
            return None;
        }
        self.cut(|i| ranges.ceilings[i], |i| ranges.floors[i])
    }

    fn cut(
        &self,
        ceiling: impl Fn(usize) -> f64,
        floor: impl Fn(usize) -> f64,
    ) -> Option<SearchOutcome<f64>> {
        self.cut_low(ceiling).or_else(|| self.cut_high(floor))
    }

    fn cut_low(&self, ceiling: impl Fn(usize) -> f64) -> Option<SearchOutcome<f64>> {
        let value = self.expectation(ceiling);
        let work_used = self.control.work_used();
        (value < self.alpha).then_some(SearchOutcome::UpperBound { value, work_used })
    }

    fn cut_high(&self, floor: impl Fn(usize) -> f64) -> Option<SearchOutcome<f64>> {
        let value = self.expectation(floor);
        let work_used = self.control.work_used();
        (value > self.beta).then_some(SearchOutcome::LowerBound { value, work_used })
    }

    /// The weighted mean in class order. Rounding is monotone, so the mean of ceilings is never below the mean of values.
    fn expectation(&self, value: impl Fn(usize) -> f64) -> f64 {
        let weighted = |(i, class): (usize, &WeightedRoll)| f64::from(class.weight) * value(i);
        self.classes.iter().enumerate().map(weighted).sum::<f64>() / f64::from(ORDERED_ROLLS)
    }

    fn exact(&self) -> ChanceResult {
        let value = self.expectation(|i| self.values[i]);
        let work_used = self.control.work_used();
        self.result(SearchOutcome::Exact { value, work_used }, false)
    }

    fn incomplete(&self) -> ChanceResult {
        self.result(SearchOutcome::Incomplete { work_used: self.control.work_used() }, false)
    }

    fn result(&self, outcome: SearchOutcome<f64>, probe_pruned: bool) -> ChanceResult {
        ChanceResult {
            outcome,
            loss_tainted: self.loss_tainted || !outcome.is_exact() && self.probe_tainted,
            classes: self.classes.len(),
            classes_resolved: self.settled.count_ones() as usize,
            probe_pruned,
            construction: self.construction,
        }
    }
}

impl Ranges {
    fn settle(&mut self, index: usize, value: f64, classes: &[WeightedRoll]) {
        self.lower_ceiling(index, value, classes);
        self.raise_floor(index, value, classes);
    }

    fn lower_ceiling(&mut self, index: usize, ceiling: f64, classes: &[WeightedRoll]) {
        let old = self.ceilings[index];
        self.ceilings[index] = ceiling.min(old);
        self.ceiling_sum += f64::from(classes[index].weight) * (self.ceilings[index] - old);
    }

    fn raise_floor(&mut self, index: usize, floor: f64, classes: &[WeightedRoll]) {
        let old = self.floors[index];
        self.floors[index] = floor.max(old);
        self.floor_sum += f64::from(classes[index].weight) * (self.floors[index] - old);
    }
}

fn check_value(value: f64, range: &std::ops::RangeInclusive<f64>) -> Result<(), SearchError> {
    if range.contains(&value) {
        return Ok(());
    }
    Err(SearchError::ValueOutOfRange { value, lowest: *range.start(), highest: *range.end() })
}

/// The distinct replies to a roll, for policies that want them all.
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
            Finals::Positions(positions) => Self::Positions(positions.to_vec()),
        })
    }
}
