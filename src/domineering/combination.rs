//! The two rules together: windows under a guess that keeps, or fails to keep, the bracket.

use crate::stopping::{Extension, Guess, Horizon, Step, Window};

/// The windows of the source, with their names.
pub const WINDOWS: [(&str, Window); 3] = [
    ("level", Window { low: 0, high: 0 }),
    ("level or one behind", Window { low: -1, high: 0 }),
    ("within one", Window { low: -1, high: 1 }),
];

/// Windows that hold every position on which *the mover wins* is a poor guess, however far behind.
pub const WIDE_WINDOWS: [(&str, Window); 2] = [
    ("not ahead", Window { low: i32::MIN, high: 0 }),
    ("at most one ahead", Window { low: i32::MIN, high: 1 }),
];

/// The ways to search on inside a window and to guess outside: name, step, cap, guess.
const METHODS: [(&str, Step, Option<u32>, Guess); 10] = [
    ("one move", Step::One, None, Guess::Mover),
    ("one move, cap 1", Step::One, Some(1), Guess::Mover),
    ("one move, cap 2", Step::One, Some(2), Guess::Mover),
    ("one move, placements", Step::One, None, Guess::Ahead),
    ("pairs, cap 3", Step::Pair, Some(3), Guess::Mover),
    ("pairs", Step::Pair, None, Guess::Mover),
    ("pairs, cap 2", Step::Pair, Some(2), Guess::Mover),
    ("for the cut", Step::One, None, Guess::MoverAtCut),
    ("to the end", Step::ToEnd, None, Guess::Mover),
    ("to the end, cap 4", Step::ToEnd, Some(4), Guess::Mover),
];

/// A way to search on with a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Combination {
    /// The name of the window.
    pub window: &'static str,
    /// How it searches on and guesses, in a few words.
    pub method: &'static str,
    /// The rule at the horizon.
    pub horizon: Horizon,
}

/// Every method with every window, by window.
pub fn combinations() -> impl Iterator<Item = Combination> {
    WINDOWS.into_iter().chain(WIDE_WINDOWS).flat_map(|(name, window)| {
        METHODS.into_iter().map(move |(method, step, cap, guess)| Combination {
            window: name,
            method,
            horizon: Horizon { extension: Some(Extension { window, step, cap }), guess },
        })
    })
}
