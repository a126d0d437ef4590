//! When a search must give up: its work budget, its deadline, a flag that another thread may set. The only module that
//! reads a clock.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use once_cell::sync::Lazy;

use crate::rules::Budget;

/// Nanoseconds on a monotonic clock whose origin is the first use in this process; never negative.
pub fn monotonic_nanos() -> i64 {
    static ORIGIN: Lazy<Instant> = Lazy::new(Instant::now);
    i64::try_from(ORIGIN.elapsed().as_nanos()).unwrap_or(i64::MAX)
}

/// The limits of one search call ("Bounded Search Outcomes", section 2).
///
/// Every check asks, in this order: the latch, the cancel flag, the budget, the clock. The first `true` latches: a search
/// never sees a cancelled control live again, whatever the clock does. The clock is compared with the deadline, never
/// subtracted, and never read when there is none.
///
/// Belongs to one call on one thread; only the cancel flag may be shared.
///
/// ```
/// use std::cell::Cell;
/// use dicechess_native::search::SearchControl;
/// // A clock that advances by one per read turns "the third check cancels" into an exact statement.
/// let now = Cell::new(0);
/// let clock = || { now.set(now.get() + 1); now.get() };
/// let control = SearchControl::unbounded().with_deadline(3).with_clock(&clock);
/// assert_eq!([control.is_cancelled(), control.is_cancelled(), control.is_cancelled()], [false, false, true]);
/// now.set(0);
/// assert!(control.is_cancelled());
/// ```
pub struct SearchControl<'a> {
    budget: Option<&'a Budget>,
    deadline_nanos: i64,
    clock_nanos: &'a dyn Fn() -> i64,
    cancel_flag: Option<&'a AtomicBool>,
    latch: Cell<bool>,
}

impl<'a> SearchControl<'a> {
    /// The deadline of a control that has none.
    pub const NO_DEADLINE: i64 = i64::MAX;

    /// No limit at all.
    pub fn unbounded() -> Self {
        Self {
            budget: None,
            deadline_nanos: Self::NO_DEADLINE,
            clock_nanos: &monotonic_nanos,
            cancel_flag: None,
            latch: Cell::new(false),
        }
    }

    /// With a budget that is shared by every query of the search.
    #[must_use]
    pub fn with_budget(self, budget: &'a Budget) -> Self {
        Self { budget: Some(budget), ..self }
    }

    /// With a deadline on the control's clock, in nanoseconds; [`Self::NO_DEADLINE`] is none.
    #[must_use]
    pub fn with_deadline(self, deadline_nanos: i64) -> Self {
        Self { deadline_nanos, ..self }
    }

    /// With another clock than [`monotonic_nanos`].
    #[must_use]
    pub fn with_clock(self, clock_nanos: &'a dyn Fn() -> i64) -> Self {
        Self { clock_nanos, ..self }
    }

    /// With a flag that cancels the search once it is set, from any thread.
    #[must_use]
    pub fn with_cancel_flag(self, cancel_flag: &'a AtomicBool) -> Self {
        Self { cancel_flag: Some(cancel_flag), ..self }
    }

    /// Whether the search must stop; once `true`, always `true`.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        let cancelled = self.latch.get()
            || self.cancel_flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.budget.is_some_and(Budget::is_exhausted)
            || self.is_timed() && (self.clock_nanos)() >= self.deadline_nanos;
        self.latch.set(cancelled);
        cancelled
    }

    /// Cancels from now on, as a limit that was reached would.
    pub fn cancel(&self) {
        self.latch.set(true);
    }

    /// Whether the control has been found cancelled, without asking anew.
    pub(crate) fn is_latched(&self) -> bool {
        self.latch.get()
    }

    /// A control for the first of `parts` equal shares of the time left; all other limits are the same. Without a deadline
    /// there is nothing to share.
    pub(super) fn share_of_time(&self, parts: usize) -> Self {
        let mut deadline_nanos = self.deadline_nanos;
        if self.is_timed() {
            let now = (self.clock_nanos)();
            let left = deadline_nanos.saturating_sub(now).max(0);
            deadline_nanos = deadline_nanos.min(now + left / parts as i64);
        }
        Self { deadline_nanos, latch: self.latch.clone(), ..*self }
    }

    /// Whether there is a deadline.
    pub const fn is_timed(&self) -> bool {
        self.deadline_nanos != Self::NO_DEADLINE
    }

    /// Units of the budget used so far; 0 without a budget.
    #[inline]
    pub fn work_used(&self) -> u64 {
        self.budget.map_or(0, Budget::used)
    }

    /// The shared budget, when there is one.
    pub const fn budget(&self) -> Option<&'a Budget> {
        self.budget
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_shared_equally_and_never_beyond_the_deadline() {
        let now = Cell::new(100);
        let clock = || now.get();
        let control = SearchControl::unbounded().with_clock(&clock).with_deadline(160);
        assert_eq!(
            [1, 2, 3, 7].map(|parts| control.share_of_time(parts).deadline_nanos),
            [160, 130, 120, 108]
        );
        now.set(130);
        let share = control.share_of_time(2);
        now.set(145);
        assert!(share.is_cancelled() && !control.is_cancelled(), "the share is over, the whole is not");
        now.set(200);
        assert!(control.share_of_time(1).is_cancelled());
    }

    #[test]
    fn shares_of_extreme_times_do_not_overflow() {
        for now in [i64::MIN, -1, 0, i64::MAX] {
            for deadline in [i64::MIN, 1_000, i64::MAX - 1] {
                let clock = || now;
                let control = SearchControl::unbounded().with_clock(&clock).with_deadline(deadline);
                for parts in [1, 16] {
                    let share = control.share_of_time(parts);
                    assert!(share.deadline_nanos <= deadline);
                    assert_eq!(share.is_cancelled(), deadline <= now, "{now} {deadline}");
                }
            }
        }
    }

    #[test]
    fn a_share_has_all_other_limits() {
        let budget = Budget::new(1);
        let flag = AtomicBool::new(false);
        let control = SearchControl::unbounded().with_budget(&budget).with_cancel_flag(&flag);
        let share = control.share_of_time(4);
        assert!(!share.is_timed() && !share.is_cancelled());
        flag.store(true, Ordering::Relaxed);
        assert!(share.is_cancelled());
        flag.store(false, Ordering::Relaxed);
        assert!(!control.is_cancelled(), "a share's latch is its own");
        budget.charge(2).unwrap_err();
        assert!(control.is_cancelled() && control.share_of_time(4).is_cancelled());
    }
}
