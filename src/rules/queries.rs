//! Questions about the turns of a position, each answered within a budget or not at all.

use super::king_capture::capturing_dice;
use super::movegen::for_each_pool_group;
use super::{Budget, Exhausted, Finals, Identity, MicroMove, ReachSets, Roll, Turn, Turns, Unlisted};
use crate::board::{Bitboard, Color, PieceType, Position};

/// The legal turns of a position in canonical order; [`legal_turns`](super::legal_turns) within a budget.
///
/// # Errors
/// When the budget runs out.
///
/// # Panics
/// Where [`Turns::generate`] finds too many turns, which no board of a game has.
pub fn turn_paths(position: &Position, budget: &Budget) -> Result<Turns, Exhausted> {
    let mut turns = Turns::new();
    match turns.generate(position, budget) {
        Ok(()) => Ok(turns),
        Err(Unlisted::Exhausted(exhausted)) => Err(exhausted),
        Err(too_many) => panic!("{too_many}"),
    }
}

/// Hands each distinct final position of the position's dice to `visit`, before [`Position::end_turn`] and without dice;
/// tells whether instead some turn captures the king, in which case none is handed out.
///
/// # Errors
/// When the budget runs out; nothing has been handed out then.
pub fn visit_turn_states(
    position: &Position,
    budget: &Budget,
    visit: impl FnMut(&Position),
) -> Result<bool, Exhausted> {
    let mut sets = ReachSets::new(Identity::BeforeTurnEnd);
    sets.reset(position);
    match sets.finals(Roll::of(position.dice()), budget)? {
        Finals::KingCapture => return Ok(true),
        Finals::ForcedPass => {}
        Finals::Positions(positions) => positions.iter().for_each(visit),
    }
    Ok(false)
}

/// The first turn in canonical order that captures the king, or the proof that none does (`None`).
///
/// Costs nothing when there is no enemy king.
///
/// # Errors
/// When the budget runs out.
pub fn king_capture_path(position: &Position, budget: &Budget) -> Result<Option<Turn>, Exhausted> {
    let mut sets = ReachSets::new(Identity::BeforeTurnEnd);
    sets.reset(position);
    if !sets.captures_king(Roll::of(position.dice()), budget)? {
        return Ok(None);
    }
    let kings = position.pieces(!position.side_to_move(), PieceType::King);
    first_capture(position, Turn::default(), kings, &mut Vec::new(), budget)
}

/// Depth first in canonical order; where only the last die is left, a look for attackers replaces trying its moves. `moves`
/// holds those still to be tried on the way here.
fn first_capture(
    position: &Position,
    prefix: Turn,
    kings: Bitboard,
    moves: &mut Vec<MicroMove>,
    budget: &Budget,
) -> Result<Option<Turn>, Exhausted> {
    budget.charge(1)?;
    if position.dice().len() == 1 && !spends(capturing_dice(position, position.side_to_move()), position) {
        return Ok(None);
    }
    let start = moves.len();
    for_each_pool_group(position, |group| moves.extend(group.moves()));
    for i in start..moves.len() {
        budget.charge(1)?;
        let micro_move = moves[i];
        let turn = prefix.then(micro_move);
        if kings.contains(micro_move.to()) {
            return Ok(Some(turn));
        }
        let next = position.play(micro_move);
        if !next.dice().is_empty()
            && let Some(found) = first_capture(&next, turn, kings, moves, budget)?
        {
            return Ok(Some(found));
        }
    }
    moves.truncate(start);
    Ok(None)
}

fn spends(dice: u8, position: &Position) -> bool {
    position.dice().into_iter().any(|die| dice >> die.index() & 1 != 0)
}

/// On how many of the 216 ordered rolls the opponent of `defender` could capture the defender's king in one turn.
///
/// Whoever is to move in `position`; its dice play no part, and board, en-passant targets and rights are taken as they
/// stand. Zero, at no cost, when the defender has no king.
///
/// # Errors
/// When the budget runs out.
pub fn king_capture_rolls(position: &Position, defender: Color, budget: &Budget) -> Result<u32, Exhausted> {
    if !position.has_king(defender) {
        return Ok(0);
    }
    let mut attacker = *position;
    attacker.set_side_to_move(!defender);
    let mut sets = ReachSets::new(Identity::AfterTurnEndIgnoringClock);
    sets.reset(&attacker);
    sets.king_capture_rolls(budget)
}
