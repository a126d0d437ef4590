//! Properties of the chance node under random windows, visiting orders, policies and budgets: what it says is the truth, a
//! strict proven bound, or nothing.
//!
//! The policies know the true value of each class, from the oracle or invented, so that many cases are cheap. A few seconds
//! in all; `PROPTEST_CASES=2560` makes the cases tenfold.

mod oracle;
mod playout;

use std::fmt;
use std::sync::LazyLock;

use dicechess_native::board::{Color, Position};
use dicechess_native::rules::{Budget, WeightedRoll, partition};
use dicechess_native::search::chance_node::{ChanceResult, Policy, Value, expand, expand_in_order};
use dicechess_native::search::{SearchControl, SearchError, SearchOutcome, UtilityBounds};
use oracle::{Kind, Reply, State, chance_numerator, ordered_rolls};
use playout::{Choices, engine_position, estimated_sequences_of_all_rolls, random_state};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::FileFailurePersistence;

const INF: f64 = f64::INFINITY;
const OPEN: (f64, f64) = (-INF, INF);
const LOSS: f64 = -1e9;
const WIN: f64 = 10_001.0;

/// The fixtures of the seeds, the mandatory knight, the sparse ending, and middlegames with all piece types.
const FIXTURES: [&str; 13] = [
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "k7/4P3/8/8/8/8/8/4K3 w - - 0 1",
    "k7/8/4P3/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/p7/P7/R3K3 w - - 0 1",
    "8/8/8/2k5/8/1N6/2P5/K7 w - - 0 1",
    "4k3/8/8/8/8/8/P6P/4K3 w - - 0 1",
    "4k3/8/8/8/3r4/2P5/8/4K3 b - - 0 1",
    "n6k/8/3P4/P7/8/8/8/7K b - - 0 1",
    "k7/8/8/8/8/8/8/R3K3 w - - 0 1",
    "7k/8/8/8/8/8/r2P4/3K4 w - - 0 1",
    "r3k2r/8/8/1B6/8/8/8/4K3 b kq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 3",
    "r1bqkbnr/pppp1ppp/2n5/4N3/2B1P3/3P4/PPP2PPP/RNBQK2R b KQkq - 0 3",
];

/// `of_256` cases for each 256 of `PROPTEST_CASES`, which are its default.
fn cases(of_256: u64) -> ProptestConfig {
    let default = ProptestConfig::default();
    let cases = (u64::from(default.cases) * of_256).div_ceil(256);
    ProptestConfig {
        cases: u32::try_from(cases).unwrap_or(u32::MAX),
        max_shrink_iters: 100_000,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(
            "proptest-regressions/chance_node_properties.txt",
        ))),
        ..default
    }
}

/// A class's true value, and whether the perspective's king is lost in it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Truth {
    value: f64,
    lost: bool,
}

/// A chance node whose classes have known values.
#[derive(Clone)]
struct Node {
    position: Position,
    perspective: Color,
    truths: Vec<Truth>,
    lowest: f64,
    highest: f64,
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values: Vec<f64> = self.truths.iter().map(|truth| truth.value).collect();
        write!(f, "{} for {:?}: {values:?}", self.position, self.perspective)
    }
}

impl Node {
    /// The node one ply above the oracle's evaluation, with the expectation and the loss over the 216 ordered rolls.
    fn by_the_oracle(state: &State, perspective: Color) -> (Self, i64, bool) {
        let position = engine_position(state);
        let view = match perspective {
            Color::White => oracle::Color::White,
            Color::Black => oracle::Color::Black,
        };
        let maximizes = position.side_to_move() == perspective;
        let truths = partition(&position).iter().map(|class| {
            let value = match state.reply(&dice(class)) {
                Reply::TakesKing if maximizes => WIN,
                Reply::TakesKing => LOSS,
                Reply::Pass(after) => leaf(&after, view) as f64,
                Reply::Quiet(after) => {
                    let values = after.iter().map(|after| leaf(after, view));
                    (if maximizes { values.max() } else { values.min() }).unwrap() as f64
                }
            };
            Truth { value, lost: value == LOSS }
        });
        let (lowest, highest) = if maximizes { (-10_000.0, WIN) } else { (LOSS, 10_000.0) };
        let node = Self { position, perspective, truths: truths.collect(), lowest, highest };
        let takes_king = |roll: &[Kind; 3]| matches!(state.reply(roll), Reply::TakesKing);
        let lost = !maximizes && ordered_rolls().iter().any(takes_king);
        (node, chance_numerator(state, 1, view, &leaf), lost)
    }

