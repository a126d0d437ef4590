//! The search of who wins: cut at a depth, or to the end.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::{Cut, Game, Horizon, Verdict};

/// A memoised search of whether the mover wins, from one root at a time. It stops at the first winning move.
///
/// The table is keyed by position and moves from the root, which at a given depth says the same as moves left. Every search
/// starts with an empty one, as an answer at one depth is none at another.
///
/// ```
/// use dicechess_native::stopping::{CutSearch, Game, Guess, Horizon};
/// /// Take one or two of the counters that are left; who finds none has lost.
/// struct Counters;
/// impl Game for Counters {
///     type Position = u32;
///     fn replies(&self, left: u32) -> impl Iterator<Item = u32> {
///         [2, 1].into_iter().filter_map(move |taken| left.checked_sub(taken))
///     }
///     fn margin(&self, _: u32) -> i32 {
///         0
///     }
/// }
/// let mut search = CutSearch::new(&Counters, Horizon::plain(Guess::Mover));
/// assert!(search.verdict(6, 2).value, "six counters look won at an even depth");
/// assert!(!search.finish(6), "and are lost");
/// ```
pub struct CutSearch<'a, G: Game> {
    game: &'a G,
    horizon: Horizon,
    depth: u32,
    guessed: bool,
    table: HashMap<(G::Position, u32), bool, BuildHasherDefault<WordHasher>>,
}

impl<'a, G: Game> CutSearch<'a, G> {
    /// A search with this rule at its horizon.
    pub fn new(game: &'a G, horizon: Horizon) -> Self {
        Self { game, horizon, depth: 0, guessed: false, table: HashMap::default() }
    }

    /// Whether the mover wins by a search to `depth` moves; at depth 0 the horizon's rule answers.
    pub fn verdict(&mut self, root: G::Position, depth: u32) -> Verdict<bool> {
        self.table.clear();
        self.guessed = false;
        self.depth = depth;
        let value = self.mover_wins(root, 0);
        Verdict { value, guessed: self.guessed }
    }

    /// Whether the mover wins, exactly: by a search to the end of the game.
    pub fn finish(&mut self, root: G::Position) -> bool {
        self.verdict(root, u32::MAX).value
    }

    /// What the last search cost: the distinct entries it looked at, the root and the horizon included.
    pub fn cost(&self) -> usize {
        self.table.len()
    }

    fn mover_wins(&mut self, position: G::Position, ply: u32) -> bool {
        if let Some(&known) = self.table.get(&(position, ply)) {
            return known;
        }
        let game = self.game;
        let guess = self.guess(position, ply);
        self.guessed |= guess.is_some();
        let wins =
            guess.unwrap_or_else(|| game.replies(position).any(|reply| !self.mover_wins(reply, ply + 1)));
        self.table.insert((position, ply), wins);
        wins
    }

    /// The horizon's answer; `None` where the search goes on or the game is over.
    fn guess(&self, position: G::Position, ply: u32) -> Option<bool> {
        let beyond = ply.checked_sub(self.depth)?;
        self.game.replies(position).next()?;
        self.horizon.guess(self.game.margin(position), Cut { depth: self.depth, beyond })
    }
}

/// Rotates and multiplies: quick for the few words of a position, where the default hasher guards against hostile keys.
#[derive(Default)]
struct WordHasher(u64);

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        // The table takes its place from the low bits, which the multiplication mixes least.
        self.0.rotate_left(20)
    }
}
