//! The mechanism of the chance node: one expansion from its window to its outcome.

use std::ops::RangeInclusive;

use super::order::Order;
use super::{ChanceResult, Construction, MAX_CLASSES, Policy, Value};
use crate::board::Position;
use crate::rules::{ORDERED_ROLLS, WeightedRoll};
use crate::search::{SearchControl, SearchError, SearchOutcome, UtilityBounds};

/// What each class can still be worth; a settled class has one value left.
pub(super) struct Ranges {
    ceilings: [f64; MAX_CLASSES],
    floors: [f64; MAX_CLASSES],
    /// The weighted sum of the settled values, apart from those of the ceilings and floors of the other classes: the ends of
    /// the scale are so far out that small values would vanish beside them. Kept up step by step: good enough to guess a cut,
    /// which is then proven afresh.
    settled_sum: f64,
    open_ceilings: f64,
    open_floors: f64,
}

/// One chance node being expanded. All of it lives on the stack and dies with the call.
pub(super) struct Expansion<'e> {
    after_turn: &'e Position,
    classes: &'static [WeightedRoll],
    bounds: &'e UtilityBounds,
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

/// What the probes of a node have found.
#[expect(clippy::large_enum_variant, reason = "on the stack for a moment; a box would allocate")]
enum Probes {
    None,
    Incomplete,
    Found(Ranges),
}

/// How a node starts.
#[expect(clippy::large_enum_variant, reason = "on the stack for a moment; a box would allocate")]
pub(super) enum Start {
    Done(ChanceResult),
    /// Classes are left to be decided within these ranges.
    Open(Ranges),
}

/// What a class's decision leads to.
pub(super) enum Step {
    Settled,
    Cut(SearchOutcome<f64>),
    /// The bound settles nothing: the class has to be decided with an open window.
    Reopen,
    Incomplete,
}

