//! What searches answer, as longs: the layouts that `dicechess.engine.internal.ResultDecoder` reads.

use jni::Env;
use jni::objects::JLongArray;
use jni::sys::jlong;

use super::error::BoundaryError;
use super::position::{POSITION_WORDS, position_words};
use crate::board::Position;
use crate::search::chance_node::ChanceResult;
use crate::search::{
    BestTurn, Candidate, RootSearchStats, ScoreSource, SearchError, SearchOutcome, SearchResult,
};

const RESULT_LENGTH: usize = 22 + POSITION_WORDS;
const CANDIDATE_LENGTH: usize = 6;

/// The best turn (or that there is none), the position it leads to, the statistics, and candidates, when any are told of.
pub(super) fn search_result(
    root: &Position,
    result: &SearchResult,
    candidates: &[Candidate],
) -> Result<Vec<jlong>, BoundaryError> {
    let mut words = Vec::new();
    words
        .try_reserve_exact(RESULT_LENGTH + CANDIDATE_LENGTH * candidates.len())
        .map_err(|_| SearchError::TooManyTurns { turns: result.stats.legal_turns as usize })?;
    match result.best {
        None => {
            words.resize(7, 0);
            words.extend(position_words(root));
        }
        Some(best) => best_turn(root, &best, &mut words),
    }
    stats(&result.stats, &mut words);
    for candidate in candidates {
        words.push(candidate.turn.bits() as jlong);
        words.push(candidate.pre_rank.to_bits() as jlong);
        outcome(&candidate.outcome, &mut words);
        words.push(candidate.loss_tainted.into());
    }
    Ok(words)
}

/// The value of a chance node.
pub(super) fn chance_result(result: &ChanceResult) -> Vec<jlong> {
    let mut words = Vec::with_capacity(6);
    outcome(&result.outcome, &mut words);
    words.extend([result.loss_tainted.into(), result.classes as jlong, result.classes_resolved as jlong]);
    words
}

fn best_turn(root: &Position, best: &BestTurn, words: &mut Vec<jlong>) {
    let source = match best.source {
        ScoreSource::Capture => 0,
        ScoreSource::Search => 1,
        ScoreSource::PreRank => 2,
    };
    words.extend([1, best.turn.bits() as jlong]);
    outcome(&best.outcome, words);
    words.extend([best.score.into(), source]);
    words.extend(position_words(&root.play_turn(best.turn)));
}

/// The kind, the bits of the value and the work used.
fn outcome(outcome: &SearchOutcome<f64>, words: &mut Vec<jlong>) {
    let kind = match outcome {
        SearchOutcome::Exact { .. } => 0,
        SearchOutcome::LowerBound { .. } => 1,
        SearchOutcome::UpperBound { .. } => 2,
        SearchOutcome::Incomplete { .. } => 3,
    };
    let value = outcome.value().unwrap_or(0.0);
    words.extend([kind, value.to_bits() as jlong, outcome.work_used() as jlong]);
}

fn stats(stats: &RootSearchStats, words: &mut Vec<jlong>) {
    words.extend(
        [
            stats.legal_turns,
            stats.candidates_selected,
            stats.candidates_completed,
            stats.candidates_abandoned,
            stats.cutoffs,
            stats.rolls_saved,
            stats.probe_cutoffs,
            stats.tt_probes,
            stats.tt_hits,
            stats.tt_cutoffs,
            stats.deadline_truncated.into(),
            stats.fell_back_to_pre_rank.into(),
            stats.chance_nodes,
            stats.leaves,
            stats.work_used,
        ]
        .map(|count| count as jlong),
    );
}

/// A new Java array of these longs.
pub(super) fn long_array<'l>(env: &mut Env<'l>, words: &[jlong]) -> Result<JLongArray<'l>, BoundaryError> {
    let array = JLongArray::new(env, words.len())?;
    array.set_region(env, 0, words)?;
    Ok(array)
}
