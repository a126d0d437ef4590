//! Distinct positions after a turn, found by sets of positions that rolls share instead of by sequences.
//!
//! For each multiset S of dice, `reach(S)` is the set of distinct positions after spending exactly S without capturing a
//! king: the union, over the dice d of S, of the d-moves from `reach(S − d)`, with castling as a step that spends a king
//! and a rook die. The final positions of a roll are then the union of `reach(S)` over the largest S within the roll that
//! reach anything. Sequences number thousands where positions number hundreds, and the sets of one and two dice serve all
//! the rolls of a chance node.

use std::ops::Range;

use super::commute::LastMove;
use super::micro_move::{Lifted, MicroMove};
use super::movegen::{CastlingMoves, MoveGroup, MoveSource, PawnMoves, PieceMoves, capturing_dice};
use super::{Budget, Exhausted, Roll};
use crate::board::{Bitboard, DicePool, PieceType, Position, Square, attacks};

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

/// When two final positions count as the same, and where they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// Final positions stand before [`Position::end_turn`], their dice gone: board, en-passant targets, rights and
    /// half-move clock tell them apart.
    BeforeTurnEnd,
    /// Final positions stand after [`Position::end_turn`]; targets that expire with the turn no longer tell them apart.
    AfterTurnEnd,
    /// As [`Identity::AfterTurnEnd`], for those who never look at the half-move clock: it tells no positions apart, and
    /// stays as it was before the turn.
    AfterTurnEndIgnoringClock,
}

