//! Distinct positions after a turn, found by sets of positions that rolls share instead of by sequences.
//!
//! For each multiset S of dice, `reach(S)` is the set of distinct positions after spending exactly S without capturing a
//! king: the union, over the dice d of S, of the d-moves from `reach(S − d)`, with castling as a step that spends a king
//! and a rook die. The final positions of a roll are then the union of `reach(S)` over the largest S within the roll that
//! reach anything. Sequences number thousands where positions number hundreds, and the sets of one and two dice serve all
//! the rolls of a chance node.

use super::micro_move::MicroMove;
use super::movegen::{capturing_dice, for_each_castling, for_each_move};
use super::{Budget, Exhausted, Roll};
use crate::board::{Bitboard, DicePool, PieceType, Position};

/// What a roll lets the side to move do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finals<'a> {
    /// Some turn captures the king.
    KingCapture,
    /// No legal turn.
    ForcedPass,
    /// The distinct positions after the legal turns, none of which captures the king; at least one.
    Positions(&'a [Position]),
}

/// When two final positions count as the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnEnd {
    /// Final positions stand before [`Position::end_turn`], their dice gone: board, en-passant targets, rights and
    /// half-move clock tell them apart.
    Before,
    /// Final positions stand after [`Position::end_turn`]; targets that expire with the turn no longer tell them apart.
    After,
}

/// The reach sets of one position, built as they are asked for and shared by all its rolls.
///
/// A buffer that can serve position after position without allocating once it has grown.
///
/// ```
/// use dicechess_native::board::Position;
/// use dicechess_native::rules::{Budget, Finals, ReachSets, Roll, TurnEnd};
/// let position: Position = "4k3/8/8/8/8/8/P6P/4K3 w - - 0 1 PP".parse().unwrap();
/// let mut sets = ReachSets::new(TurnEnd::After);
/// sets.reset(&position);
/// let finals = sets.finals(Roll::of(position.dice()), &Budget::unlimited()).unwrap();
/// // Both orders of pushing the two pawns reach the same positions.
/// assert!(matches!(finals, Finals::Positions(positions) if positions.len() == 8));
/// ```
#[derive(Debug)]
pub struct ReachSets {
    turn_end: TurnEnd,
    /// Squares that a quiet move may go to: all but the enemy kings'.
    allowed: Bitboard,
    /// The sets of up to two dice, one after the other, then the finals of the last roll asked for.
    positions: Vec<Position>,
    /// By [`Roll::index`], for up to two dice.
    sets: [Option<ReachSet>; SHARED_SETS],
    /// Where the shared sets end in `positions`.
    shared_end: usize,
    seen: PositionIndex,
}

/// How many multisets have at most two dice.
const SHARED_SETS: usize = 28;

#[derive(Clone, Copy, Debug)]
struct ReachSet {
    start: usize,
    end: usize,
    /// The dice, as bits by [`PieceType::index`], with which some position of the set could capture the king at once;
    /// `None` until asked.
    capturing: Option<u8>,
}

impl ReachSets {
    /// Empty buffers, to be [`reset`](Self::reset) to a position before use.
    pub fn new(turn_end: TurnEnd) -> Self {
        let mut sets = Self {
            turn_end,
            allowed: Bitboard::EMPTY,
            positions: Vec::new(),
            sets: [None; SHARED_SETS],
            shared_end: 0,
            seen: PositionIndex::default(),
        };
        sets.reset(&Position::empty());
        sets
    }

    /// Starts over with the turns of `position`; its own dice play no part.
    pub fn reset(&mut self, position: &Position) {
        self.allowed = !position.pieces(!position.side_to_move(), PieceType::King);
        self.positions.clear();
        self.positions.push(position.with_dice(DicePool::EMPTY));
        self.sets = [None; SHARED_SETS];
        self.sets[Roll::EMPTY.index()] = Some(ReachSet { start: 0, end: 1, capturing: None });
        self.shared_end = 1;
    }

