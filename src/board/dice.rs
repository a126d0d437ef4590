//! The dice a side still has to spend.

use std::fmt;

use super::PieceType;

/// Zero to three dice in the order they were given; each names the type of piece that may move.
///
/// The order matters only to the canonical order of turns. [`DicePool::sorted`] gives the order of P N B R Q K that DFEN
/// and rolls use.
///
/// ```
/// use dicechess_native::board::{DicePool, PieceType};
/// let pool = DicePool::from_faces(&[6, 1, 4]).unwrap();
/// assert_eq!(pool.to_string(), "KPR");
/// assert_eq!(pool.sorted().to_string(), "PRK");
/// assert_eq!(pool.without(PieceType::Pawn).unwrap().to_string(), "KR");
/// assert_eq!(DicePool::from_faces(&[1, 7]), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DicePool(u16);

impl DicePool {
    /// No dice.
    pub const EMPTY: Self = Self(0);
    /// How many dice a roll has.
    pub const MAX: usize = 3;

    /// One octal digit a die, the first lowest; 0 is no die.
    const DIE_BITS: u32 = 3;
    const DIE_MASK: u16 = 7;

    /// The pool of these dice, in this order; `None` for more than three.
    pub fn from_dice(dice: &[PieceType]) -> Option<Self> {
        (dice.len() <= Self::MAX)
            .then(|| dice.iter().rev().fold(Self::EMPTY, |pool, &die| pool.with_first(die)))
    }

    /// The pool of these die faces, in this order; `None` for more than three or a face outside 1–6.
    pub fn from_faces(faces: &[u8]) -> Option<Self> {
        let mut dice = [PieceType::Pawn; Self::MAX];
        for (die, &face) in dice.get_mut(..faces.len())?.iter_mut().zip(faces) {
            *die = PieceType::from_face(face)?;
        }
        Self::from_dice(&dice[..faces.len()])
    }

    /// The pool of so many dice of each type, by [`PieceType::index`], sorted; at most three in all.
    pub(crate) const fn of_counts(counts: &[u8; 6]) -> Self {
        let mut pool = Self::EMPTY;
        let mut die = counts.len();
        while die > 0 {
            die -= 1;
            let mut left = counts[die];
            while left > 0 {
                pool = pool.with_first(PieceType::ALL[die]);
                left -= 1;
            }
        }
        pool
    }

    const fn with_first(self, die: PieceType) -> Self {
        Self(self.0 << Self::DIE_BITS | die.face() as u16)
    }

    /// How many dice are left.
    #[inline]
    pub const fn len(self) -> usize {
        ((u16::BITS - self.0.leading_zeros()).div_ceil(Self::DIE_BITS)) as usize
    }

    /// Whether no die is left.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a die of this type is left.
    #[inline]
    pub fn contains(self, die: PieceType) -> bool {
        self.into_iter().any(|other| other == die)
    }

    /// The pool after the first die of this type is spent; `None` when there is none.
    #[inline]
    pub fn without(self, die: PieceType) -> Option<Self> {
        let mut shift = 0;
        while self.0 >> shift != 0 {
            if self.0 >> shift & Self::DIE_MASK == u16::from(die.face()) {
                let before = self.0 & ((1 << shift) - 1);
                let after = self.0 >> (shift + Self::DIE_BITS) << shift;
                return Some(Self(before | after));
            }
            shift += Self::DIE_BITS;
        }
        None
    }

    /// The different dice, in order of first appearance.
    #[inline]
    pub fn distinct(self) -> impl Iterator<Item = PieceType> {
        let mut seen = 0u8;
        self.into_iter().filter(move |&die| {
            let bit = 1 << die.index();
            let new = seen & bit == 0;
            seen |= bit;
            new
        })
    }

    /// The same dice in the order P N B R Q K.
    pub fn sorted(self) -> Self {
        let mut dice = [PieceType::Pawn; Self::MAX];
        let len = self.len();
        for (slot, die) in dice.iter_mut().zip(self) {
            *slot = die;
        }
        dice[..len].sort_unstable();
        dice[..len].iter().rev().fold(Self::EMPTY, |pool, &die| pool.with_first(die))
    }

    /// The pool as one number: octal digits of die faces, the first die lowest.
    pub(crate) const fn bits(self) -> u16 {
        self.0
    }

    /// The pool of a number from [`DicePool::bits`]; `None` for any other.
    pub(crate) fn from_bits(bits: u16) -> Option<Self> {
        let mut faces = [0; 6];
        let mut len = 0;
        let mut rest = bits;
        while rest != 0 {
            faces[len] = (rest & Self::DIE_MASK) as u8;
            rest >>= Self::DIE_BITS;
            len += 1;
        }
        Self::from_faces(&faces[..len])
    }
}

/// The dice of a [`DicePool`], in order.
#[derive(Clone, Debug)]
pub struct Dice(u16);

impl Iterator for Dice {
    type Item = PieceType;

    #[inline]
    fn next(&mut self) -> Option<PieceType> {
        let die = PieceType::from_face((self.0 & DicePool::DIE_MASK) as u8)?;
        self.0 >>= DicePool::DIE_BITS;
        Some(die)
    }
}

impl IntoIterator for DicePool {
    type Item = PieceType;
    type IntoIter = Dice;

    #[inline]
    fn into_iter(self) -> Dice {
        Dice(self.0)
    }
}

impl fmt::Display for DicePool {
    /// Upper-case letters in pool order; nothing for an empty pool.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for die in *self {
            write!(f, "{}", die.letter(super::Color::White))?;
        }
        Ok(())
    }
}

impl fmt::Debug for DicePool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DicePool({self})")
    }
}
