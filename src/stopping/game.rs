//! What a search has to know of a game.

use std::hash::Hash;

/// A game of two players who move in turn until one of them cannot, and so loses. Every line must end.
pub trait Game {
    /// A position, the player to move included.
    type Position: Copy + Eq + Hash;

    /// The positions that the mover can leave to the opponent, the most promising first; none when the mover has lost.
    fn replies(&self, position: Self::Position) -> impl Iterator<Item = Self::Position>;

    /// By how much the mover is ahead, in the game's own count: the knowledge that guesses and windows rest on.
    fn margin(&self, position: Self::Position) -> i32;
}
