//! The transposition table: what has been found out about chance nodes, shared by searches and threads without locks.
//!
//! # Why a race is a miss
//!
//! An entry is three atomic words: value, meta, and check = key ^ value ^ meta. All loads and stores are relaxed: no order
//! between the words is needed, because a reader trusts them only if they fit together, whatever each of them dates from.
//! Nothing else is published through the table, so nothing has to be visible along with an entry.
//!
//! Say that writers of one key race, and a reader of that key gets words of two of them. If value and meta are of one
//! writer, they are an entry that was stored, whoever the check is of. If they are of two, the check is of one of these, and
//! fits only if the two values or the two metas are equal: then it is an entry that was stored too. So two writers of one
//! key never make a mix. Words of different keys, or of three writers, fit by chance only, as rarely as two positions
//! share a 64-bit key, which the table takes on trust anyway.
//!
//! The cancel flag of a search is relaxed as well: it carries no data, and a check that sees it late is followed by another.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use super::chance_node::Value;
use super::{SearchControl, SearchError, SearchOutcome, UtilityBounds};
use crate::board::Position;
use crate::eval::Evaluator;

/// What the table knows of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Bound {
    Exact,
    Lower,
    Upper,
}

/// An entry as it was stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) bound: Bound,
    pub(super) value: f64,
    pub(super) loss_tainted: bool,
}

impl Entry {
    /// What the entry proves within a window: its value when that is exact, or a bound strictly outside.
    pub(super) fn proven(self, (alpha, beta): (f64, f64), control: &SearchControl<'_>) -> Option<Value> {
        let Self { bound, value, loss_tainted } = self;
        let proven = match bound {
            Bound::Exact => Value::exact(value, control),
            Bound::Lower if value > beta => Value::lower_bound(value, control),
            Bound::Upper if value < alpha => Value::upper_bound(value, control),
            Bound::Lower | Bound::Upper => return None,
        };
        Some(proven.tainted_if(loss_tainted))
    }
}

/// Tells the keys of maximising and minimising nodes apart: the same position has another value for each perspective.
pub(super) fn role_salt(bounds: &UtilityBounds, position: &Position) -> u64 {
    const MAX_ROLE: u64 = 0x5A17_F00D_0B5E_55ED;
    if bounds.is_maximizing(position.side_to_move()) { MAX_ROLE } else { 0 }
}

/// A fixed number of entries, each the exact value or a fail-soft bound of a chance node at an exact remaining depth.
///
/// Readers and writers never wait: an entry is three words, of which one is the sum of the key and the others, so that an
/// entry torn by racing writers answers to no key and counts as a miss. Of two entries for one place the deeper stays; beside
/// it, the newest has a place of its own.
///
/// A table belongs to the first evaluator that uses it: another one is refused.
#[derive(Debug)]
pub struct TranspositionTable {
    buckets: Box<[[Slot; 2]]>,
    /// The fingerprint of the evaluator whose values these are.
    owner: OnceLock<u64>,
}

#[derive(Debug, Default)]
struct Slot {
    /// Key ^ value ^ meta.
    check: AtomicU64,
    value: AtomicU64,
    /// Bits 0–7 depth, 8–9 bound, 10 taint, 11 in use.
    meta: AtomicU64,
}

const TAINTED: u64 = 1 << 10;
const IN_USE: u64 = 1 << 11;

impl TranspositionTable {
    /// Entries of [`TranspositionTable::default`].
    pub const DEFAULT_CAPACITY: usize = 1 << 18;

    /// The most entries a table can have.
    pub const MAX_CAPACITY: usize = 1 << 28;

    /// A table of at least `capacity` entries: the next power of two, at least 2, of 24 bytes each.
    ///
    /// # Panics
    /// Where [`Self::try_new`] fails.
    pub fn new(capacity: usize) -> Self {
        Self::try_new(capacity).unwrap_or_else(|error| panic!("{error}"))
    }