    /// What the side to move can do with `roll`.
    ///
    /// # Errors
    /// When the budget runs out.
    pub fn finals(&mut self, roll: Roll, budget: &Budget) -> Result<Finals<'_>, Exhausted> {
        if self.captures_king(roll, budget)? {
            return Ok(Finals::KingCapture);
        }
        for size in (1..=roll.len()).rev() {
            self.union_of_size(roll, size, budget)?;
            if self.positions.len() > self.shared_end {
                return Ok(Finals::Positions(&self.positions[self.shared_end..]));
            }
        }
        Ok(Finals::ForcedPass)
    }

    /// Whether some turn with `roll` captures the king.
    ///
    /// A capture spends its last die from a position that the dice before it reach, so the sets of at most two dice and one
    /// look for attackers of the king in each of their positions decide it, before any final position exists.
    ///
    /// # Errors
    /// When the budget runs out.
    pub fn captures_king(&mut self, roll: Roll, budget: &Budget) -> Result<bool, Exhausted> {
        if self.allowed == !Bitboard::EMPTY {
            return Ok(false);
        }
        for size in 0..roll.len() {
            for part in roll.parts(size) {
                let dice = self.capturing_dice(part, budget)?;
                if roll.minus(part).dice().any(|die| dice >> die.index() & 1 != 0) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn capturing_dice(&mut self, part: Roll, budget: &Budget) -> Result<u8, Exhausted> {
        let mut set = self.shared(part, budget)?;
        if let Some(dice) = set.capturing {
            return Ok(dice);
        }
        let positions = &self.positions[set.start..set.end];
        budget.charge(positions.len() as u64)?;
        let dice = positions.iter().fold(0, |dice, position| dice | capturing_dice(position));
        set.capturing = Some(dice);
        self.sets[part.index()] = Some(set);
        Ok(dice)
    }

    /// `reach(part)` for at most two dice.
    fn shared(&mut self, part: Roll, budget: &Budget) -> Result<ReachSet, Exhausted> {
        if let Some(set) = self.sets[part.index()] {
            return Ok(set);
        }
        let end = self.build_dependencies(part, budget)?;
        self.positions.truncate(end);
        self.seen.clear();
        self.extend(part, false, budget)?;
        let set = ReachSet { start: end, end: self.positions.len(), capturing: None };
        self.sets[part.index()] = Some(set);
        self.shared_end = set.end;
        Ok(set)
    }

    /// Puts the union of `reach(S)` over the parts S of `roll` with `size` dice behind the shared sets.
    fn union_of_size(&mut self, roll: Roll, size: usize, budget: &Budget) -> Result<(), Exhausted> {
        for part in roll.parts(size) {
            self.build_dependencies(part, budget)?;
        }
        self.positions.truncate(self.shared_end);
        self.seen.clear();
        for part in roll.parts(size) {
            self.extend(part, true, budget)?;
        }
        Ok(())
    }

    /// Builds the sets that the steps to `reach(part)` start from; returns where the shared sets then end.
    fn build_dependencies(&mut self, part: Roll, budget: &Budget) -> Result<usize, Exhausted> {
        for die in part.distinct() {
            self.shared(part.without(die).unwrap_or(Roll::EMPTY), budget)?;
        }
        if let Some(rest) = part.without_castling_dice() {
            self.shared(rest, budget)?;
        }
        Ok(self.shared_end)
    }

    /// Adds the positions of `reach(part)` that have not been seen since the index was cleared.
    fn extend(&mut self, part: Roll, last: bool, budget: &Budget) -> Result<(), Exhausted> {
        let ends = last && self.turn_end == TurnEnd::After;
        for die in part.distinct() {
            let from = self.built(part.without(die).unwrap_or(Roll::EMPTY));
            for i in from.start..from.end {
                let position = self.positions[i];
                let allowed = self.allowed;
                let mut examined = 1;
                for_each_move(&position, die, allowed, |micro_move| {
                    examined += 1;
                    self.insert(&position, micro_move, ends);
                });
                budget.charge(examined)?;
            }
        }
        if let Some(rest) = part.without_castling_dice() {
            let from = self.built(rest);
            for i in from.start..from.end {
                let position = self.positions[i];
                let mut examined = 1;
                for_each_castling(&position, |micro_move| {
                    examined += 1;
                    self.insert(&position, micro_move, ends);
                });
                budget.charge(examined)?;
            }
        }
        Ok(())
    }

    fn built(&self, part: Roll) -> ReachSet {
        self.sets[part.index()].expect("dependencies are built before a set is extended")
    }

    #[inline]
    fn insert(&mut self, position: &Position, micro_move: MicroMove, ends: bool) {
        let mut next = *position;
        next.apply(micro_move);
        if ends {
            next = next.end_turn();
        }
        if self.seen.insert(&next, self.positions.len(), &self.positions) {
            self.positions.push(next);
        }
    }
}

/// An open-addressing index of positions by key and clock, cleared in constant time.
#[derive(Debug, Default)]
struct PositionIndex {
    /// Epoch in the high half, index of the position in the low half; power-of-two length.
    slots: Vec<u64>,
    epoch: u32,
    len: usize,
}

impl PositionIndex {
    const MIN_SLOTS: usize = 1 << 10;

    fn clear(&mut self) {
        if self.epoch == u32::MAX {
            self.slots.fill(0);
            self.epoch = 0;
        }
        self.epoch += 1;
        self.len = 0;
    }

    /// Whether `position` is new among those indexed since `clear`; it is then indexed as `index`.
    #[inline]
    fn insert(&mut self, position: &Position, index: usize, positions: &[Position]) -> bool {
        if self.slots.len() < 2 * (self.len + 1) {
            self.grow(positions);
        }
        let mask = self.slots.len() - 1;
        let mut slot = home_slot(position, mask);
        while self.slots[slot] >> 32 == u64::from(self.epoch) {
            if positions[self.slots[slot] as u32 as usize] == *position {
                return false;
            }
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = u64::from(self.epoch) << 32 | index as u64;
        self.len += 1;
        true
    }

    #[cold]
    fn grow(&mut self, positions: &[Position]) {
        let size = (2 * self.slots.len()).max(Self::MIN_SLOTS);
        let old = std::mem::replace(&mut self.slots, vec![0; size]);
        for entry in old.into_iter().filter(|entry| entry >> 32 == u64::from(self.epoch)) {
            let mut slot = home_slot(&positions[entry as u32 as usize], size - 1);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = entry;
        }
    }
}

/// Where the search for a position starts. The clock is spread over the table as well: positions that differ by nothing
/// else are common, and the key does not see it.
#[inline]
fn home_slot(position: &Position, mask: usize) -> usize {
    let clock = u64::from(position.half_move()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (position.key() ^ clock) as usize & mask
}
