//! A set of positions in order of insertion, cleared in constant time: the collector of reach sets.

use crate::board::Position;

/// Distinct positions.
///
/// Open addressing by key and half-move clock; two positions are the same when they are equal in everything.
#[derive(Debug)]
pub(super) struct PositionSet {
    /// The first `len` are in the set; the others are room for more.
    positions: Vec<Position>,
    len: usize,
    /// Epoch in the high half, index of a position in the low half.
    slots: Vec<u64>,
    /// How many of the slots are in use, less one; the number is a power of two. Few positions keep to few slots, so that
    /// these stay in the nearest cache.
    mask: usize,
    epoch: u32,
}

impl PositionSet {
    const MIN_SLOTS: usize = 1 << 11;

    pub(super) fn new() -> Self {
        Self {
            positions: vec![Position::empty(); Self::MIN_SLOTS / 2],
            len: 0,
            slots: vec![0; Self::MIN_SLOTS],
            mask: Self::MIN_SLOTS - 1,
            epoch: 1,
        }
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.mask = Self::MIN_SLOTS - 1;
        self.next_epoch();
    }

    pub(super) fn positions(&self) -> &[Position] {
        &self.positions[..self.len]
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Makes room for `more` insertions: required before them.
    #[inline]
    pub(super) fn reserve(&mut self, more: usize) {
        while 2 * (self.len + more) > self.mask {
            self.grow();
        }
    }

    /// Adds a position; `false` when it is there already.
    #[inline(always)]
    pub(super) fn insert(&mut self, position: Position) -> bool {
        // Written behind the others first, where it stays if it is new.
        let place = &mut self.positions[self.len];
        *place = position;
        let mut slot = home_slot(place.key(), place.half_move()) & self.mask;
        if self.is_taken(slot) {
            match self.next_free(slot) {
                Some(free) => slot = free,
                None => return false,
            }
        }
        self.slots[slot] = self.entry(self.len);
        self.len += 1;
        true
    }

    #[inline(always)]
    fn is_taken(&self, slot: usize) -> bool {
        self.slots[slot] >> 32 == u64::from(self.epoch)
    }

    #[inline(always)]
    fn entry(&self, index: usize) -> u64 {
        u64::from(self.epoch) << 32 | index as u64
    }

    /// The first free slot for the position behind the others, from a taken one on; `None` when it is found before.
    #[inline(never)]
    fn next_free(&self, mut slot: usize) -> Option<usize> {
        let position = &self.positions[self.len];
        while self.is_taken(slot) {
            let other = &self.positions[self.slots[slot] as u32 as usize];
            if other.key() == position.key() && other == position {
                return None;
            }
            slot = (slot + 1) & self.mask;
        }
        Some(slot)
    }

    /// The memory that the set keeps, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.positions.capacity() * size_of::<Position>() + self.slots.capacity() * size_of::<u64>()
    }

    #[cold]
    fn grow(&mut self) {
        self.mask = 2 * self.mask + 1;
        let size = self.slots.len().max(self.mask + 1);
        let more = size - self.slots.len();
        make_room(&mut self.slots, more);
        make_room(&mut self.positions, more / 2);
        self.slots.resize(size, 0);
        self.positions.resize(size / 2, Position::empty());
        self.next_epoch();
        for index in 0..self.len {
            let position = &self.positions[index];
            let mut slot = home_slot(position.key(), position.half_move()) & self.mask;
            while self.is_taken(slot) {
                slot = (slot + 1) & self.mask;
            }
            self.slots[slot] = self.entry(index);
        }
    }

    fn next_epoch(&mut self) {
        if self.epoch == u32::MAX {
            self.slots.fill(0);
            self.epoch = 0;
        }
        self.epoch += 1;
    }
}

/// Makes room in a buffer whose length the board decides. Panics when memory does not hold it, where growing alone would
/// abort the process.
pub(crate) fn make_room<T>(buffer: &mut Vec<T>, more: usize) {
    let len = buffer.len();
    buffer.try_reserve(more).unwrap_or_else(|_| panic!("no memory for more than {len} entries of a buffer"));
}

/// Where the search for a position starts. The clock is spread over the table as well: positions that differ by nothing
/// else are common, and the key does not see it.
#[inline(always)]
fn home_slot(key: u64, half_move: u8) -> usize {
    (key ^ u64::from(half_move).wrapping_mul(0x9E37_79B9_7F4A_7C15)) as usize
}
