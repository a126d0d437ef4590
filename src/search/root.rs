//! The root: selects candidate turns, searches their chance nodes, and always has a legal turn to play.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::expectimax::Expectimax;
use super::tree::{self, NodeSource, Tree};
use super::{SearchControl, SearchError, SearchOutcome, chance_node, material, ties};
use crate::board::Position;
use crate::eval::saturated;
use crate::rules::{Budget, Turn, TurnPlayer, Turns, Unlisted};

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
    /// The value of the root among the selected candidates: exact when each was completed, cut by proof or answered by the
    /// table; a lower bound when the limits cut the list short; incomplete when none was finished. A king capture is exact
    /// with the value of its score.
    pub outcome: SearchOutcome<f64>,
}

/// A turn that was selected for the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// A legal turn of the root.
    pub turn: Turn,
    /// The pre-ranker's value; 0 without a pre-ranker.
    pub pre_rank: f64,
    /// What was found, after any root rescore; incomplete for a turn that was not finished, and with no work for one that
    /// was not reached.
    pub outcome: SearchOutcome<f64>,
    /// Whether the mover's king is lost on some roll that the outcome stands for.
    pub loss_tainted: bool,
}

/// What a search did. The counts from `candidates_selected` to `tt_cutoffs` are of root candidates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RootSearchStats {
    /// Legal turns of the root.
    pub legal_turns: u64,
    /// Candidates the pre-ranker selected.
    pub candidates_selected: u64,
    /// Candidates whose chance node was searched to an exact value.
    pub candidates_completed: u64,
    /// Candidates that a limit cut short midway: 0 or 1.
    pub candidates_abandoned: u64,
    /// Candidates proven inferior by a cut.
    pub cutoffs: u64,
    /// Classes of rolls left unexpanded by these cuts.
    pub rolls_saved: u64,
    /// Candidates proven inferior by probes alone.
    pub probe_cutoffs: u64,
    /// Table look-ups for candidates.
    pub tt_probes: u64,
    /// Candidates with an exact value from the table.
    pub tt_hits: u64,
    /// Candidates proven inferior by a bound from the table.
    pub tt_cutoffs: u64,
    /// Whether some selected candidate was left unresolved, not reached or abandoned, by the deadline, the budget or
    /// cancellation.
    pub deadline_truncated: bool,
    /// Whether no candidate has an exact value, so that the pre-ranker decided alone.
    pub fell_back_to_pre_rank: bool,
    /// Chance nodes opened, of the whole tree.
    pub chance_nodes: u64,
    /// Positions scored at the leaves of the whole tree. Where pure material is told from the positions before the last die,
    /// those are counted instead.
    pub leaves: u64,
    /// Units of the budget used so far, by earlier calls too; 0 without a budget, and where nothing had to be searched.
    pub work_used: u64,
}

/// The answer of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchResult {
    /// The chosen turn; `None` only for a forced pass.
    pub best: Option<BestTurn>,
    /// What was done.
    pub stats: RootSearchStats,
}

/// Buffers of the root, kept between searches.
#[derive(Debug, Default)]
pub(super) struct RootScratch {
    turns: Turns,
    /// The pre-ranker's, of the position after each quiet turn.
    scores: Vec<f64>,
    /// Indices of quiet turns, best first.
    ranking: Vec<usize>,
    /// After each candidate; while turns are pre-ranked, after each quiet turn.
    positions: Vec<Position>,
    /// The first candidate with a position.
    firsts: HashMap<Position, usize>,
    /// Of the candidates.
    rescores: Vec<f64>,
    /// How the candidates searched so far were resolved.
    resolutions: Vec<Resolution>,
    /// The selected turns in pre-rank order, and what was found of them.
    pub(super) candidates: Vec<Candidate>,
}

/// Buffers of a root that have grown beyond this are not kept for the next search.
pub(super) const MAX_KEPT_ROOT_BYTES: usize = 16 << 20;

impl RootScratch {
    /// Starts over when the buffers have grown too large.
    pub(super) fn shrink(&mut self) {
        if self.bytes() > MAX_KEPT_ROOT_BYTES {
            *self = Self::default();
        }
    }