    /// As [`Self::new`].
    ///
    /// # Errors
    /// When `capacity` is above [`Self::MAX_CAPACITY`], or there is no memory for it.
    pub fn try_new(capacity: usize) -> Result<Self, SearchError> {
        if capacity > Self::MAX_CAPACITY {
            return Err(SearchError::TableCapacity { capacity, max: Self::MAX_CAPACITY });
        }
        let count = capacity.div_ceil(2).next_power_of_two();
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).map_err(|_| SearchError::TableMemory { capacity })?;
        buckets.resize_with(count, Default::default);
        Ok(Self { buckets: buckets.into_boxed_slice(), owner: OnceLock::new() })
    }

    /// How many entries fit.
    pub fn capacity(&self) -> usize {
        2 * self.buckets.len()
    }

    /// Forgets everything but the evaluator. Searches that run meanwhile stay correct.
    pub fn clear(&self) {
        for slot in self.buckets.iter().flatten() {
            slot.meta.store(0, Ordering::Relaxed);
            slot.check.store(0, Ordering::Relaxed);
        }
    }

    /// Claims the table for an evaluator, or finds that it is its own already.
    pub(super) fn claim(&self, evaluator: &dyn Evaluator) -> Result<(), SearchError> {
        let fingerprint = evaluator.fingerprint();
        let owner = *self.owner.get_or_init(|| fingerprint);
        if owner == fingerprint {
            return Ok(());
        }
        Err(SearchError::ForeignTable { evaluator: evaluator.name().to_owned() })
    }

    fn bucket(&self, key: u64) -> &[Slot; 2] {
        &self.buckets[(key >> 32) as usize & (self.buckets.len() - 1)]
    }

    /// What was stored under `key` at this remaining depth.
    pub(super) fn get(&self, key: u64, depth: u8) -> Option<Entry> {
        self.bucket(key).iter().find_map(|slot| slot.get(key, depth))
    }

    /// Stores an outcome; incomplete ones are none.
    pub(super) fn put(&self, key: u64, depth: u8, value: Value) {
        let (bound, number) = match value.outcome {
            SearchOutcome::Exact { value, .. } => (Bound::Exact, value),
            SearchOutcome::LowerBound { value, .. } => (Bound::Lower, value),
            SearchOutcome::UpperBound { value, .. } => (Bound::Upper, value),
            SearchOutcome::Incomplete { .. } => return,
        };
        let taint = if value.loss_tainted { TAINTED } else { 0 };
        let meta = u64::from(depth) | (bound as u64) << 8 | taint | IN_USE;
        let [deepest, newest] = self.bucket(key);
        if depth >= deepest.depth() {
            deepest.put(key, number.to_bits(), meta);
        } else {
            newest.put(key, number.to_bits(), meta);
        }
    }
}

impl Default for TranspositionTable {
    fn default() -> Self {
        Self::new(Self::DEFAULT_CAPACITY)
    }
}

impl Slot {
    /// The depth of what is stored, 0 when nothing is.
    fn depth(&self) -> u8 {
        self.meta.load(Ordering::Relaxed) as u8
    }

