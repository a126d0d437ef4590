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
const FIRST_FULL: u8 = 28;
/// No such multiset.
const NONE: u8 = u8::MAX;

struct Entry {
    /// Die faces 1–6, ascending; 0 after the last.
    faces: [u8; 3],
    /// By die: the multiset without one such die.
    without: [u8; 6],
}

static ENTRIES: [Entry; COUNT] = entries();

const fn entries() -> [Entry; COUNT] {
    let mut table = [const { Entry { faces: [0; 3], without: [NONE; 6] } }; COUNT];
    let mut next = 1;
    let mut size = 1;
    while size <= 3 {
        // Counts through all faces, and keeps the ascending ones: few enough to be plain.
        let mut code = 0;
        while code < 216 {
            let (a, b, c) = (code / 36 + 1, code / 6 % 6 + 1, code % 6 + 1);
            let faces = match size {
                1 if b == 1 && c == 1 => [a, 0, 0],
                2 if a <= b && c == 1 => [a, b, 0],
                3 if a <= b && b <= c => [a, b, c],
                _ => [0, 0, 0],
            };
            if faces[0] != 0 {
                table[next].faces = faces;
                table[next].without = predecessors(&table, faces);
                next += 1;
            }
            code += 1;
        }
        size += 1;
    }
    table
}

const fn predecessors(table: &[Entry; COUNT], faces: [u8; 3]) -> [u8; 6] {
    let mut without = [NONE; 6];
    let mut i = 0;
    while i < 3 && faces[i] != 0 {
        let rest = match i {
            0 => [faces[1], faces[2], 0],
            1 => [faces[0], faces[2], 0],
            _ => [faces[0], faces[1], 0],
        };
        without[faces[i] as usize - 1] = find(table, rest);
        i += 1;
    }
    without
}

const fn find(table: &[Entry; COUNT], faces: [u8; 3]) -> u8 {
    let mut i = 0;
    while i < COUNT {
        let other = table[i].faces;
        if other[0] == faces[0] && other[1] == faces[1] && other[2] == faces[2] {
            return i as u8;
        }
        i += 1;
    }
    NONE
}

impl Roll {
    /// No dice.
    pub const EMPTY: Self = Self(0);
    /// How many multisets of zero to three dice there are.
    pub const COUNT: usize = COUNT;

    /// The multiset of a pool's dice.
    pub fn of(pool: DicePool) -> Self {
        pool.into_iter().fold(Self::EMPTY, Self::plus)
    }

    /// All 84 multisets, in order.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..COUNT as u8).map(Self)
    }

    /// The 56 rolls of three dice.
    pub fn all_full() -> impl ExactSizeIterator<Item = Self> {
        (FIRST_FULL..COUNT as u8).map(Self)
    }

    fn plus(self, die: PieceType) -> Self {
        (0..COUNT as u8).map(Self).find(|larger| larger.without(die) == Some(self)).unwrap_or(self)
    }

    /// 0–83, in the order of the type.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// How many dice it has.
    #[inline]
    pub const fn len(self) -> usize {
        match self.0 {
            0 => 0,
            1..7 => 1,
            7..FIRST_FULL => 2,
            _ => 3,
        }
    }

    /// Whether it has no dice.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The dice in the order P N B R Q K.
    #[inline]
    pub fn dice(self) -> impl Iterator<Item = PieceType> {
        let faces = ENTRIES[self.index()].faces;
        faces.into_iter().map_while(PieceType::from_face)
    }

    /// The dice as a pool, sorted.
    pub fn pool(self) -> DicePool {
        let faces = &ENTRIES[self.index()].faces[..self.len()];
        DicePool::from_faces(faces).unwrap_or_default()
    }

    /// The multiset without one die of this type; `None` when it has none.
    #[inline]
    pub fn without(self, die: PieceType) -> Option<Self> {
        match ENTRIES[self.index()].without[die.index()] {
            NONE => None,
            smaller => Some(Self(smaller)),
        }
    }

    /// How many dice of this type it has.
    pub fn count_of(self, die: PieceType) -> usize {
        self.dice().filter(|&other| other == die).count()
    }

    /// Its number of orders: 1 for three alike, 3 for a pair, 6 for three different dice of a full roll.
    pub fn weight(self) -> u32 {
        let faces = ENTRIES[self.index()].faces;
        let orders = (1..=self.len() as u32).product::<u32>();
        PieceType::ALL.iter().fold(orders, |orders, die| {
            let same = faces.iter().filter(|&&face| face == die.face()).count() as u32;
            orders / (1..=same).product::<u32>()
        })
    }

    /// The different dice, in the order P N B R Q K.
    #[inline]
    pub fn distinct(self) -> impl Iterator<Item = PieceType> {
        PieceType::ALL.into_iter().filter(move |&die| self.without(die).is_some())
    }

    /// The multiset without a king and a rook die; `None` when either is missing.
    #[inline]
    pub fn without_castling_dice(self) -> Option<Self> {
        self.without(PieceType::King)?.without(PieceType::Rook)
    }

    /// The different multisets of `size` dice within this one, in order.
    pub fn parts(self, size: usize) -> impl Iterator<Item = Self> {
        Self::all().filter(move |part| part.len() == size && part.is_within(self))
    }

    fn is_within(self, larger: Self) -> bool {
        PieceType::ALL.iter().all(|&die| self.count_of(die) <= larger.count_of(die))
    }

    /// The dice of this multiset beyond those of `part`, which lies within it.
    pub(crate) fn minus(self, part: Self) -> Self {
        part.dice().fold(self, |rest, die| rest.without(die).unwrap_or(rest))
    }

    /// The multiset of the dice for which `keep` holds.
    pub(crate) fn filtered(self, mut keep: impl FnMut(PieceType) -> bool) -> Self {
        self.dice().filter(|&die| keep(die)).fold(Self::EMPTY, Self::plus)
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
