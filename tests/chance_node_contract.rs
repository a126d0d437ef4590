//! The contract of the chance node, clause by clause: what it builds and when it asks, where it stops, which errors it gives,
//! and that ties are never cut.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

use dicechess_native::board::{Color, Position};
use dicechess_native::rules::{Budget, Exhausted, partition};
use dicechess_native::search::chance_node::{
    ChanceResult, Construction, Policy, Value, expand, expand_in_order,
};
use dicechess_native::search::{SearchControl, SearchError, SearchOutcome, UtilityBounds};

/// Four classes, no to three king dice; Black's decisions minimise for White and maximise for Black.
const LONE_KINGS: &str = "4k3/8/8/8/8/8/8/4K3 b - - 0 1";
const WEIGHTS: [f64; 4] = [125.0, 75.0, 15.0, 1.0];

const INF: f64 = f64::INFINITY;
const OPEN: (f64, f64) = (-INF, INF);
/// Holds every value of [`Script::constant`]'s range.
const FULL: (f64, f64) = (-1000.0, 1000.0);

fn lone_kings() -> Position {
    LONE_KINGS.parse().unwrap()
}

fn of(outcome: SearchOutcome<f64>) -> Value {
    Value { outcome, loss_tainted: false }
}

fn exact(value: f64) -> Value {
    of(SearchOutcome::Exact { value, work_used: 0 })
}

fn at_least(value: f64) -> Value {
    of(SearchOutcome::LowerBound { value, work_used: 0 })
}

fn at_most(value: f64) -> Value {
    of(SearchOutcome::UpperBound { value, work_used: 0 })
}

fn incomplete() -> Value {
    of(SearchOutcome::Incomplete { work_used: 0 })
}

/// What the mechanism asked of a policy.
#[derive(Clone, Debug, PartialEq)]
enum Call {
    Probe(Vec<Position>),
    Decide { rolled: Position, class: usize, window: (f64, f64) },
}

type Decide<'s> = Box<dyn FnMut(usize, (f64, f64)) -> Result<Value, SearchError> + 's>;
type Probe<'s> = Box<dyn FnMut() -> Result<Option<Vec<Value>>, SearchError> + 's>;

/// A policy that answers as it is told and writes down what it was asked.
struct Script<'s> {
    range: (f64, f64),
    probing: bool,
    probe: Probe<'s>,
    decide: Decide<'s>,
    /// Holds the probes while the mechanism reads them.
    buffer: Vec<Value>,
    calls: Vec<Call>,
}

impl<'s> Script<'s> {
    /// Decides with `decide`, has no probes but is asked for them.
    fn new(mut decide: impl FnMut(usize, (f64, f64)) -> Value + 's) -> Self {
        Self {
            range: FULL,
            probing: true,
            probe: Box::new(|| Ok(None)),
            decide: Box::new(move |class, window| Ok(decide(class, window))),
            buffer: vec![],
            calls: vec![],
        }
    }

    /// Decides each class exactly, with this value.
    fn constant(value: f64) -> Self {
        Self::new(move |_, _| exact(value))
    }

    /// Decides each class exactly, with its value.
    fn values(values: [f64; 4]) -> Self {
        Self::new(move |class, _| exact(values[class]))
    }

    fn opted_out(self) -> Self {
        Self { probing: false, ..self }
    }

    fn in_range(self, lowest: f64, highest: f64) -> Self {
        Self { range: (lowest, highest), ..self }
    }

    /// Probes with these, one for each class in visiting order.
    fn probing(self, probes: impl Into<Vec<Value>>) -> Self {
        let probes = probes.into();
        Self { probe: Box::new(move || Ok(Some(probes.clone()))), ..self }
    }

    fn decided(&self) -> Vec<usize> {
        let class = |call: &Call| match *call {
            Call::Decide { class, .. } => Some(class),
            Call::Probe(_) => None,
        };
        self.calls.iter().filter_map(class).collect()
    }

    fn windows(&self) -> Vec<(f64, f64)> {
        let window = |call: &Call| match *call {
            Call::Decide { window, .. } => Some(window),
            Call::Probe(_) => None,
        };
        self.calls.iter().filter_map(window).collect()
    }

    fn probes(&self) -> usize {
        self.calls.len() - self.decided().len()
    }
}

impl Policy for Script<'_> {
    fn lowest_value(&self) -> f64 {
        self.range.0
    }

    fn highest_value(&self) -> f64 {
        self.range.1
    }

    fn probing_enabled(&self) -> bool {
        self.probing
    }

    fn probe(
        &mut self,
        rolled: &[Position],
        _control: &SearchControl<'_>,
    ) -> Result<Option<&[Value]>, SearchError> {
        self.calls.push(Call::Probe(rolled.to_vec()));
        let Some(probes) = (self.probe)()? else { return Ok(None) };
        self.buffer = probes;
        Ok(Some(&self.buffer))
    }

    fn decide(
        &mut self,
        rolled: &Position,
        class: usize,
        alpha: f64,
        beta: f64,
        _control: &SearchControl<'_>,
    ) -> Result<Value, SearchError> {
        self.calls.push(Call::Decide { rolled: *rolled, class, window: (alpha, beta) });
        // Storage of the policy's own: nothing that was settled may depend on it.
        self.buffer.fill(exact(f64::NAN));
        (self.decide)(class, (alpha, beta))
    }
}

fn try_run(
    perspective: Color,
    window: (f64, f64),
    control: &SearchControl<'_>,
    policy: &mut Script<'_>,
) -> Result<ChanceResult, SearchError> {
    expand(&lone_kings(), &UtilityBounds::expectimax(perspective), control, window, policy)
}

/// The node under White's perspective, where it minimises.
fn minimize(window: (f64, f64), policy: &mut Script<'_>) -> ChanceResult {
    try_run(Color::White, window, &SearchControl::unbounded(), policy).unwrap()
}