    fn get(&self, key: u64, depth: u8) -> Option<Entry> {
        let check = self.check.load(Ordering::Relaxed);
        let value = self.value.load(Ordering::Relaxed);
        let meta = self.meta.load(Ordering::Relaxed);
        if check ^ value ^ meta != key || meta & IN_USE == 0 || meta as u8 != depth {
            return None;
        }
        let bound = match meta >> 8 & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        };
        Some(Entry { bound, value: f64::from_bits(value), loss_tainted: meta & TAINTED != 0 })
    }

    fn put(&self, key: u64, value: u64, meta: u64) {
        self.check.store(key ^ value ^ meta, Ordering::Relaxed);
        self.value.store(value, Ordering::Relaxed);
        self.meta.store(meta, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::SearchControl;

    fn exact(value: f64) -> Value {
        Value::exact(value, &SearchControl::unbounded())
    }

    #[test]
    fn entries_come_back_at_their_own_depth_only() {
        let table = TranspositionTable::new(8);
        table.put(42, 2, exact(1.5).tainted());
        let entry = Entry { bound: Bound::Exact, value: 1.5, loss_tainted: true };
        assert_eq!(table.get(42, 2), Some(entry));
        assert_eq!(table.get(42, 1), None);
        assert_eq!(table.get(43, 2), None);
        table.clear();
        assert_eq!(table.get(42, 2), None);
    }

    #[test]
    fn key_zero_is_no_hit_in_an_empty_table() {
        assert_eq!(TranspositionTable::new(8).get(0, 0), None);
    }

    #[test]
    fn a_deeper_entry_stays_beside_the_newest() {
        let table = TranspositionTable::new(2);
        table.put(1, 3, exact(1.0));
        table.put(2, 1, exact(2.0));
        table.put(3, 1, exact(3.0));
        assert!(table.get(1, 3).is_some() && table.get(2, 1).is_none() && table.get(3, 1).is_some());
    }

    #[test]
    fn an_incomplete_outcome_is_never_stored() {
        let table = TranspositionTable::new(8);
        table.put(42, 2, Value::incomplete(&SearchControl::unbounded()));
        assert_eq!(table.get(42, 2), None);
    }

    #[test]
    fn an_entry_torn_between_two_writers_answers_to_no_key() {
        let (old, new) = (Slot::default(), Slot::default());
        for (slot, value, meta) in [(&old, 1.0f64, 1), (&new, 2.0, 2)] {
            slot.put(42, value.to_bits(), meta | IN_USE);
        }
        let words = |slot: &Slot| [&slot.check, &slot.value, &slot.meta].map(|w| w.load(Ordering::Relaxed));
        let (old, new) = (words(&old), words(&new));
        for mix in 1..7 {
            let word = |i: usize| AtomicU64::new(if mix >> i & 1 == 0 { old[i] } else { new[i] });
            let torn = Slot { check: word(0), value: word(1), meta: word(2) };
            assert_eq!((torn.get(42, 1), torn.get(42, 2)), (None, None), "mix {mix:03b}");
        }
    }

    #[test]
    fn a_reader_that_races_with_writers_sees_entries_that_were_stored_or_none() {
        let slot = Slot::default();
        let stored = |writer: u64, round: u64| {
            let value = f64::from_bits((writer << 40 | round) ^ 0x4059_0000_0000_0000);
            (value, round.is_multiple_of(3))
        };
        let seen = std::thread::scope(|scope| {
            for writer in 1..=2 {
                let slot = &slot;
                scope.spawn(move || {
                    for round in 0..100_000 {
                        let (value, tainted) = stored(writer, round);
                        slot.put(42, value.to_bits(), 1 | IN_USE | if tainted { TAINTED } else { 0 });
                    }
                });
            }
            (0..100_000).filter_map(|_| slot.get(42, 1)).collect::<Vec<_>>()
        });
        for entry in seen.into_iter().chain(slot.get(42, 1)) {
            let bits = entry.value.to_bits() ^ 0x4059_0000_0000_0000;
            let (writer, round) = (bits >> 40, bits & ((1 << 40) - 1));
            assert!((1..=2).contains(&writer) && round < 100_000, "{entry:?}");
            assert_eq!(entry.loss_tainted, stored(writer, round).1, "{entry:?}");
        }
    }

    #[test]
    fn the_capacity_is_the_next_power_of_two() {
        assert_eq!([0, 1, 2, 3, 8, 9].map(|n| TranspositionTable::new(n).capacity()), [2, 2, 2, 4, 8, 16]);
        assert_eq!(TranspositionTable::default().capacity(), 1 << 18);
    }
}
