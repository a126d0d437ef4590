//! Pure material, told without making final positions.
//!
//! Material after a turn is the material before its last micro-move plus what that move captures or promotes to. So it is
//! enough to look where the last die's pieces can go from each position before it: no position is made, hashed or evaluated.

use crate::board::{Bitboard, Color, PieceType, Position};
use crate::eval::{PIECE_VALUES, material};
use crate::rules::{Budget, Exhausted, MicroMove, ReachSets, Roll, Steps, Turn};

/// What the mover can get out of a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BestReply {
    /// Some turn captures the king.
    KingCapture,
    /// The most material for the mover after a legal turn, and how many positions were looked at.
    Worth { value: i32, visited: u64 },
    /// Not all dice can be spent, which this way of looking does not see through.
    Unknown,
}

/// The best reply to `roll` for `mover` at the position `sets` stands at. `materials` holds the mover's material in the
/// positions that `sets` has built, as far as it is known.
pub(super) fn best_reply(
    sets: &mut ReachSets,
    materials: &mut Vec<i32>,
    roll: Roll,
    mover: Color,
    budget: &Budget,
) -> Result<BestReply, Exhausted> {
    if sets.captures_king(roll, budget)? {
        return Ok(BestReply::KingCapture);
    }
    sets.build_dependencies(roll, budget)?;
    let unknown = &sets.built_positions()[materials.len()..];
    materials.extend(unknown.iter().map(|position| material(position, mover)));
    let mut best = i32::MIN;
    let mut visited = 0;
    let all_spent = sets.visit_last_steps(roll, budget, |index, position, steps| {
        visited += 1;
        let gain = steps.map_or(0, |steps| best_gain(position, mover, &steps));
        best = best.max(materials[index] + gain);
    })?;
    Ok(if all_spent { BestReply::Worth { value: best, visited } } else { BestReply::Unknown })
}

/// Calls `visit` with the mover's material after each turn, in order. Turns that differ in their last micro-move only share
/// the position before it.
pub(super) fn after_turns(root: &Position, turns: &[Turn], mut visit: impl FnMut(i32)) {
    let mover = root.side_to_move();
    let mut stem = Turn::default();
    let mut before = *root;
    let mut worth = material(root, mover);
    for (next_stem, last) in turns.iter().filter_map(|turn| turn.split_last()) {
        if next_stem != stem {
            stem = next_stem;
            before = root.play_turn(stem);
            worth = material(&before, mover);
        }
        visit(worth + gain(&before, last));
    }
}

/// The material that a micro-move wins for its mover.
fn gain(before: &Position, micro_move: MicroMove) -> i32 {
    let value = |piece: PieceType| PIECE_VALUES[piece.index()];
    let captured = match before.piece_at(micro_move.to()) {
        Some((_, piece)) => value(piece),
        None if micro_move.is_en_passant() => value(PieceType::Pawn),
        None => 0,
    };
    captured + micro_move.promotion().map_or(0, |piece| value(piece) - value(PieceType::Pawn))
}

/// The most material that one of the steps wins.
#[inline]
fn best_gain(position: &Position, mover: Color, steps: &Steps) -> i32 {
    const PROMOTION: i32 = PIECE_VALUES[PieceType::Queen.index()] - PIECE_VALUES[PieceType::Pawn.index()];
    let captures = steps.targets & position.color(!mover);
    let mut gain = if steps.en_passant { PIECE_VALUES[PieceType::Pawn.index()] } else { 0 };
    if captures.any() {
        gain = gain.max(best_capture(position, captures));
    }
    if steps.promoting.any() {
        gain = gain.max(PROMOTION + best_capture(position, captures & steps.promoting));
    }
    gain
}

/// The value of the best piece on these squares, kings apart; 0 for none.
#[inline]
fn best_capture(position: &Position, squares: Bitboard) -> i32 {
    [PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight, PieceType::Pawn]
        .into_iter()
        .find(|&piece| (squares & position.of_type(piece)).any())
        .map_or(0, |piece| PIECE_VALUES[piece.index()])
}
