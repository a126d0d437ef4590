//! Distinct positions after a turn, found by sets of positions that rolls share instead of by sequences.
//!
//! For each multiset S of dice, `reach(S)` is the set of distinct positions after spending exactly S without capturing a
//! king: the union, over the dice d of S, of the d-moves from `reach(S − d)`, with castling as a step that spends a king
//! and a rook die. The final positions of a roll are then the union of `reach(S)` over the largest S within the roll that
//! reach anything. Sequences number thousands where positions number hundreds, and the sets of one and two dice serve all
//! the rolls of a chance node.

mod origin;

pub(crate) use self::origin::Origin;

use std::ops::Range;

use super::commute::LastMove;
use super::king_capture::KingsAtRisk;
use super::micro_move::{Clock, Lifted, MicroMove, expiring_targets};
use super::movegen::{
    CastlingMoves, DoubleSteps, MoveGroup, MoveSource, MovesFrom, PieceMoves, PlainPawnMoves, RarePawnMoves,
    Steps, can_promote_in_a_turn, for_each_castling,
};
use super::position_set::{PositionSet, make_room};
use super::{Budget, Exhausted, Roll};
use crate::board::{Bitboard, Color, DicePool, PieceType, Position, Square, attacks};

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
    mover: Color,
    /// Squares that a quiet move may go to: all but the enemy kings'.
    allowed: Bitboard,
    kings: KingsAtRisk,
    /// Whether a pawn may come to promote or capture en passant.
    rare_pawn_moves: bool,
    /// The sets of up to two dice that have been asked for, one after the other. Unless final positions stand before the
    /// end of the turn, the other side is already to move in all of them: only en-passant targets are still as in the turn.
    positions: Vec<Position>,
    /// How these positions were first reached.
    arrivals: Vec<Arrival>,
    /// Where the sets lie, by [`Roll::index`].
    sets: [Option<ReachSet>; Roll::COUNT_BELOW_FULL],
    /// The dice, as bits by [`PieceType::index`], with which some position of each set could capture the king at once, at least
    /// those that no smaller set has; [`Self::UNKNOWN`] until asked.
    capturing: [u8; Roll::COUNT_BELOW_FULL],
    /// The set that is being built, or the final positions of the last roll.
    found: PositionSet,
    /// How the positions of the set that is being built were reached.
    found_arrivals: Vec<Arrival>,
}

/// The move by which a position was first reached.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    /// As the moves that may follow see it.
    last_move: LastMove,
    micro_move: MicroMove,
    /// From which of the positions of the sets.
    parent: u32,
    /// How many positions from this one on were first reached from one position by one piece, by plain moves that captured
    /// nothing; told at the first of them only, else 0.
    quiet_run: u8,
}

impl Arrival {
    /// The move as it is told.
    fn origin(&self) -> Origin {
        Origin { parent: self.parent, micro_move: self.micro_move }
    }
}

#[derive(Clone, Copy, Debug)]
struct ReachSet {
    start: usize,
    end: usize,
}

impl ReachSet {
    /// Where its positions lie among those of all sets.
    fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// One of the sets of up to two dice, and what one more die can do from there: what is needed of final positions by those
/// who can tell their worth without making them.
pub(crate) struct Reached<'a> {
    positions: &'a [Position],
    arrivals: &'a [Arrival],
    mover: Color,
    allowed: Bitboard,
}

/// Positions of a set, one after the other, that one piece reached from one position by plain moves that captured nothing:
/// they have the same material. Only that piece and those that it [opened](QuietRun::opened) a line for can capture what they
/// could not capture before.
pub(crate) struct QuietRun<'a> {
    positions: &'a [Position],
    arrivals: &'a [Arrival],
    mover: Color,
}

impl QuietRun<'_> {
    pub(crate) fn len(&self) -> usize {
        self.positions.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Each of the positions, the piece that moved, and where it went.
    #[inline(always)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Position, PieceType, Square)> {
        let put_down = self.arrivals.iter().map(|arrival| arrival.last_move.put_down());
        self.positions.iter().zip(put_down).map(|(position, (piece, to))| (position, piece, to))
    }

    /// Where sliders stand that may capture on lines that the piece has left.
    #[inline(always)]
    pub(crate) fn opened(&self) -> Bitboard {
        self.arrivals[0].last_move.opened(&self.positions[0], self.mover)
    }
}

