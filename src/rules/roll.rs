//! Rolls as multisets of dice, and their weights among the 216 ordered outcomes of three dice.

use std::fmt;

use crate::board::{DicePool, PieceType};

/// How many ordered outcomes three dice have.
pub const ORDERED_ROLLS: u32 = 216;

/// A multiset of zero to three dice, as one of 84 numbers.
///
/// The 56 with three dice are the rolls of the game; the smaller ones stand for what is left of a roll, or for what has
/// been spent of it. They are numbered by size, then by dice in the order P N B R Q K.
///
/// ```
/// use dicechess_native::rules::Roll;
/// assert_eq!(Roll::all_full().count(), 56);
/// assert_eq!(Roll::all_full().map(|roll| roll.weight()).sum::<u32>(), 216);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Roll(u8);

const COUNT: usize = 84;
/// Where the multisets of 0, 1, 2 and 3 dice begin, and where the last end.
const FIRST_OF_SIZE: [u8; 5] = [0, 1, 7, 28, 84];
/// No such multiset.
const NONE: u8 = u8::MAX;

/// What the rules ask of a multiset, looked up by its number.
#[derive(Clone, Copy)]
struct Entry {
    /// How many dice there are of each type.
    counts: [u8; 6],
    /// The types that there are dice of, as far as `different` says.
    distinct: [PieceType; DicePool::MAX],
    different: u8,
    pool: DicePool,
    /// By die: the multiset with one die of that type less.
    without: [u8; 6],
    /// By die: the multiset with one die of that type more.
    with: [u8; 6],
    /// By size: the different multisets of that size within this one, as far as `part_counts` says.
    parts: [[Roll; 3]; 4],
    part_counts: [u8; 4],
    /// The dice beyond those of each of the `parts`, as bits by [`PieceType::index`].
    beyond: [[u8; 3]; 4],
}

static ENTRIES: [Entry; COUNT] = entries();

const fn entries() -> [Entry; COUNT] {
    let empty = Entry {
        counts: [0; 6],
        distinct: [PieceType::Pawn; DicePool::MAX],
        different: 0,
        pool: DicePool::EMPTY,
        without: [NONE; 6],
        with: [NONE; 6],
        parts: [[Roll::EMPTY; 3]; 4],
        part_counts: [0; 4],
        beyond: [[0; 3]; 4],
    };
    let mut table = [empty; COUNT];
    // Adding to each multiset the dice that are not below its greatest gives the next size in order.
    let mut next = 1;
    let mut smaller = 0;
    while next < COUNT {
        let mut die = greatest(&table[smaller].counts);
        while die < 6 {
            table[next].counts = table[smaller].counts;
            table[next].counts[die] += 1;
            next += 1;
            die += 1;
        }
        smaller += 1;
    }
    let mut roll = 0;
    while roll < COUNT {
        list_types(&mut table[roll]);
        link(&mut table, roll);
        roll += 1;
    }
    table
}

const fn greatest(counts: &[u8; 6]) -> usize {
    let mut die = 5;
    while die > 0 && counts[die] == 0 {
        die -= 1;
    }
    die
}

/// Fills in the types of a multiset from their counts.
const fn list_types(entry: &mut Entry) {
    let mut die = 0;
    while die < 6 {
        if entry.counts[die] > 0 {
            entry.distinct[entry.different as usize] = PieceType::ALL[die];
            entry.different += 1;
        }
        die += 1;
    }
}

/// Fills in how a multiset relates to the others.
const fn link(table: &mut [Entry; COUNT], roll: usize) {
    let counts = table[roll].counts;
    table[roll].pool = DicePool::of_counts(&counts);
    let mut other = 0;
    while other < COUNT {
        let part = table[other].counts;
        let mut within = true;
        let (mut missing, mut last_missing, mut size, mut beyond) = (0, 0, 0, 0);
        let mut die = 0;
        while die < 6 {
            size += part[die] as usize;
            if part[die] > counts[die] {
                within = false;
            } else if part[die] < counts[die] {
                missing += counts[die] - part[die];
                last_missing = die;
                beyond |= 1 << die;
            }
            die += 1;
        }
        if within {
            let found = table[roll].part_counts[size] as usize;
            table[roll].parts[size][found] = Roll(other as u8);
            table[roll].beyond[size][found] = beyond;
            table[roll].part_counts[size] += 1;
            if missing == 1 {
                table[roll].without[last_missing] = other as u8;
                table[other].with[last_missing] = roll as u8;
            }
        }
        other += 1;
    }
}

