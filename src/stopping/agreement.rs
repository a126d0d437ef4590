//! The first rule: deepen one move at a time and stop when two depths agree.

/// What a search of one depth found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict<V> {
    /// The answer at this depth.
    pub value: V,
    /// Whether it may rest on a guess: `false` says that the search was exhaustive, so that the answer is exact.
    pub guessed: bool,
}

/// Why a deepening search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No line of the search ended in a guess.
    Exhausted,
    /// The answer is that of the depth before.
    Agreement,
}

/// Where a deepening search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop<V> {
    /// The last depth that was searched, in moves.
    pub depth: u32,
    /// The answer at that depth.
    pub value: V,
    /// What ended the search.
    pub reason: Reason,
}

/// Searches to depth 0, 1, 2 … and stops at the first that is exhaustive or, failing that, agrees with the one before.
///
/// `None` when no depth up to `limit` does either. What an agreement certifies depends on the guess: see the
/// [module](super).
///
/// ```
/// use dicechess_native::stopping::{Reason, Verdict, deepen_until_agreement};
/// let answers = ["win", "loss", "win", "win", "loss"];
/// let search = |depth: u32| Verdict { value: answers[depth as usize], guessed: true };
/// let stop = deepen_until_agreement(4, search).unwrap();
/// assert_eq!((stop.depth, stop.value, stop.reason), (3, "win", Reason::Agreement));
/// assert_eq!(deepen_until_agreement(2, search), None);
/// ```
pub fn deepen_until_agreement<V: PartialEq>(
    limit: u32,
    mut search: impl FnMut(u32) -> Verdict<V>,
) -> Option<Stop<V>> {
    let mut before = None;
    for depth in 0..=limit {
        let Verdict { value, guessed } = search(depth);
        if !guessed {
            return Some(Stop { depth, value, reason: Reason::Exhausted });
        }
        if before.as_ref() == Some(&value) {
            return Some(Stop { depth, value, reason: Reason::Agreement });
        }
        before = Some(value);
    }
    None
}
