//! The chance node: the expectation over a roll that is not known yet ("Weighted Chance-Node Search").
//!
//! The mechanism owns what holds for every search: classes and weights, arithmetic, Star1 and Star2 cuts on proven bounds,
//! child windows, cancellation. A [`Policy`] owns what makes one search differ from another: how the decision after a roll is
//! valued, what a cheap probe can prove about it, and which range its values lie in.
//!
//! A consumer with a policy of its own:
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

mod expansion;
mod order;
mod replies;
mod shared;

pub use replies::Replies;

use expansion::Expansion;
use order::Order;
pub(super) use shared::{Shared, expand_shared};

use super::{SearchControl, SearchError, SearchOutcome, UtilityBounds};
use crate::board::{Color, Position};
use crate::rules::partition;

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

    /// One value for each rolled position, in their order, or nothing at all.
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

impl ChanceResult {
    /// The outcome and its taint alone.
    pub const fn value(&self) -> Value {
        Value { outcome: self.outcome, loss_tainted: self.loss_tainted }
    }
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
    expand_by(after_turn, bounds, control, window, policy, Order::ByClass)
}

/// [`expand`] with the classes decided first of which the probes promise least. The probes themselves are asked in class order.
pub(super) fn expand_least_promised_first(
    after_turn: &Position,
    bounds: &UtilityBounds,
    control: &SearchControl<'_>,
    window: (f64, f64),
    policy: &mut impl Policy,
) -> Result<ChanceResult, SearchError> {
    expand_by(after_turn, bounds, control, window, policy, Order::LeastPromisedFirst)
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
    expand_by(after_turn, bounds, control, window, policy, Order::Given(order))
}

fn expand_by(
    after_turn: &Position,
    bounds: &UtilityBounds,
    control: &SearchControl<'_>,
    window: (f64, f64),
    policy: &mut impl Policy,
    order: Order<'_>,
) -> Result<ChanceResult, SearchError> {
    require_fresh(after_turn)?;
    let classes = partition(after_turn);
    order.require_permutation(classes.len())?;
    Expansion::new(after_turn, classes, bounds, window, policy)?.run(order, policy, control)
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