    fn bounds(&self) -> UtilityBounds {
        UtilityBounds::expectimax(self.perspective)
    }

    fn maximizes(&self) -> bool {
        self.bounds().is_maximizing(self.position.side_to_move())
    }

    /// The weighted sum in class order, divided once.
    fn expectation(&self) -> f64 {
        let classes = partition(&self.position).iter();
        let weighted = classes.zip(&self.truths).map(|(class, truth)| f64::from(class.weight) * truth.value);
        weighted.sum::<f64>() / 216.0
    }

    fn is_lost(&self) -> bool {
        self.truths.iter().any(|truth| truth.lost)
    }
}

fn dice(class: &WeightedRoll) -> Vec<Kind> {
    class.roll.to_string().chars().map(|letter| Kind::from_letter(letter).unwrap()).collect()
}

/// Material, and where the pieces stand.
fn leaf(state: &State, view: oracle::Color) -> i64 {
    let places = |side| {
        let squares = (0..64).filter(|&at| state.board[at].is_some_and(|(color, _)| color == side));
        squares.map(|at| at as i64 % 13).sum::<i64>()
    };
    oracle::saturated(oracle::material(state, view) + places(view) - places(view.other()))
}

/// Each fixture from either perspective.
static NODES: LazyLock<Vec<(Node, i64, bool)>> = LazyLock::new(|| {
    let states = FIXTURES.map(|dfen| State::parse(dfen).unwrap());
    states
        .iter()
        .flat_map(|state| Color::ALL.map(|perspective| Node::by_the_oracle(state, perspective)))
        .collect()
});

/// A policy that knows the truth, and says of it what the choices decide: always sound, and fail-soft where it likes.
struct Sound<'n> {
    node: &'n Node,
    order: &'n [usize],
    choices: Choices<'n>,
    manner: Manner,
    probes: Vec<Value>,
    settled: u64,
    calls: Calls,
}

#[derive(Clone, Copy, Debug)]
struct Manner {
    probing: bool,
    /// Answers with bounds at the truth, and only outside the window; else with looser ones and inside it too.
    tight: bool,
    /// Answers exactly although its budget was refused.
    careless: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Calls {
    probes: usize,
    decisions: usize,
    open: usize,
    /// Decisions whose window had its ends the wrong way round.
    inverted: usize,
}

impl<'n> Sound<'n> {
    fn new(node: &'n Node, order: &'n [usize], bytes: &'n [u8], manner: Manner) -> Self {
        let (choices, calls) = (Choices::new(bytes), Calls::default());
        Self { node, order, choices, manner, probes: vec![], settled: 0, calls }
    }

    /// A distance that a bound may have from the truth.
    fn slack(&mut self) -> f64 {
        if self.manner.tight {
            return 0.0;
        }
        match self.choices.below(6) {
            0 => 0.0,
            1 => 1.0 / 216.0,
            2 => self.choices.below(1000) as f64,
            3 => 0.1 * self.choices.below(1000) as f64,
            4 => 20_000.0,
            _ => 2e9,
        }
    }

    fn at_most(&mut self, truth: Truth, control: &SearchControl<'_>) -> Value {
        let bound = (truth.value + self.slack()).min(self.node.highest);
        Value::upper_bound(bound, control).tainted_if(truth.lost)
    }

    fn at_least(&mut self, truth: Truth, control: &SearchControl<'_>) -> Value {
        let bound = (truth.value - self.slack()).max(self.node.lowest);
        Value::lower_bound(bound, control).tainted_if(truth.lost)
    }

