//! Feature vectors for models outside the engine: own minus enemy, from a colour's view.

use super::builtin::king_safety;
use crate::board::{Color, PieceType, Position};
use crate::rules::mobility;

/// How many features [`onnx_features`] gives.
pub const ONNX_FEATURES: usize = 7;

/// How many features [`rich_features`] gives.
pub const RICH_FEATURES: usize = 9;

/// The types that are counted, with their value in pawns. Kings are not.
const PAWN_UNITS: [(PieceType, i32); 5] = [
    (PieceType::Pawn, 1),
    (PieceType::Knight, 3),
    (PieceType::Bishop, 3),
    (PieceType::Rook, 5),
    (PieceType::Queen, 9),
];

/// Differences in the number of pawns, knights, bishops, rooks and queens, then the difference and the total of both sides'
/// material in pawns (1, 3, 3, 5, 9; no kings).
///
/// ```
/// use dicechess_native::{board::{Color, Position}, eval::onnx_features};
/// let position: Position = "3qk3/8/8/8/8/8/PP6/R3K3 w - - 0 1".parse().unwrap();
/// assert_eq!(onnx_features(&position, Color::White), [2.0, 0.0, 0.0, 1.0, -1.0, -2.0, 16.0]);
/// ```
pub fn onnx_features(position: &Position, color: Color) -> [f32; ONNX_FEATURES] {
    let mut features = [0; ONNX_FEATURES];
    for (i, (piece, value)) in PAWN_UNITS.into_iter().enumerate() {
        let own = position.pieces(color, piece).count() as i32;
        let enemy = position.pieces(!color, piece).count() as i32;
        features[i] = own - enemy;
        features[5] += value * (own - enemy);
        features[6] += value * (own + enemy);
    }
    features.map(|feature| feature as f32)
}

/// [`onnx_features`], then the difference in [`mobility`] and the difference of what an attacked king costs each side in
/// [`standard`](super::standard): −2000 or 0.
///
/// ```
/// use dicechess_native::{board::{Color, Position}, eval::rich_features};
/// let position: Position = "4k3/8/8/8/8/8/8/R3K3 b - - 0 1".parse().unwrap();
/// assert_eq!(rich_features(&position, Color::White)[7..], [15.0 - 5.0, 0.0]);
/// ```
pub fn rich_features(position: &Position, color: Color) -> [f32; RICH_FEATURES] {
    let mut features = [0.0; RICH_FEATURES];
    features[..ONNX_FEATURES].copy_from_slice(&onnx_features(position, color));
    features[7] = (mobility(position, color) as i32 - mobility(position, !color) as i32) as f32;
    features[8] = (king_safety(position, color) - king_safety(position, !color)) as f32;
    features
}
