//! In which order the classes of a chance node are visited.

use super::MAX_CLASSES;
use crate::search::SearchError;

/// An order of the classes.
pub(super) enum Order<'o> {
    ByClass,
    /// By the indices of classes.
    Given(&'o [usize]),
    /// Those first of which probes promise least: they have most to gain. In class order where they promise the same, and for
    /// the probes.
    LeastPromisedFirst,
}

impl Order<'_> {
    /// The order of so many classes as long as nothing is known of them.
    pub(super) fn before_probes(&self, classes: usize) -> &[usize] {
        match self {
            Order::Given(order) => order,
            Order::ByClass | Order::LeastPromisedFirst => class_order(classes),
        }
    }

    /// A given order must have each of so many classes once.
    pub(super) fn require_permutation(&self, classes: usize) -> Result<(), SearchError> {
        let Order::Given(order) = self else {
            return Ok(());
        };
        let seen = order.iter().filter(|&&index| index < classes).fold(0u64, |seen, index| seen | 1 << index);
        if order.len() == classes && seen == (1 << classes) - 1 {
            return Ok(());
        }
        Err(SearchError::ClassOrder { classes, order: order.to_vec() })
    }
}

/// The indices of so many classes, in order.
pub(super) fn class_order(classes: usize) -> &'static [usize] {
    const ORDER: [usize; MAX_CLASSES] = {
        let mut order = [0; MAX_CLASSES];
        let mut i = 0;
        while i < MAX_CLASSES {
            order[i] = i;
            i += 1;
        }
        order
    };
    &ORDER[..classes]
}

#[cfg(test)]
mod tests {
    use super::super::{Policy, Value, expand_least_promised_first};
    use crate::board::{Color, Position};
    use crate::search::{SearchControl, SearchError, UtilityBounds};

    /// Values of classes by index that probes promise and decisions confirm; decisions note their order.
    struct Scripted {
        promised: Vec<Value>,
        decided: Vec<usize>,
    }

    impl Policy for Scripted {
        fn lowest_value(&self) -> f64 {
            -100.0
        }

        fn highest_value(&self) -> f64 {
            100.0
        }

        fn probe(
            &mut self,
            _rolled: &[Position],
            _control: &SearchControl<'_>,
        ) -> Result<Option<&[Value]>, SearchError> {
            Ok((!self.promised.is_empty()).then_some(&self.promised))
        }

        fn decide(
            &mut self,
            _rolled: &Position,
            class_index: usize,
            _alpha: f64,
            _beta: f64,
            control: &SearchControl<'_>,
        ) -> Result<Value, SearchError> {
            self.decided.push(class_index);
            Ok(Value::exact(0.0, control))
        }
    }

    /// The order in which the classes of a lone king, of which there are four, are decided.
    fn decided(perspective: Color, promised: Vec<Value>) -> Vec<usize> {
        let after_turn: Position = "4k3/8/8/8/8/8/8/4K3 b - - 0 1".parse().unwrap();
        let bounds = UtilityBounds::expectimax(perspective);
        let mut policy = Scripted { promised, decided: Vec::new() };
        let control = SearchControl::unbounded();
        let window = (-99.0, 99.0);
        let result = expand_least_promised_first(&after_turn, &bounds, &control, window, &mut policy);
        assert!(result.unwrap().outcome.is_exact());
        policy.decided
    }

    #[test]
    fn classes_of_which_probes_promise_least_are_decided_first() {
        let control = SearchControl::unbounded();
        let lower = |value| Value::lower_bound(value, &control);
        let upper = |value| Value::upper_bound(value, &control);
        let settled = Value::exact(3.0, &control);
        assert_eq!(decided(Color::Black, vec![lower(-5.0), settled, lower(-9.0), lower(-7.0)]), [2, 3, 0]);
        assert_eq!(decided(Color::White, vec![upper(5.0), upper(7.0), settled, upper(9.0)]), [3, 1, 0]);
    }

    #[test]
    fn classes_of_which_probes_promise_the_same_are_decided_in_class_order() {
        let control = SearchControl::unbounded();
        assert_eq!(decided(Color::Black, vec![]), [0, 1, 2, 3]);
        assert_eq!(decided(Color::White, vec![Value::upper_bound(5.0, &control); 4]), [0, 1, 2, 3]);
    }
}