    fn exact(truth: Truth, control: &SearchControl<'_>) -> Value {
        Value::exact(truth.value, control).tainted_if(truth.lost)
    }

    /// Charges the control's budget; `false` when the policy has to say that it did not finish.
    fn charge(&mut self, control: &SearchControl<'_>) -> bool {
        let units = self.choices.below(4) as u64;
        control.budget().is_none_or(|budget| budget.charge(units).is_ok()) || self.manner.careless
    }

    fn probe_of(&mut self, class: usize, control: &SearchControl<'_>) -> Value {
        let truth = self.node.truths[class];
        if !self.charge(control) {
            return Value::incomplete(control);
        }
        match self.choices.below(4) {
            0 => {
                self.settled |= 1 << class;
                Self::exact(truth, control)
            }
            // The wrong way: may be anything.
            1 if !self.manner.tight => {
                let value = 10_000.0 - self.choices.below(20_000) as f64;
                if self.node.maximizes() {
                    Value::upper_bound(value, control)
                } else {
                    Value::lower_bound(value, control)
                }
            }
            _ if self.node.maximizes() => self.at_least(truth, control),
            _ => self.at_most(truth, control),
        }
    }
}

impl Policy for Sound<'_> {
    fn lowest_value(&self) -> f64 {
        self.node.lowest
    }

    fn highest_value(&self) -> f64 {
        self.node.highest
    }

    fn probing_enabled(&self) -> bool {
        self.manner.probing
    }

    fn probe(
        &mut self,
        rolled: &[Position],
        control: &SearchControl<'_>,
    ) -> Result<Option<&[Value]>, SearchError> {
        self.calls.probes += 1;
        assert_eq!((self.calls.probes, self.calls.decisions), (1, 0));
        for (position, &class) in rolled.iter().zip(self.order) {
            assert_rolled(self.node, position, class);
        }
        if self.choices.one_in(8) {
            return Ok(None);
        }
        for &class in self.order {
            let probe = self.probe_of(class, control);
            self.probes.push(probe);
        }
        Ok(Some(&self.probes))
    }

    fn decide(
        &mut self,
        rolled: &Position,
        class: usize,
        alpha: f64,
        beta: f64,
        control: &SearchControl<'_>,
    ) -> Result<Value, SearchError> {
        self.calls.decisions += 1;
        assert_rolled(self.node, rolled, class);
        assert_eq!(self.settled >> class & 1, 0, "settled by its probe");
        self.calls.inverted += usize::from(alpha > beta);
        assert!([alpha, beta].iter().all(|&edge| edge.is_infinite() || (LOSS..=WIN).contains(&edge)));
        if !self.charge(control) {
            return Ok(Value::incomplete(control));
        }
        let truth = self.node.truths[class];
        if (alpha, beta) == OPEN {
            self.calls.open += 1;
            return Ok(Self::exact(truth, control));
        }
        let answers_loosely = !self.manner.tight && self.choices.one_in(4);
        Ok(match truth.value {
            value if value < alpha && !self.choices.one_in(4) => self.at_most(truth, control),
            value if value > beta && !self.choices.one_in(4) => self.at_least(truth, control),
            _ if answers_loosely && self.choices.one_in(2) => self.at_most(truth, control),
            _ if answers_loosely => self.at_least(truth, control),
            _ => Self::exact(truth, control),
        })
    }
}

fn assert_rolled(node: &Node, rolled: &Position, class: usize) {
    assert_eq!(*rolled, node.position.with_dice(partition(&node.position)[class].roll.pool()));
}

fn run(
    node: &Node,
    window: (f64, f64),
    order: &[usize],
    bytes: &[u8],
    manner: Manner,
    control: &SearchControl<'_>,
) -> (ChanceResult, Calls) {
    let mut policy = Sound::new(node, order, bytes, manner);
    let result = expand_in_order(&node.position, &node.bounds(), control, window, &mut policy, order);
    (result.unwrap(), policy.calls)
}