impl Reached<'_> {
    /// The positions of the set.
    pub(crate) fn positions(&self) -> &[Position] {
        self.positions
    }

    /// From where a die's pieces, promotions and en passant apart, must be tried for captures at the `i`-th of the
    /// positions. What others capture, they could have captured just as well before the last move: the same two moves in
    /// the other order reach the same position.
    #[inline(always)]
    pub(crate) fn capturers_to_try(&self, i: usize, die: PieceType) -> Bitboard {
        self.arrivals[i].last_move.capturers_to_try(die)
    }

    /// The run that begins at the `i`-th position; empty where that was reached by more than a plain move or by a capture.
    #[inline(always)]
    pub(crate) fn quiet_run(&self, i: usize) -> QuietRun<'_> {
        let end = i + usize::from(self.arrivals[i].quiet_run);
        QuietRun { positions: &self.positions[i..end], arrivals: &self.arrivals[i..end], mover: self.mover }
    }

    /// Where a die's pieces can go from one of the positions without capturing a king; castling is left out.
    pub(crate) fn steps(&self, position: &Position, die: PieceType) -> Steps {
        Steps::new(position, self.mover, die, self.allowed)
    }

    /// Whether the position allows castling, given the dice for it.
    pub(crate) fn can_castle(&self, position: &Position) -> bool {
        let mut castles = false;
        for_each_castling(position, self.mover, |_| castles = true);
        castles
    }
}

impl ReachSets {
    /// No bits of dice, of which there are six.
    const UNKNOWN: u8 = u8::MAX;

    /// Empty buffers, to be [`reset`](Self::reset) to a position before use.
    pub fn new(identity: Identity) -> Self {
        let mut sets = Self {
            identity,
            mover: Color::White,
            allowed: Bitboard::EMPTY,
            kings: KingsAtRisk::new(&Position::empty(), Color::White),
            rare_pawn_moves: false,
            positions: Vec::new(),
            arrivals: Vec::new(),
            sets: [None; Roll::COUNT_BELOW_FULL],
            capturing: [Self::UNKNOWN; Roll::COUNT_BELOW_FULL],
            found: PositionSet::new(),
            found_arrivals: Vec::new(),
        };
        sets.reset(&Position::empty());
        sets
    }

    /// Starts over with the turns of `position`; its own dice play no part.
    pub fn reset(&mut self, position: &Position) {
        self.mover = position.side_to_move();
        self.allowed = !position.pieces(!self.mover, PieceType::King);
        self.kings = KingsAtRisk::new(position, self.mover);
        self.rare_pawn_moves = position.en_passant().any() || can_promote_in_a_turn(position, self.mover);
        let mut root = position.with_dice(DicePool::EMPTY);
        if self.identity != Identity::BeforeTurnEnd {
            root = position.end_turn();
            root.set_en_passant(position.en_passant());
        }
        self.positions.clear();
        self.positions.push(root);
        self.arrivals.clear();
        // The root's own move is never asked for: walks back end there.
        let micro_move = MicroMove::from_bits(0);
        self.arrivals.push(Arrival { last_move: LastMove::NONE, micro_move, parent: 0, quiet_run: 0 });
        self.sets = [None; Roll::COUNT_BELOW_FULL];
        self.sets[Roll::EMPTY.index()] = Some(ReachSet { start: 0, end: 1 });
        self.capturing = [Self::UNKNOWN; Roll::COUNT_BELOW_FULL];
    }

    /// How many positions there are in the sets built so far, the root included.
    pub(crate) fn positions_reached(&self) -> usize {
        self.positions.len()
    }

