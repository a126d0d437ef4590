//! What the facade asks beyond the rules: evaluations, feature vectors, bots, and the defaults it relies on.

use jni::Env;
use jni::objects::{JClass, JFloatArray, JLongArray};
use jni::sys::{jboolean, jint, jlong};

use super::control::with_time;
use super::encoding::long_array;
use super::error::{BoundaryError, ThrowToJava};
use super::evaluator::built_in;
use super::position::{position_words, read_color, read_position};
use crate::board::Color;
use crate::eval::{self, Evaluator};
use crate::search::bots::Bot;
use crate::search::{ExpectimaxConfig, SearchControl, TranspositionTable, UtilityBounds};

native! { static extern fn evaluate(words: jlong[], evaluator: jint, color: jint) -> jint }
native! { static extern fn features(words: jlong[], color: jint, rich: jboolean) -> jfloat[] }
native! { static extern fn best_turn(words: jlong[], bot: jint, remaining_nanos: jlong, seed: jlong) -> jlong[] }

/// The time a bot takes when the caller of the facade names none.
const DEFAULT_TIME_BUDGET_MS: i64 = 1000;

fn evaluate<'l>(
    env: &mut Env<'l>,
    _class: JClass<'l>,
    words: JLongArray<'l>,
    evaluator: jint,
    color: jint,
) -> Result<jint, BoundaryError> {
    let position = read_position(env, &words)?;
    Ok(built_in(evaluator)?.value(&position, read_color("color", color)?))
}

fn features<'l>(
    env: &mut Env<'l>,
    _class: JClass<'l>,
    words: JLongArray<'l>,
    color: jint,
    rich: jboolean,
) -> Result<JFloatArray<'l>, BoundaryError> {
    let position = read_position(env, &words)?;
    let color = read_color("color", color)?;
    let (all, few) = (eval::rich_features(&position, color), eval::onnx_features(&position, color));
    let features: &[f32] = if rich { &all } else { &few };
    let array = JFloatArray::new(env, features.len())?;
    array.set_region(env, 0, features)?;
    Ok(array)
}

/// A bot's turn, its score and the position after it; nothing when there is no turn.
fn best_turn<'l>(
    env: &mut Env<'l>,
    _class: JClass<'l>,
    words: JLongArray<'l>,
    bot: jint,
    remaining_nanos: jlong,
    seed: jlong,
) -> Result<JLongArray<'l>, BoundaryError> {
    let root = read_position(env, &words)?;
    let bot = usize::try_from(bot)
        .ok()
        .and_then(|index| Bot::ALL.get(index))
        .ok_or_else(|| BoundaryError::illegal_argument(format!("no bot has number {bot}")))?;
    let control = with_time(SearchControl::unbounded(), remaining_nanos);
    let mut encoded = Vec::with_capacity(8);
    if let Some(best) = bot.best_turn(&root, &control, seed as u64)? {
        encoded.extend([best.turn.bits() as jlong, best.score.into()]);
        encoded.extend(position_words(&best.position));
    }
    long_array(env, &encoded)
}

/// What the library does when it is not told otherwise, a `name=value` on each line, for the JVM side to compare with its
/// own constants.
pub(super) fn serving_defaults() -> String {
    let ExpectimaxConfig {
        candidate_limit,
        exact_only,
        search_depth,
        distinct_candidates,
        reply_probes,
        threads,
    } = ExpectimaxConfig::default();
    let scale = UtilityBounds::expectimax(Color::White);
    let evaluators = eval::BuiltIn::ALL.map(|evaluator| evaluator.name().to_owned());
    format!(
        "candidateLimit={candidate_limit}\n\
         exactOnly={exact_only}\n\
         searchDepth={search_depth}\n\
         distinctCandidates={distinct_candidates}\n\
         replyProbes={reply_probes}\n\
         threads={threads}\n\
         timeBudgetMs={DEFAULT_TIME_BUDGET_MS}\n\
         terminalLoss={}\n\
         minNonTerminal={}\n\
         maxNonTerminal={}\n\
         terminalWin={}\n\
         captureScore={}\n\
         tableCapacity={}\n\
         evaluators={}\n\
         bots={}\n",
        scale.terminal_loss(),
        scale.min_non_terminal(),
        scale.max_non_terminal(),
        scale.terminal_win(),
        i32::MAX,
        TranspositionTable::DEFAULT_CAPACITY,
        evaluators.join(","),
        Bot::ALL.map(Bot::id).join(","),
    )
}