/// The truth bit for bit, or a sound bound strictly outside the window.
fn assert_sound(result: &ChanceResult, node: &Node, (alpha, beta): (f64, f64)) {
    let truth = node.expectation();
    assert_eq!(result.classes, node.truths.len());
    match result.outcome {
        SearchOutcome::Exact { value, .. } => {
            assert_eq!(value.to_bits(), truth.to_bits(), "{value} is not {truth}");
            assert_eq!(result.classes_resolved, result.classes);
            assert_eq!(result.loss_tainted, node.is_lost());
            assert!(!result.probe_pruned);
        }
        SearchOutcome::UpperBound { value, .. } => assert!(truth <= value && value < alpha, "{result:?}"),
        SearchOutcome::LowerBound { value, .. } => assert!(truth >= value && value > beta, "{result:?}"),
        SearchOutcome::Incomplete { .. } => panic!("{result:?}"),
    }
    assert!(node.is_lost() || !result.loss_tainted);
}

/// An edge of a window: infinite, the expectation or next to it, around it, a value of a class, an end of the scale.
#[derive(Clone, Copy, Debug)]
enum Edge {
    Infinite,
    Ulps(i8),
    Near(i16),
    Halves(i16),
    Class(Index),
    End(bool),
    Numerator(i16),
}

impl Edge {
    fn of(self, node: &Node, infinity: f64) -> f64 {
        let truth = node.expectation();
        match self {
            Self::Infinite => infinity,
            Self::Ulps(0) => truth,
            Self::Ulps(steps @ 1..) => (0..steps).fold(truth, |edge, _| edge.next_up()),
            Self::Ulps(steps) => (steps..0).fold(truth, |edge, _| edge.next_down()),
            Self::Near(distance) => truth.round() + f64::from(distance),
            Self::Halves(distance) => truth.round() + f64::from(distance) / 2.0,
            Self::Class(index) => node.truths[index.index(node.truths.len())].value,
            Self::End(highest) => {
                if highest {
                    node.highest
                } else {
                    node.lowest
                }
            }
            Self::Numerator(distance) => truth + f64::from(distance) / 216.0,
        }
    }
}

fn edges() -> impl Strategy<Value = Edge> {
    prop_oneof![
        2 => Just(Edge::Infinite),
        3 => (-2i8..=2).prop_map(Edge::Ulps),
        2 => (-30i16..=30).prop_map(Edge::Near),
        2 => any::<i16>().prop_map(Edge::Near),
        1 => (-300i16..=300).prop_map(Edge::Halves),
        2 => any::<Index>().prop_map(Edge::Class),
        1 => any::<bool>().prop_map(Edge::End),
        1 => (-300i16..=300).prop_map(Edge::Numerator),
    ]
}

/// An ordered window on this node's scale.
fn window_of(node: &Node, (one, other): (Edge, Edge)) -> (f64, f64) {
    let (alpha, beta) = (one.of(node, -INF), other.of(node, INF));
    if alpha <= beta { (alpha, beta) } else { (beta, alpha) }
}

/// Classes in the order of some random keys.
fn order_of(node: &Node, keys: &[u8]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..node.truths.len()).collect();
    order.sort_by_key(|&class| keys.get(class));
    order
}

/// How the classes of a fixture get their values.
#[derive(Clone, Copy, Debug)]
enum Values {
    Oracle,
    Integers,
    Fractions,
    /// All parts of the scale at once, so that sums round.
    Wild,
}

fn invent(node: &mut Node, values: Values, bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let (lowest, highest) = (node.lowest, node.highest);
    for truth in &mut node.truths {
        let number = choices.below(20_001) as f64 - 10_000.0;
        let value = match values {
            Values::Oracle => continue,
            Values::Integers => number,
            Values::Fractions => number / 7.0,
            Values::Wild => match choices.below(4) {
                0 => lowest,
                1 => highest,
                2 => number / 3.0,
                _ => number * 1e-13,
            },
        };
        *truth = Truth { value, lost: value == LOSS };
    }
}

fn values() -> impl Strategy<Value = Values> {
    select(&[Values::Oracle, Values::Oracle, Values::Integers, Values::Fractions, Values::Wild][..])
}

