//! Win proofs: a turn that is proven best, and brackets of win probabilities.

use std::sync::Arc;

use jni::Env;
use jni::objects::{JByteBuffer, JClass, JLongArray};
use jni::sys::{jint, jlong};
use once_cell::sync::Lazy;

use super::control::{JLongSupplier, with_control};
use super::encoding::long_array;
use super::error::{BoundaryError, ThrowToJava};
use super::position::{POSITION_WORDS, position_words, read_color, read_position};
use crate::board::Position;
use crate::search::{
    Bracket, BracketedTurn, ProofPool, ProofResult, ProofVerdict, SearchError, WinProof, WinProofConfig,
};

native! {
    type_map = { JLongSupplier => java.util.function.LongSupplier },
    static extern fn prove_turn(words: jlong[], max_horizon: jint, seed: jlong, control: jlong[],
        cancel_flag: JByteBuffer, clock: JLongSupplier) -> jlong[]
}
native! {
    type_map = { JLongSupplier => java.util.function.LongSupplier },
    static extern fn win_bracket(words: jlong[], perspective: jint, horizon: jint, control: jlong[],
        cancel_flag: JByteBuffer, clock: JLongSupplier) -> jlong[]
}

#[expect(clippy::too_many_arguments, reason = "primitives cross the boundary one by one")]
fn prove_turn<'l>(
    env: &mut Env<'l>,
    _class: JClass<'l>,
    words: JLongArray<'l>,
    max_horizon: jint,
    seed: jlong,
    control: JLongArray<'l>,
    cancel_flag: JByteBuffer<'l>,
    clock: JLongSupplier<'l>,
) -> Result<JLongArray<'l>, BoundaryError> {
    let root = read_position(env, &words)?;
    let encoded = with_control(env, &control, &cancel_flag, &clock, |_, control| {
        let config = WinProofConfig { max_horizon: horizon(max_horizon), ..WinProofConfig::default() };
        let mut turns = Vec::new();
        let result = pooled(config)?.bracket_moves(&root, control, seed as u64, &mut turns)?;
        encode(&root, &result, &turns)
    })?;
    long_array(env, &encoded)
}

#[expect(clippy::too_many_arguments, reason = "primitives cross the boundary one by one")]
fn win_bracket<'l>(
    env: &mut Env<'l>,
    _class: JClass<'l>,
    words: JLongArray<'l>,
    perspective: jint,
    max_horizon: jint,
    control: JLongArray<'l>,
    cancel_flag: JByteBuffer<'l>,
    clock: JLongSupplier<'l>,
) -> Result<JLongArray<'l>, BoundaryError> {
    let before_roll = read_position(env, &words)?;
    let perspective = read_color("perspective", perspective)?;
    let bracket = with_control(env, &control, &cancel_flag, &clock, |_, control| {
        let proof = pooled(WinProofConfig::default())?;
        Ok(proof.win_bracket(&before_roll, perspective, horizon(max_horizon), control)?)
    })?;
    long_array(env, &encode_bracket(&bracket))
}

/// A search with tables of the usual capacity, kept between calls: making them takes longer than a short search.
fn pooled(config: WinProofConfig) -> Result<WinProof, SearchError> {
    static POOL: Lazy<Arc<ProofPool>> = Lazy::new(Arc::default);
    WinProof::with_pool(config, Arc::clone(&POOL))
}

/// Java refuses negative horizons; one that reaches this is refused as too large.
fn horizon(number: jint) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

const RESULT_LENGTH: usize = 12 + POSITION_WORDS;
const TURN_LENGTH: usize = 4;

/// The chosen turn (or that there is none), the position it leads to, the statistics, and every turn with its bracket.
fn encode(
    root: &Position,
    result: &ProofResult,
    turns: &[BracketedTurn],
) -> Result<Vec<jlong>, BoundaryError> {
    let (turn, bracket, verdict) = match result.best {
        None => (Default::default(), Bracket { lower: 0.0, upper: 0.0, horizon: 0 }, 0),
        Some(best) => {
            let verdict = match best.verdict {
                ProofVerdict::Proven => 0,
                ProofVerdict::HorizonReached => 1,
                ProofVerdict::Cancelled => 2,
            };
            (best.turn, best.bracket, verdict)
        }
    };
    let stats = &result.stats;
    let mut words = Vec::new();
    words
        .try_reserve_exact(RESULT_LENGTH + TURN_LENGTH * turns.len())
        .map_err(|_| SearchError::TooManyTurns { turns: stats.legal_turns as usize })?;
    words.extend([result.best.is_some().into(), turn.bits() as jlong, verdict]);
    words.extend(encode_bracket(&bracket));
    words.extend(position_words(&root.play_turn(turn)));
    words.extend(
        [
            stats.legal_turns,
            stats.distinct_turns,
            stats.open_rivals,
            u64::from(stats.horizon),
            stats.chance_nodes,
            stats.work_used,
        ]
        .map(|count| count as jlong),
    );
    for turn in turns {
        words.push(turn.turn.bits() as jlong);
        words.extend(encode_bracket(&turn.bracket));
    }
    Ok(words)
}

fn encode_bracket(bracket: &Bracket) -> [jlong; 3] {
    [bracket.lower.to_bits() as jlong, bracket.upper.to_bits() as jlong, bracket.horizon.into()]
}
