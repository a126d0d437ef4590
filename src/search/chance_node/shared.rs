//! One chance node expanded by several threads, which take its classes one by one.
//!
//! Values are put together in class order and cuts are proven as on one thread, so an exact value is the same to the bit.
//! Which bound is proven first, and how much was looked at until then, depends on timing.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use super::expansion::{Expansion, Ranges, Start, Step, decide_open};
use super::order::class_order;
use super::{ChanceResult, MAX_CLASSES, Policy, Value, require_fresh};
use crate::board::Position;
use crate::rules::partition;
use crate::search::{SearchControl, SearchError, UtilityBounds};

/// How often a thread that waits for the others asks its control.
const POLL: Duration = Duration::from_micros(50);

/// A chance node that threads are expanding.
pub(in crate::search) struct Shared<'e> {
    /// The classes to decide, in this order, as many as are `open`.
    order: [usize; MAX_CLASSES],
    open: usize,
    state: Mutex<State<'e>>,
    /// Signalled when a thread has decided its class.
    decided: Condvar,
    /// Set when nothing is left to do: cancels what the other threads are deciding.
    stop: AtomicBool,
}

struct State<'e> {
    expansion: Expansion<'e>,
    ranges: Ranges,
    /// Place in the order of the next class to take.
    next: usize,
    /// Classes taken but not decided yet.
    outstanding: usize,
    /// How the node ended, if not by deciding all classes.
    end: Option<Result<ChanceResult, SearchError>>,
}

impl State<'_> {
    /// The index of the class to take next; `None` when none is left or the node has ended.
    fn next_class(&mut self, order: &[usize]) -> Option<usize> {
        order.get(self.next).copied().filter(|_| self.end.is_none())
    }
}

/// A class that a thread has taken.
struct Claim {
    index: usize,
    rolled: Position,
    window: (f64, f64),
}

/// As [`expand_least_promised_first`](super::expand_least_promised_first), with `helpers` more threads. Each runs `help`, which
/// calls [`Shared::work`] with a policy of its own and a control that has nothing but [`Shared::stop`]; what they return comes
/// along. `control` has no budget. Where the system has no thread left to give, there are fewer helpers, and the answer is the
/// same.
pub(in crate::search) fn expand_shared<T: Send>(
    after_turn: &Position,
    bounds: &UtilityBounds,
    control: &SearchControl<'_>,
    window: (f64, f64),
    policy: &mut impl Policy,
    helpers: usize,
    help: impl Fn(&Shared<'_>) -> T + Sync,
) -> Result<(ChanceResult, Vec<T>), SearchError> {
    require_fresh(after_turn)?;
    let classes = partition(after_turn);
    let mut expansion = Expansion::new(after_turn, classes, bounds, window, policy)?;
    if control.is_cancelled() {
        return Ok((expansion.incomplete(control), Vec::new()));
    }
    let ranges = match expansion.start(class_order(classes.len()), policy, control)? {
        Start::Done(result) => return Ok((result, Vec::new())),
        Start::Open(ranges) => ranges,
    };
    let (order, open) = expansion.least_promised_first(&ranges);
    let helpers = helpers.min(open - 1);
    let shared = Shared {
        order,
        open,
        state: Mutex::new(State { expansion, ranges, next: 0, outstanding: 0, end: None }),
        decided: Condvar::new(),
        stop: AtomicBool::new(false),
    };
    let helped = thread::scope(|scope| {
        let start = |_| thread::Builder::new().spawn_scoped(scope, || help(&shared)).ok();
        let helpers: Vec<_> = (0..helpers).map_while(start).collect();
        shared.work(policy, control);
        shared.await_others(control);
        let join =
            |helper: ScopedJoinHandle<'_, T>| helper.join().unwrap_or_else(|panic| resume_unwind(panic));
        helpers.into_iter().map(join).collect()
    });
    let state = shared.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    let result = state.end.unwrap_or_else(|| Ok(state.expansion.exact(control)))?;
    Ok((result, helped))
}

impl<'e> Shared<'e> {
    fn order(&self) -> &[usize] {
        &self.order[..self.open]
    }

    /// The flag that cancels a helper.
    pub(in crate::search) fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    /// Decides classes until none is left to take, or the node has ended.
    pub(in crate::search) fn work(&self, policy: &mut impl Policy, control: &SearchControl<'_>) {
        while let Some(claim) = self.claim(control) {
            let _returned = Returned(self);
            let (alpha, beta) = claim.window;
            let value = policy.decide(&claim.rolled, claim.index, alpha, beta, control);
            let step = value.and_then(|value| self.fold(&claim, value, control));
            let step = match step {
                Ok(Step::Reopen) => decide_open(&claim.rolled, claim.index, policy, control)
                    .and_then(|value| self.fold(&claim, value, control)),
                other => other,
            };
            self.conclude(step, control);
        }
    }

    /// The next class, and the window that what is known by now leaves for it. The control is asked when there is one.
    fn claim(&self, control: &SearchControl<'_>) -> Option<Claim> {
        self.lock().next_class(self.order())?;
        if control.is_cancelled() {
            self.conclude(Ok(Step::Incomplete), control);
        }
        let mut state = self.lock();
        let index = state.next_class(self.order())?;
        let State { expansion, ranges, next, outstanding, .. } = &mut *state;
        *next += 1;
        *outstanding += 1;
        Some(Claim { index, rolled: expansion.rolled(index), window: expansion.child_window(index, ranges) })
    }

    fn fold(&self, claim: &Claim, value: Value, control: &SearchControl<'_>) -> Result<Step, SearchError> {
        let State { expansion, ranges, .. } = &mut *self.lock();
        expansion.fold(claim.index, value, ranges, control)
    }

    /// Ends the node unless the step leaves it open. The first end counts: what is cancelled by it says nothing.
    fn conclude(&self, step: Result<Step, SearchError>, control: &SearchControl<'_>) {
        let mut state = self.lock();
        let end = match step {
            Ok(Step::Settled | Step::Reopen) => return,
            Ok(Step::Cut(outcome)) => Ok(state.expansion.result(outcome, false)),
            Ok(Step::Incomplete) => Ok(state.expansion.incomplete(control)),
            Err(error) => Err(error),
        };
        state.end.get_or_insert(end);
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Waits for the classes that others are deciding, for as long as the control allows.
    fn await_others(&self, control: &SearchControl<'_>) {
        let mut state = self.lock();
        while state.outstanding > 0 && state.end.is_none() {
            state = self.decided.wait_timeout(state, POLL).unwrap_or_else(PoisonError::into_inner).0;
            drop(state);
            if control.is_cancelled() {
                self.conclude(Ok(Step::Incomplete), control);
            }
            state = self.lock();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<'e>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Gives a class back, decided or not. A panic decides nothing, and ends the node.
struct Returned<'s, 'e>(&'s Shared<'e>);

impl Drop for Returned<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.conclude(Ok(Step::Incomplete), &SearchControl::unbounded());
        }
        self.0.lock().outstanding -= 1;
        self.0.decided.notify_all();
    }
}
