//! The boundary to the JVM: the native methods of `dicechess.engine.internal.NativeBridge`, and nothing else.
//!
//! One call does one operation. Text crosses as UTF-8 bytes, a position as six words, a result as one array of longs.
//! Every entry catches panics and turns errors into Java exceptions; nothing unwinds into the JVM.

mod error;

use jni::objects::{JByteArray, JClass, JLongArray, JString};
use jni::sys::{jint, jlong};
use jni::{Env, NativeMethod, bind_java_type, native_method};

use crate::board::{DfenError, MAX_DFEN_LENGTH, Position};
use crate::eval::BuiltIn;
use crate::rules::Budget;
use crate::search::{
    BestTurn, Expectimax, ExpectimaxConfig, RootSearchStats, ScoreSource, SearchControl, SearchOutcome,
    SearchResult, monotonic_nanos,
};
use error::{BoundaryError, ThrowToJava};

/// Grows with every change of a native method's signature or of the layout of what it returns.
const ABI_VERSION: jint = 1;

/// A limit of this value is none.
const UNLIMITED: jlong = jlong::MAX;

/// How many longs a position crosses as.
const POSITION_WORDS: usize = 6;

bind_java_type! { JSearchLimits => dicechess.engine.search.SearchLimits,
    fields {
        work_budget { sig = jlong, name = "workBudget", get = work_budget },
        candidate_limit { sig = jint, name = "candidateLimit", get = candidate_limit },
        search_depth { sig = jint, name = "searchDepth", get = search_depth },
        seed { sig = jlong, get = seed },
    }
}

const _ABI_VERSION: NativeMethod = native_method! {
    java_type = dicechess.engine.internal.NativeBridge, error_policy = ThrowToJava,
    static extern fn abi_version() -> jint
};
const _VERSION: NativeMethod = native_method! {
    java_type = dicechess.engine.internal.NativeBridge, error_policy = ThrowToJava,
    static extern fn version() -> JString
};
const _PARSE: NativeMethod = native_method! {
    java_type = dicechess.engine.internal.NativeBridge, error_policy = ThrowToJava,
    static extern fn parse(dfen_utf8: jbyte[], words: jlong[])
};
const _FORMAT: NativeMethod = native_method! {
    java_type = dicechess.engine.internal.NativeBridge, error_policy = ThrowToJava,
    static extern fn format(words: jlong[]) -> jbyte[]
};
const _SEARCH: NativeMethod = native_method! {
    java_type = dicechess.engine.internal.NativeBridge, error_policy = ThrowToJava,
    type_map = { JSearchLimits => dicechess.engine.search.SearchLimits },
    static extern fn search(dfen_utf8: jbyte[], limits: JSearchLimits, evaluator: jint, remaining_nanos: jlong)
        -> jlong[]
};

fn abi_version<'l>(_env: &mut Env<'l>, _class: JClass<'l>) -> Result<jint, BoundaryError> {
    Ok(ABI_VERSION)
}

fn version<'l>(env: &mut Env<'l>, _class: JClass<'l>) -> Result<JString<'l>, BoundaryError> {
    Ok(JString::new(env, env!("CARGO_PKG_VERSION"))?)
}

fn parse<'l>(
    env: &mut Env<'l>,
    _class: JClass<'l>,
    dfen: JByteArray<'l>,
    words: JLongArray<'l>,
) -> Result<(), BoundaryError> {
    let position = read_dfen(env, &dfen)?;
    words.set_region(env, 0, &position_words(&position))?;
    Ok(())
}

fn format<'l>(
    env: &mut Env<'l>,
    _class: JClass<'l>,
    words: JLongArray<'l>,
) -> Result<JByteArray<'l>, BoundaryError> {
    let mut buffer: [jlong; POSITION_WORDS] = [0; POSITION_WORDS];
    words.get_region(env, 0, &mut buffer)?;
    let position = Position::from_words(buffer.map(|word| word as u64))
        .ok_or_else(|| BoundaryError::illegal_argument("the words are no position"))?;
    Ok(env.byte_array_from_slice(position.to_string().as_bytes())?)
}

