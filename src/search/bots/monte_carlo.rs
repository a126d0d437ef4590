//! The bot that plays random games, and how likely a side is to win one.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::one_ply::shortest_capture;
use crate::board::{Color, DicePool, PieceType, Position};
use crate::rules::{Budget, Identity, ORDERED_ROLLS, ReachSets, Roll, Turn, Turns, Unlisted};
use crate::search::{SearchControl, material, ties};

/// How many turns are tried.
const CANDIDATES: usize = 16;
/// Random games for each of them when there is no deadline.
const UNTIMED_GAMES: u32 = 120;
/// What a sure win scores.
const SCORE_SCALE: f64 = 1e6;
/// Turns of a random game.
const MAX_PLIES: usize = 40;
/// A game that has come this far with less probability than this is over.
const NEGLIGIBLE: f64 = 1e-5;
/// Rolls that capture the king are rolled again so many times.
const MAX_ROLLS: usize = 64;

/// A king capture, else the turn that wins most random games; the first by material, scored 0, when `control` ends the
/// first game. `root` has both kings.
pub(super) fn best(
    root: &Position,
    turns: Turns,
    control: &SearchControl<'_>,
    mut generator: ChaCha8Rng,
) -> Option<(Turn, i32)> {
    if let Some(capture) = shortest_capture(&turns, &mut generator) {
        return Some(capture);
    }
    let candidates = best_by_material(root, turns.quiet());
    let unlimited = Budget::unlimited();
    let mut games = RandomGames {
        budget: control.budget().unwrap_or(&unlimited),
        sets: ReachSets::new(Identity::AfterTurnEndIgnoringClock),
        turns,
        generator,
    };
    let mut tried = Vec::with_capacity(CANDIDATES);
    for (i, &turn) in candidates.iter().enumerate() {
        let share = control.share_of_time(candidates.len() - i);
        let start = root.play_turn(turn).end_turn();
        if let Some(won) = games.mean_win_mass(&start, root.side_to_move(), &share) {
            tried.push((turn, won));
        }
    }
    let best = ties::best(tried.iter().copied(), &mut games.generator);
    best.map(|(turn, won)| (turn, (won * SCORE_SCALE) as i32)).or(candidates.first().map(|&turn| (turn, 0)))
}

/// The best turns by material, earlier ones first among equals.
fn best_by_material(root: &Position, turns: &[Turn]) -> Vec<Turn> {
    let mut best: Vec<(i32, Turn)> = Vec::with_capacity(CANDIDATES);
    let mut following = turns.iter();
    material::after_turns(root, turns, |value| {
        let place = best.partition_point(|&(better, _)| better >= value);
        if let Some(&turn) = following.next()
            && place < CANDIDATES
        {
            best.truncate(CANDIDATES - 1);
            best.insert(place, (value, turn));
        }
    });
    best.into_iter().map(|(_, turn)| turn).collect()
}

/// Games between random players who capture the king whenever they can. Buffers are kept from turn to turn.
struct RandomGames<'a> {
    budget: &'a Budget,
    sets: ReachSets,
    turns: Turns,
    generator: ChaCha8Rng,
}

impl RandomGames<'_> {
    /// The mean of [`Self::win_mass`] over the games that `control` lets end; `None` when it lets none.
    fn mean_win_mass(&mut self, start: &Position, side: Color, control: &SearchControl<'_>) -> Option<f64> {
        let limit = if control.is_timed() { u32::MAX } else { UNTIMED_GAMES };
        let masses = (0..limit).map_while(|_| self.win_mass(start, side, control));
        let (games, sum) = masses.fold((0_u32, 0.0), |(games, sum), mass| (games + 1, sum + mass));
        (games > 0).then(|| sum / f64::from(games))
    }

    /// How likely `side` wins along one random game from `start`, before the roll; `None` when `control` cancels.
    ///
    /// Captures are not left to chance (Rao–Blackwell): at each turn the mover wins with the exact probability of a roll
    /// that captures the king, and the game goes on with the rest.
    fn win_mass(&mut self, start: &Position, side: Color, control: &SearchControl<'_>) -> Option<f64> {
        let mut position = *start;
        let (mut won, mut survival) = (0.0, 1.0);
        for _ in 0..MAX_PLIES {
            if control.is_cancelled() {
                return None;
            }
            self.sets.reset(&position);
            let rolls = self.sets.king_capture_rolls(self.budget).ok()?;
            let captures = f64::from(rolls) / f64::from(ORDERED_ROLLS);
            if position.side_to_move() == side {
                won += survival * captures;
            }
            survival *= 1.0 - captures;
            if survival <= NEGLIGIBLE {
                break;
            }
            match self.random_turn(&position).ok()? {
                Some(next) => position = next,
                None => break,
            }
        }
        Some(won)
    }

    /// The position after a random turn with a random roll that does not capture the king; `None` when none comes up. The
    /// reach sets stand at `position`.
    fn random_turn(&mut self, position: &Position) -> Result<Option<Position>, Unlisted> {
        for _ in 0..MAX_ROLLS {
            let dice = self.random_dice();
            if self.sets.captures_king(Roll::of(dice), self.budget)? {
                continue;
            }
            let rolled = position.with_dice(dice);
            self.turns.generate(&rolled, self.budget)?;
            let turns = self.turns.quiet();
            if turns.is_empty() {
                return Ok(Some(position.end_turn()));
            }
            let turn = turns[self.generator.random_range(0..turns.len())];
            return Ok(Some(rolled.play_turn(turn).end_turn()));
        }
        Ok(None)
    }

    fn random_dice(&mut self) -> DicePool {
        let mut die = || PieceType::ALL[self.generator.random_range(0..PieceType::ALL.len())];
        DicePool::from_dice(&[die(), die(), die()]).unwrap_or_default()
    }
}
