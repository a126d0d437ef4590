//! Evaluators that Java chose: built in, or the host's, called once for a batch.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use jni::ids::{JFieldID, JMethodID};
use jni::objects::{JByteBuffer, JObject, JString};
use jni::refs::Global;
use jni::signature::{JavaType, Primitive, ReturnType};
use jni::sys::{jint, jvalue};
use jni::{Env, JavaVM, jni_sig, jni_str};

use super::control::Failure;
use super::error::BoundaryError;
use crate::board::{Color, PieceType, Position};
use crate::eval::{BuiltIn, Evaluator};

/// Positions of one upcall at most; larger batches take several.
const MAX_BATCH: usize = 1 << 16;

/// Longs of a position as the host sees it.
const HOST_WORDS: usize = 10;

/// Java's number of a built-in evaluator: its ordinal in `dicechess.engine.search.LeafEvaluator`.
pub(super) fn built_in(number: jint) -> Result<BuiltIn, BoundaryError> {
    usize::try_from(number)
        .ok()
        .and_then(|index| BuiltIn::ALL.get(index).copied())
        .ok_or_else(|| BoundaryError::illegal_argument(format!("no evaluator has number {number}")))
}

/// An evaluator of the host, for one call of a search.
///
/// An exception it throws is kept for the end of the call; the scores it owes stay unwritten, which ends the search.
pub(super) struct HostEvaluator<'a> {
    vm: JavaVM,
    /// A `BatchUpcall`.
    upcall: Global<JObject<'static>>,
    members: &'static Members,
    name: String,
    reads_clocks: bool,
    buffers: &'a BufferPool,
    failure: Failure,
}

/// The members of `BatchUpcall` that native code uses.
struct Members {
    name: JFieldID,
    reads_clocks: JFieldID,
    allocate: JMethodID,
    evaluate: JMethodID,
}

impl Members {
    /// Looked up once, and kept without the class: it has the class loader of `NativeBridge`, without which this library is
    /// unloaded too.
    fn of(env: &mut Env<'_>, upcall: &JObject<'_>) -> jni::errors::Result<&'static Self> {
        static MEMBERS: OnceLock<Members> = OnceLock::new();
        if let Some(members) = MEMBERS.get() {
            return Ok(members);
        }
        let class = env.get_object_class(upcall)?;
        let allocate = jni_sig!((bytes: jint) -> java.nio.ByteBuffer);
        let evaluate = jni_sig!((positions: java.nio.ByteBuffer, scores: java.nio.ByteBuffer, count: jint, perspective: jint));
        let members = Self {
            name: env.get_field_id(&class, jni_str!("name"), jni_sig!(JString))?,
            reads_clocks: env.get_field_id(&class, jni_str!("readsClocks"), jni_sig!(jboolean))?,
            allocate: env.get_method_id(&class, jni_str!("allocate"), allocate)?,
            evaluate: env.get_method_id(&class, jni_str!("evaluate"), evaluate)?,
        };
        Ok(MEMBERS.get_or_init(|| members))
    }
}

/// Buffers that are in no upcall, kept between them and between the calls of a search.
#[derive(Default)]
pub(super) struct BufferPool(Mutex<Vec<Buffers>>);

impl BufferPool {
    fn lock(&self) -> MutexGuard<'_, Vec<Buffers>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Direct buffers for one upcall at a time. Java has allocated them, as the host may keep them.
struct Buffers {
    positions: Global<JByteBuffer<'static>>,
    scores: Global<JByteBuffer<'static>>,
    /// In positions.
    capacity: usize,
}

impl<'a> HostEvaluator<'a> {
    pub(super) fn new(
        env: &mut Env<'_>,
        upcall: &JObject<'_>,
        buffers: &'a BufferPool,
    ) -> Result<Self, BoundaryError> {
        let members = Members::of(env, upcall)?;
        // SAFETY: the fields are of the object's class, and of these types.
        let mut get = |field, kind| unsafe { env.get_field_unchecked(upcall, field, kind) };
        let name = get(members.name, JavaType::Object)?.l()?;
        let reads_clocks = get(members.reads_clocks, JavaType::Primitive(Primitive::Boolean))?.z()?;
        Ok(Self {
            vm: env.get_java_vm()?,
            members,
            name: env.as_cast::<JString>(&name)?.try_to_string(env)?,
            reads_clocks,
            upcall: env.new_global_ref(upcall)?,
            buffers,
            failure: Failure::default(),
        })
    }