impl<'e> Expansion<'e> {
    pub(super) fn new(
        after_turn: &'e Position,
        classes: &'static [WeightedRoll],
        bounds: &'e UtilityBounds,
        (alpha, beta): (f64, f64),
        policy: &impl Policy,
    ) -> Result<Self, SearchError> {
        if alpha.is_nan() || beta.is_nan() || alpha > beta {
            return Err(SearchError::Window { alpha, beta });
        }
        let (lowest, highest) = (policy.lowest_value(), policy.highest_value());
        let within =
            bounds.terminal_loss() <= lowest && lowest <= highest && highest <= bounds.terminal_win();
        if !within {
            return Err(SearchError::PolicyRange { lowest, highest });
        }
        Ok(Self {
            after_turn,
            classes,
            bounds,
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

    pub(super) fn run(
        mut self,
        order: Order<'_>,
        policy: &mut impl Policy,
        control: &SearchControl<'_>,
    ) -> Result<ChanceResult, SearchError> {
        if control.is_cancelled() {
            return Ok(self.incomplete(control));
        }
        let unprobed = order.before_probes(self.classes.len());
        if self.is_open() {
            return self.run_open(unprobed, policy, control);
        }
        let ranges = match self.start(unprobed, policy, control)? {
            Start::Done(result) => return Ok(result),
            Start::Open(ranges) => ranges,
        };
        if let Order::LeastPromisedFirst = order {
            let (indices, open) = self.least_promised_first(&ranges);
            self.decide(&indices[..open], ranges, policy, control)
        } else {
            self.decide(unprobed, ranges, policy, control)
        }
    }

    /// The classes that are not settled yet, as [`Order::LeastPromisedFirst`] says, and how many they are.
    pub(super) fn least_promised_first(&self, ranges: &Ranges) -> ([usize; MAX_CLASSES], usize) {
        let mut order = [0; MAX_CLASSES];
        let mut open = 0;
        for index in (0..self.classes.len()).filter(|&index| !self.is_settled(index)) {
            order[open] = index;
            open += 1;
        }
        let minimizes = self.minimizes();
        let promised =
            |&index: &usize| if minimizes { -ranges.ceilings[index] } else { ranges.floors[index] };
        order[..open].sort_unstable_by(|a, b| promised(a).total_cmp(&promised(b)).then(a.cmp(b)));
        (order, open)
    }

    /// Decides the classes in this order until the node is settled.
    fn decide(
        mut self,
        order: &[usize],
        mut ranges: Ranges,
        policy: &mut impl Policy,
        control: &SearchControl<'_>,
    ) -> Result<ChanceResult, SearchError> {
        for &index in order {
            if self.is_settled(index) {
                continue;
            }
            if control.is_cancelled() {
                return Ok(self.incomplete(control));
            }
            let (alpha, beta) = self.child_window(index, &ranges);
            let rolled = self.rolled(index);
            let value = policy.decide(&rolled, index, alpha, beta, control)?;
            let mut step = self.fold(index, value, &mut ranges, control)?;
            if matches!(step, Step::Reopen) {
                let value = self.decide_open(index, policy, control)?;
                step = self.fold(index, value, &mut ranges, control)?;
            }
            match step {
                Step::Settled | Step::Reopen => {}
                Step::Cut(outcome) => return Ok(self.result(outcome, false)),
                Step::Incomplete => return Ok(self.incomplete(control)),
            }
        }
        Ok(self.exact(control))
    }

    /// What precedes the decisions: the probes, and a cut by what the node can be worth at all.
    pub(super) fn start(
        &mut self,
        order: &[usize],
        policy: &mut impl Policy,
        control: &SearchControl<'_>,
    ) -> Result<Start, SearchError> {
        let probes = self.probe(order, policy, control)?;
        if control.is_cancelled() {
            return Ok(Start::Done(self.incomplete(control)));
        }
        let ranges = match probes {
            Probes::Incomplete => return Ok(Start::Done(self.incomplete(control))),
            Probes::Found(ranges) => ranges,
            Probes::None => match self.cut(|_| self.highest, |_| self.lowest, control) {
                Some(outcome) => return Ok(Start::Done(self.result(outcome, false))),
                None => self.ranges(),
            },
        };
        self.construction.ranges = true;
        if self.is_complete() {
            return Ok(Start::Done(self.exact(control)));
        }
        Ok(match self.cut_by(&ranges, control) {
            Some(outcome) => Start::Done(self.result(outcome, true)),
            None => Start::Open(ranges),
        })
    }

    fn is_complete(&self) -> bool {
        self.settled.count_ones() as usize == self.classes.len()
    }

    /// Nothing can be cut, so nothing but the values is kept.
    fn run_open(
        mut self,
        order: &[usize],
        policy: &mut impl Policy,
        control: &SearchControl<'_>,
    ) -> Result<ChanceResult, SearchError> {
        for &index in order {
            if control.is_cancelled() {
                return Ok(self.incomplete(control));
            }
            let value = self.decide_open(index, policy, control)?;
            match value.outcome.exact() {
                Some(exact) => self.settle(index, exact, value.loss_tainted)?,
                None => return Ok(self.incomplete(control)),
            }
        }
        Ok(self.exact(control))
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

    pub(super) fn rolled(&mut self, index: usize) -> Position {
        self.construction.rolled_positions += 1;
        self.after_turn.with_dice(self.classes[index].roll.pool())
    }

    /// Asks for probes where they can help.
    fn probe(
        &mut self,
        order: &[usize],
        policy: &mut impl Policy,
        control: &SearchControl<'_>,
    ) -> Result<Probes, SearchError> {
        let minimizes = self.minimizes();
        let own_side = if minimizes { self.alpha } else { self.beta };
        if !policy.probing_enabled() || !own_side.is_finite() {
            return Ok(Probes::None);
        }
        let mut rolled = [Position::empty(); MAX_CLASSES];
        for (slot, &index) in rolled.iter_mut().zip(order) {
            *slot = self.rolled(index);
        }
        self.construction.probed = true;
        let mut ranges = self.ranges();
        let Some(probes) = policy.probe(&rolled[..order.len()], control)? else {
            return Ok(Probes::None);
        };
        if probes.len() != order.len() {
            return Err(SearchError::ProbeCount { classes: order.len(), probes: probes.len() });
        }
        for (&index, probe) in order.iter().zip(probes) {
            let range = self.lowest..=self.highest;
            match probe.outcome {
                SearchOutcome::Incomplete { .. } => return Ok(Probes::Incomplete),
                SearchOutcome::Exact { value, .. } => {
                    check_value(value, &range)?;
                    self.values[index] = value;
                    self.settled |= 1 << index;
                    self.loss_tainted |= probe.loss_tainted;
                    ranges.settle(index, value, self.classes);
                }
                SearchOutcome::UpperBound { value, .. } if minimizes => {
                    check_value(value, &(self.lowest..=f64::INFINITY))?;
                    self.probe_tainted |= probe.loss_tainted;
                    ranges.lower_ceiling(index, value, self.classes);
                }
                SearchOutcome::LowerBound { value, .. } if !minimizes => {
                    check_value(value, &(f64::NEG_INFINITY..=self.highest))?;
                    self.probe_tainted |= probe.loss_tainted;
                    ranges.raise_floor(index, value, self.classes);
                }
                SearchOutcome::UpperBound { .. } | SearchOutcome::LowerBound { .. } => {}
            }
        }
        Ok(Probes::Found(ranges))
    }

    fn ranges(&self) -> Ranges {
        Ranges {
            ceilings: [self.highest; MAX_CLASSES],
            floors: [self.lowest; MAX_CLASSES],
            settled_sum: 0.0,
            open_ceilings: self.highest * f64::from(ORDERED_ROLLS),
            open_floors: self.lowest * f64::from(ORDERED_ROLLS),
        }
    }

    /// Takes in what a class's decision found within its share of the node's window, or with an open one.
    pub(super) fn fold(
        &mut self,
        index: usize,
        value: Value,
        ranges: &mut Ranges,
        control: &SearchControl<'_>,
    ) -> Result<Step, SearchError> {
        let cut = match value.outcome {
            SearchOutcome::Incomplete { .. } => return Ok(Step::Incomplete),
            SearchOutcome::Exact { value: exact, .. } => {
                self.settle(index, exact, value.loss_tainted)?;
                ranges.settle(index, exact, self.classes);
                let cut = if self.is_complete() { None } else { self.cut_by(ranges, control) };
                return Ok(cut.map_or(Step::Settled, Step::Cut));
            }
            SearchOutcome::UpperBound { value: bound, .. } => {
                check_value(bound, &(self.lowest..=f64::INFINITY))?;
                self.cut_low(|i| if i == index { bound } else { ranges.ceilings[i] }, control)
            }
            SearchOutcome::LowerBound { value: bound, .. } => {
                check_value(bound, &(f64::NEG_INFINITY..=self.highest))?;
                self.cut_high(|i| if i == index { bound } else { ranges.floors[i] }, control)
            }
        };
        self.probe_tainted |= cut.is_some() && value.loss_tainted;
        Ok(cut.map_or(Step::Reopen, Step::Cut))
    }

    /// Decides a class with an open window, which no bound may answer.
    fn decide_open(
        &mut self,
        index: usize,
        policy: &mut impl Policy,
        control: &SearchControl<'_>,
    ) -> Result<Value, SearchError> {
        let rolled = self.rolled(index);
        decide_open(&rolled, index, policy, control)
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
    pub(super) fn child_window(&self, index: usize, ranges: &Ranges) -> (f64, f64) {
        let (loss, win) = (self.bounds.terminal_loss(), self.bounds.terminal_win());
        let weight = f64::from(self.classes[index].weight);
        let total = f64::from(ORDERED_ROLLS);
        let share = |bound: f64, open: f64, own: f64| {
            if bound.is_finite() {
                ((total * bound - ranges.settled_sum - (open - weight * own)) / weight).clamp(loss, win)
            } else {
                bound
            }
        };
        let alpha = share(self.alpha, ranges.open_ceilings, ranges.ceilings[index]);
        let beta = share(self.beta, ranges.open_floors, ranges.floors[index]);
        (alpha, beta.max(alpha))
    }

    /// A cut by the ranges: guessed by the running sums, proven by the quotients.
    fn cut_by(&self, ranges: &Ranges, control: &SearchControl<'_>) -> Option<SearchOutcome<f64>> {
        let total = f64::from(ORDERED_ROLLS);
        let sum = |open: f64| (ranges.settled_sum + open) / total;
        let likely = sum(ranges.open_ceilings) < self.alpha || sum(ranges.open_floors) > self.beta;
        if !likely {
            return None;
        }
        self.cut(|i| ranges.ceilings[i], |i| ranges.floors[i], control)
    }

    fn cut(
        &self,
        ceiling: impl Fn(usize) -> f64,
        floor: impl Fn(usize) -> f64,
        control: &SearchControl<'_>,
    ) -> Option<SearchOutcome<f64>> {
        self.cut_low(ceiling, control).or_else(|| self.cut_high(floor, control))
    }

    fn cut_low(
        &self,
        ceiling: impl Fn(usize) -> f64,
        control: &SearchControl<'_>,
    ) -> Option<SearchOutcome<f64>> {
        let value = self.expectation(ceiling);
        let work_used = control.work_used();
        (value < self.alpha).then_some(SearchOutcome::UpperBound { value, work_used })
    }

    fn cut_high(
        &self,
        floor: impl Fn(usize) -> f64,
        control: &SearchControl<'_>,
    ) -> Option<SearchOutcome<f64>> {
        let value = self.expectation(floor);
        let work_used = control.work_used();
        (value > self.beta).then_some(SearchOutcome::LowerBound { value, work_used })
    }

    /// The weighted mean in class order. Rounding is monotone, so the mean of ceilings is never below the mean of values.
    fn expectation(&self, value: impl Fn(usize) -> f64) -> f64 {
        let weighted = |(i, class): (usize, &WeightedRoll)| f64::from(class.weight) * value(i);
        let mean = self.classes.iter().enumerate().map(weighted).sum::<f64>() / f64::from(ORDERED_ROLLS);
        // A mean lies among its terms, but rounding can push it past the last of them.
        mean.clamp(self.lowest, self.highest)
    }

    pub(super) fn exact(&self, control: &SearchControl<'_>) -> ChanceResult {
        let value = self.expectation(|i| self.values[i]);
        let work_used = control.work_used();
        self.result(SearchOutcome::Exact { value, work_used }, false)
    }

    pub(super) fn incomplete(&self, control: &SearchControl<'_>) -> ChanceResult {
        self.result(SearchOutcome::Incomplete { work_used: control.work_used() }, false)
    }

    pub(super) fn result(&self, outcome: SearchOutcome<f64>, probe_pruned: bool) -> ChanceResult {
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
        let weight = f64::from(classes[index].weight);
        self.open_ceilings -= weight * self.ceilings[index];
        self.open_floors -= weight * self.floors[index];
        self.settled_sum += weight * value;
        self.ceilings[index] = value;
        self.floors[index] = value;
    }

    fn lower_ceiling(&mut self, index: usize, ceiling: f64, classes: &[WeightedRoll]) {
        let old = self.ceilings[index];
        self.ceilings[index] = ceiling.min(old);
        self.open_ceilings += f64::from(classes[index].weight) * (self.ceilings[index] - old);
    }

    fn raise_floor(&mut self, index: usize, floor: f64, classes: &[WeightedRoll]) {
        let old = self.floors[index];
        self.floors[index] = floor.max(old);
        self.open_floors += f64::from(classes[index].weight) * (self.floors[index] - old);
    }
}

fn check_value(value: f64, range: &RangeInclusive<f64>) -> Result<(), SearchError> {
    if range.contains(&value) {
        return Ok(());
    }
    Err(SearchError::ValueOutOfRange { value, lowest: *range.start(), highest: *range.end() })
}

/// Decides a class with an open window, which no bound may answer.
pub(super) fn decide_open(
    rolled: &Position,
    class_index: usize,
    policy: &mut impl Policy,
    control: &SearchControl<'_>,
) -> Result<Value, SearchError> {
    let value = policy.decide(rolled, class_index, f64::NEG_INFINITY, f64::INFINITY, control)?;
    match value.outcome {
        SearchOutcome::LowerBound { value, .. } | SearchOutcome::UpperBound { value, .. } => {
            Err(SearchError::BoundUnderOpenWindow { class: class_index, value })
        }
        SearchOutcome::Exact { .. } | SearchOutcome::Incomplete { .. } => Ok(value),
    }
}