    fn bytes(&self) -> usize {
        self.turns.bytes()
            + (self.scores.capacity() + self.rescores.capacity()) * size_of::<f64>()
            + self.ranking.capacity() * size_of::<usize>()
            + self.positions.capacity() * size_of::<Position>()
            + self.firsts.capacity() * size_of::<(Position, usize)>()
            + self.candidates.capacity() * (size_of::<Candidate>() + size_of::<Resolution>())
    }

    /// Makes room for that many candidates in all buffers that hold something of each.
    fn reserve_candidates(&mut self, more: usize) -> Result<(), SearchError> {
        let turns = self.turns.len();
        reserve(&mut self.positions, more, turns)?;
        reserve(&mut self.rescores, more, turns)?;
        reserve(&mut self.resolutions, more, turns)?;
        reserve(&mut self.candidates, more, turns)?;
        self.firsts.try_reserve(more).map_err(|_| SearchError::TooManyTurns { turns })
    }

    /// Replaces the contents of `candidates` by the candidates of the search.
    pub(super) fn tell(&self, candidates: &mut Vec<Candidate>) -> Result<(), SearchError> {
        candidates.clear();
        reserve(candidates, self.candidates.len(), self.turns.len())?;
        candidates.extend_from_slice(&self.candidates);
        Ok(())
    }
}

/// Makes room in an empty buffer for something of each of `turns`, or of some of them. Their number is the input's, so this
/// must not abort the process.
pub(super) fn reserve<T>(buffer: &mut Vec<T>, more: usize, turns: usize) -> Result<(), SearchError> {
    buffer.try_reserve(more).map_err(|_| SearchError::TooManyTurns { turns })
}

/// Lists the legal turns of a root.
pub(super) fn list_turns(turns: &mut Turns, root: &Position) -> Result<(), SearchError> {
    turns.generate(root, &Budget::unlimited()).map_err(|unlisted| match unlisted {
        Unlisted::TooMany { turns } => SearchError::TooManyTurns { turns },
        Unlisted::Exhausted(_) => unreachable!("an unlimited budget refuses nothing"),
    })
}

/// A root has both kings and a roll, or the error that tells what is missing.
pub(super) fn require_roll(root: &Position) -> Result<(), SearchError> {
    chance_node::require_kings(root)?;
    if root.dice().is_empty() {
        return Err(SearchError::EmptyPool);
    }
    Ok(())
}

/// Searches `root`, which has dice and both kings.
pub(super) fn search(
    search: &Expectimax<'_>,
    root: &Position,
    tree: &mut Tree<'_>,
    scratch: &mut RootScratch,
    seed: u64,
) -> Result<SearchResult, SearchError> {
    scratch.candidates.clear();
    let mut result = SearchResult { best: None, stats: RootSearchStats::default() };
    list_turns(&mut scratch.turns, root)?;
    if scratch.turns.is_empty() {
        return Ok(result);
    }
    result.stats.legal_turns = scratch.turns.len() as u64;
    if let Some(&turn) = scratch.turns.captures().iter().min_by_key(|turn| turn.len()) {
        result.best = Some(capture(turn, tree.control));
        return Ok(result);
    }
    select(search, root, tree, scratch)?;
    result.stats.candidates_selected = scratch.candidates.len() as u64;
    search_all(search, tree, scratch, &mut result.stats)?;
    finish_stats(&mut result.stats, tree);
    result.best = Some(choose(&scratch.candidates, &result.stats, seed));
    Ok(result)
}

fn capture(turn: Turn, control: &SearchControl<'_>) -> BestTurn {
    BestTurn {
        turn,
        score: i32::MAX,
        source: ScoreSource::Capture,
        outcome: SearchOutcome::Exact { value: f64::from(i32::MAX), work_used: control.work_used() },
    }
}

/// How a candidate was resolved.
#[derive(Clone, Copy, Debug)]
enum Resolution {
    Completed,
    Cut { by_probe: bool },
    TableHit,
    TableCut,
}

impl Resolution {
    /// `None` for a candidate that was abandoned.
    fn of(outcome: SearchOutcome<f64>, source: &NodeSource) -> Option<Self> {
        match (outcome, source) {
            (SearchOutcome::Incomplete { .. }, _) => None,
            (SearchOutcome::Exact { .. }, NodeSource::Table) => Some(Self::TableHit),
            (_, NodeSource::Table | NodeSource::Cancelled) => Some(Self::TableCut),
            (SearchOutcome::Exact { .. }, NodeSource::Expansion(_)) => Some(Self::Completed),
            (_, NodeSource::Expansion(result)) => Some(Self::Cut { by_probe: result.probe_pruned }),
        }
    }

