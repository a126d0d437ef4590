//! Deterministic limits on the work of rules queries, and of whatever is built on them.

use std::cell::Cell;

/// A limit on work units, shared by all queries of one invocation.
///
/// One unit is charged for each move-generator call (one position), each micro-move examined (applied, or tested for a
/// king capture) and each iteration of an aggregate roll query; a look at where the pieces can go from a position, without
/// playing their moves, is two; the expectimax's look into its transposition table is one. Counts depend on the position and
/// the version of this crate only: not on time, threads, addresses or hash order. They are not comparable between versions;
/// measure a need with a large limit, then set limits around it.
///
/// A budget is cumulative and sticky: once a charge has been refused it stays exhausted, and `used` never passes the
/// limit. A budget that was spent to the last unit but never refused a charge is *not* exhausted.
///
/// ```
/// use dicechess_native::rules::Budget;
/// let budget = Budget::new(10);
/// assert!(budget.charge(10).is_ok());
/// assert!(!budget.is_exhausted());
/// assert!(budget.charge(1).is_err());
/// assert!(budget.is_exhausted() && budget.charge(0).is_err());
/// assert_eq!(budget.used(), 10);
/// ```
#[derive(Debug)]
pub struct Budget {
    limit: u64,
    used: Cell<u64>,
    exhausted: Cell<bool>,
}

/// A budget refused a charge: the query found nothing that may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("work budget exhausted after {work_used} units")]
pub struct Exhausted {
    /// The units used when the charge was refused: the limit.
    pub work_used: u64,
}

impl Budget {
    /// A budget of `limit` units; with 0 the first charge exhausts it.
    pub const fn new(limit: u64) -> Self {
        Self { limit, used: Cell::new(0), exhausted: Cell::new(false) }
    }

    /// A budget that no query can exhaust.
    pub const fn unlimited() -> Self {
        Self::new(u64::MAX)
    }

    /// Takes `units` from the budget, or refuses and is exhausted from then on.
    ///
    /// A refused charge spends what was left: a query stopped by its budget has used all of it.
    #[inline]
    pub fn charge(&self, units: u64) -> Result<(), Exhausted> {
        let used = self.used.get();
        if self.exhausted.get() || units > self.limit - used {
            self.used.set(self.limit);
            self.exhausted.set(true);
            return Err(Exhausted { work_used: self.limit });
        }
        self.used.set(used + units);
        Ok(())
    }

    /// The most units that can be used.
    pub const fn limit(&self) -> u64 {
        self.limit
    }

    /// The units used so far, at most the limit.
    #[inline]
    pub fn used(&self) -> u64 {
        self.used.get()
    }

    /// Whether a charge has been refused.
    #[inline]
    pub fn is_exhausted(&self) -> bool {
        self.exhausted.get()
    }
}
