//! The limits of a call: a budget and a latch that are written back, a deadline, a flag that Java may set meanwhile.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jni::objects::{JByteBuffer, JLongArray, JThrowable};
use jni::refs::Global;
use jni::sys::jlong;
use jni::{Env, JavaVM, bind_java_type};

use super::error::BoundaryError;
use crate::rules::Budget;
use crate::search::{SearchControl, monotonic_nanos};

/// A limit of this value is none.
pub(super) const UNLIMITED: jlong = jlong::MAX;

bind_java_type! { pub(super) JLongSupplier => java.util.function.LongSupplier,
    methods { fn get_as_long { sig = () -> jlong, name = "getAsLong" } }
}

/// Where each part of a control stands in the array that carries it, in and out.
mod at {
    /// Negative for no budget.
    pub(super) const BUDGET_LIMIT: usize = 0;
    pub(super) const BUDGET_USED: usize = 1;
    pub(super) const BUDGET_EXHAUSTED: usize = 2;
    /// On the given clock; without one, nanoseconds from now.
    pub(super) const DEADLINE: usize = 3;
    pub(super) const LATCHED: usize = 4;
    pub(super) const LENGTH: usize = 5;
}

/// Runs `call` under the limits in `words`, and writes back what it used of them, whether it succeeds or fails.
pub(super) fn with_control<T>(
    env: &mut Env<'_>,
    words: &JLongArray<'_>,
    cancel_flag: &JByteBuffer<'_>,
    clock: &JLongSupplier<'_>,
    call: impl FnOnce(&mut Env<'_>, &SearchControl<'_>) -> Result<T, BoundaryError>,
) -> Result<T, BoundaryError> {
    let mut limits = [0; at::LENGTH];
    words.get_region(env, 0, &mut limits)?;
    let budget =
        resume_budget(limits[at::BUDGET_LIMIT], limits[at::BUDGET_USED], limits[at::BUDGET_EXHAUSTED]);
    let host_clock = if clock.is_null() { None } else { Some(HostClock::new(env, clock)?) };
    let read_host_clock = || host_clock.as_ref().map_or(UNLIMITED, HostClock::read);

    let mut control = SearchControl::unbounded();
    if limits[at::BUDGET_LIMIT] >= 0 {
        control = control.with_budget(&budget);
    }
    if limits[at::DEADLINE] != UNLIMITED {
        control = match host_clock {
            Some(_) => control.with_clock(&read_host_clock).with_deadline(limits[at::DEADLINE]),
            None => with_time(control, limits[at::DEADLINE]),
        };
    }
    if !cancel_flag.is_null() {
        control = control.with_cancel_flag(shared_flag(env, cancel_flag)?);
    }
    if limits[at::LATCHED] != 0 {
        control.cancel();
    }
    let result = call(env, &control);

    limits[at::BUDGET_USED] = budget.used() as jlong;
    limits[at::BUDGET_EXHAUSTED] = budget.is_exhausted().into();
    limits[at::LATCHED] = control.is_latched().into();
    if !env.exception_check() {
        words.set_region(env, 0, &limits)?;
    }
    match host_clock.and_then(|clock| clock.failure.take()) {
        Some(failure) => Err(failure),
        None => result,
    }
}

/// A control with a deadline so many nanoseconds from now, if that is a limit.
pub(super) fn with_time(control: SearchControl<'_>, remaining_nanos: jlong) -> SearchControl<'_> {
    if remaining_nanos == UNLIMITED {
        return control;
    }
    control.with_deadline(monotonic_nanos().saturating_add(remaining_nanos))
}

/// The budget as an earlier call left it.
pub(super) fn resume_budget(limit: jlong, used: jlong, exhausted: jlong) -> Budget {
    let budget = Budget::new(limit.max(0) as u64);
    let _ = budget.charge(used.max(0) as u64);
    if exhausted != 0 {
        let _ = budget.charge(u64::MAX);
    }
    budget
}

/// The byte of a direct buffer that Java sets to cancel.
fn shared_flag<'a>(env: &Env<'_>, buffer: &'a JByteBuffer<'_>) -> Result<&'a AtomicBool, BoundaryError> {
    let address = env.get_direct_buffer_address(buffer)?;
    if env.get_direct_buffer_capacity(buffer)? == 0 {
        return Err(BoundaryError::illegal_argument("the cancel flag is empty"));
    }
    // SAFETY: the buffer holds a byte, stays alive while the call holds its reference, and is written by Java with atomic
    // stores of 0 or 1 only.
    Ok(unsafe { AtomicBool::from_ptr(address.cast()) })
}

/// A clock that the host supplies. One that throws has run out: the search ends, and the exception comes out of the call.
struct HostClock {
    vm: JavaVM,
    supplier: Global<JLongSupplier<'static>>,
    failure: Failure,
}

impl HostClock {
    fn new(env: &mut Env<'_>, supplier: &JLongSupplier<'_>) -> Result<Self, BoundaryError> {
        Ok(Self {
            vm: env.get_java_vm()?,
            supplier: env.new_global_ref(supplier)?,
            failure: Failure::default(),
        })
    }

    fn read(&self) -> i64 {
        self.failure.catch(&self.vm, |env| self.supplier.get_as_long(env)).unwrap_or(UNLIMITED)
    }
}

/// An exception that host code threw, as it was thrown.
pub(super) type Thrown = Global<JThrowable<'static>>;

/// Keeps why host code first failed in the midst of a search, mostly by an exception, until the search has ended.
#[derive(Default)]
pub(super) struct Failure(Mutex<Option<BoundaryError>>);

impl Failure {
    /// Calls the host, unless it has failed before; `None` when it fails.
    pub(super) fn catch<T>(
        &self,
        vm: &JavaVM,
        call: impl FnOnce(&mut Env<'_>) -> jni::errors::Result<T>,
    ) -> Option<T> {
        if self.lock().is_some() {
            return None;
        }
        let called = vm.attach_current_thread(|env| {
            let result = call(env);
            let Some(thrown) = env.exception_occurred() else {
                return Ok(result?);
            };
            env.exception_clear();
            Err(BoundaryError::Thrown(env.new_global_ref(thrown)?))
        });
        match called {
            Ok(value) => Some(value),
            Err(failure) => {
                self.lock().get_or_insert(failure);
                None
            }
        }
    }

    pub(super) fn take(&self) -> Option<BoundaryError> {
        self.lock().take()
    }

    fn lock(&self) -> MutexGuard<'_, Option<BoundaryError>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
