//! Faults on demand, for tests only: the native methods of `dicechess.engine.internal.FaultInjection`. Not part of a build
//! without the feature `fault-injection`.

use std::panic::panic_any;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use jni::objects::{JClass, JLongArray};
use jni::sys::jint;
use jni::{Env, NativeMethod, jni_sig, jni_str, native_method};

use super::error::{BoundaryError, ThrowToJava};
use super::position::read_position;
use super::search::DIRECT_SCRATCH;
use crate::board::{Color, Position};
use crate::eval::Evaluator;
use crate::search::{Expectimax, ExpectimaxConfig, SearchControl};

const _: NativeMethod = native_method! {
    java_type = dicechess.engine.internal.FaultInjection,
    error_policy = ThrowToJava,
    static extern fn panic(kind: jint)
};
const _: NativeMethod = native_method! {
    java_type = dicechess.engine.internal.FaultInjection,
    error_policy = ThrowToJava,
    static extern fn panic_in_evaluator(words: jlong[], batch: jint)
};
const _: NativeMethod = native_method! {
    java_type = dicechess.engine.internal.FaultInjection,
    error_policy = ThrowToJava,
    static extern fn neglect_exceptions()
};

/// Panics in one of the ways that code can.
fn panic<'l>(_env: &mut Env<'l>, _class: JClass<'l>, kind: jint) -> Result<(), BoundaryError> {
    let number = std::hint::black_box(kind);
    match number {
        0 => panic!("a fixed text"),
        1 => panic!("a text with the number {number}"),
        2 => drop(std::hint::black_box([0; 2])[number as usize]),
        3 => drop(std::hint::black_box(i32::MAX - 2) + number),
        4 => panic_any(number),
        5 => u8::try_from(1000 + number).map(drop).expect("a result"),
        _ => {}
    }
    Ok(())
}

/// Searches with the scratch of the direct entry and an evaluator that panics when it is given its `batch`-th batch.
fn panic_in_evaluator<'l>(
    env: &mut Env<'l>,
    _class: JClass<'l>,
    words: JLongArray<'l>,
    batch: jint,
) -> Result<(), BoundaryError> {
    let root = read_position(env, &words)?;
    let evaluator = Panicking { batches_left: AtomicUsize::new(batch as usize) };
    Expectimax::new(ExpectimaxConfig::default(), &evaluator)?
        .with_scratch(Arc::clone(&DIRECT_SCRATCH))
        .find_best_move(&root, &SearchControl::unbounded(), 0)?;
    Ok(())
}

/// Calls Java again without having asked whether the call before threw.
fn neglect_exceptions<'l>(env: &mut Env<'l>, _class: JClass<'l>) -> Result<(), BoundaryError> {
    let system = env.find_class(jni_str!("java/lang/System"))?;
    let method = env.get_static_method_id(&system, jni_str!("nanoTime"), jni_sig!(() -> jlong))?;
    let raw = env.get_raw();
    for _ in 0..2 {
        // SAFETY: the environment is that of this thread, and the method is a static one of this class without arguments.
        unsafe {
            ((**raw).v1_1.CallStaticLongMethodA)(raw, system.as_raw(), method.into_raw(), std::ptr::null())
        };
    }
    Ok(())
}

struct Panicking {
    batches_left: AtomicUsize,
}

impl Evaluator for Panicking {
    fn name(&self) -> &str {
        "panicking"
    }

    fn evaluate(&self, _positions: &[Position], _perspective: Color, scores: &mut [f64]) {
        if self.batches_left.fetch_sub(1, Ordering::Relaxed) == 1 {
            panic!("the evaluator panicked");
        }
        scores.fill(0.0);
    }

    fn reads_clocks(&self) -> bool {
        false
    }
}