fn search<'l>(
    env: &mut Env<'l>,
    _class: JClass<'l>,
    dfen: JByteArray<'l>,
    limits: JSearchLimits<'l>,
    evaluator: jint,
    remaining_nanos: jlong,
) -> Result<JLongArray<'l>, BoundaryError> {
    let root = read_dfen(env, &dfen)?;
    let evaluator = match evaluator {
        0 => BuiltIn::Material,
        1 => BuiltIn::Standard,
        other => {
            return Err(BoundaryError::illegal_argument(format!("no evaluator has number {other}")));
        }
    };
    let config = ExpectimaxConfig {
        candidate_limit: non_negative("candidateLimit", limits.candidate_limit(env)?.into())? as usize,
        search_depth: non_negative("searchDepth", limits.search_depth(env)?.into())? as u32,
        ..ExpectimaxConfig::default()
    };
    let work_budget = limits.work_budget(env)?;
    let budget = Budget::new(non_negative("workBudget", work_budget)?);
    let mut control = SearchControl::unbounded();
    if work_budget != UNLIMITED {
        control = control.with_budget(&budget);
    }
    if remaining_nanos != UNLIMITED {
        control = control.with_deadline(monotonic_nanos().saturating_add(remaining_nanos));
    }
    let seed = limits.seed(env)? as u64;
    let result = Expectimax::new(config, &evaluator)?.find_best_move(&root, &control, seed)?;
    let encoded = encode(&root, &result);
    let array = JLongArray::new(env, encoded.len())?;
    array.set_region(env, 0, &encoded)?;
    Ok(array)
}

/// Copies the text in and reads it. A text that is too long is refused without copying it.
fn read_dfen(env: &mut Env<'_>, bytes: &JByteArray<'_>) -> Result<Position, BoundaryError> {
    let length = bytes.len(env)?;
    let mut buffer = [0; MAX_DFEN_LENGTH];
    let copied = &mut buffer[..length.min(MAX_DFEN_LENGTH)];
    bytes.get_region(env, 0, copied)?;
    let utf8: Vec<u8> = copied.iter().map(|&byte| byte as u8).collect();
    let text = String::from_utf8_lossy(&utf8);
    if length > MAX_DFEN_LENGTH {
        return Err(DfenError::too_long(&text, length).into());
    }
    Ok(text.parse()?)
}

fn non_negative(name: &str, value: jlong) -> Result<u64, BoundaryError> {
    u64::try_from(value)
        .map_err(|_| BoundaryError::illegal_argument(format!("{name} must not be negative: {value}")))
}

fn position_words(position: &Position) -> [jlong; POSITION_WORDS] {
    position.to_words().map(|word| word as jlong)
}

/// The layout that `dicechess.engine.internal.ResultDecoder` reads.
fn encode(root: &Position, result: &SearchResult) -> Vec<jlong> {
    let mut words = Vec::with_capacity(27);
    match result.best {
        None => {
            words.resize(7, 0);
            words.extend(position_words(root));
        }
        Some(best) => encode_best(root, &best, &mut words),
    }
    encode_stats(&result.stats, &mut words);
    words
}

fn encode_best(root: &Position, best: &BestTurn, words: &mut Vec<jlong>) {
    let kind = match best.outcome {
        SearchOutcome::Exact { .. } => 0,
        SearchOutcome::LowerBound { .. } => 1,
        SearchOutcome::UpperBound { .. } => 2,
        SearchOutcome::Incomplete { .. } => 3,
    };
    let source = match best.source {
        ScoreSource::Capture => 0,
        ScoreSource::Search => 1,
        ScoreSource::PreRank => 2,
    };
    words.extend([
        1,
        best.turn.bits() as jlong,
        kind,
        best.outcome.value().unwrap_or(0.0).to_bits() as jlong,
        best.outcome.work_used() as jlong,
        best.score.into(),
        source,
    ]);
    words.extend(position_words(&root.play_turn(best.turn)));
}

fn encode_stats(stats: &RootSearchStats, words: &mut Vec<jlong>) {
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
        ]
        .map(|count| count as jlong),
    );
}