impl Roll {
    /// No dice.
    pub const EMPTY: Self = Self(0);
    /// How many multisets of zero to three dice there are.
    pub const COUNT: usize = COUNT;
    /// How many of them have at most two dice; these are numbered first.
    pub(crate) const COUNT_BELOW_FULL: usize = FIRST_OF_SIZE[DicePool::MAX] as usize;

    /// The multiset of a pool's dice.
    #[inline]
    pub fn of(pool: DicePool) -> Self {
        pool.into_iter().fold(Self::EMPTY, Self::with)
    }

    /// All 84 multisets, in order.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..COUNT as u8).map(Self)
    }

    /// The 56 rolls of three dice.
    pub fn all_full() -> impl ExactSizeIterator<Item = Self> {
        (FIRST_OF_SIZE[DicePool::MAX]..COUNT as u8).map(Self)
    }

    const fn entry(self) -> &'static Entry {
        &ENTRIES[self.index()]
    }

    /// With one die more; unchanged when it is full.
    fn with(self, die: PieceType) -> Self {
        match self.entry().with[die.index()] {
            NONE => self,
            larger => Self(larger),
        }
    }

    /// 0–83, in the order of the type.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// How many dice it has.
    #[inline]
    pub const fn len(self) -> usize {
        (self.0 >= FIRST_OF_SIZE[1]) as usize
            + (self.0 >= FIRST_OF_SIZE[2]) as usize
            + (self.0 >= FIRST_OF_SIZE[3]) as usize
    }

    /// Whether it has no dice.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many dice of this type it has.
    #[inline]
    pub const fn count_of(self, die: PieceType) -> usize {
        self.entry().counts[die.index()] as usize
    }

    /// The dice in the order P N B R Q K.
    pub fn dice(self) -> impl Iterator<Item = PieceType> {
        PieceType::ALL.into_iter().flat_map(move |die| std::iter::repeat_n(die, self.count_of(die)))
    }

    /// The different dice, in the order P N B R Q K.
    #[inline]
    pub fn distinct(self) -> impl Iterator<Item = PieceType> {
        let Entry { distinct, different, .. } = self.entry();
        distinct.iter().take(usize::from(*different)).copied()
    }

    /// The dice as a pool, sorted.
    #[inline]
    pub const fn pool(self) -> DicePool {
        self.entry().pool
    }

    /// The multiset without one die of this type; `None` when it has none.
    #[inline]
    pub fn without(self, die: PieceType) -> Option<Self> {
        match self.entry().without[die.index()] {
            NONE => None,
            smaller => Some(Self(smaller)),
        }
    }

    /// The multiset without a king and a rook die; `None` when either is missing.
    #[inline]
    pub fn without_castling_dice(self) -> Option<Self> {
        self.without(PieceType::King)?.without(PieceType::Rook)
    }

    /// The different multisets of `size` dice within this one, in order.
    #[inline]
    pub fn parts(self, size: usize) -> impl Iterator<Item = Self> {
        self.parts_and_rest(size).map(|(part, _)| part)
    }

    /// [`Roll::parts`], each with the dice beyond its own, as bits by [`PieceType::index`].
    #[inline]
    pub(crate) fn parts_and_rest(self, size: usize) -> impl Iterator<Item = (Self, u8)> {
        let Entry { parts, part_counts, beyond, .. } = self.entry();
        let (size, count) = part_counts.get(size).map_or((0, 0), |&count| (size, usize::from(count)));
        parts[size][..count].iter().copied().zip(beyond[size][..count].iter().copied())
    }

    /// Its number of orders: for a full roll 1 when all dice are alike, 3 with a pair, 6 when all differ.
    pub fn weight(self) -> u32 {
        let factorial = |n: usize| (1..=n as u32).product::<u32>();
        let same: u32 = PieceType::ALL.iter().map(|&die| factorial(self.count_of(die))).product();
        factorial(self.len()) / same
    }

    /// The multiset of the dice for which `keep` holds.
    pub(crate) fn filtered(self, mut keep: impl FnMut(PieceType) -> bool) -> Self {
        self.dice().filter(|&die| keep(die)).fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Display for Roll {
    /// Upper-case letters in the order P N B R Q K; nothing without dice.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.pool(), f)
    }
}

impl fmt::Debug for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Roll({self})")
    }
}
