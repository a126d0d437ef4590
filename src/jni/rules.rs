//! Questions about the rules: legal turns, and captures of the king within a budget.

use jni::Env;
use jni::objects::{JClass, JLongArray};
use jni::sys::{jint, jlong};

use super::control::resume_budget;
use super::error::{BoundaryError, ThrowToJava};
use super::position::{POSITION_WORDS, position_words, read_color, read_position};
use crate::board::Color;
use crate::rules::{self, Budget, Exhausted, TurnPlayer, Turns};

native! { static extern fn legal_turns(words: jlong[]) -> jlong[] }
native! { static extern fn king_capture_rolls(words: jlong[], defender: jint, budget: jlong[]) -> jint }
native! { static extern fn king_capture_path(words: jlong[], budget: jlong[]) -> jlong }

/// The answer of a query that its budget cut short.
const INCOMPLETE: jlong = -1;

/// Words of a turn in the list: its micro-moves, then the position after it.
const TURN_WORDS: usize = 1 + POSITION_WORDS;

const _: () = assert!(Turns::MAX < jint::MAX as usize / TURN_WORDS, "an array of Java holds all turns");

/// Turns that are copied to Java at once, so that a long list is in memory once only.
const CHUNK: usize = 256;

/// Each legal turn in canonical order: its micro-moves, then the position after it, before its end. [`Turns::MAX`] turns fit
/// into a Java array; whether its heap has room for them is found out when the array is made.
fn legal_turns<'l>(
    env: &mut Env<'l>,
    _class: JClass<'l>,
    words: JLongArray<'l>,
) -> Result<JLongArray<'l>, BoundaryError> {
    let position = read_position(env, &words)?;
    let mut turns = Turns::new();
    turns
        .generate(&position, &Budget::unlimited())
        .map_err(|unlisted| BoundaryError::OutOfMemory(unlisted.to_string()))?;
    let answer = JLongArray::new(env, turns.len() * TURN_WORDS)?;
    let mut turns = turns.iter();
    let mut chunk = Vec::with_capacity(CHUNK * TURN_WORDS);
    let mut player = TurnPlayer::new(&position);
    let mut written = 0;
    while turns.len() > 0 {
        chunk.clear();
        for turn in turns.by_ref().take(CHUNK) {
            chunk.push(turn.bits() as jlong);
            chunk.extend(position_words(&player.play(turn)));
        }
        answer.set_region(env, written as jint, &chunk)?;
        written += chunk.len();
    }
    Ok(answer)
}

/// On how many of 216 rolls the king can be captured.
fn king_capture_rolls<'l>(
    env: &mut Env<'l>,
    _class: JClass<'l>,
    words: JLongArray<'l>,
    defender: jint,
    budget: JLongArray<'l>,
) -> Result<jint, BoundaryError> {
    let position = read_position(env, &words)?;
    let defender: Color = read_color("defender", defender)?;
    let rolls = within(env, &budget, |budget| rules::king_capture_rolls(&position, defender, budget))?;
    Ok(rolls.map_or(INCOMPLETE as jint, |rolls| rolls as jint))
}

/// The first turn that captures the king; 0 when none does.
fn king_capture_path<'l>(
    env: &mut Env<'l>,
    _class: JClass<'l>,
    words: JLongArray<'l>,
    budget: JLongArray<'l>,
) -> Result<jlong, BoundaryError> {
    let position = read_position(env, &words)?;
    let path = within(env, &budget, |budget| rules::king_capture_path(&position, budget))?;
    Ok(path.map_or(INCOMPLETE, |turn| turn.map_or(0, |turn| turn.bits() as jlong)))
}

/// Runs a query under a budget of three words (limit, used, exhausted), and writes back what it used.
fn within<T>(
    env: &mut Env<'_>,
    words: &JLongArray<'_>,
    query: impl FnOnce(&Budget) -> Result<T, Exhausted>,
) -> Result<Option<T>, BoundaryError> {
    let mut state = [0; 3];
    words.get_region(env, 0, &mut state)?;
    let budget = resume_budget(state[0], state[1], state[2]);
    let answer = query(&budget).ok();
    words.set_region(env, 0, &[state[0], budget.used() as jlong, budget.is_exhausted().into()])?;
    Ok(answer)
}