/// The node under Black's perspective, where it maximises.
fn maximize(window: (f64, f64), policy: &mut Script<'_>) -> ChanceResult {
    try_run(Color::Black, window, &SearchControl::unbounded(), policy).unwrap()
}

fn error(window: (f64, f64), policy: &mut Script<'_>) -> SearchError {
    try_run(Color::White, window, &SearchControl::unbounded(), policy).unwrap_err()
}

/// Equal errors, NaN included.
fn assert_error(found: &SearchError, expected: &SearchError, message: &str) {
    assert_eq!(format!("{found:?}"), format!("{expected:?}"));
    assert_eq!(found.to_string(), message);
}

fn mean(values: [f64; 4]) -> f64 {
    WEIGHTS.iter().zip(values).map(|(weight, value)| weight * value).sum::<f64>() / 216.0
}

mod construction {
    use super::*;

    #[test]
    fn an_entry_already_cancelled_builds_nothing_and_asks_nothing() {
        let flag = AtomicBool::new(true);
        for window in [OPEN, FULL, (1000.5, INF), (-INF, -1000.5)] {
            let none = Script::constant(0.0);
            let opted_out = Script::constant(0.0).opted_out();
            let active = Script::constant(0.0).probing([exact(0.0); 4]);
            for mut policy in [none, opted_out, active] {
                let control = SearchControl::unbounded().with_cancel_flag(&flag);
                let result = try_run(Color::White, window, &control, &mut policy).unwrap();
                let expected = ChanceResult {
                    outcome: SearchOutcome::Incomplete { work_used: 0 },
                    loss_tainted: false,
                    classes: 4,
                    classes_resolved: 0,
                    probe_pruned: false,
                    construction: Construction::default(),
                };
                assert_eq!(result, expected);
                assert_eq!(policy.calls, []);
            }
        }
    }

    #[test]
    fn an_open_window_lays_out_no_ranges_and_asks_for_no_probes() {
        let active = Script::constant(3.0).probing([exact(0.0); 4]);
        for mut policy in [Script::constant(3.0), Script::constant(3.0).opted_out(), active] {
            let result = minimize(OPEN, &mut policy);
            assert_eq!(result.outcome.exact(), Some(3.0));
            let built = Construction { rolled_positions: 4, ranges: false, probed: false };
            assert_eq!(result.construction, built);
            assert_eq!(policy.windows(), [OPEN; 4]);
            assert_eq!(policy.probes(), 0);
        }
    }