    pub(super) fn take_failure(&self) -> Option<BoundaryError> {
        self.failure.take()
    }

    /// Scores up to [`MAX_BATCH`] positions.
    fn upcall(
        &self,
        env: &mut Env<'_>,
        positions: &[Position],
        perspective: Color,
        scores: &mut [f64],
    ) -> jni::errors::Result<()> {
        let pooled = self.buffers.lock().pop();
        let buffers = match pooled {
            Some(buffers) if buffers.capacity >= positions.len() => buffers,
            _ => self.allocate(env, positions.len().next_power_of_two())?,
        };
        let places = shared(env, &buffers.positions, positions.len() * HOST_WORDS)?;
        for (place, position) in places.chunks_exact(HOST_WORDS).zip(positions) {
            for (word, value) in place.iter().zip(host_words(position)) {
                word.store(value, Ordering::Relaxed);
            }
        }
        let written = shared(env, &buffers.scores, positions.len())?;
        for word in written {
            word.store(f64::NAN.to_bits(), Ordering::Relaxed);
        }
        let arguments = [
            jvalue { l: buffers.positions.as_raw() },
            jvalue { l: buffers.scores.as_raw() },
            jvalue { i: positions.len() as jint },
            jvalue { i: perspective as jint },
        ];
        let nothing = ReturnType::Primitive(Primitive::Void);
        // SAFETY: the method is of the object's class, and takes these arguments.
        unsafe { env.call_method_unchecked(&self.upcall, self.members.evaluate, nothing, &arguments) }?;
        for (score, word) in scores.iter_mut().zip(written) {
            *score = f64::from_bits(word.load(Ordering::Relaxed));
        }
        self.buffers.lock().push(buffers);
        Ok(())
    }

    fn allocate(&self, env: &mut Env<'_>, capacity: usize) -> jni::errors::Result<Buffers> {
        let mut buffer = |words: usize| {
            let bytes = jvalue { i: (capacity * words * size_of::<u64>()) as jint };
            // SAFETY: the method is of the object's class, takes an int and returns a ByteBuffer.
            let buffer = unsafe {
                env.call_method_unchecked(&self.upcall, self.members.allocate, ReturnType::Object, &[bytes])
            };
            let buffer = env.cast_local::<JByteBuffer>(buffer?.l()?)?;
            env.new_global_ref(buffer)
        };
        Ok(Buffers { positions: buffer(HOST_WORDS)?, scores: buffer(1)?, capacity })
    }
}

/// The first `count` words of a buffer. Atomic, as a host that keeps the buffer may write to it at any time.
fn shared<'a>(
    env: &Env<'_>,
    buffer: &'a JByteBuffer<'_>,
    count: usize,
) -> jni::errors::Result<&'a [AtomicU64]> {
    let address = env.get_direct_buffer_address(buffer)?;
    // SAFETY: Java has allocated the buffer with at least `count` words, aligned for all of its types, and the reference
    // keeps it alive.
    Ok(unsafe { std::slice::from_raw_parts(address.cast(), count) })
}

/// The layout that `dicechess.engine.search.BatchEvaluator` documents.
fn host_words(position: &Position) -> [u64; HOST_WORDS] {
    let [pawns, knights, bishops, rooks, queens, kings] =
        PieceType::ALL.map(|piece| position.of_type(piece).0);
    let rest = position.side_to_move() as u64
        | u64::from(position.castling().bits()) << 1
        | u64::from(position.half_move()) << 8
        | u64::from(position.full_move()) << 32;
    let [white, black] = Color::ALL.map(|color| position.color(color).0);
    [white, black, pawns, knights, bishops, rooks, queens, kings, position.en_passant().0, rest]
}

impl Evaluator for HostEvaluator<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn evaluate(&self, positions: &[Position], perspective: Color, scores: &mut [f64]) {
        for (positions, scores) in positions.chunks(MAX_BATCH).zip(scores.chunks_mut(MAX_BATCH)) {
            let scored = self.failure.catch(&self.vm, |env| self.upcall(env, positions, perspective, scores));
            if scored.is_none() {
                return;
            }
        }
    }

    fn reads_clocks(&self) -> bool {
        self.reads_clocks
    }
}