fn nodes() -> impl Strategy<Value = Node> {
    (any::<Index>(), values(), vec(any::<u8>(), 0..256)).prop_map(|(index, values, bytes)| {
        let mut node = NODES[index.index(NODES.len())].0.clone();
        invent(&mut node, values, &bytes);
        node
    })
}

fn manners() -> impl Strategy<Value = Manner> {
    any::<[bool; 3]>().prop_map(|[probing, tight, careless]| Manner { probing, tight, careless })
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..300)
}

fn keys() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..=56)
}

/// A small position of a game that is not over, which is cheap for the oracle.
fn small_states() -> impl Strategy<Value = State> {
    vec(any::<u8>(), 0..48).prop_map(|bytes| random_state(&mut Choices::new(&bytes))).prop_filter(
        "both kings and few sequences",
        |state| {
            let has_king = |side| state.has((side, Kind::King));
            has_king(oracle::Color::White)
                && has_king(oracle::Color::Black)
                && estimated_sequences_of_all_rolls(state) <= 12_000
        },
    )
}

/// Exact decisions under an open window, in class order.
struct Plain<'n>(&'n Node);

impl Policy for Plain<'_> {
    fn lowest_value(&self) -> f64 {
        self.0.lowest
    }

    fn highest_value(&self) -> f64 {
        self.0.highest
    }

    fn decide(
        &mut self,
        _rolled: &Position,
        class: usize,
        _alpha: f64,
        _beta: f64,
        control: &SearchControl<'_>,
    ) -> Result<Value, SearchError> {
        Ok(Sound::exact(self.0.truths[class], control))
    }
}

/// The mechanism's expectation is the oracle's over the 216 ordered rolls, and so is the taint.
fn assert_equals_the_oracle((node, numerator, lost): &(Node, i64, bool)) {
    let control = SearchControl::unbounded();
    let result = expand(&node.position, &node.bounds(), &control, OPEN, &mut Plain(node)).unwrap();
    let truth = *numerator as f64 / 216.0;
    assert_eq!(result.outcome.exact().map(f64::to_bits), Some(truth.to_bits()), "{}", node.position);
    assert_eq!(node.expectation().to_bits(), truth.to_bits());
    assert_eq!((result.loss_tainted, node.is_lost()), (*lost, *lost), "{}", node.position);
}

#[test]
fn the_fixtures_have_the_oracles_expectation_and_taint() {
    assert_eq!(NODES.len(), 2 * FIXTURES.len());
    NODES.iter().for_each(assert_equals_the_oracle);
    assert!(NODES.iter().any(|(_, _, lost)| *lost) && NODES.iter().any(|(_, _, lost)| !*lost));
}

