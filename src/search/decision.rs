//! The decision node: the best reply, fail-soft, from exact values and bounds of the replies.

use std::ops::Range;

use super::chance_node::Value;
use super::{SearchControl, SearchError, SearchOutcome};

/// The replies of one decision seen so far, within a window.
///
/// Replies come with values for the perspective; a maximising decision takes the greatest, a minimising one the least.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decision {
    maximizes: bool,
    alpha: f64,
    beta: f64,
    /// The best exact value, and whether any reply that has it is tainted.
    best: Option<(f64, bool)>,
    /// The best that a reply of which only a bound is known could still be worth, and its taint.
    rival: Option<(f64, bool)>,
}

/// What a reply's value means for the decision.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Verdict {
    /// Other replies may matter.
    Open,
    /// The decision lies strictly outside the window, with this value.
    Settled(f64, bool),
    /// The reply's value is not known: the control has cancelled.
    Incomplete,
}

impl Decision {
    pub(super) fn new(maximizes: bool, alpha: f64, beta: f64) -> Self {
        Self { maximizes, alpha, beta, best: None, rival: None }
    }

    /// The value of the decision among these replies, `value_of` being asked for the value of one within a window. No reply
    /// is better than `limit` for the mover: once one is as good, the others are not asked for.
    pub(super) fn take_best(
        mut self,
        replies: Range<usize>,
        limit: f64,
        control: &SearchControl<'_>,
        mut value_of: impl FnMut(usize, (f64, f64)) -> Result<Value, SearchError>,
    ) -> Result<Value, SearchError> {
        for reply in replies {
            match self.add(value_of(reply, self.window())?) {
                Verdict::Open => {}
                Verdict::Settled(value, tainted) => {
                    return Ok(self.settled(value, tainted, control.work_used()));
                }
                Verdict::Incomplete => return Ok(Value::incomplete(control)),
            }
            if self.best.is_some_and(|(best, _)| best == limit) {
                break;
            }
        }
        Ok(self.value(control.work_used()))
    }

    /// The window in which the next reply's value matters.
    fn window(&self) -> (f64, f64) {
        match self.best {
            Some((best, _)) if self.maximizes => (self.alpha.max(best), self.beta),
            Some((best, _)) => (self.alpha, self.beta.min(best)),
            None => (self.alpha, self.beta),
        }
    }

    /// Takes in the value of one more reply.
    fn add(&mut self, reply: Value) -> Verdict {
        let tainted = reply.loss_tainted;
        match reply.outcome {
            SearchOutcome::Incomplete { .. } => return Verdict::Incomplete,
            SearchOutcome::Exact { value, .. } => {
                if self.beyond(value) {
                    return Verdict::Settled(value, tainted);
                }
                self.best = Some(self.better_of(self.best, value, tainted));
            }
            // The bound on the mover's side: the decision is at least as good for the mover.
            SearchOutcome::LowerBound { value, .. } if self.maximizes && self.beyond(value) => {
                return Verdict::Settled(value, tainted);
            }
            SearchOutcome::UpperBound { value, .. } if !self.maximizes && self.beyond(value) => {
                return Verdict::Settled(value, tainted);
            }
            SearchOutcome::LowerBound { value, .. } | SearchOutcome::UpperBound { value, .. } => {
                self.rival = Some(self.better_of(self.rival, value, tainted));
            }
        }
        Verdict::Open
    }

    /// The value once every reply has been added. The best exact reply is the decision's exact value only when no bounded
    /// one could still beat it, or be as good and taint it; else the decision is bounded by the better of the two.
    fn value(&self, work_used: u64) -> Value {
        let exact = match (self.best, self.rival) {
            (Some((best, tainted)), Some((rival, taints)))
                if self.is_better(best, rival) || best == rival && (tainted || !taints) =>
            {
                Some((best, tainted))
            }
            (Some(best), None) => Some(best),
            _ => None,
        };
        if let Some((value, loss_tainted)) = exact {
            return Value { outcome: SearchOutcome::Exact { value, work_used }, loss_tainted };
        }
        let (value, loss_tainted) = self.rival.unwrap_or((f64::NAN, false));
        let outcome = if self.maximizes {
            SearchOutcome::UpperBound { value, work_used }
        } else {
            SearchOutcome::LowerBound { value, work_used }
        };
        Value { outcome, loss_tainted }
    }

