//! The classes of rolls that a side cannot tell apart, because it has no use for some dice.

use once_cell::sync::Lazy;

use super::{ORDERED_ROLLS, Roll};
use crate::board::{Bitboard, PieceType, Position};

/// A class of a chance node: the dice that can be of use, and how many of the 216 ordered rolls leave just these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightedRoll {
    /// The retained dice, zero to three.
    pub roll: Roll,
    /// At least 1; the weights of a partition sum to 216.
    pub weight: u32,
}

/// What of a side's placement decides which dice it retains.
#[derive(Clone, Copy)]
struct Means {
    /// The types the side has, as bits by [`PieceType::index`].
    types: u8,
    /// How many pawn dice its nearest pawn needs to promote, when that is one or two; else 0.
    promotion_dice: usize,
}

/// Types a pawn can become.
const PROMOTED: u8 = 0b01_1110;

impl Means {
    fn of(position: &Position) -> Self {
        let mover = position.side_to_move();
        let types = PieceType::ALL
            .iter()
            .fold(0, |types, &piece| types | u8::from(position.pieces(mover, piece).any()) << piece.index());
        let pawns = position.pieces(mover, PieceType::Pawn);
        let on = |rank| (pawns & Bitboard::rank(mover.relative_rank(rank))).any();
        let promotion_dice = if on(6) {
            1
        } else if on(5) {
            2
        } else {
            0
        };
        Self { types, promotion_dice }
    }

    /// The dice of a full roll that some sequence could spend. A pawn two steps from promotion uses up two dice, so a third
    /// is left for the piece it becomes; one step away, two are.
    fn retained(self, roll: Roll) -> Roll {
        let promotes = self.promotion_dice > 0 && roll.count_of(PieceType::Pawn) >= self.promotion_dice;
        let types = if promotes { self.types | PROMOTED } else { self.types };
        roll.filtered(|die| types >> die.index() & 1 != 0)
    }

    const COUNT: usize = 64 * 3;

    fn index(self) -> usize {
        usize::from(self.types) * 3 + self.promotion_dice
    }

    fn from_index(index: usize) -> Self {
        Self { types: (index / 3) as u8, promotion_dice: index % 3 }
    }
}

static PARTITIONS: Lazy<Vec<Box<[WeightedRoll]>>> =
    Lazy::new(|| (0..Means::COUNT).map(|index| classes_of(Means::from_index(index))).collect());

fn classes_of(means: Means) -> Box<[WeightedRoll]> {
    let mut weights = [0; Roll::COUNT];
    for roll in Roll::all_full() {
        weights[means.retained(roll).index()] += roll.weight();
    }
    let mut classes: Vec<_> = Roll::all()
        .zip(weights)
        .filter(|&(_, weight)| weight > 0)
        .map(|(roll, weight)| WeightedRoll { roll, weight })
        .collect();
    // Rolls are numbered fewest dice first, then by dice, so a stable sort leaves equal weights in class order.
    classes.sort_by_key(|class| ORDERED_ROLLS - class.weight);
    classes.into_boxed_slice()
}

/// The classes of the chance node at `position`, whose side to move is about to roll: heaviest first, then fewest dice,
/// then by dice in the order P N B R Q K.
///
/// A die is retained when the side to move has a piece of that type, or can get one by promotion and still have a die left
/// for it. Types are judged by placement alone: a blocked pawn still retains its die. The empty class and classes without
/// a legal turn are forced passes and keep their full weight.
///
/// ```
/// use dicechess_native::{board::Position, rules::partition};
/// let lone_kings: Position = "4k3/8/8/8/8/8/8/4K3 b - - 0 1".parse().unwrap();
/// let classes: Vec<_> = partition(&lone_kings).iter().map(|c| (c.roll.to_string(), c.weight)).collect();
/// assert_eq!(classes, [("".into(), 125), ("K".into(), 75), ("KK".into(), 15), ("KKK".into(), 1)]);
/// ```
pub fn partition(position: &Position) -> &'static [WeightedRoll] {
    &PARTITIONS[Means::of(position).index()]
}
