//! The evaluators that come with the engine.

use super::{Evaluator, aggressive};
use crate::board::{Bitboard, Color, PieceType, Position};

/// Centipawns by [`PieceType::index`]: P 100, N 300, B 300, R 500, Q 900, K 10000.
pub const PIECE_VALUES: [i32; 6] = [100, 300, 300, 500, 900, 10_000];

/// What an attacked king of one's own costs in [`standard`].
const KING_ATTACKED: i32 = 2000;

/// As leaves of a search the built-in evaluators saturate here: nine queens with all rooks, bishops and knights exceed it.
const LEAF_LIMIT: i32 = 10_000;

/// The value as a leaf of a search: within ±10000.
pub fn saturated(value: i32) -> f64 {
    f64::from(value.clamp(-LEAF_LIMIT, LEAF_LIMIT))
}

/// Own minus enemy pieces, from the view of `color`: P 100, N 300, B 300, R 500, Q 900, K 10000.
///
/// ```
/// use dicechess_native::{board::{Color, Position}, eval::material};
/// let position: Position = "4k3/8/8/8/8/8/PP6/R3K3 b - - 0 1".parse().unwrap();
/// assert_eq!(material(&position, Color::White), 700);
/// assert_eq!(material(&position, Color::Black), -700);
/// ```
pub fn material(position: &Position, color: Color) -> i32 {
    let (own, enemy) = (position.color(color), position.color(!color));
    let [own_units, enemy_units] = pawn_units(position, [own, enemy]);
    let kings = position.of_type(PieceType::King);
    PIECE_VALUES[PieceType::Pawn.index()] * (own_units - enemy_units)
        + king_balance(kings & own, kings & enemy)
}

/// What the pieces of both sides are worth in pawns, each king taken for [`KING_UNITS`].
///
/// A portable build has no instruction that counts bits. Counting set by set takes twice as long as adding up fields of a
/// word, both sides in step: 1 for each piece, 2 more for a minor piece, 4 for a rook or king, 8 for a queen.
#[inline(always)]
fn pawn_units(position: &Position, sides: [Bitboard; 2]) -> [i32; 2] {
    const PAIRS: u64 = 0x5555_5555_5555_5555;
    const NIBBLES: u64 = 0x3333_3333_3333_3333;
    const BYTES: u64 = 0x0F0F_0F0F_0F0F_0F0F;
    const WORDS: u64 = 0x00FF_00FF_00FF_00FF;
    const SUM_OF_WORDS: u64 = 0x0001_0001_0001_0001;
    let of_type = |piece| position.of_type(piece);
    let minor = of_type(PieceType::Knight) | of_type(PieceType::Bishop);
    let four = of_type(PieceType::Rook) | of_type(PieceType::King);
    let by_nibble = |set: Bitboard| {
        let pairs = sides.map(|side| (side & set).0).map(|set| set - (set >> 1 & PAIRS));
        pairs.map(|pairs| (pairs & NIBBLES) + (pairs >> 2 & NIBBLES))
    };
    // Four squares hold at most 4 · (1 + 2) of one, and 4 · (1 + 2) of the other.
    let light = with_twice(by_nibble(!Bitboard::EMPTY), by_nibble(minor));
    let heavy = with_twice(by_nibble(four), by_nibble(of_type(PieceType::Queen)));
    let [light, heavy] = [light, heavy].map(|units| units.map(|u| (u & BYTES) + (u >> 4 & BYTES)));
    let by_word = [0, 1].map(|side| {
        let by_byte = light[side] + 4 * heavy[side];
        (by_byte & WORDS) + (by_byte >> 8 & WORDS)
    });
    by_word.map(|words| (words.wrapping_mul(SUM_OF_WORDS) >> 48) as i32)
}

/// What [`pawn_units`] takes a king for.
const KING_UNITS: i32 = 1 + 4;

/// The units of one set of pieces and twice those of another.
#[inline(always)]
fn with_twice(single: [u64; 2], double: [u64; 2]) -> [u64; 2] {
    [single[0] + 2 * double[0], single[1] + 2 * double[1]]
}

/// The value of one side's kings less that of the other's, beyond [`KING_UNITS`]. A game has one of each.
#[inline(always)]
fn king_balance(own: Bitboard, enemy: Bitboard) -> i32 {
    if own.is_single() && enemy.is_single() {
        return 0;
    }
    let beyond = PIECE_VALUES[PieceType::King.index()] - KING_UNITS * PIECE_VALUES[PieceType::Pawn.index()];
    beyond * (own.count() as i32 - enemy.count() as i32)
}

/// [`material`], less 2000 if any king of `color` is attacked as the pieces stand: no dice, no en passant.
///
/// ```
/// use dicechess_native::{board::{Color, Position}, eval::standard};
/// let position: Position = "4r1k1/8/8/8/8/8/8/4K3 w - - 0 1".parse().unwrap();
/// assert_eq!(standard(&position, Color::White), -2500);
/// assert_eq!(standard(&position, Color::Black), 500);
/// ```
pub fn standard(position: &Position, color: Color) -> i32 {
    material(position, color) + king_safety(position, color)
}

/// −2000 if any king of `color` is attacked as the pieces stand, else 0.
pub(super) fn king_safety(position: &Position, color: Color) -> i32 {
    if king_is_attacked(position, color) { -KING_ATTACKED } else { 0 }
}

/// Whether any king of `color` is attacked as the pieces stand: no dice, no en passant.
pub(crate) fn king_is_attacked(position: &Position, color: Color) -> bool {
    let mut kings = position.pieces(color, PieceType::King).into_iter();
    kings.any(|king| position.attackers(!color, king).any())
}

/// The built-in evaluators as leaves of a search, saturating at ±10000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuiltIn {
    /// [`material`].
    Material,
    /// [`standard`].
    Standard,
    /// [`aggressive`].
    Aggressive,
}

impl BuiltIn {
    /// All, simplest first.
    pub const ALL: [Self; 3] = [Self::Material, Self::Standard, Self::Aggressive];

    /// The value from the view of `color`, in centipawns, not saturated.
    pub fn value(self, position: &Position, color: Color) -> i32 {
        self.function()(position, color)
    }

    fn function(self) -> fn(&Position, Color) -> i32 {
        match self {
            Self::Material => material,
            Self::Standard => standard,
            Self::Aggressive => aggressive,
        }
    }
}

impl Evaluator for BuiltIn {
    fn name(&self) -> &str {
        match self {
            Self::Material => "material",
            Self::Standard => "standard",
            Self::Aggressive => "aggressive",
        }
    }

    fn evaluate(&self, positions: &[Position], perspective: Color, scores: &mut [f64]) {
        let value = self.function();
        for (score, position) in scores.iter_mut().zip(positions) {
            *score = saturated(value(position, perspective));
        }
    }

    fn reads_clocks(&self) -> bool {
        false
    }

    fn is_pure_material(&self) -> bool {
        *self == Self::Material
    }
}