    /// The value that [`Verdict::Settled`] stands for.
    fn settled(&self, value: f64, loss_tainted: bool, work_used: u64) -> Value {
        let outcome = if self.maximizes {
            SearchOutcome::LowerBound { value, work_used }
        } else {
            SearchOutcome::UpperBound { value, work_used }
        };
        Value { outcome, loss_tainted }
    }

    /// Strictly better for the mover than the window allows.
    fn beyond(&self, value: f64) -> bool {
        if self.maximizes { value > self.beta } else { value < self.alpha }
    }

    fn is_better(&self, value: f64, than: f64) -> bool {
        if self.maximizes { value > than } else { value < than }
    }

    fn better_of(&self, old: Option<(f64, bool)>, value: f64, tainted: bool) -> (f64, bool) {
        match old {
            Some((best, taint)) if best == value => (best, taint || tainted),
            Some((best, taint)) if self.is_better(best, value) => (best, taint),
            _ => (value, tainted),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(value: f64) -> Value {
        Value { outcome: SearchOutcome::Exact { value, work_used: 0 }, loss_tainted: false }
    }

    fn at_most(value: f64) -> Value {
        Value { outcome: SearchOutcome::UpperBound { value, work_used: 0 }, loss_tainted: false }
    }

    fn at_least(value: f64) -> Value {
        Value { outcome: SearchOutcome::LowerBound { value, work_used: 0 }, loss_tainted: false }
    }

    fn decide(maximizes: bool, window: (f64, f64), replies: &[Value]) -> Value {
        let mut decision = Decision::new(maximizes, window.0, window.1);
        for &reply in replies {
            match decision.add(reply) {
                Verdict::Open => {}
                Verdict::Settled(value, tainted) => return decision.settled(value, tainted, 0),
                Verdict::Incomplete => unreachable!("no reply is incomplete"),
            }
        }
        decision.value(0)
    }

    #[test]
    fn an_exact_best_is_exact_only_when_no_bounded_reply_could_beat_it() {
        let open = (f64::NEG_INFINITY, f64::INFINITY);
        assert_eq!(decide(true, open, &[exact(50.0), at_most(50.0)]), exact(50.0));
        // The seed's example: worth somewhere in 50..=80.
        assert_eq!(decide(true, open, &[exact(50.0), at_most(80.0)]), at_most(80.0));
        assert_eq!(decide(false, open, &[exact(50.0), at_least(50.0)]), exact(50.0));
        assert_eq!(decide(false, open, &[exact(50.0), at_least(20.0)]), at_least(20.0));
    }

    #[test]
    fn a_reply_beyond_the_window_settles_the_decision_and_a_tie_does_not() {
        assert_eq!(decide(true, (0.0, 10.0), &[exact(10.0), exact(11.0)]), at_least(11.0));
        assert_eq!(decide(true, (0.0, 10.0), &[exact(10.0), exact(3.0)]), exact(10.0));
        assert_eq!(decide(false, (0.0, 10.0), &[exact(0.0), at_most(-1.0)]), at_most(-1.0));
        assert_eq!(decide(false, (0.0, 10.0), &[exact(0.0), exact(4.0)]), exact(0.0));
    }

    #[test]
    fn the_window_tightens_with_each_exact_reply() {
        let mut decision = Decision::new(true, 0.0, 10.0);
        decision.add(exact(4.0));
        assert_eq!(decision.window(), (4.0, 10.0));
        let mut decision = Decision::new(false, 0.0, 10.0);
        decision.add(exact(4.0));
        assert_eq!(decision.window(), (0.0, 4.0));
    }

    #[test]
    fn replies_of_equal_value_share_their_taint() {
        let open = (f64::NEG_INFINITY, f64::INFINITY);
        let tainted = exact(5.0).tainted();
        for replies in [[exact(5.0), tainted], [tainted, exact(5.0)]] {
            assert!(decide(true, open, &replies).loss_tainted);
        }
        assert!(!decide(true, open, &[tainted, exact(6.0)]).loss_tainted);
        // One that is only bounded may be worth as much, or less: then the taint is not known, and the value is below alpha.
        let below = (10.0, 20.0);
        for replies in [[at_most(5.0).tainted(), exact(5.0)], [exact(5.0), at_most(5.0).tainted()]] {
            assert_eq!(decide(true, below, &replies), at_most(5.0).tainted());
        }
        assert_eq!(decide(true, below, &[at_most(5.0), tainted]), tainted);
    }
}
