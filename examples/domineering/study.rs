//! Everything that is measured on one board.

use std::collections::BTreeMap;

use dicechess_native::domineering::{
    Accuracy, Board, Census, Combination, Contest, MarginCount, Order, Profile, Run, Stops, WIDE_WINDOWS,
    WINDOWS, both_sides, combinations, contests, deepen, late_agreements, margins,
};
use dicechess_native::stopping::{Extension, Guess, Horizon, Step, Window};

/// The measurements of a board.
pub(crate) struct Study {
    pub(crate) census: Census,
    pub(crate) margins: BTreeMap<i32, MarginCount>,
    /// Plain searches by guess: know-nothing, placements, ties to the mover.
    pub(crate) plain: [Profile; 3],
    /// Searches that go on in a window and count placements outside, in the order of [`WINDOWS`].
    pub(crate) windows: [Profile; 3],
    /// The widest of them with a cap: 1, 2 and 3 moves past the horizon.
    pub(crate) capped: [Profile; 3],
    pub(crate) contests: [Vec<Contest>; 3],
    pub(crate) late_agreements: usize,
    /// Deepening from the empty board with Left and with Right to move.
    pub(crate) openings: [(&'static str, [Run; 2]); 2],
    /// Both rules together.
    pub(crate) combinations: Vec<Combined>,
}

/// One combination of the two rules.
pub(crate) struct Combined {
    pub(crate) window: &'static str,
    pub(crate) method: &'static str,
    pub(crate) keeps_bracket: bool,
    /// By depth; empty where two searches share a depth.
    pub(crate) accuracy: Vec<Accuracy>,
    pub(crate) stops: Stops,
}

impl Combined {
    /// Errors on the side on which the bracket allows none: false losses at even depths, false wins at odd ones.
    pub(crate) fn errors_outside_bracket(&self) -> usize {
        let outside = |(depth, accuracy): (usize, &Accuracy)| {
            if depth % 2 == 0 { accuracy.false_losses } else { accuracy.false_wins }
        };
        self.accuracy.iter().enumerate().map(outside).sum()
    }
}

/// How often [`Study::measure`] calls back.
pub(crate) fn steps() -> u64 {
    (6 + WINDOWS.len() + combinations().count() + WINDOWS.len() + WIDE_WINDOWS.len()) as u64
}

impl Study {
    /// Measures a board and calls `tick` after each kind of search.
    pub(crate) fn measure(board: Board, tick: &dyn Fn()) -> Self {
        let census = Census::new(board, Order::FewestReplies);
        let profile = |horizon| {
            let profile = Profile::measure(&census, horizon);
            tick();
            profile
        };
        let plain =
            [Guess::Mover, Guess::Ahead, Guess::NotBehind].map(|guess| profile(Horizon::plain(guess)));
        let counting = |extension| profile(Horizon { extension: Some(extension), guess: Guess::Ahead });
        let windows = WINDOWS.map(|(_, window)| counting(going_on_in(window)));
        let widest = going_on_in(WINDOWS[2].1);
        let capped = [1, 2, 3].map(|cap| counting(Extension { cap: Some(cap), ..widest }));
        let mut combined: Vec<Combined> =
            combinations().map(|combination| combine(combination, profile(combination.horizon))).collect();
        combined.extend(WINDOWS.into_iter().chain(WIDE_WINDOWS).map(|(name, window)| {
            let runs = both_sides(&census, Some(going_on_in(window)));
            tick();
            share_depth(name, &runs)
        }));
        Self {
            margins: margins(&census),
            contests: windows.each_ref().map(|window| contests(window, &plain[1])),
            late_agreements: late_agreements(&census),
            openings: openings(board),
            plain,
            windows,
            capped,
            combinations: combined,
            census,
        }
    }
}

fn going_on_in(window: Window) -> Extension {
    Extension { window, step: Step::One, cap: None }
}

fn combine(Combination { window, method, horizon }: Combination, profile: Profile) -> Combined {
    let stops = Stops::of(&profile.runs);
    Combined { window, method, keeps_bracket: horizon.keeps_bracket(), accuracy: profile.accuracy, stops }
}

fn share_depth(window: &'static str, runs: &[Run]) -> Combined {
    let stops = Stops::of(runs);
    Combined { window, method: "two sides", keeps_bracket: true, accuracy: Vec::new(), stops }
}

fn openings(board: Board) -> [(&'static str, [Run; 2]); 2] {
    [("fewest replies first", Order::FewestReplies), ("as generated", Order::Generation)].map(
        |(name, order)| {
            let census = Census::new(board, order);
            let starts = [0, 1].map(|start| census.ids().nth(start).expect("two starts"));
            (name, starts.map(|start| deepen(&census, Horizon::plain(Guess::Mover), start)))
        },
    )
}
