//! Bots: ready-made players, from a random one to the expectimax.

mod monte_carlo;
mod one_ply;

use std::fmt;
use std::str::FromStr;

use super::root::list_turns;
use super::{Expectimax, ExpectimaxConfig, SearchControl, SearchError, chance_node, ties};
use crate::board::Position;
use crate::eval::{BuiltIn, aggressive, material, standard};
use crate::rules::{Turn, Turns};

/// A player. Scores are for the side to move; a turn that captures the king scores `i32::MAX` with every bot.
///
/// Of several turns that a bot likes equally, the seed decides.
///
/// ```
/// use dicechess_native::board::Position;
/// use dicechess_native::search::SearchControl;
/// use dicechess_native::search::bots::Bot;
///
/// let position: Position = "4k3/8/8/3q4/2P5/8/8/4K3 w - - 0 1 PPK".parse()?;
/// let bot: Bot = "greedy".parse()?;
/// let best = bot.best_turn(&position, &SearchControl::unbounded(), 7)?.expect("no forced pass");
/// assert_eq!(best.score, 100);
/// assert!(best.turn.to_string().contains("c4d5"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bot {
    /// Any legal turn; scored by [`material`].
    Random,
    /// A king capture, else a turn after which the own king is not attacked, else any; scores 0.
    CheckmateAware,
    /// The best turn by [`material`].
    Greedy,
    /// The best turn by [`standard`].
    GreedyV2,
    /// The best turn by [`aggressive`].
    Aggressive,
    /// The best of the 16 best turns by material, in random games; scores a million times the share of games won.
    MonteCarlo,
    /// [`Expectimax`] two turns deep over eight turns, with [`standard`] leaves.
    Expectimax,
}

/// A turn that a bot chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredTurn {
    /// A legal turn.
    pub turn: Turn,
    /// The position after its micro-moves, before [`Position::end_turn`]; dice not spent stay in the pool.
    pub position: Position,
    /// What the bot thinks of it; `i32::MAX` when it captures the king.
    pub score: i32,
}

/// No bot has this id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown bot '{0}': the bots are {ids}", ids = Bot::ALL.map(Bot::id).join(", "))]
pub struct UnknownBot(pub String);

impl Bot {
    /// All bots, weakest first.
    pub const ALL: [Self; 7] = [
        Self::Random,
        Self::CheckmateAware,
        Self::Greedy,
        Self::GreedyV2,
        Self::Aggressive,
        Self::MonteCarlo,
        Self::Expectimax,
    ];

    /// The name by which hosts know the bot.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::CheckmateAware => "checkmate-aware",
            Self::Greedy => "greedy",
            Self::GreedyV2 => "greedy-v2",
            Self::Aggressive => "aggressive",
            Self::MonteCarlo => "monte-carlo",
            Self::Expectimax => "expectimax",
        }
    }

    /// The turn this bot plays at `root` with its dice; `None` when the roll is a forced pass or there are no dice.
    ///
    /// The bots that look no further than their own turn play wherever there is a legal turn, also on boards that lack a
    /// king, and always to the end. `monte-carlo` and `expectimax` search, so for them such a board is a finished game
    /// (`None`), and they stop when `control` tells them to: `monte-carlo` then chooses among the turns it has tried in at
    /// least one whole game, `expectimax` among those it has finished, and without any both play the first by material.
    /// Only what these two do beyond the own turn is charged to the control's budget.
    ///
    /// The same seed gives the same turn and score everywhere, unless the control has a deadline or is cancelled.
    ///
    /// # Errors
    /// [`SearchError::TooManyTurns`], on boards that no game reaches.
    pub fn best_turn(
        self,
        root: &Position,
        control: &SearchControl<'_>,
        seed: u64,
    ) -> Result<Option<ScoredTurn>, SearchError> {
        let mut generator = ties::seeded(seed);
        let best = match self {
            Self::Random => one_ply::random(root, &turns_of(root)?, &mut generator),
            Self::CheckmateAware => one_ply::checkmate_aware(root, &turns_of(root)?, &mut generator)?,
            Self::Greedy => one_ply::greedy(root, &turns_of(root)?, material, &mut generator)?,
            Self::GreedyV2 => one_ply::greedy(root, &turns_of(root)?, standard, &mut generator)?,
            Self::Aggressive => one_ply::greedy(root, &turns_of(root)?, aggressive, &mut generator)?,
            Self::MonteCarlo | Self::Expectimax if chance_node::require_kings(root).is_err() => None,
            Self::MonteCarlo => monte_carlo::best(root, turns_of(root)?, control, generator),
            Self::Expectimax => expectimax(root, control, seed)?,
        };
        Ok(best.map(|(turn, score)| ScoredTurn { turn, position: root.play_turn(turn), score }))
    }
}

fn turns_of(root: &Position) -> Result<Turns, SearchError> {
    let mut turns = Turns::new();
    list_turns(&mut turns, root)?;
    Ok(turns)
}

fn expectimax(
    root: &Position,
    control: &SearchControl<'_>,
    seed: u64,
) -> Result<Option<(Turn, i32)>, SearchError> {
    if root.dice().is_empty() {
        return Ok(None);
    }
    let search = Expectimax::new(ExpectimaxConfig::default(), &BuiltIn::Standard)?;
    let best = search.find_best_move(root, control, seed)?.best;
    Ok(best.map(|best| (best.turn, best.score)))
}

impl fmt::Display for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl FromStr for Bot {
    type Err = UnknownBot;

    /// The bot with this id, in either case.
    fn from_str(id: &str) -> Result<Self, UnknownBot> {
        let named = |bot: &Self| bot.id().eq_ignore_ascii_case(id);
        Self::ALL.into_iter().find(named).ok_or_else(|| UnknownBot(id.to_owned()))
    }
}