    fn count(self, stats: &mut RootSearchStats) {
        match self {
            Self::Completed => stats.candidates_completed += 1,
            Self::Cut { by_probe } => {
                stats.cutoffs += 1;
                stats.probe_cutoffs += u64::from(by_probe);
            }
            Self::TableHit => stats.tt_hits += 1,
            Self::TableCut => stats.tt_cutoffs += 1,
        }
    }
}

/// Selects the best turns by the pre-ranker, equal ones in canonical order.
fn select(
    search: &Expectimax<'_>,
    root: &Position,
    tree: &Tree<'_>,
    scratch: &mut RootScratch,
) -> Result<(), SearchError> {
    pre_rank(search, root, tree, scratch)?;
    let limit = search.config.candidate_limit;
    let distinct = search.config.distinct_candidates;
    let turns = scratch.turns.len();
    let ranked = if distinct { turns } else { limit };
    scratch.ranking.clear();
    reserve(&mut scratch.ranking, ranked.saturating_mul(2).min(turns), turns)?;
    best_first(&scratch.scores, ranked, &mut scratch.ranking);
    scratch.positions.clear();
    scratch.firsts.clear();
    scratch.rescores.clear();
    scratch.resolutions.clear();
    scratch.reserve_candidates(limit.min(scratch.ranking.len()))?;
    let RootScratch { turns, positions, firsts, scores, ranking, candidates, .. } = scratch;
    let turns = turns.quiet();
    for &i in ranking.iter() {
        let position = root.play_turn(turns[i]).end_turn();
        if distinct && firsts.insert(position, i).is_some() {
            continue;
        }
        positions.push(position);
        let outcome = SearchOutcome::Incomplete { work_used: 0 };
        candidates.push(Candidate { turn: turns[i], pre_rank: scores[i], outcome, loss_tainted: false });
        if candidates.len() == limit {
            break;
        }
    }
    Ok(())
}

/// Fills `ranking` with the indices of the `limit` greatest scores, best first, equal ones in order.
fn best_first(scores: &[f64], limit: usize, ranking: &mut Vec<usize>) {
    let order =
        |a: &usize, b: &usize| scores[*b].partial_cmp(&scores[*a]).unwrap_or(Ordering::Equal).then(a.cmp(b));
    ranking.clear();
    let mut least = f64::NEG_INFINITY;
    for (i, &score) in scores.iter().enumerate() {
        // Later ones must be better than the last of those that fill the list.
        if score > least {
            ranking.push(i);
            if ranking.len() == limit.saturating_mul(2) {
                ranking.select_nth_unstable_by(limit - 1, order);
                ranking.truncate(limit);
                least = scores[ranking[limit - 1]];
            }
        }
    }
    ranking.sort_unstable_by(order);
    ranking.truncate(limit);
}

/// The pre-ranker's value of the position after each quiet turn; 0 without a pre-ranker.
fn pre_rank(
    search: &Expectimax<'_>,
    root: &Position,
    tree: &Tree<'_>,
    scratch: &mut RootScratch,
) -> Result<(), SearchError> {
    let RootScratch { turns, positions, scores, .. } = scratch;
    let turns = turns.quiet();
    scores.clear();
    reserve(scores, turns.len(), turns.len())?;
    match search.pre_ranker {
        None => scores.resize(turns.len(), 0.0),
        Some(pre_ranker) if pre_ranker.is_pure_material() => {
            material::after_turns(root, turns, |worth| scores.push(saturated(worth)));
        }
        Some(pre_ranker) => {
            positions.clear();
            reserve(positions, turns.len(), turns.len())?;
            let mut player = TurnPlayer::new(root);
            positions.extend(turns.iter().map(|&turn| player.play(turn).end_turn()));
            // Owed even when the control has cancelled.
            tree::score(pre_ranker, positions, &tree.bounds, None, scores)?;
        }
    }
    Ok(())
}