/// The reach sets of one position, built as they are asked for and shared by all its rolls.
///
/// A buffer that can serve position after position without allocating once it has grown.
///
/// ```
/// use dicechess_native::board::Position;
/// use dicechess_native::rules::{Budget, Finals, Identity, ReachSets, Roll};
/// let position: Position = "4k3/8/8/8/8/8/P6P/4K3 w - - 0 1 PP".parse().unwrap();
/// let mut sets = ReachSets::new(Identity::AfterTurnEnd);
/// sets.reset(&position);
/// let finals = sets.finals(Roll::of(position.dice()), &Budget::unlimited()).unwrap();
/// // Both orders of pushing the two pawns reach the same positions.
/// assert!(matches!(finals, Finals::Positions(positions) if positions.len() == 8));
/// ```
#[derive(Debug)]
pub struct ReachSets {
    identity: Identity,
    /// Squares that a quiet move may go to: all but the enemy kings'.
    allowed: Bitboard,
    /// The sets of up to two dice, one after the other, then the finals of the last roll asked for.
    positions: Vec<Position>,
    /// The moves by which the shared ones of them were first reached; none for the root.
    last_moves: Vec<Option<MicroMove>>,
    /// By [`Roll::index`], for up to two dice.
    sets: [Option<ReachSet>; Roll::COUNT_BELOW_FULL],
    /// Where the shared sets end in `positions`.
    shared_end: usize,
    seen: PositionIndex,
}

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
    pub fn new(identity: Identity) -> Self {
        let mut sets = Self {
            identity,
            allowed: Bitboard::EMPTY,
            positions: Vec::new(),
            last_moves: Vec::new(),
            sets: [None; Roll::COUNT_BELOW_FULL],
            shared_end: 0,
            seen: PositionIndex::new(),
        };
        sets.reset(&Position::empty());
        sets
    }

    /// Starts over with the turns of `position`; its own dice play no part.
    pub fn reset(&mut self, position: &Position) {
        self.allowed = !position.pieces(!position.side_to_move(), PieceType::King);
        self.positions.clear();
        self.last_moves.clear();
        self.last_moves.push(None);
        self.positions.push(position.with_dice(DicePool::EMPTY));
        self.sets = [None; Roll::COUNT_BELOW_FULL];
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
                if roll.die_bits_beyond(part) & dice != 0 {
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
        self.start_over_from(end);
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
        self.start_over_from(self.shared_end);
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

    /// Forgets the positions from `end` on, and which of the others have been seen.
    fn start_over_from(&mut self, end: usize) {
        self.positions.truncate(end);
        self.last_moves.truncate(end);
        self.seen.clear(end);
    }

    /// Adds the positions of `reach(part)` that have not been seen since [`Self::start_over_from`]; those of the `last`
    /// step are final.
    fn extend(&mut self, part: Roll, last: bool, budget: &Budget) -> Result<(), Exhausted> {
        for die in part.distinct() {
            let from = self.built(part.without(die));
            match die {
                PieceType::Pawn => self.step(from, PawnMoves, last, budget),
                PieceType::Knight => {
                    self.step(from, PieceMoves(die, |square, _| attacks::knight(square)), last, budget)
                }
                PieceType::Bishop => self.step(from, PieceMoves(die, attacks::bishop), last, budget),
                PieceType::Rook => self.step(from, PieceMoves(die, attacks::rook), last, budget),
                PieceType::Queen => self.step(from, PieceMoves(die, attacks::queen), last, budget),
                PieceType::King => {
                    self.step(from, PieceMoves(die, |square, _| attacks::king(square)), last, budget)
                }
            }?;
        }
        self.step(self.built(part.without_castling_dice()), CastlingMoves, last, budget)
    }

    /// Where the positions of a set that has been built lie; nowhere for no set.
    fn built(&self, part: Option<Roll>) -> Range<usize> {
        part.map_or(0..0, |part| {
            let set = self.sets[part.index()].expect("dependencies are built before a set is extended");
            set.start..set.end
        })
    }

    /// Plays moves at each of the positions.
    fn step(
        &mut self,
        from: Range<usize>,
        source: impl MoveSource,
        last: bool,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let ends = last && self.identity != Identity::BeforeTurnEnd;
        let clock_matters = self.identity != Identity::AfterTurnEndIgnoringClock;
        let allowed = self.allowed;
        for i in from {
            let position = self.positions[i];
            let last_move = self.last_moves[i].map(|last| LastMove::new(last, &position, clock_matters));
            let mut examined = 1;
            source.for_each(&position, allowed, |mut group| {
                if let Some(last_move) = &last_move {
                    group.targets = last_move.targets_to_try(&position, group);
                }
                if group.targets.is_empty() {
                    return;
                }
                let mut lifted = Lifted::new(&position, group.from, group.kind);
                if !clock_matters {
                    lifted.keep_clock(position.half_move());
                }
                if ends {
                    lifted.end_turn();
                }
                examined += self.land_all(&lifted, &position, group, last);
            });
            budget.charge(examined)?;
        }
        Ok(())
    }

    /// Adds the positions of a group's moves; returns how many moves those were.
    #[inline(always)]
    fn land_all(&mut self, lifted: &Lifted, position: &Position, group: MoveGroup, last: bool) -> u64 {
        let mut landed = 0;
        let last_move = |to| (!last).then(|| MicroMove::new(group.from, to, group.kind));
        let occupied = position.occupied();
        let plain = lifted.lands_plainly();
        for to in group.targets & !occupied {
            let next = if plain { lifted.put_down(to) } else { lifted.land_on_empty(to) };
            self.add(next, last_move(to));
            landed += 1;
        }
        for to in group.targets & occupied {
            self.add(lifted.land_on(position.code_at(to), to), last_move(to));
            landed += 1;
        }
        landed
    }

    /// Adds a position unless it has been seen; those that more moves may follow come with their last move.
    #[inline(always)]
    fn add(&mut self, position: Position, last_move: Option<MicroMove>) {
        if self.seen.insert(&position, &self.positions) {
            self.positions.push(position);
            if last_move.is_some() {
                self.last_moves.push(last_move);
            }
        }
    }
}

/// An open-addressing index of positions by key and clock, cleared in constant time.
#[derive(Debug)]
struct PositionIndex {
    /// Epoch in the high half, index of the position in the low half.
    slots: Vec<u64>,
    /// How many of the slots are in use, less one; the number is a power of two. Few positions keep to few slots, so that
    /// these stay in the nearest cache.
    mask: usize,
    epoch: u32,
    /// The indexed positions are those from `start` on, without gaps.
    start: usize,
}

impl PositionIndex {
    const MIN_SLOTS: usize = 1 << 9;

    fn new() -> Self {
        Self { slots: vec![0; Self::MIN_SLOTS], mask: Self::MIN_SLOTS - 1, epoch: 0, start: 0 }
    }

    /// Forgets all positions; those indexed from now on have indices from `start` on.
    fn clear(&mut self, start: usize) {
        self.start = start;
        self.mask = Self::MIN_SLOTS - 1;
        self.next_epoch();
    }

    fn next_epoch(&mut self) {
        if self.epoch == u32::MAX {
            self.slots.fill(0);
            self.epoch = 0;
        }
        self.epoch += 1;
    }

    /// Whether `position` is new; it is then indexed as the one after the last of `positions`.
    #[inline(always)]
    fn insert(&mut self, position: &Position, positions: &[Position]) -> bool {
        if 2 * (positions.len() - self.start) > self.mask {
            self.grow(positions);
        }
        let slot = home_slot(position) & self.mask;
        let free = self.slots[slot] >> 32 != u64::from(self.epoch);
        let Some(slot) = (if free { Some(slot) } else { self.next_free(slot, position, positions) }) else {
            return false;
        };
        self.slots[slot] = u64::from(self.epoch) << 32 | positions.len() as u64;
        true
    }

    /// The first free slot from an occupied one on; `None` when `position` is found before.
    #[inline(never)]
    fn next_free(&self, mut slot: usize, position: &Position, positions: &[Position]) -> Option<usize> {
        while self.slots[slot] >> 32 == u64::from(self.epoch) {
            if positions[self.slots[slot] as u32 as usize] == *position {
                return None;
            }
            slot = (slot + 1) & self.mask;
        }
        Some(slot)
    }

    #[cold]
    fn grow(&mut self, positions: &[Position]) {
        self.mask = 2 * self.mask + 1;
        self.slots.resize(self.slots.len().max(self.mask + 1), 0);
        self.next_epoch();
        for (index, position) in positions.iter().enumerate().skip(self.start) {
            let mut slot = home_slot(position) & self.mask;
            while self.slots[slot] >> 32 == u64::from(self.epoch) {
                slot = (slot + 1) & self.mask;
            }
            self.slots[slot] = u64::from(self.epoch) << 32 | index as u64;
        }
    }
}

/// Where the search for a position starts. The clock is spread over the table as well: positions that differ by nothing
/// else are common, and the key does not see it.
#[inline]
fn home_slot(position: &Position) -> usize {
    let clock = u64::from(position.half_move()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (position.key() ^ clock) as usize
}
