//! The evaluators that come with the engine.

use super::{Evaluator, aggressive};
use crate::board::{Color, PieceType, Position};

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
    PieceType::ALL.iter().fold(0, |sum, &piece| {
        let all = position.of_type(piece);
        let balance = (all & own).count() as i32 - (all & enemy).count() as i32;
        sum + balance * PIECE_VALUES[piece.index()]
    })
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
