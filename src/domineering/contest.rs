//! Windows against plain searches that are as often right.

use super::Profile;

/// A window at one depth against the shallowest plain depth that is wrong on no more positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contest {
    /// The depth of the search with the window.
    pub depth: usize,
    /// Wrong verdicts of the search with the window.
    pub wrong: usize,
    /// Its mean cost.
    pub cost: f64,
    /// The depth of the plain search.
    pub plain_depth: usize,
    /// Wrong verdicts of the plain search.
    pub plain_wrong: usize,
    /// Its mean cost.
    pub plain_cost: f64,
}

impl Contest {
    /// Whether the window is cheaper.
    pub fn window_wins(&self) -> bool {
        self.cost < self.plain_cost
    }
}

/// One contest for each depth at which the window is still wrong somewhere.
pub fn contests(window: &Profile, plain: &Profile) -> Vec<Contest> {
    let contest = |(depth, wrong): (usize, usize)| {
        let matches = |plain_depth: &usize| plain.accuracy[*plain_depth].wrong() <= wrong;
        let plain_depth = (0..plain.accuracy.len()).find(matches).expect("the deepest search is never wrong");
        Contest {
            depth,
            wrong,
            cost: window.mean_cost(depth),
            plain_depth,
            plain_wrong: plain.accuracy[plain_depth].wrong(),
            plain_cost: plain.mean_cost(plain_depth),
        }
    };
    let wrong = window.accuracy.iter().map(|accuracy| accuracy.wrong()).enumerate();
    wrong.filter(|&(_, wrong)| wrong > 0).map(contest).collect()
}
