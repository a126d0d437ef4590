//! The boundary to the JVM: the native methods of `dicechess.engine.internal.NativeBridge`, and nothing else.
//!
//! One call does one operation. Text crosses as UTF-8 bytes, a position as six words, a result as one array of longs. Every
//! entry catches panics and turns errors into Java exceptions; nothing unwinds into the JVM. Searches that Java owns are
//! known to it by a number, not by an address: one that is closed, or never was, is an error.

/// Exports a native method of `NativeBridge`, implemented by the function of that name.
macro_rules! native {
    ($($signature:tt)*) => {
        const _: jni::NativeMethod = jni::native_method! {
            java_type = dicechess.engine.internal.NativeBridge,
            error_policy = ThrowToJava,
            $($signature)*
        };
    };
}

mod control;
mod encoding;
mod error;
mod evaluator;
mod facade;
#[cfg(feature = "fault-injection")]
mod fault_injection;
mod position;
mod proof;
mod rules;
mod search;

use jni::Env;
use jni::exceptions::{JArrayIndexOutOfBoundsException, JIllegalArgumentException, JOutOfMemoryError};
use jni::objects::{JByteArray, JByteBuffer, JClass, JString, JThrowable};
use jni::refs::{LoaderContext, Reference};
use jni::sys::jint;

use control::JLongSupplier;
use error::{BoundaryError, JIllegalStateException, ThrowToJava};

/// Grows with every change of a native method's signature or of the layout of what it returns.
const ABI_VERSION: jint = 2;

native! { static extern fn abi_version() -> jint }
native! { static extern fn link_classes() }
native! { static extern fn version() -> JString }
native! { static extern fn cpu_path() -> JString }
native! { static extern fn defaults() -> jbyte[] }

fn abi_version<'l>(_env: &mut Env<'l>, _class: JClass<'l>) -> Result<jint, BoundaryError> {
    Ok(ABI_VERSION)
}

/// Looks up, once and for all, the classes that native code uses, by the class loader of `NativeBridge`. Left to itself the
/// `jni` crate would ask the thread's context class loader first, which may know other classes of these names, or none.
///
/// The crate keeps what it looks up, so it is given classes of the JDK only: one of our own would keep its class loader, and
/// with it this library, in memory for ever.
fn link_classes<'l>(env: &mut Env<'l>, class: JClass<'l>) -> Result<(), BoundaryError> {
    let loader = class.get_class_loader(env)?;
    let ours = LoaderContext::Loader(&loader);
    JThrowable::lookup_class(env, &ours)?;
    JString::lookup_class(env, &ours)?;
    JByteBuffer::lookup_class(env, &ours)?;
    JLongSupplier::lookup_class(env, &ours)?;
    JArrayIndexOutOfBoundsException::lookup_class(env, &ours)?;
    JIllegalArgumentException::lookup_class(env, &ours)?;
    JIllegalStateException::lookup_class(env, &ours)?;
    JOutOfMemoryError::lookup_class(env, &ours)?;
    Ok(error::link(env, &ours)?)
}

fn version<'l>(env: &mut Env<'l>, _class: JClass<'l>) -> Result<JString<'l>, BoundaryError> {
    Ok(JString::new(env, env!("CARGO_PKG_VERSION"))?)
}

/// The processors this build runs on: every one of its architecture, as nothing beyond the baseline is compiled in.
fn cpu_path<'l>(env: &mut Env<'l>, _class: JClass<'l>) -> Result<JString<'l>, BoundaryError> {
    Ok(JString::new(env, format!("{} baseline", std::env::consts::ARCH))?)
}

/// What the library does when it is not told otherwise, a `name=value` on each line.
fn defaults<'l>(env: &mut Env<'l>, _class: JClass<'l>) -> Result<JByteArray<'l>, BoundaryError> {
    Ok(env.byte_array_from_slice(facade::serving_defaults().as_bytes())?)
}