proptest! {
    #![proptest_config(cases(6144))]

    #[test]
    fn every_outcome_is_the_truth_or_a_strict_proven_bound(
        node in nodes(), edges in (edges(), edges()), keys in keys(), bytes in bytes(), manner in manners(),
    ) {
        let (window, order) = (window_of(&node, edges), order_of(&node, &keys));
        let (result, calls) = run(&node, window, &order, &bytes, manner, &SearchControl::unbounded());
        assert_sound(&result, &node, window);
        prop_assert_eq!(result.construction.probed, calls.probes == 1);
        prop_assert!(!result.probe_pruned || calls.probes == 1 && calls.decisions == 0);
        let own_side = if node.maximizes() { window.1 } else { window.0 };
        prop_assert_eq!(calls.probes == 1, manner.probing && own_side.is_finite());
    }

    #[test]
    fn a_random_order_never_changes_an_exact_expectation(
        node in nodes(), edges in (edges(), edges()), keys in keys(), bytes in bytes(), manner in manners(),
    ) {
        let control = SearchControl::unbounded();
        let plain = expand(&node.position, &node.bounds(), &control, OPEN, &mut Plain(&node)).unwrap();
        let expected = plain.outcome.exact().unwrap();
        let order = order_of(&node, &keys);
        for window in [OPEN, (node.lowest, node.highest), window_of(&node, edges)] {
            let (result, _) = run(&node, window, &order, &bytes, manner, &control);
            match result.outcome.exact() {
                Some(value) => prop_assert_eq!(value.to_bits(), expected.to_bits()),
                None => prop_assert!(expected < window.0 || window.1 < expected),
            }
        }
    }

    #[test]
    fn the_windows_of_the_classes_are_ordered_like_the_nodes(
        node in nodes(), edges in (edges(), edges()), keys in keys(), bytes in bytes(), manner in manners(),
    ) {
        let (window, order) = (window_of(&node, edges), order_of(&node, &keys));
        let (_, calls) = run(&node, window, &order, &bytes, manner, &SearchControl::unbounded());
        prop_assert_eq!(calls.inverted, 0);
    }

    #[test]
    fn integer_classes_with_tight_bounds_are_never_searched_twice(
        index in any::<Index>(), invented in any::<bool>(), halves in any::<[i16; 2]>(),
        open in any::<[bool; 2]>(), keys in keys(), bytes in bytes(), probing in any::<bool>(),
    ) {
        let mut node = NODES[index.index(NODES.len())].0.clone();
        invent(&mut node, if invented { Values::Integers } else { Values::Oracle }, &bytes);
        let window = window_of(&node, (
            if open[0] { Edge::Infinite } else { Edge::Halves(halves[0]) },
            if open[1] { Edge::Infinite } else { Edge::Halves(halves[1]) },
        ));
        if window == OPEN {
            return Ok(());
        }
        let manner = Manner { probing, tight: true, careless: false };
        let order = order_of(&node, &keys);
        let (result, calls) = run(&node, window, &order, &bytes, manner, &SearchControl::unbounded());
        assert_sound(&result, &node, window);
        prop_assert_eq!(calls.open, 0);
    }

    #[test]
    fn a_budget_leaves_the_outcome_without_one_or_incomplete(
        node in nodes(), edges in (edges(), edges()), keys in keys(), bytes in bytes(), manner in manners(),
        limit in 0u64..240,
    ) {
        let (window, order) = (window_of(&node, edges), order_of(&node, &keys));
        let plenty = Budget::unlimited();
        let measured = SearchControl::unbounded().with_budget(&plenty);
        let (whole, whole_calls) = run(&node, window, &order, &bytes, manner, &measured);
        assert_sound(&whole, &node, window);
        for limit in [limit, plenty.used(), plenty.used().saturating_sub(1)] {
            let budget = Budget::new(limit);
            let control = SearchControl::unbounded().with_budget(&budget);
            let (result, calls) = run(&node, window, &order, &bytes, manner, &control);
            prop_assert_eq!(result.outcome.work_used(), budget.used());
            if limit >= plenty.used() {
                prop_assert_eq!((result, calls), (whole, whole_calls));
                prop_assert!(!budget.is_exhausted());
                continue;
            }
            prop_assert!(budget.is_exhausted());
            match result.outcome {
                SearchOutcome::Incomplete { work_used } => {
                    prop_assert_eq!(work_used, limit);
                    prop_assert!(result.classes_resolved <= whole.classes_resolved);
                }
                // A policy that finishes although it was refused may do so in the last decision.
                outcome => {
                    prop_assert!(manner.careless);
                    prop_assert_eq!(outcome.map(f64::to_bits).value(), whole.outcome.map(f64::to_bits).value());
                    prop_assert_eq!(calls, whole_calls);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(768))]

    #[test]
    fn small_positions_have_the_oracles_expectation_under_every_policy(
        state in small_states(), white in any::<bool>(), edges in (edges(), edges()), keys in keys(),
        bytes in bytes(), manner in manners(),
    ) {
        let perspective = if white { Color::White } else { Color::Black };
        let known = Node::by_the_oracle(&state, perspective);
        assert_equals_the_oracle(&known);
        let node = known.0;
        let (window, order) = (window_of(&node, edges), order_of(&node, &keys));
        let (result, _) = run(&node, window, &order, &bytes, manner, &SearchControl::unbounded());
        assert_sound(&result, &node, window);
    }
}
