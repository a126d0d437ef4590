//! What searches need for their work, kept between them.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Things that one search uses at a time. A panic loses what its search was using, but leaves the pool as it was.
#[derive(Debug)]
pub(super) struct Pool<T>(Mutex<Vec<T>>);

impl<T> Pool<T> {
    pub(super) fn pop(&self) -> Option<T> {
        self.lock().pop()
    }

    pub(super) fn push(&self, item: T) {
        self.lock().push(item);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}
