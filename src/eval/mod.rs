//! Static evaluation: what a position is worth to a side, in centipawns, without looking ahead.

mod aggressive;
mod builtin;
mod features;

pub use aggressive::aggressive;
pub(crate) use builtin::king_is_attacked;
pub use builtin::{BuiltIn, PIECE_VALUES, material, saturated, standard};
pub use features::{ONNX_FEATURES, RICH_FEATURES, onnx_features, rich_features};

use crate::board::{Color, Position};

/// Scores batches of positions for a search.
pub trait Evaluator: Sync {
    /// A short name, used in error messages.
    fn name(&self) -> &str;

    /// Writes the value of each position for `perspective` to the same place of `scores`, which is as long as `positions`.
    ///
    /// There is at least one position; each stands after the end of a turn, with both kings on the board. Values must lie
    /// within −10000 to 10000: anything else, NaN and values left unwritten included, ends the search with an error.
    ///
    /// A value depends on the position and the perspective only, to the last bit: not on the other positions of the batch nor
    /// on calls before. A search compares values of one batch with those of others, and shows a position again wherever it
    /// comes up again.
    fn evaluate(&self, positions: &[Position], perspective: Color, scores: &mut [f64]);

    /// Whether values depend on the half-move clock or the full-move number.
    ///
    /// When they do not, a search takes positions that differ by nothing else for one, and hands out clocks that are not
    /// kept up to date.
    fn reads_clocks(&self) -> bool {
        true
    }

    /// Whether every value is exactly that of [`BuiltIn::Material`]. A search then finds the best reply to a roll without
    /// making its positions, and does not call the evaluator for it.
    fn is_pure_material(&self) -> bool {
        false
    }

    /// A number that tells evaluators with different values apart, so that a transposition table is not shared between
    /// them. By default made from the name: two evaluators of one name must agree.
    fn fingerprint(&self) -> u64 {
        // FNV-1a.
        self.name().bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
        })
    }
}