/// Searches candidate after candidate until all are done or the control cancels.
fn search_all(
    search: &Expectimax<'_>,
    tree: &mut Tree<'_>,
    scratch: &mut RootScratch,
    stats: &mut RootSearchStats,
) -> Result<(), SearchError> {
    let RootScratch { positions, firsts, rescores, resolutions, candidates, .. } = scratch;
    firsts.clear();
    if let Some(rescore) = search.rescore
        && !tree.control.is_cancelled()
    {
        tree::score(rescore.evaluator, positions, &tree.bounds, Some(tree.control), rescores)?;
    }
    let mut best = f64::NEG_INFINITY;
    for i in 0..candidates.len() {
        if tree.control.is_cancelled() {
            break;
        }
        let position = positions[i];
        // Two turns to one position are searched once; the second takes over what the first found.
        let twin = *firsts.entry(search.as_searched(&position)).or_insert(i);
        if twin < i {
            let Candidate { outcome, loss_tainted, .. } = candidates[twin];
            candidates[i] = Candidate { outcome, loss_tainted, ..candidates[i] };
            resolutions.push(resolutions[twin]);
            continue;
        }
        let blend = search.rescore.map(|rescore| Blend { weight: rescore.weight, score: rescores[i] });
        let alpha = blend.map_or(best, |blend| blend.alpha(best));
        let (value, source) = search.node(tree, &position, (alpha, f64::INFINITY))?;
        stats.tt_probes += u64::from(search.has_table() && !matches!(source, NodeSource::Cancelled));
        let outcome = match blend {
            Some(_) if value.outcome.is_exact() && value.loss_tainted => value.outcome,
            Some(blend) if value.outcome.is_exact() => value.outcome.map(|value| blend.value(value)),
            // Whether the true value is tainted, and so not blended, the bound does not tell.
            Some(blend) => value.outcome.map(|bound| bound.max(blend.value(bound))),
            None => value.outcome,
        };
        candidates[i] = Candidate { outcome, loss_tainted: value.loss_tainted, ..candidates[i] };
        let Some(resolution) = Resolution::of(value.outcome, &source) else {
            stats.candidates_abandoned += 1;
            break;
        };
        if let (Resolution::Cut { .. }, NodeSource::Expansion(result)) = (resolution, source) {
            stats.rolls_saved += (result.classes - result.classes_resolved) as u64;
        }
        resolutions.push(resolution);
        best = outcome.exact().map_or(best, |value| best.max(value));
    }
    resolutions.iter().for_each(|resolution| resolution.count(stats));
    Ok(())
}

/// How a candidate's search value and its rescore make up its final value.
#[derive(Clone, Copy)]
struct Blend {
    weight: f64,
    score: f64,
}

impl Blend {
    fn value(self, search: f64) -> f64 {
        (1.0 - self.weight) * search + self.weight * self.score
    }

    /// Search values below this cannot reach `best`, whether they are blended or, being lost on some roll, are not. Rounded
    /// down twice, so that no tie is cut.
    fn alpha(self, best: f64) -> f64 {
        let blended = ((best.next_down() - self.weight * self.score) / (1.0 - self.weight)).next_down();
        if self.weight == 1.0 || blended.is_nan() { f64::NEG_INFINITY } else { best.min(blended) }
    }
}

fn finish_stats(stats: &mut RootSearchStats, tree: &Tree<'_>) {
    let resolved = stats.candidates_completed + stats.cutoffs + stats.tt_hits + stats.tt_cutoffs;
    stats.deadline_truncated = resolved < stats.candidates_selected;
    stats.fell_back_to_pre_rank = stats.candidates_completed + stats.tt_hits == 0;
    stats.chance_nodes = tree.chance_nodes;
    stats.leaves = tree.leaves;
    stats.work_used = tree.control.work_used();
}

/// The best finished candidate, exact ties broken by the seed; the pre-ranker's first when none is finished.
fn choose(candidates: &[Candidate], stats: &RootSearchStats, seed: u64) -> BestTurn {
    let work_used = stats.work_used;
    let finished =
        candidates.iter().filter_map(|candidate| Some((candidate.turn, candidate.outcome.exact()?)));
    let Some((turn, value)) = ties::best(finished, &mut ties::seeded(seed)) else {
        let first = candidates[0];
        return BestTurn {
            turn: first.turn,
            score: first.pre_rank as i32,
            source: ScoreSource::PreRank,
            outcome: SearchOutcome::Incomplete { work_used },
        };
    };
    BestTurn {
        turn,
        score: value as i32,
        source: ScoreSource::Search,
        outcome: if stats.deadline_truncated {
            SearchOutcome::LowerBound { value, work_used }
        } else {
            SearchOutcome::Exact { value, work_used }
        },
    }
}
