//! How errors and panics of a native method become Java exceptions.

use std::any::Any;
use std::sync::OnceLock;

use jni::errors::{Error, ErrorPolicy, JniError, Result};
use jni::exceptions::{JIllegalArgumentException, JOutOfMemoryError};
use jni::objects::JClass;
use jni::refs::{LoaderContext, Reference, Weak};
use jni::strings::JNIString;
use jni::{Env, bind_java_type, jni_str};

use super::control::Thrown;
use crate::board::DfenError;
use crate::search::SearchError;

bind_java_type! { pub(super) JIllegalStateException => java.lang.IllegalStateException }

/// `NativeEngineException`, held weakly: a strong reference would keep the class loader, and with it this library, for ever.
static NATIVE_ENGINE_EXCEPTION: OnceLock<Weak<JClass<'static>>> = OnceLock::new();

/// Looks up `NativeEngineException`.
pub(super) fn link(env: &mut Env<'_>, loader: &LoaderContext<'_, '_>) -> Result<()> {
    let class = loader.load_class(env, jni_str!("dicechess.engine.NativeEngineException"), true)?;
    let class = env.new_weak_ref(class)?;
    NATIVE_ENGINE_EXCEPTION.get_or_init(|| class);
    Ok(())
}

/// Why a native method failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum BoundaryError {
    /// The caller's input: `IllegalArgumentException`.
    #[error("{0}")]
    IllegalArgument(String),
    /// The engine or one of its evaluators broke a contract: `NativeEngineException`.
    #[error(transparent)]
    Engine(SearchError),
    /// The input needs more memory than there is: `OutOfMemoryError`, as when the Java heap is full.
    #[error("{0}")]
    OutOfMemory(String),
    /// A search that is closed: `IllegalStateException`.
    #[error("{0}")]
    IllegalState(&'static str),
    /// What host code threw in the midst of a search, to be thrown on.
    #[error("host code threw an exception")]
    Thrown(Thrown),
    /// The JVM refused a call, or has an exception pending.
    #[error(transparent)]
    Jni(#[from] Error),
}

impl BoundaryError {
    pub(super) fn illegal_argument(message: impl Into<String>) -> Self {
        Self::IllegalArgument(message.into())
    }
}

impl From<DfenError> for BoundaryError {
    fn from(error: DfenError) -> Self {
        Self::illegal_argument(error.to_string())
    }
}

impl From<SearchError> for BoundaryError {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::MissingKing(_)
            | SearchError::EmptyPool
            | SearchError::CandidateLimit(_)
            | SearchError::SearchDepth(_)
            | SearchError::ProofHorizon(_)
            | SearchError::Threads(_)
            | SearchError::ThreadsWithBudget(_)
            | SearchError::RescoreWeight(_)
            | SearchError::TableCapacity { .. }
            | SearchError::PoolNotEmpty(_) => Self::illegal_argument(error.to_string()),
            SearchError::TooManyTurns { .. } | SearchError::TableMemory { .. } => {
                Self::OutOfMemory(error.to_string())
            }
            fault => Self::Engine(fault),
        }
    }
}

/// Throws the exception that fits, and returns the default value, which Java never sees.
pub(super) enum ThrowToJava {}

impl<T: Default> ErrorPolicy<T, BoundaryError> for ThrowToJava {
    type Captures<'unowned: 'local, 'local> = ();

    fn on_error<'unowned: 'local, 'local>(
        env: &mut Env<'unowned>,
        _captures: &mut Self::Captures<'unowned, 'local>,
        error: BoundaryError,
    ) -> Result<T> {
        let message = error.to_string();
        match error {
            BoundaryError::Thrown(thrown) => throw_on(env, &thrown)?,
            BoundaryError::IllegalState(_) => throw::<JIllegalStateException>(env, &message)?,
            BoundaryError::OutOfMemory(_) => throw::<JOutOfMemoryError>(env, &message)?,
            BoundaryError::IllegalArgument(_) => throw::<JIllegalArgumentException>(env, &message)?,
            BoundaryError::Jni(Error::JniCall(JniError::NoMemory)) => {
                throw::<JOutOfMemoryError>(env, "the answer does not fit into the Java heap")?
            }
            BoundaryError::Engine(_) | BoundaryError::Jni(_) => throw_fault(env, &message)?,
        }
        Ok(T::default())
    }

    fn on_panic<'unowned: 'local, 'local>(
        env: &mut Env<'unowned>,
        _captures: &mut Self::Captures<'unowned, 'local>,
        payload: Box<dyn Any + Send>,
    ) -> Result<T> {
        let message = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "panic without a message".to_owned());
        throw_fault(env, &message)?;
        Ok(T::default())
    }
}

/// Throws unless an exception is pending already, which would be the cause and must not be masked.
fn throw<E: Reference>(env: &mut Env<'_>, message: &str) -> Result<()> {
    if env.exception_check() {
        return Ok(());
    }
    let class = E::lookup_class(env, &LoaderContext::None)?;
    thrown(env.throw_new(&*class, JNIString::new(message)))
}

/// Throws a `NativeEngineException`, likewise.
fn throw_fault(env: &mut Env<'_>, message: &str) -> Result<()> {
    if env.exception_check() {
        return Ok(());
    }
    match NATIVE_ENGINE_EXCEPTION.get().map(|class| class.upgrade_local(env)).transpose()?.flatten() {
        Some(class) => thrown(env.throw_new(class, JNIString::new(message))),
        // Before the classes are linked, which no fault is known to precede.
        None => throw::<JIllegalStateException>(env, message),
    }
}

fn throw_on(env: &mut Env<'_>, exception: &Thrown) -> Result<()> {
    thrown(env.throw(exception))
}

fn thrown(result: Result<()>) -> Result<()> {
    match result {
        // The crate reports the exception it has just thrown as an error.
        Err(Error::JavaException) => Ok(()),
        other => other,
    }
}