    /// The memory that the buffer keeps, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let each = size_of::<Position>() + size_of::<Arrival>();
        self.positions.capacity() * each + self.found.bytes()
    }

    /// What the side to move can do with `roll`.
    ///
    /// # Errors
    /// When the budget runs out.
    pub fn finals(&mut self, roll: Roll, budget: &Budget) -> Result<Finals<'_>, Exhausted> {
        self.finals_beyond([].into_iter(), roll, budget)
    }

    /// [`ReachSets::finals`] without those that are known already, which may be all.
    pub(crate) fn finals_beyond<'k>(
        &mut self,
        known: impl Iterator<Item = &'k Position>,
        roll: Roll,
        budget: &Budget,
    ) -> Result<Finals<'_>, Exhausted> {
        if self.captures_king(roll, budget)? {
            return Ok(Finals::KingCapture);
        }
        self.build_dependencies(roll, budget)?;
        self.found.clear();
        for position in known {
            self.found.reserve(1);
            self.found.insert(*position);
        }
        let known = self.found.positions().len();
        for size in (1..=roll.len()).rev() {
            for part in roll.parts(size) {
                self.extend::<true>(part, budget)?;
            }
            if !self.found.positions().is_empty() {
                return Ok(Finals::Positions(&self.found.positions()[known..]));
            }
        }
        Ok(Finals::ForcedPass)
    }

    /// Whether some turn with `roll` captures the king.
    ///
    /// A capture spends its last die from a position that the dice before it reach, so the sets of at most two dice and one
    /// look for attackers of the king in each of their positions decide it, before any final position exists. Where the
    /// move before has nothing to do with the attack, the king could have been captured without it: so it is enough to look
    /// for attacks that the last move has made possible.
    ///
    /// # Errors
    /// When the budget runs out.
    pub fn captures_king(&mut self, roll: Roll, budget: &Budget) -> Result<bool, Exhausted> {
        self.captures_king_within(roll, roll.len(), budget)
    }

    /// Whether some turn with `roll` captures the king by its `dice`-th die at the latest.
    pub(crate) fn captures_king_within(
        &mut self,
        roll: Roll,
        dice: usize,
        budget: &Budget,
    ) -> Result<bool, Exhausted> {
        // An exhausted budget answers nothing, not even from the sets at hand.
        budget.charge(0)?;
        for before in 0..dice.min(roll.len()) {
            if self.captures_king_after(roll, before, budget)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether some turn with `roll` captures the king by spending one die after `before` others; possibly not one that could
    /// as well spend fewer.
    pub(crate) fn captures_king_after(
        &mut self,
        roll: Roll,
        before: usize,
        budget: &Budget,
    ) -> Result<bool, Exhausted> {
        if self.allowed == !Bitboard::EMPTY || before >= roll.len() {
            return Ok(false);
        }
        for (part, rest) in roll.parts_and_rest(before) {
            let mut dice = self.capturing[part.index()];
            if dice == Self::UNKNOWN {
                dice = self.find_capturing_dice(part, budget)?;
            }
            if dice & rest != 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// On how many of the 216 ordered rolls some turn captures the king.
    ///
    /// # Errors
    /// When the budget runs out.
    pub fn king_capture_rolls(&mut self, budget: &Budget) -> Result<u32, Exhausted> {
        let mut rolls = 0;
        for roll in Roll::all_full() {
            budget.charge(1)?;
            if self.captures_king(roll, budget)? {
                rolls += roll.weight();
            }
        }
        Ok(rolls)
    }

    /// Fills in what is not known yet of `capturing`.
    #[inline(never)]
    fn find_capturing_dice(&mut self, part: Roll, budget: &Budget) -> Result<u8, Exhausted> {
        let set = self.shared(part, budget)?.range();
        budget.charge(set.len() as u64)?;
        let reached = self.positions[set.clone()].iter().zip(&self.arrivals[set]);
        let dice = reached.fold(0, |dice, (position, arrival)| {
            dice | self.kings.newly_capturing_dice(position, &arrival.last_move, dice)
        });
        self.capturing[part.index()] = dice;
        Ok(dice)
    }

    /// `reach(part)` for at most two dice, which must be [built](Self::build).
    pub(crate) fn reached(&self, part: Roll) -> Reached<'_> {
        let ReachSet { start, end } = self.built(part);
        Reached {
            positions: &self.positions[start..end],
            arrivals: &self.arrivals[start..end],
            mover: self.mover,
            allowed: self.allowed,
        }
    }

    fn built(&self, part: Roll) -> ReachSet {
        self.sets[part.index()].expect("dependencies are built before a set is extended")
    }

    /// Makes `reach(part)` for at most two dice, unless that has been done.
    pub(crate) fn build(&mut self, part: Roll, budget: &Budget) -> Result<(), Exhausted> {
        self.shared(part, budget).map(|_| ())
    }

    /// `reach(part)` for at most two dice.
    fn shared(&mut self, part: Roll, budget: &Budget) -> Result<ReachSet, Exhausted> {
        if let Some(set) = self.sets[part.index()] {
            return Ok(set);
        }
        self.build_dependencies(part, budget)?;
        self.found.clear();
        self.found_arrivals.clear();
        self.extend::<false>(part, budget)?;
        let start = self.positions.len();
        let found = self.found.positions();
        make_room(&mut self.positions, found.len());
        make_room(&mut self.arrivals, found.len());
        self.positions.extend_from_slice(found);
        self.arrivals.append(&mut self.found_arrivals);
        let set = ReachSet { start, end: self.positions.len() };
        self.sets[part.index()] = Some(set);
        Ok(set)
    }

    /// Builds the sets that the steps to `reach(part)` start from.
    fn build_dependencies(&mut self, part: Roll, budget: &Budget) -> Result<(), Exhausted> {
        for die in part.distinct() {
            self.shared(part.without(die).unwrap_or(Roll::EMPTY), budget)?;
        }
        if let Some(rest) = part.without_castling_dice() {
            self.shared(rest, budget)?;
        }
        Ok(())
    }

    /// Collects the positions of `reach(part)`; those of the `LAST` step are final.
    fn extend<const LAST: bool>(&mut self, part: Roll, budget: &Budget) -> Result<(), Exhausted> {
        for die in part.distinct() {
            let rest = part.without(die).unwrap_or(Roll::EMPTY);
            self.spend::<LAST>(die, self.built(rest).range(), budget)?;
        }
        match part.without_castling_dice() {
            Some(rest) => self.step::<LAST>(self.built(rest).range(), CastlingMoves, budget),
            None => Ok(()),
        }
    }

    /// Spends a die at each of these positions, castling apart. What commutes with the move that led there may be left to the
    /// positions before.
    fn spend<const LAST: bool>(
        &mut self,
        die: PieceType,
        from: Range<usize>,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        match die {
            PieceType::Pawn => self.step_pawns::<LAST>(from, budget),
            PieceType::Knight => {
                let moves = PieceMoves(die, |square, _| attacks::knight(square));
                self.step::<LAST>(from, moves, budget)
            }
            PieceType::Bishop => self.step::<LAST>(from, PieceMoves(die, attacks::bishop), budget),
            PieceType::Rook => self.step::<LAST>(from, PieceMoves(die, attacks::rook), budget),
            PieceType::Queen => self.step::<LAST>(from, PieceMoves(die, attacks::queen), budget),
            PieceType::King => {
                let moves = PieceMoves(die, |square, _| attacks::king(square));
                self.step::<LAST>(from, moves, budget)
            }
        }
    }

    fn step_pawns<const LAST: bool>(&mut self, from: Range<usize>, budget: &Budget) -> Result<(), Exhausted> {
        self.step::<LAST>(from.clone(), PlainPawnMoves, budget)?;
        self.step::<LAST>(from.clone(), DoubleSteps, budget)?;
        if self.rare_pawn_moves {
            self.step::<LAST>(from, RarePawnMoves, budget)?;
        }
        Ok(())
    }

    /// Plays moves at each of these positions.
    fn step<const LAST: bool>(
        &mut self,
        from: Range<usize>,
        source: impl MoveSource,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let (mover, allowed, clock) = (self.mover, self.allowed, self.clock());
        let expiring = if LAST { self.expiring_targets() } else { Bitboard::EMPTY };
        let mut examined = 0;
        for parent in from {
            let (position, last_move) = (&self.positions[parent], &self.arrivals[parent].last_move);
            examined += 1;
            source.for_each(MovesFrom { position, mover, allowed, last_move }, |group| {
                let mut lifted = Lifted::new(position, mover, group.from, group.kind, clock);
                lifted.expire_targets(expiring);
                self.found.reserve(MoveGroup::MAX_TARGETS);
                if !LAST {
                    make_room(&mut self.found_arrivals, MoveGroup::MAX_TARGETS);
                }
                let mut note_move = |new, to, captures| {
                    examined += 1;
                    if new && !LAST {
                        let last_move = LastMove::new(group.from, to, group.kind, captures, clock);
                        let micro_move = MicroMove::new(group.from, to, group.kind);
                        let parent = parent as u32;
                        self.found_arrivals.push(Arrival { last_move, micro_move, parent, quiet_run: 0 });
                    }
                };
                let first = self.found.len();
                let occupied = position.occupied();
                let plain = lifted.lands_plainly(group.targets);
                for to in group.targets & !occupied {
                    let landed = if plain { lifted.put_down(to) } else { lifted.land_on_empty(to) };
                    note_move(self.found.insert(landed), to, false);
                }
                let quiet_run = self.found.len() - first;
                for to in group.targets & occupied {
                    note_move(self.found.insert(lifted.land_on(position.code_at(to), to)), to, true);
                }
                if !LAST && quiet_run > 0 && group.kind.is_plain() {
                    self.found_arrivals[first].quiet_run = quiet_run as u8;
                }
            });
        }
        budget.charge(examined)
    }

    /// The en-passant targets that expire with the turn.
    fn expiring_targets(&self) -> Bitboard {
        match self.identity {
            Identity::BeforeTurnEnd => Bitboard::EMPTY,
            _ => expiring_targets(self.mover),
        }
    }

    fn clock(&self) -> Clock {
        match self.identity {
            Identity::AfterTurnEndIgnoringClock => Clock::StandsStill,
            _ => Clock::Counts,
        }
    }
}
