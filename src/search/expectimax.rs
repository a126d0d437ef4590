//! The root search: which turn of a roll has the best expectation over the opponent's rolls.

use rand::RngExt;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::chance_node::{self, require_kings};
use super::leaf::LeafPolicy;
use super::{SearchControl, SearchError, SearchOutcome, UtilityBounds};
use crate::board::Position;
use crate::eval::{BuiltIn, Evaluator};
use crate::rules::{Turn, Turns, legal_turns};

/// How wide and how deep a search looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpectimaxConfig {
    /// How many of the best turns by the pre-ranker are searched; at least 1.
    pub candidate_limit: usize,
    /// Full turns: 2 is the own turn, the opponent's roll and reply.
    pub search_depth: u32,
}

impl Default for ExpectimaxConfig {
    /// Eight candidates, two turns.
    fn default() -> Self {
        Self { candidate_limit: 8, search_depth: 2 }
    }
}

/// Where the score of a chosen turn comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreSource {
    /// The turn captures the king.
    Capture,
    /// The turn's chance node was searched to the end.
    Search,
    /// No candidate was finished: the pre-ranker decided alone.
    PreRank,
}

/// The turn a search chose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestTurn {
    /// A legal turn of the root.
    pub turn: Turn,
    /// Centipawns for the root's mover, towards zero; `i32::MAX` when the turn captures the king.
    pub score: i32,
    /// What the score is.
    pub source: ScoreSource,
    /// The value of the root among the selected candidates: exact when each was finished, a lower bound when the limits
    /// cut the list short, incomplete when none was finished.
    pub outcome: SearchOutcome<f64>,
}

/// A turn that was selected for the search, in pre-rank order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// A legal turn of the root.
    pub turn: Turn,
    /// The pre-ranker's value.
    pub pre_rank: f64,
    /// What the search found; incomplete for turns it did not reach or finish.
    pub outcome: SearchOutcome<f64>,
}

/// What a search did; all but the last three count root candidates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RootSearchStats {
    /// Legal turns of the root.
    pub legal_turns: u64,
    /// Candidates the pre-ranker selected.
    pub candidates_selected: u64,
    /// Candidates with an exact value.
    pub candidates_completed: u64,
    /// Candidates that a limit cut short midway: 0 or 1.
    pub candidates_abandoned: u64,
    /// Candidates proven inferior by a cut.
    pub cutoffs: u64,
    /// Classes left unexpanded by cuts.
    pub rolls_saved: u64,
    /// Candidates proven inferior by probes alone.
    pub probe_cutoffs: u64,
    /// Table look-ups for candidates.
    pub tt_probes: u64,
    /// Candidates with an exact value from the table.
    pub tt_hits: u64,
    /// Candidates proven inferior by a bound from the table.
    pub tt_cutoffs: u64,
    /// Whether some selected candidate was left unresolved, by the deadline, the budget or cancellation.
    pub deadline_truncated: bool,
    /// Whether no candidate was resolved, so that the pre-ranker decided alone.
    pub fell_back_to_pre_rank: bool,
    /// Chance nodes opened, of the whole tree.
    pub chance_nodes: u64,
    /// Positions evaluated, of the whole tree.
    pub leaves: u64,
    /// Units of the budget used; 0 without a budget.
    pub work_used: u64,
}

/// The answer of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// The chosen turn; `None` only for a forced pass.
    pub best: Option<BestTurn>,
    /// The selected candidates in pre-rank order; none for a forced pass or a king capture.
    pub candidates: Vec<Candidate>,
    /// What was done.
    pub stats: RootSearchStats,
}

/// Exact chance-node expectimax.
///
/// ```
/// use dicechess_native::board::Position;
/// use dicechess_native::eval::BuiltIn;
/// use dicechess_native::search::{Expectimax, ExpectimaxConfig, SearchControl};
/// let search = Expectimax::new(ExpectimaxConfig::default(), &BuiltIn::Material).unwrap();
/// let position: Position = "4k3/8/8/3q4/2P5/8/8/4K3 w - - 0 1 PPK".parse().unwrap();
/// let best = search.find_best_move(&position, &SearchControl::unbounded(), 7).unwrap().best.unwrap();
/// assert!(best.outcome.is_exact());
/// assert_eq!(best.turn.moves().next().unwrap().to_string(), "c4d5");
/// ```
pub struct Expectimax<'a> {
    config: ExpectimaxConfig,
    evaluator: &'a dyn Evaluator,
}

impl<'a> Expectimax<'a> {
    /// A search with this configuration and leaf evaluator; turns are pre-ranked by material.
    ///
    /// # Errors
    /// When the candidate limit is 0 or the depth is not supported.
    pub fn new(config: ExpectimaxConfig, evaluator: &'a dyn Evaluator) -> Result<Self, SearchError> {
        if config.candidate_limit == 0 {
            return Err(SearchError::CandidateLimit(config.candidate_limit));
        }
        if config.search_depth != 2 {
            return Err(SearchError::SearchDepth(config.search_depth));
        }
        Ok(Self { config, evaluator })
    }

