//! Bots that look at the position after their own turn, and no further.

use std::cmp::Reverse;

use rand_chacha::ChaCha8Rng;

use crate::board::{Color, Position};
use crate::eval::{king_is_attacked, material};
use crate::rules::{Turn, TurnPlayer, Turns};
use crate::search::root::reserve;
use crate::search::{SearchError, ties};

/// Any legal turn, scored by material.
pub(super) fn random(root: &Position, turns: &Turns, generator: &mut ChaCha8Rng) -> Option<(Turn, i32)> {
    let all = turns.captures().iter().chain(turns.quiet());
    let (&turn, ()) = ties::best(all.map(|turn| (turn, ())), generator)?;
    let captures = turns.captures().contains(&turn);
    Some((
        turn,
        if captures { i32::MAX } else { material(&root.play_turn(turn).end_turn(), root.side_to_move()) },
    ))
}

/// A king capture, else a turn after which the own king is not attacked, else any; scored 0.
pub(super) fn checkmate_aware(
    root: &Position,
    turns: &Turns,
    generator: &mut ChaCha8Rng,
) -> Result<Option<(Turn, i32)>, SearchError> {
    let mut player = TurnPlayer::new(root);
    let is_safe = |turn| !king_is_attacked(&player.play(turn).end_turn(), root.side_to_move());
    capture_or_best(turns, is_safe, generator, |_| 0)
}

/// A king capture, else the best turn by `evaluate`.
pub(super) fn greedy(
    root: &Position,
    turns: &Turns,
    evaluate: impl Fn(&Position, Color) -> i32,
    generator: &mut ChaCha8Rng,
) -> Result<Option<(Turn, i32)>, SearchError> {
    let mut player = TurnPlayer::new(root);
    let score = |turn| evaluate(&player.play(turn).end_turn(), root.side_to_move());
    capture_or_best(turns, score, generator, |score| score)
}

fn capture_or_best<W: Copy + PartialOrd>(
    turns: &Turns,
    mut worth: impl FnMut(Turn) -> W,
    generator: &mut ChaCha8Rng,
    score: impl Fn(W) -> i32,
) -> Result<Option<(Turn, i32)>, SearchError> {
    if let Some(capture) = shortest_capture(turns, generator) {
        return Ok(Some(capture));
    }
    let mut scored = Vec::new();
    reserve(&mut scored, turns.len(), turns.len())?;
    scored.extend(turns.quiet().iter().map(|&turn| (turn, worth(turn))));
    Ok(ties::best(scored.iter().copied(), generator).map(|(turn, worth)| (turn, score(worth))))
}

/// One of the shortest turns that capture the king.
pub(super) fn shortest_capture(turns: &Turns, generator: &mut ChaCha8Rng) -> Option<(Turn, i32)> {
    let captures = turns.captures().iter().map(|&turn| (turn, Reverse(turn.len())));
    ties::best(captures, generator).map(|(turn, _)| (turn, i32::MAX))
}
