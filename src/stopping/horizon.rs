//! The second rule: what a search does at its horizon, guess at once or search on while the position is close.

/// Where in a search a position at or past the horizon stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The depth of the search, in moves from the root.
    pub depth: u32,
    /// Moves past that depth: 0 at the horizon, more where the search has gone on.
    pub beyond: u32,
}

/// Who is taken to win, where the mover has a move and the search goes no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guess {
    /// Whoever is to move: the guess that knows nothing.
    Mover,
    /// Whoever is to move at the horizon, however far the search has gone on from there.
    MoverAtCut,
    /// Whoever is to move at the root.
    Root,
    /// The other player.
    RootOpponent,
    /// The mover if ahead: margin above 0.
    Ahead,
    /// The mover unless behind: margin 0 or more.
    NotBehind,
}

impl Guess {
    /// Whether the mover of a position with this margin is taken to win.
    pub const fn mover_wins(self, margin: i32, cut: Cut) -> bool {
        match self {
            Self::Mover => true,
            Self::MoverAtCut => cut.beyond.is_multiple_of(2),
            Self::Root => (cut.depth + cut.beyond).is_multiple_of(2),
            Self::RootOpponent => !(cut.depth + cut.beyond).is_multiple_of(2),
            Self::Ahead => margin > 0,
            Self::NotBehind => margin >= 0,
        }
    }
}

/// The margins, both ends included, at which a position counts as close.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The lowest margin inside.
    pub low: i32,
    /// The highest.
    pub high: i32,
}

impl Window {
    /// Whether a position with this margin is close.
    pub const fn contains(self, margin: i32) -> bool {
        self.low <= margin && margin <= self.high
    }
}

/// How a search goes on from a close position at its horizon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// One move, then asks again whether the position is close.
    One,
    /// Two moves, one by each player, then asks again.
    Pair,
    /// To the end of every line.
    ToEnd,
}

/// Searching on past the horizon while positions are close.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extension {
    /// What counts as close.
    pub window: Window,
    /// How far to go before asking again.
    pub step: Step,
    /// The most moves past the horizon; `None` leaves it to the game to end. A game whose lines can be long needs one.
    pub cap: Option<u32>,
}

impl Extension {
    /// Whether a search goes on from a position this many moves past its horizon.
    pub fn goes_on(&self, margin: i32, beyond: u32) -> bool {
        let between_steps = match self.step {
            Step::One => false,
            Step::Pair => !beyond.is_multiple_of(2),
            Step::ToEnd => beyond > 0,
        };
        self.cap.is_none_or(|cap| beyond < cap) && (between_steps || self.window.contains(margin))
    }
}

/// What a search does where it reaches its depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Horizon {
    /// Where it goes on; `None` guesses everywhere.
    pub extension: Option<Extension>,
    /// The guess where it does not.
    pub guess: Guess,
}

impl Horizon {
    /// A guess at every position at the horizon.
    pub const fn plain(guess: Guess) -> Self {
        Self { extension: None, guess }
    }

    /// Whether even depths can only overstate the mover at the root and odd ones only understate, in every game, so
    /// that two consecutive depths that agree are a proof: the condition that the [module](super) proves. It takes the window
    /// to hold some margins and not others.
    pub fn keeps_bracket(&self) -> bool {
        let guesses_at_even_distance = self.extension.is_none_or(|extension| match extension.cap {
            Some(cap) => cap == 0 || extension.step != Step::One && cap.is_multiple_of(2),
            None => extension.step != Step::One,
        });
        match self.guess {
            Guess::MoverAtCut => true,
            Guess::Mover => guesses_at_even_distance,
            Guess::Root | Guess::RootOpponent | Guess::Ahead | Guess::NotBehind => false,
        }
    }

    /// The guess whether the mover wins, or `None` where the search goes on.
    pub fn guess(&self, margin: i32, cut: Cut) -> Option<bool> {
        let goes_on = self.extension.is_some_and(|extension| extension.goes_on(margin, cut.beyond));
        (!goes_on).then(|| self.guess.mover_wins(margin, cut))
    }
}