    /// The best turn of `root` with its dice, as far as `control` allows.
    ///
    /// There is always a turn unless the roll is a forced pass: a king capture if there is one, else the best of the
    /// candidates that were finished, else the pre-ranker's first. Finding the legal turns, the captures and the pre-rank is
    /// done even when the control is cancelled at entry, and is not charged to the budget. `seed` breaks exact ties: the
    /// same seed and the same budget give the same result everywhere.
    ///
    /// # Errors
    /// When a king is missing, the pool is empty, or the evaluator leaves its range.
    pub fn find_best_move(
        &self,
        root: &Position,
        control: &SearchControl<'_>,
        seed: u64,
    ) -> Result<SearchResult, SearchError> {
        require_kings(root)?;
        if root.dice().is_empty() {
            return Err(SearchError::EmptyPool);
        }
        let turns = legal_turns(root);
        let mut stats = RootSearchStats::default();
        if turns.is_empty() {
            return Ok(SearchResult { best: None, candidates: Vec::new(), stats });
        }
        stats.legal_turns = turns.len() as u64;
        if let Some(&turn) = turns.captures().iter().min_by_key(|turn| turn.len()) {
            let best = Some(capture(turn, control));
            return Ok(SearchResult { best, candidates: Vec::new(), stats });
        }
        let (positions, mut candidates) = self.select(root, &turns);
        stats.candidates_selected = candidates.len() as u64;
        self.search_candidates(&positions, &mut candidates, control, &mut stats)?;
        stats.work_used = control.work_used();
        let resolved = stats.candidates_completed + stats.cutoffs + stats.tt_hits + stats.tt_cutoffs;
        stats.deadline_truncated = resolved < stats.candidates_selected;
        stats.fell_back_to_pre_rank = stats.candidates_completed + stats.tt_hits == 0;
        let best = Some(choose(&candidates, &stats, seed));
        Ok(SearchResult { best, candidates, stats })
    }

    /// The expectation of `evaluator`'s value at `after_turn`, whose side to move is about to roll and reply once.
    ///
    /// # Errors
    /// When a king is missing, dice are left, or the evaluator leaves its range.
    pub fn chance_value(
        &self,
        after_turn: &Position,
        bounds: UtilityBounds,
        control: &SearchControl<'_>,
    ) -> Result<SearchOutcome<f64>, SearchError> {
        let mut policy = LeafPolicy::new(self.evaluator, bounds);
        policy.enter(after_turn);
        Ok(chance_node::expand(after_turn, control, &mut policy)?.outcome)
    }

    /// The best turns by the pre-ranker, equal ones in canonical order, each with the position after it.
    fn select(&self, root: &Position, turns: &Turns) -> (Vec<Position>, Vec<Candidate>) {
        let positions: Vec<Position> =
            turns.quiet().iter().map(|&turn| root.play_turn(turn).end_turn()).collect();
        let mut scores = vec![f64::NAN; positions.len()];
        BuiltIn::Material.evaluate(&positions, root.side_to_move(), &mut scores);
        let mut ranking: Vec<usize> = (0..positions.len()).collect();
        let best_first = |a: &usize, b: &usize| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b));
        if self.config.candidate_limit < ranking.len() {
            ranking.select_nth_unstable_by(self.config.candidate_limit, best_first);
            ranking.truncate(self.config.candidate_limit);
        }
        ranking.sort_unstable_by(best_first);
        let candidate = |&i: &usize| Candidate {
            turn: turns.quiet()[i],
            pre_rank: scores[i],
            outcome: SearchOutcome::Incomplete { work_used: 0 },
        };
        (ranking.iter().map(|&i| positions[i]).collect(), ranking.iter().map(candidate).collect())
    }

    /// Searches candidate after candidate until all are done or the control cancels.
    fn search_candidates(
        &self,
        positions: &[Position],
        candidates: &mut [Candidate],
        control: &SearchControl<'_>,
        stats: &mut RootSearchStats,
    ) -> Result<(), SearchError> {
        let Some(first) = positions.first() else {
            return Ok(());
        };
        let bounds = UtilityBounds::expectimax(!first.side_to_move());
        let mut policy = LeafPolicy::new(self.evaluator, bounds);
        for (i, position) in positions.iter().enumerate() {
            if control.is_cancelled() {
                break;
            }
            // Two turns to one position are searched once; the second takes over what the first found.
            let outcome = match positions[..i].iter().position(|earlier| earlier == position) {
                Some(twin) => candidates[twin].outcome,
                None => {
                    stats.chance_nodes += 1;
                    policy.enter(position);
                    chance_node::expand(position, control, &mut policy)?.outcome
                }
            };
            candidates[i].outcome = outcome;
            stats.leaves = policy.leaves();
            if outcome.is_exact() {
                stats.candidates_completed += 1;
            } else {
                stats.candidates_abandoned += 1;
                break;
            }
        }
        Ok(())
    }
}

fn capture(turn: Turn, control: &SearchControl<'_>) -> BestTurn {
    BestTurn {
        turn,
        score: i32::MAX,
        source: ScoreSource::Capture,
        outcome: SearchOutcome::Exact { value: f64::from(i32::MAX), work_used: control.work_used() },
    }
}

/// The best finished candidate, exact ties broken by the seed; the pre-ranker's first when none is finished.
fn choose(candidates: &[Candidate], stats: &RootSearchStats, seed: u64) -> BestTurn {
    let work_used = stats.work_used;
    let best = candidates.iter().filter_map(|candidate| candidate.outcome.exact()).reduce(f64::max);
    let Some(value) = best else {
        let first = candidates[0];
        return BestTurn {
            turn: first.turn,
            score: first.pre_rank as i32,
            source: ScoreSource::PreRank,
            outcome: SearchOutcome::Incomplete { work_used },
        };
    };
    let tied: Vec<Turn> = candidates
        .iter()
        .filter(|candidate| candidate.outcome.exact() == Some(value))
        .map(|candidate| candidate.turn)
        .collect();
    let ticket = ChaCha8Rng::seed_from_u64(seed).random_range(0..tied.len());
    BestTurn {
        turn: tied[ticket],
        score: value as i32,
        source: ScoreSource::Search,
        outcome: if stats.deadline_truncated {
            SearchOutcome::LowerBound { value, work_used }
        } else {
            SearchOutcome::Exact { value, work_used }
        },
    }
}
