//! Positions as text and as words.

use jni::Env;
use jni::objects::{JByteArray, JClass, JLongArray};
use jni::sys::{jint, jlong};

use super::error::{BoundaryError, ThrowToJava};
use crate::board::{Color, DfenError, MAX_DFEN_LENGTH, Position};

/// How many longs a position crosses as.
pub(super) const POSITION_WORDS: usize = 6;

native! { static extern fn parse(dfen_utf8: jbyte[], words: jlong[]) }
native! { static extern fn format(words: jlong[]) -> jbyte[] }
native! { static extern fn end_turn(words: jlong[]) }

fn parse<'l>(
    env: &mut Env<'l>,
    _class: JClass<'l>,
    dfen: JByteArray<'l>,
    words: JLongArray<'l>,
) -> Result<(), BoundaryError> {
    let position = read_dfen(env, &dfen)?;
    write_position(env, &position, &words)
}

fn format<'l>(
    env: &mut Env<'l>,
    _class: JClass<'l>,
    words: JLongArray<'l>,
) -> Result<JByteArray<'l>, BoundaryError> {
    let position = read_position(env, &words)?;
    Ok(env.byte_array_from_slice(position.to_string().as_bytes())?)
}

/// Replaces the position by the one after the end of its turn.
fn end_turn<'l>(env: &mut Env<'l>, _class: JClass<'l>, words: JLongArray<'l>) -> Result<(), BoundaryError> {
    let position = read_position(env, &words)?.end_turn();
    write_position(env, &position, &words)
}

/// Copies the text in and reads it. A text that is too long is refused without copying it.
pub(super) fn read_dfen(env: &mut Env<'_>, bytes: &JByteArray<'_>) -> Result<Position, BoundaryError> {
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

pub(super) fn read_position(env: &mut Env<'_>, words: &JLongArray<'_>) -> Result<Position, BoundaryError> {
    let mut buffer: [jlong; POSITION_WORDS] = [0; POSITION_WORDS];
    words.get_region(env, 0, &mut buffer)?;
    Position::from_words(buffer.map(|word| word as u64))
        .ok_or_else(|| BoundaryError::illegal_argument("the words are no position"))
}

fn write_position(
    env: &mut Env<'_>,
    position: &Position,
    words: &JLongArray<'_>,
) -> Result<(), BoundaryError> {
    Ok(words.set_region(env, 0, &position_words(position))?)
}

pub(super) fn position_words(position: &Position) -> [jlong; POSITION_WORDS] {
    position.to_words().map(|word| word as jlong)
}

/// Java's number of a side: 0 White, 1 Black.
pub(super) fn read_color(name: &str, number: jint) -> Result<Color, BoundaryError> {
    match number {
        0 => Ok(Color::White),
        1 => Ok(Color::Black),
        other => Err(BoundaryError::illegal_argument(format!(
            "{name} must be 0 for White or 1 for Black: {other}"
        ))),
    }
}