    #[test]
    fn an_immediate_cut_without_probes_builds_no_ranges_and_no_rolled_positions() {
        // Opted out; or the own side of the window is infinite, so that there is nothing to probe for.
        let low = SearchOutcome::UpperBound { value: 1000.0, work_used: 0 };
        let high = SearchOutcome::LowerBound { value: -1000.0, work_used: 0 };
        for (run, window, probing, expected) in [
            (minimize as fn(_, &mut Script<'_>) -> _, (1000.5, INF), false, low),
            (minimize, (1000.5, 2000.0), false, low),
            (minimize, (-INF, -1000.5), false, high),
            (minimize, (-INF, -1000.5), true, high),
            (maximize, (1000.5, INF), false, low),
            (maximize, (1000.5, INF), true, low),
            (maximize, (-INF, -1000.5), false, high),
        ] {
            let mut policy = Script::constant(0.0);
            policy.probing = probing;
            let result = run(window, &mut policy);
            assert_eq!((result.outcome, result.classes_resolved), (expected, 0));
            assert_eq!(result.construction, Construction::default());
            assert_eq!(policy.calls, []);
            assert!(!result.probe_pruned);
        }
    }

    #[test]
    fn opting_out_of_probes_suppresses_the_callback_and_rolls_only_expanded_classes() {
        // The heaviest class at its worst leaves at most (−125 + 91) · 1000 / 216.
        let mut policy = Script::values([-1000.0, 0.0, 0.0, 0.0]).opted_out();
        let result = minimize((0.0, INF), &mut policy);
        let expected = SearchOutcome::UpperBound { value: -34_000.0 / 216.0, work_used: 0 };
        assert_eq!((result.outcome, result.classes_resolved), (expected, 1));
        assert_eq!(result.construction, Construction { rolled_positions: 1, ranges: true, probed: false });
        assert_eq!((policy.decided(), policy.probes()), (vec![0], 0));

        let mut policy = Script::constant(0.0).opted_out();
        let result = minimize(FULL, &mut policy);
        assert_eq!(result.construction, Construction { rolled_positions: 4, ranges: true, probed: false });
        assert_eq!((policy.decided(), policy.probes()), (vec![0, 1, 2, 3], 0));
    }

    #[test]
    fn a_probe_that_returns_none_keeps_the_callback_and_the_eager_rolled_positions() {
        let mut policy = Script::constant(0.0);
        let result = minimize((1000.5, INF), &mut policy);
        assert_eq!(result.outcome.value(), Some(1000.0));
        assert!(!result.probe_pruned, "the declared range proved it");
        assert_eq!(result.construction.rolled_positions, 4);
        assert!(result.construction.probed);
        assert_eq!((policy.decided(), policy.probes()), (vec![], 1));

        let mut policy = Script::constant(0.0);
        let result = minimize(FULL, &mut policy);
        assert_eq!(result.outcome.exact(), Some(0.0));
        assert!(result.construction.probed && result.construction.rolled_positions >= 4);
        assert_eq!((policy.decided(), policy.probes()), (vec![0, 1, 2, 3], 1));
    }

    #[test]
    fn an_exact_probe_settles_its_class_without_a_decision() {
        let mut policy = Script::constant(9.0).probing([1.0, 2.0, 3.0, 4.0].map(exact));
        let result = minimize(FULL, &mut policy);
        assert_eq!(result.outcome.exact(), Some(mean([1.0, 2.0, 3.0, 4.0])));
        assert_eq!((result.classes_resolved, policy.decided()), (4, vec![]));
        assert_eq!(result.construction, Construction { rolled_positions: 4, ranges: true, probed: true });

        let mut policy = Script::constant(9.0).probing([exact(1.0), at_most(20.0), exact(3.0), exact(4.0)]);
        let result = minimize(FULL, &mut policy);
        assert_eq!(result.outcome.exact(), Some(mean([1.0, 9.0, 3.0, 4.0])));
        assert_eq!((result.classes_resolved, policy.decided()), (4, vec![1]));
    }

    #[test]
    fn probes_are_asked_once_before_any_decision_in_visiting_order() {
        let order = [2, 0, 3, 1];
        let mut policy = Script::constant(0.0).probing([at_most(500.0); 4]);
        let bounds = UtilityBounds::expectimax(Color::White);
        let control = SearchControl::unbounded();
        expand_in_order(&lone_kings(), &bounds, &control, FULL, &mut policy, &order).unwrap();
        let rolled = order.map(|class| lone_kings().with_dice(partition(&lone_kings())[class].roll.pool()));
        assert_eq!(policy.calls[0], Call::Probe(rolled.to_vec()));
        assert_eq!(policy.calls.len(), 5);
        for (call, (asked, position)) in policy.calls[1..].iter().zip(order.into_iter().zip(rolled)) {
            let Call::Decide { rolled, class, .. } = *call else { panic!("{call:?}") };
            assert_eq!((class, rolled), (asked, position));
        }
    }

    #[test]
    fn probes_answer_in_visiting_order() {
        let order = [2, 0, 3, 1];
        let mut policy = Script::constant(0.0).probing([20.0, 0.0, 30.0, 10.0].map(exact));
        let bounds = UtilityBounds::expectimax(Color::White);
        let control = SearchControl::unbounded();
        let result = expand_in_order(&lone_kings(), &bounds, &control, FULL, &mut policy, &order).unwrap();
        assert_eq!(result.outcome.exact(), Some(mean([0.0, 10.0, 20.0, 30.0])));
    }

    #[test]
    fn probes_are_asked_only_when_the_own_side_of_the_window_is_finite() {
        for (window, minimizing, maximizing) in [
            (FULL, 1, 1),
            ((-1000.0, INF), 1, 0),
            ((-INF, 1000.0), 0, 1),
            (OPEN, 0, 0),
            // Cut by the declared range, which is tested after the probes where there are any.
            ((1000.5, INF), 1, 0),
            ((-INF, -1000.5), 0, 1),
        ] {
            let mut policy = Script::constant(0.0);
            let built = minimize(window, &mut policy).construction;
            assert_eq!((policy.probes(), built.probed), (minimizing, minimizing == 1), "{window:?}");
            let mut policy = Script::constant(0.0);
            let built = maximize(window, &mut policy).construction;
            assert_eq!((policy.probes(), built.probed), (maximizing, maximizing == 1), "{window:?}");
        }
    }

    #[test]
    fn settled_scores_survive_when_the_policy_uses_the_storage_of_its_probes_again() {
        // `Script::decide` fills the buffer with NaN.
        let mut policy = Script::constant(5.0).probing([exact(1.0), exact(2.0), at_most(9.0), at_most(9.0)]);
        let result = minimize(FULL, &mut policy);
        assert_eq!(policy.decided(), [2, 3]);
        assert_eq!(result.outcome.exact(), Some(mean([1.0, 2.0, 5.0, 5.0])));
    }

    #[test]
    fn a_bound_in_the_wrong_direction_is_ignored() {
        for value in [-1000.0, 0.0, 1000.0, INF, -INF, f64::NAN] {
            let mut policy = Script::constant(5.0).probing([at_least(value).tainted(); 4]);
            let result = minimize(FULL, &mut policy);
            assert_eq!((result.outcome.exact(), result.loss_tainted), (Some(5.0), false));
            let mut policy = Script::constant(5.0).probing([at_most(value).tainted(); 4]);
            let result = maximize(FULL, &mut policy);
            assert_eq!((result.outcome.exact(), result.loss_tainted), (Some(5.0), false));
        }
    }

    #[test]
    fn probes_that_prove_the_bound_prune_before_any_decision() {
        let mut policy =
            Script::constant(0.0).probing([at_most(1.0), exact(2.0), at_most(3.0), at_most(4.0)]);
        let sum = mean([1.0, 2.0, 3.0, 4.0]);
        let result = minimize((sum + 0.5, INF), &mut policy);
        assert_eq!(result.outcome, SearchOutcome::UpperBound { value: sum, work_used: 0 });
        assert!(result.probe_pruned);
        assert_eq!((result.classes_resolved, policy.decided()), (1, vec![]));

        let probes = [at_least(1.0), exact(2.0), at_least(3.0), at_least(4.0)];
        let mut policy = Script::constant(0.0).probing(probes);
        let result = maximize((-INF, sum - 0.5), &mut policy);
        assert_eq!(result.outcome, SearchOutcome::LowerBound { value: sum, work_used: 0 });
        assert!(result.probe_pruned);
        assert_eq!((result.classes_resolved, policy.decided()), (1, vec![]));
    }
}

mod taint {
    use super::*;

    #[test]
    fn one_lost_class_taints_an_exact_value_however_light_it_is() {
        for lost in 0..4 {
            let decide = move |class, _| exact(0.0).tainted_if(class == lost);
            assert!(minimize(OPEN, &mut Script::new(decide)).loss_tainted);
            assert!(minimize(FULL, &mut Script::new(decide).opted_out()).loss_tainted);
            let mut probes = [exact(0.0); 4];
            probes[lost] = probes[lost].tainted();
            assert!(minimize(FULL, &mut Script::constant(0.0).probing(probes)).loss_tainted);
        }
        assert!(!minimize(OPEN, &mut Script::constant(0.0)).loss_tainted);
    }

    #[test]
    fn a_tainted_bound_taints_a_cut_that_rests_on_it_but_not_an_exact_value() {
        let tainted = [at_most(0.0).tainted(); 4];
        assert!(minimize((0.5, INF), &mut Script::constant(0.0).probing(tainted)).loss_tainted);
        assert!(!minimize(FULL, &mut Script::constant(0.0).probing(tainted)).loss_tainted);
        // A child's bound that settles the node, and one that does not.
        let bounded =
            |value| move |_, window| if window == OPEN { exact(0.0) } else { at_most(value).tainted() };
        let cut = minimize((0.0, INF), &mut Script::new(bounded(-1000.0)).opted_out());
        assert!(!cut.outcome.is_exact() && cut.loss_tainted);
        let searched_again = minimize((0.0, INF), &mut Script::new(bounded(1000.0)).opted_out());
        assert!(searched_again.outcome.is_exact() && !searched_again.loss_tainted);
    }
}

mod control {
    use super::*;

    #[test]
    fn cancelled_during_the_probes_nothing_is_decided() {
        for (probes, resolved) in [([at_most(9.0); 4], 0), ([exact(9.0); 4], 4)] {
            let flag = AtomicBool::new(false);
            let mut policy = Script::constant(0.0);
            policy.probe = Box::new(|| {
                flag.store(true, Ordering::Relaxed);
                Ok(Some(probes.to_vec()))
            });
            let control = SearchControl::unbounded().with_cancel_flag(&flag);
            let result = try_run(Color::White, FULL, &control, &mut policy).unwrap();
            assert_eq!(result.outcome, SearchOutcome::Incomplete { work_used: 0 });
            assert_eq!(policy.decided(), []);
            assert_eq!((result.classes, result.classes_resolved), (4, resolved));
        }
    }

    #[test]
    fn cancelled_during_the_probes_not_even_a_proven_bound_is_given() {
        let flag = AtomicBool::new(false);
        let mut policy = Script::constant(0.0);
        policy.probe = Box::new(|| {
            flag.store(true, Ordering::Relaxed);
            Ok(Some(vec![at_most(0.0); 4]))
        });
        let control = SearchControl::unbounded().with_cancel_flag(&flag);
        let result = try_run(Color::White, (500.0, INF), &control, &mut policy).unwrap();
        assert_eq!(result.outcome, SearchOutcome::Incomplete { work_used: 0 });
        assert!(!result.probe_pruned);
    }

    #[test]
    fn cancelled_during_a_decision_the_next_class_is_not_decided() {
        for window in [OPEN, FULL, (-1000.0, INF), (-INF, 1000.0)] {
            for last in 0..4 {
                let flag = AtomicBool::new(false);
                let mut policy = Script::new(|class, _| {
                    flag.store(class == last, Ordering::Relaxed);
                    exact(1.0)
                });
                let control = SearchControl::unbounded().with_cancel_flag(&flag);
                let result = try_run(Color::White, window, &control, &mut policy).unwrap();
                assert_eq!(policy.decided(), Vec::from_iter(0..=last));
                assert_eq!(result.classes_resolved, last + 1);
                // There is no check after the last class: its value is known.
                assert_eq!(result.outcome.exact(), (last == 3).then_some(1.0), "{window:?}");
            }
        }
    }

    #[test]
    fn the_control_is_asked_before_each_class_that_is_decided() {
        for window in [OPEN, FULL] {
            for probes in [None, Some(vec![exact(0.0), at_most(9.0), exact(0.0), at_most(9.0)])] {
                let reads = Cell::new(0);
                let clock = || {
                    reads.set(reads.get() + 1);
                    0
                };
                let mut at_decisions = vec![];
                let mut policy = Script::new(|_, _| {
                    at_decisions.push(reads.get());
                    exact(0.0)
                });
                policy.probe = Box::new(move || Ok(probes.clone()));
                let control = SearchControl::unbounded().with_deadline(1).with_clock(&clock);
                assert!(try_run(Color::White, window, &control, &mut policy).unwrap().outcome.is_exact());
                drop(policy);
                assert!(at_decisions[0] >= 2, "once at entry, once before the class");
                assert!(at_decisions.windows(2).all(|pair| pair[1] == pair[0] + 1), "{at_decisions:?}");
                assert_eq!(reads.get(), at_decisions[at_decisions.len() - 1]);
            }
        }
    }

    #[test]
    fn cancelling_at_every_check_gives_incomplete_until_there_is_none_left() {
        for window in [OPEN, FULL] {
            let mut resolved = vec![];
            for deadline in 1.. {
                let reads = Cell::new(0);
                let clock = || {
                    reads.set(reads.get() + 1);
                    reads.get()
                };
                let mut policy = Script::constant(2.0);
                let control = SearchControl::unbounded().with_deadline(deadline).with_clock(&clock);
                let result = try_run(Color::White, window, &control, &mut policy).unwrap();
                assert_eq!(result.classes_resolved, policy.decided().len());
                resolved.push(result.classes_resolved);
                if result.outcome.is_exact() {
                    break;
                }
                assert_eq!(result.outcome, SearchOutcome::Incomplete { work_used: 0 });
            }
            assert!(resolved.is_sorted());
            resolved.dedup();
            assert_eq!(resolved, [0, 1, 2, 3, 4]);
        }
    }

    #[test]
    fn an_incomplete_decision_makes_the_node_incomplete() {
        for window in [OPEN, FULL] {
            for last in 0..4 {
                let mut policy =
                    Script::new(|class, _| if class == last { incomplete() } else { exact(1.0) });
                let result = minimize(window, &mut policy);
                assert_eq!(result.outcome, SearchOutcome::Incomplete { work_used: 0 });
                assert_eq!((policy.decided().len(), result.classes_resolved), (last + 1, last));
            }
        }
    }

    #[test]
    fn an_incomplete_second_search_makes_the_node_incomplete() {
        let mut policy = Script::new(|class, window| match (class, window == OPEN) {
            (2, false) => at_most(1000.0),
            (2, true) => incomplete(),
            _ => exact(1.0),
        });
        let result = minimize(FULL, &mut policy);
        assert_eq!(result.outcome, SearchOutcome::Incomplete { work_used: 0 });
        assert_eq!((policy.decided(), result.classes_resolved), (vec![0, 1, 2, 2], 2));
    }

    #[test]
    fn an_incomplete_probe_makes_the_node_incomplete_wherever_it_stands() {
        for place in 0..4 {
            let mut probes = [at_most(-1000.0); 4];
            probes[place] = incomplete();
            let mut policy = Script::constant(0.0).probing(probes);
            // The other probes would have proved a bound.
            let result = minimize((999.0, INF), &mut policy);
            assert_eq!(result.outcome, SearchOutcome::Incomplete { work_used: 0 });
            assert_eq!((policy.decided(), result.classes_resolved), (vec![], 0));
            assert!(!result.probe_pruned);
        }
    }

    #[test]
    fn every_outcome_says_how_much_of_the_budget_was_used() {
        let spent = |window, answer: fn() -> Value, limit| {
            let budget = Budget::new(limit);
            budget.charge(5).unwrap();
            let control = SearchControl::unbounded().with_budget(&budget);
            let mut policy = Script::new(|_, _| match budget.charge(2) {
                Ok(()) => answer(),
                Err(Exhausted { .. }) => incomplete(),
            });
            try_run(Color::White, window, &control, &mut policy).unwrap().outcome
        };
        let one = || exact(1.0);
        assert_eq!(spent(OPEN, one, 13), SearchOutcome::Exact { value: 1.0, work_used: 13 });
        assert_eq!(spent(OPEN, one, 12), SearchOutcome::Incomplete { work_used: 12 });
        assert_eq!(spent(FULL, one, 13), SearchOutcome::Exact { value: 1.0, work_used: 13 });
        assert_eq!(spent((1000.5, INF), one, 13), SearchOutcome::UpperBound { value: 1000.0, work_used: 5 });
        assert_eq!(
            spent((0.0, INF), || at_most(-1000.0), 13),
            SearchOutcome::UpperBound { value: -34_000.0 / 216.0, work_used: 7 }
        );
    }
}

mod errors {
    use super::*;

    fn refused(after_turn: &str) -> SearchError {
        let mut policy = Script::constant(0.0);
        let bounds = UtilityBounds::expectimax(Color::White);
        let control = SearchControl::unbounded();
        let node: Position = after_turn.parse().unwrap();
        let found = expand(&node, &bounds, &control, FULL, &mut policy).unwrap_err();
        let ordered = expand_in_order(&node, &bounds, &control, FULL, &mut policy, &[0, 1, 2, 3]);
        assert_eq!(ordered.unwrap_err(), found);
        assert_eq!(policy.calls, []);
        found
    }

    #[test]
    fn dice_that_are_left_are_refused() {
        assert_error(
            &refused("4k3/8/8/8/8/8/8/4K3 b - - 0 1 rk"),
            &SearchError::PoolNotEmpty("RK".into()),
            "the dice pool of a chance node must be empty, not RK",
        );
    }

    #[test]
    fn a_missing_king_is_refused() {
        for (dfen, color, message) in [
            ("4k3/8/8/8/8/8/8/8 b - - 0 1", Color::White, "White has no king: there is no game to search"),
            ("8/8/8/8/8/8/8/4K3 b - - 0 1", Color::Black, "Black has no king: there is no game to search"),
        ] {
            assert_error(&refused(dfen), &SearchError::MissingKing(color), message);
        }
    }

    #[test]
    fn a_range_that_is_inverted_or_leaves_the_scale_is_refused() {
        for (lowest, highest, text) in [
            (5.0, -5.0, "5..=-5"),
            (-1_000_000_001.0, 0.0, "-1000000001..=0"),
            (0.0, 10_001.5, "0..=10001.5"),
            (f64::NAN, 0.0, "NaN..=0"),
            (0.0, f64::NAN, "0..=NaN"),
            (-INF, INF, "-inf..=inf"),
        ] {
            for window in [OPEN, FULL] {
                let mut policy = Script::constant(0.0).in_range(lowest, highest);
                let message = format!("a policy's range must be ordered and within the scale, not {text}");
                assert_error(
                    &error(window, &mut policy),
                    &SearchError::PolicyRange { lowest, highest },
                    &message,
                );
                assert_eq!(policy.calls, []);
            }
        }
        let mut whole_scale = Script::constant(7.0).in_range(-1e9, 10_001.0);
        assert_eq!(minimize(FULL, &mut whole_scale).outcome.exact(), Some(7.0));
        let mut one_value = Script::constant(7.0).in_range(7.0, 7.0);
        assert_eq!(minimize((7.0, 7.0), &mut one_value).outcome.exact(), Some(7.0));
    }

    #[test]
    fn a_number_of_probes_that_is_not_the_number_of_classes_is_refused() {
        for probes in [0, 3, 5, 56] {
            let mut policy = Script::constant(0.0).probing(vec![exact(0.0); probes]);
            assert_error(
                &error(FULL, &mut policy),
                &SearchError::ProbeCount { classes: 4, probes },
                &format!("4 classes need 4 probes, not {probes}"),
            );
            assert_eq!(policy.decided(), []);
        }
    }

    fn assert_order_refused(order: &[usize]) {
        let mut policy = Script::constant(0.0);
        let bounds = UtilityBounds::expectimax(Color::White);
        let control = SearchControl::unbounded();
        for window in [OPEN, FULL] {
            let found = expand_in_order(&lone_kings(), &bounds, &control, window, &mut policy, order);
            assert_error(
                &found.unwrap_err(),
                &SearchError::ClassOrder { classes: 4, order: order.to_vec() },
                &format!("the order of 4 classes must name each once, not {order:?}"),
            );
        }
        assert_eq!(policy.calls, []);
    }

    #[test]
    fn an_order_that_is_no_permutation_is_refused() {
        assert_order_refused(&[]);
        assert_order_refused(&[0, 1, 2]);
        assert_order_refused(&[0, 1, 2, 3, 3]);
        assert_order_refused(&[0, 1, 1, 3]);
        assert_order_refused(&[3, 3, 3, 3]);
        for outside in [4, 31, 32, 56, 63, 64, 65, 68, 128, usize::MAX] {
            assert_order_refused(&[0, 1, 2, outside]);
            assert_order_refused(&[outside, 1, 2, 3]);
            assert_order_refused(&[0, 1, 2, 3, outside]);
        }
    }

    #[test]
    fn an_order_with_an_index_that_is_a_class_only_in_its_low_bits_is_refused() {
        for shift in [8, 16, 32, 48, 63] {
            let high = usize::try_from(1u64 << shift).unwrap_or(usize::MAX - 3);
            assert_order_refused(&[high, 1, 2, 3]);
            assert_order_refused(&[0, 1, 2, high + 3]);
        }
    }

    #[test]
    fn a_bound_under_an_open_window_is_refused() {
        for bound in [at_least(7.0), at_most(7.0)] {
            let expected = SearchError::BoundUnderOpenWindow { class: 2, value: 7.0 };
            let message = "class 2 was decided with an open window, but only bounded by 7";
            let decide = |class, _| if class == 2 { bound } else { exact(0.0) };
            assert_error(&error(OPEN, &mut Script::new(decide)), &expected, message);
            // Under a finite window the first bound is legal, but does not settle the node.
            let mut policy = Script::new(decide);
            assert_error(&error(FULL, &mut policy), &expected, message);
            assert_eq!(policy.decided(), [0, 1, 2, 2]);
            assert_eq!(policy.windows()[3], OPEN);
        }
    }

    #[test]
    fn an_exact_value_outside_the_declared_range_is_refused() {
        for (value, text) in [
            (1000.0_f64.next_up(), "1000.0000000000001"),
            ((-1000.0_f64).next_down(), "-1000.0000000000001"),
            (INF, "inf"),
            (-INF, "-inf"),
            (f64::NAN, "NaN"),
        ] {
            let expected = SearchError::ValueOutOfRange { value, lowest: -1000.0, highest: 1000.0 };
            let message = format!("the value {text} is outside the policy's range -1000..=1000");
            let decide = |class, _| if class == 3 { exact(value) } else { exact(0.0) };
            assert_error(&error(OPEN, &mut Script::new(decide)), &expected, &message);
            assert_error(&error(FULL, &mut Script::new(decide)), &expected, &message);
            let searched_again = |_, window| if window == OPEN { exact(value) } else { at_most(1000.0) };
            assert_error(&error(FULL, &mut Script::new(searched_again)), &expected, &message);
            let probes = [exact(0.0), exact(value), exact(0.0), exact(0.0)];
            assert_error(&error(FULL, &mut Script::constant(0.0).probing(probes)), &expected, &message);
        }
        for edge in [-1000.0, 1000.0] {
            let outcome = minimize(FULL, &mut Script::constant(edge)).outcome;
            assert_eq!(outcome.exact(), Some(edge), "the ends belong to the range");
        }
    }

    #[test]
    fn an_error_of_the_policy_is_passed_on() {
        let mut policy = Script::constant(0.0);
        policy.decide = Box::new(|_, _| Err(SearchError::CandidateLimit(77)));
        assert_eq!(error(OPEN, &mut policy), SearchError::CandidateLimit(77));
        assert_eq!(error(FULL, &mut policy), SearchError::CandidateLimit(77));
        let mut policy = Script::constant(0.0);
        policy.probe = Box::new(|| Err(SearchError::CandidateLimit(78)));
        assert_eq!(error(FULL, &mut policy), SearchError::CandidateLimit(78));
        assert_eq!(policy.decided(), []);
    }
}

mod ties {
    use super::*;

    /// A decision that answers with its exact value, or fail-soft with a tight bound.
    fn fail_soft(values: [f64; 4]) -> impl FnMut(usize, (f64, f64)) -> Value {
        move |class, (alpha, beta)| match values[class] {
            value if value < alpha => at_most(value),
            value if value > beta => at_least(value),
            value => exact(value),
        }
    }

    #[test]
    fn the_declared_range_cuts_one_ulp_outside_and_not_on_the_edge() {
        let policy = || Script::constant(7.0).in_range(7.0, 7.0).opted_out();
        for window in [(7.0, INF), (-INF, 7.0), (7.0, 7.0)] {
            assert_eq!(minimize(window, &mut policy()).outcome.exact(), Some(7.0));
        }
        let low = minimize((7.0_f64.next_up(), INF), &mut policy());
        assert_eq!(low.outcome, SearchOutcome::UpperBound { value: 7.0, work_used: 0 });
        let high = minimize((-INF, 7.0_f64.next_down()), &mut policy());
        assert_eq!(high.outcome, SearchOutcome::LowerBound { value: 7.0, work_used: 0 });
        assert_eq!((low.classes_resolved, high.classes_resolved), (0, 0));
    }

    #[test]
    fn probes_cut_one_ulp_outside_and_not_on_the_edge() {
        let values = [3.0, -5.0, 11.0, 2.0];
        let sum = mean(values);
        let minimizing = || Script::values(values).probing(values.map(at_most));
        let maximizing = || Script::values(values).probing(values.map(at_least));
        assert_eq!(minimize((sum, INF), &mut minimizing()).outcome.exact(), Some(sum));
        assert_eq!(maximize((-INF, sum), &mut maximizing()).outcome.exact(), Some(sum));
        let low = minimize((sum.next_up(), INF), &mut minimizing());
        assert_eq!(low.outcome, SearchOutcome::UpperBound { value: sum, work_used: 0 });
        let high = maximize((-INF, sum.next_down()), &mut maximizing());
        assert_eq!(high.outcome, SearchOutcome::LowerBound { value: sum, work_used: 0 });
        assert!(low.probe_pruned && high.probe_pruned);
    }

    #[test]
    fn a_childs_bound_cuts_one_ulp_outside_and_is_searched_again_on_the_edge() {
        let open_calls = |policy: &Script<'_>| policy.windows().iter().filter(|&&w| w == OPEN).count();
        // The first class at its bound and the rest at the end of the range: all that the bound alone can prove.
        let bounded = |bound, values: [f64; 4]| {
            let decide = move |class, window| match (class, window == OPEN) {
                (0, false) => bound,
                _ => exact(values[class]),
            };
            Script::new(decide).opted_out()
        };

        let values = [-400.0, 1000.0, 1000.0, 1000.0];
        let low = mean(values);
        let mut policy = bounded(at_most(-400.0), values);
        assert_eq!(minimize((low, INF), &mut policy).outcome.exact(), Some(low));
        assert_eq!(open_calls(&policy), 1);
        let mut policy = bounded(at_most(-400.0), values);
        let result = minimize((low.next_up(), INF), &mut policy);
        assert_eq!(result.outcome, SearchOutcome::UpperBound { value: low, work_used: 0 });
        assert_eq!((result.classes_resolved, policy.decided()), (0, vec![0]));

        let values = [400.0, -1000.0, -1000.0, -1000.0];
        let high = mean(values);
        let mut policy = bounded(at_least(400.0), values);
        assert_eq!(minimize((-INF, high), &mut policy).outcome.exact(), Some(high));
        assert_eq!(open_calls(&policy), 1);
        let mut policy = bounded(at_least(400.0), values);
        let result = minimize((-INF, high.next_down()), &mut policy);
        assert_eq!(result.outcome, SearchOutcome::LowerBound { value: high, work_used: 0 });
        assert_eq!((result.classes_resolved, policy.decided()), (0, vec![0]));
    }

    #[test]
    fn equal_rationals_never_cut_each_other_however_their_quotient_was_rounded() {
        let mut rounded_up = 0;
        for numerator in -1000..=1000 {
            let numerator = f64::from(numerator);
            let quotient = numerator / 216.0;
            rounded_up += usize::from(216.0 * quotient > numerator);
            // The same rational from other values: 75 − 5 · 15 is 0.
            for values in [[0.0, 0.0, 0.0, numerator], [0.0, 1.0, -5.0, numerator]] {
                for window in [(quotient, quotient), (quotient, INF), (-INF, quotient)] {
                    for policy in [
                        Script::values(values),
                        Script::values(values).opted_out(),
                        Script::new(fail_soft(values)).opted_out(),
                        Script::new(fail_soft(values)).probing(values.map(at_most)),
                        Script::new(fail_soft(values)).probing(values.map(at_least)),
                    ] {
                        let mut policy = policy;
                        let outcome = minimize(window, &mut policy).outcome;
                        assert_eq!(outcome.exact(), Some(quotient), "{numerator} {window:?}");
                        let outcome = maximize(window, &mut policy).outcome;
                        assert_eq!(outcome.exact(), Some(quotient), "{numerator} {window:?}");
                    }
                }
            }
        }
        assert!(rounded_up > 100, "the trap was there: {rounded_up}");
    }
}

mod windows {
    use super::*;

    const LOSS: f64 = -1e9;
    const WIN: f64 = 10_001.0;

    #[test]
    fn a_childs_window_is_the_nodes_on_the_childs_own_scale() {
        let mut policy = Script::values([10.0, 20.0, 30.0, 40.0]).opted_out();
        minimize((0.0, 50.0), &mut policy);
        let found = policy.windows();
        // What the classes before have settled and those after can still be worth.
        let settled = [0.0, 1250.0, 2750.0, 3200.0];
        let after = [91.0, 16.0, 1.0, 0.0];
        for class in 0..4 {
            let share = |bound: f64, end: f64| {
                ((216.0 * bound - settled[class] - after[class] * end) / WEIGHTS[class]).clamp(LOSS, WIN)
            };
            assert_eq!(found[class], (share(0.0, 1000.0), share(50.0, -1000.0)), "class {class}");
        }
    }

    #[test]
    fn a_side_of_the_window_that_is_open_stays_open_for_the_children() {
        let mut policy = Script::constant(0.0).opted_out();
        minimize((-1000.0, INF), &mut policy);
        assert!(policy.windows().iter().all(|&(alpha, beta)| alpha.is_finite() && beta == INF));
        let mut policy = Script::constant(0.0).opted_out();
        minimize((-INF, 1000.0), &mut policy);
        assert!(policy.windows().iter().all(|&(alpha, beta)| alpha == -INF && beta.is_finite()));
    }

    #[test]
    fn a_window_clamped_to_the_scale_is_not_taken_for_a_cutoff() {
        // Each class alone could be anything on the scale: the shares of the window lie far outside and are clamped.
        for (edge, window) in
            [(LOSS, (LOSS, INF)), (WIN, (-INF, WIN)), (LOSS, (LOSS, WIN)), (WIN, (LOSS, WIN))]
        {
            for run in [minimize, maximize] {
                let mut policy = Script::constant(edge).in_range(LOSS, WIN).opted_out();
                let result = run(window, &mut policy);
                assert_eq!(result.outcome.exact(), Some(edge), "{window:?}");
                assert_eq!(policy.decided(), [0, 1, 2, 3]);
            }
        }
        // The same for one class at the edge while the node lies inside its window.
        let values = [0.0, 0.0, 0.0, LOSS];
        let mut policy = Script::values(values).in_range(LOSS, WIN).opted_out();
        assert_eq!(minimize((LOSS / 2.0, WIN), &mut policy).outcome.exact(), Some(mean(values)));
    }

    #[test]
    fn a_bound_at_the_edge_of_a_clamped_window_is_searched_again() {
        // Sound, since the value is the edge, and at the edge of the child's window; but the node's window is far away.
        for (edge, bound, window) in [(LOSS, at_most(LOSS), (LOSS, INF)), (WIN, at_least(WIN), (-INF, WIN))] {
            let decide = move |_, window| if window == OPEN { exact(edge) } else { bound };
            let mut policy = Script::new(decide).in_range(LOSS, WIN).opted_out();
            let result = minimize(window, &mut policy);
            assert_eq!(result.outcome.exact(), Some(edge));
            assert_eq!(policy.decided(), [0, 0, 1, 1, 2, 2, 3, 3]);
            assert!(policy.windows().iter().step_by(2).all(|&(alpha, beta)| alpha == edge || beta == edge));
        }
    }

    #[test]
    fn a_bound_inside_the_window_is_searched_again_and_never_joins_the_expectation() {
        for bound in [at_most(999.0), at_least(-999.0)] {
            let decide = move |class, window| match (class, window == OPEN) {
                (1, false) => bound,
                _ => exact(3.0),
            };
            let mut policy = Script::new(decide).opted_out();
            let result = minimize(FULL, &mut policy);
            assert_eq!((result.outcome.exact(), result.classes_resolved), (Some(3.0), 4));
            assert_eq!(policy.decided(), [0, 1, 1, 2, 3]);
            assert_eq!(policy.windows()[2], OPEN);
        }
    }
}

mod outcomes {
    use super::*;

    const ALL: [SearchOutcome<i32>; 4] = [
        SearchOutcome::Exact { value: 3, work_used: 1 },
        SearchOutcome::LowerBound { value: 3, work_used: 2 },
        SearchOutcome::UpperBound { value: 3, work_used: 3 },
        SearchOutcome::Incomplete { work_used: 4 },
    ];

    #[test]
    fn only_an_incomplete_outcome_has_no_value_and_only_an_exact_one_is_exact() {
        assert_eq!(ALL.map(SearchOutcome::value), [Some(3), Some(3), Some(3), None]);
        assert_eq!(ALL.map(SearchOutcome::exact), [Some(3), None, None, None]);
        assert_eq!(ALL.map(|outcome| outcome.is_exact()), [true, false, false, false]);
        assert_eq!(ALL.map(|outcome| outcome.work_used()), [1, 2, 3, 4]);
    }

    #[test]
    fn map_keeps_the_kind_and_map_reversing_swaps_the_bounds() {
        assert_eq!(
            ALL.map(|outcome| outcome.map(|value| f64::from(value) + 0.5)),
            [
                SearchOutcome::Exact { value: 3.5, work_used: 1 },
                SearchOutcome::LowerBound { value: 3.5, work_used: 2 },
                SearchOutcome::UpperBound { value: 3.5, work_used: 3 },
                SearchOutcome::Incomplete { work_used: 4 },
            ]
        );
        assert_eq!(
            ALL.map(|outcome| outcome.map_reversing(|value: i32| -value)),
            [
                SearchOutcome::Exact { value: -3, work_used: 1 },
                SearchOutcome::UpperBound { value: -3, work_used: 2 },
                SearchOutcome::LowerBound { value: -3, work_used: 3 },
                SearchOutcome::Incomplete { work_used: 4 },
            ]
        );
        let twice = |outcome: SearchOutcome<i32>| outcome.map_reversing(|v| -v).map_reversing(|v| -v);
        assert_eq!(ALL.map(twice), ALL);
    }

    #[test]
    fn a_rules_query_is_exact_or_incomplete_and_never_a_bound() {
        let budget = Budget::new(5);
        budget.charge(2).unwrap();
        let done = SearchOutcome::from_rules(Ok(7), &budget);
        assert_eq!(done, SearchOutcome::Exact { value: 7, work_used: 2 });
        let refused = budget.charge(9).map(|()| 7);
        assert_eq!(SearchOutcome::from_rules(refused, &budget), SearchOutcome::Incomplete { work_used: 5 });
    }
}

mod scale {
    use super::*;

    fn refused(scale: [f64; 4]) -> bool {
        let [loss, min, max, win] = scale;
        match UtilityBounds::new(Color::White, loss, min, max, win) {
            Ok(_) => false,
            Err(error) => {
                let message =
                    format!("utility scale must be finite with loss < min <= max < win, not {scale:?}");
                assert_error(&error, &SearchError::UtilityScale { scale }, &message);
                true
            }
        }
    }

    #[test]
    fn each_inequality_of_the_scale_is_enforced() {
        assert!(!refused([-2.0, -1.0, 1.0, 2.0]));
        assert!(!refused([-2.0, 0.0, 0.0, 2.0]), "one non-terminal value is enough");
        assert!(refused([-1.0, -1.0, 1.0, 2.0]), "loss = min");
        assert!(refused([-0.5, -1.0, 1.0, 2.0]), "loss > min");
        assert!(refused([-2.0, 1.0, 1.0_f64.next_down(), 2.0]), "min > max");
        assert!(refused([-2.0, -1.0, 2.0, 2.0]), "max = win");
        assert!(refused([-2.0, -1.0, 3.0, 2.0]), "max > win");
        for place in 0..4 {
            for value in [f64::NAN, INF, -INF] {
                let mut scale = [-2.0, -1.0, 1.0, 2.0];
                scale[place] = value;
                assert!(refused(scale), "{scale:?}");
            }
        }
    }

    #[test]
    fn the_perspective_maximises_and_its_opponent_minimises() {
        for perspective in Color::ALL {
            let own = UtilityBounds::new(perspective, -4.0, -1.0, 2.0, 3.0).unwrap();
            assert_eq!(own.perspective(), perspective);
            assert_eq!(
                [own.terminal_loss(), own.min_non_terminal(), own.max_non_terminal(), own.terminal_win()],
                [-4.0, -1.0, 2.0, 3.0]
            );
            assert!(own.is_maximizing(perspective) && !own.is_maximizing(!perspective));
            assert_eq!((own.terminal(perspective), own.terminal(!perspective)), (3.0, -4.0));
            let built_in = UtilityBounds::new(perspective, -1e9, -10_000.0, 10_000.0, 10_001.0);
            assert_eq!(built_in.unwrap(), UtilityBounds::expectimax(perspective));
        }
    }
}
