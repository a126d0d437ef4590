//! Pure material, told without making final positions.
//!
//! Material after a turn is the material before its last micro-move plus what that move captures or promotes to. So it is
//! enough to look where the last die's pieces can go from each position before it: no position is made, hashed or evaluated.

use crate::board::{Bitboard, Color, DicePool, PieceType, Position, Square, attacks};
use crate::eval::{PIECE_VALUES, material};
use crate::rules::{
    Budget, Exhausted, MicroMove, QuietRun, ReachSets, Reached, Roll, Steps, Turn, can_promote_in_a_turn,
};

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

/// Less than any material, and far from overflow.
const NOTHING: i32 = i32::MIN / 2;

/// What is known of the rolls of one position, found set by set of the positions before the last die.
#[derive(Debug)]
pub(super) struct Prospects {
    /// By [`Roll::index`] of the dice before the last.
    after: [Option<BestLast>; Roll::COUNT_BELOW_FULL],
    /// The mover's material before the roll; `None` before anything has been asked.
    material: Option<i32>,
    /// Whether a pawn may come to promote.
    promotes: bool,
    /// Whether a pawn may come to capture en passant.
    en_passant: bool,
    /// By [`PieceType::index`]: at least the squares from which a piece attacks one of the other side's.
    prey: [Bitboard; 6],
}

/// The most material after one more die.
#[derive(Clone, Copy, Debug)]
struct BestLast {
    /// By [`PieceType::index`] of the die.
    with: [Gain; 6],
    with_castling: i32,
}

/// What a die can make of a set of positions.
#[derive(Clone, Copy, Debug)]
struct Gain {
    worth: i32,
    /// From which of them.
    from: u32,
}

impl Gain {
    const NONE: Self = Self { worth: NOTHING, from: 0 };

    #[inline(always)]
    fn raise(&mut self, worth: i32, from: usize) {
        if worth > self.worth {
            *self = Self { worth, from: from as u32 };
        }
    }
}

/// Where the last die of a roll makes the most of one set of positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastStep {
    /// The mover's material then.
    pub(super) worth: i32,
    /// The dice spent before, the place among the positions that they reach, and the last die.
    pub(super) part: Roll,
    pub(super) from: usize,
    pub(super) die: PieceType,
}

impl Prospects {
    pub(super) fn new() -> Self {
        Self {
            after: [None; Roll::COUNT_BELOW_FULL],
            material: None,
            promotes: false,
            en_passant: false,
            prey: [!Bitboard::EMPTY; 6],
        }
    }

    /// Forgets everything: for another position.
    pub(super) fn clear(&mut self) {
        *self = Self::new();
    }

    /// The best reply to `roll` for `mover` at `before`, where `sets` stands.
    pub(super) fn best_reply(
        &mut self,
        sets: &mut ReachSets,
        before: &Position,
        roll: Roll,
        budget: &Budget,
    ) -> Result<BestReply, Exhausted> {
        if sets.captures_king(roll, budget)? {
            return Ok(BestReply::KingCapture);
        }
        let (mut value, mut visited) = (NOTHING, 0);
        for die in roll.distinct() {
            if let Some(rest) = roll.without(die) {
                let best = self.after(sets, before, rest, &mut visited, budget)?;
                value = value.max(best.with[die.index()].worth);
            }
        }
        if let Some(rest) = roll.without_castling_dice() {
            value = value.max(self.after(sets, before, rest, &mut visited, budget)?.with_castling);
        }
        Ok(if value > NOTHING { BestReply::Worth { value, visited } } else { BestReply::Unknown })
    }

    /// Some reply to `roll` that captures no king, and what it is worth: a lower bound of the best. `None` when none was
    /// found; adds the positions looked at to `visited`.
    ///
    /// Two of any three dice are of the same half of the types, so that few sets serve all rolls.
    pub(super) fn some_reply(
        &mut self,
        sets: &mut ReachSets,
        before: &Position,
        roll: Roll,
        visited: &mut u64,
        budget: &Budget,
    ) -> Result<Option<LastStep>, Exhausted> {
        let is_of_one_half =
            |part: &Roll| part.distinct().all(is_of_first_half) || !part.distinct().any(is_of_first_half);
        let parts = roll.distinct().filter_map(|die| roll.without(die).map(|part| (die, part)));
        let Some((die, part)) = parts.into_iter().find(|(_, part)| is_of_one_half(part)) else {
            return Ok(None);
        };
        let Gain { worth, from } = self.after(sets, before, part, visited, budget)?.with[die.index()];
        Ok((worth > NOTHING).then_some(LastStep { worth, part, from: from as usize, die }))
    }

    /// What the last die can make of the set of `part`; looks at each of its positions if that has not been done.
    fn after(
        &mut self,
        sets: &mut ReachSets,
        before: &Position,
        part: Roll,
        visited: &mut u64,
        budget: &Budget,
    ) -> Result<&BestLast, Exhausted> {
        if self.after[part.index()].is_none() {
            self.after[part.index()] = Some(self.survey(sets, before, part, visited, budget)?);
        }
        Ok(self.after[part.index()].as_ref().expect("just surveyed"))
    }

    /// Looks at each position of the set of `part`, which is made if need be.
    #[inline(never)]
    fn survey(
        &mut self,
        sets: &mut ReachSets,
        before: &Position,
        part: Roll,
        visited: &mut u64,
        budget: &Budget,
    ) -> Result<BestLast, Exhausted> {
        sets.build(part, budget)?;
        let set = sets.reached(part);
        let looks = set.positions().len() as u64;
        budget.charge(2 * looks)?;
        *visited += looks;
        let material = match self.material {
            Some(material) => material,
            None => self.begin(before),
        };
        let mover = before.side_to_move();
        let enemies = before.color(!mover);
        let may_castle = part.len() + 2 <= DicePool::MAX;
        Ok(Survey { prospects: self, before, mover, enemies, material, set, may_castle }.run())
    }

    /// Notes what is to be known of the position before the roll; its material.
    fn begin(&mut self, before: &Position) -> i32 {
        let mover = before.side_to_move();
        self.promotes = can_promote_in_a_turn(before, mover);
        self.en_passant = before.en_passant().any();
        self.prey = prey(before, mover);
        *self.material.insert(material(before, mover))
    }
}

/// See [`Prospects::prey`]. For sliders, which attack from far, this is not worth a closer look.
fn prey(before: &Position, mover: Color) -> [Bitboard; 6] {
    let (mut pawn, mut knight, mut king) = (Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY);
    for enemy in before.color(!mover) {
        pawn |= attacks::pawn(!mover, enemy);
        knight |= attacks::knight(enemy);
        king |= attacks::king(enemy);
    }
    let slider = !Bitboard::EMPTY;
    [pawn, knight, slider, slider, slider, king]
}

/// A look at each position of a set, for all that the last die could be.
struct Survey<'a> {
    prospects: &'a Prospects,
    before: &'a Position,
    mover: Color,
    /// The other side's pieces before the roll.
    enemies: Bitboard,
    /// The mover's, before the roll.
    material: i32,
    set: Reached<'a>,
    /// Whether two dice can be left.
    may_castle: bool,
}

impl Survey<'_> {
    fn run(&self) -> BestLast {
        let mut best = BestLast { with: [Gain::NONE; 6], with_castling: NOTHING };
        // What every die is known to keep: most positions are worth no more.
        let mut kept = NOTHING;
        let positions = self.set.positions();
        let mut i = 0;
        while i < positions.len() {
            let quiet = self.set.quiet_run(i);
            let run = i..i + quiet.len().max(1);
            let worth = self.worth(&positions[i]);
            if worth > kept {
                run.clone().for_each(|i| self.spend(i, worth, &mut best.with));
                kept = best.with.iter().fold(i32::MAX, |kept, gain| kept.min(gain.worth));
            }
            if self.may_castle
                && worth > best.with_castling
                && run.clone().any(|i| self.set.can_castle(&positions[i]))
            {
                best.with_castling = worth;
            }
            if self.prospects.promotes || self.prospects.en_passant {
                let pawn = &mut best.with[PieceType::Pawn.index()];
                run.clone().for_each(|i| self.special_pawns(i, &positions[i], worth, pawn));
            }
            if quiet.is_empty() {
                self.capture(i, worth, &mut best.with);
            } else {
                self.capture_anew(i, &quiet, worth, &mut best.with);
            }
            i = run.end;
        }
        best
    }

    /// The mover's material.
    fn worth(&self, position: &Position) -> i32 {
        if self.prospects.promotes {
            return material(position, self.mover);
        }
        let captured = self.enemies & !position.color(!self.mover);
        let values = captured
            .into_iter()
            .filter_map(|square| self.before.piece_at(square))
            .map(|(_, piece)| value(piece));
        self.material + values.sum::<i32>()
    }

    /// Without a gain only whether a die can be spent matters, and only where that would be best.
    #[inline]
    fn spend(&self, i: usize, worth: i32, with: &mut [Gain; 6]) {
        let position = &self.set.positions()[i];
        for die in PieceType::ALL {
            let best = &mut with[die.index()];
            if worth > best.worth && !self.set.steps(position, die).is_empty() {
                best.raise(worth, i);
            }
        }
    }

    /// Captures that a quiet move has made possible.
    #[inline]
    fn capture_anew(&self, first: usize, quiet: &QuietRun<'_>, worth: i32, best: &mut [Gain; 6]) {
        let mover = self.mover;
        let opened = quiet.opened();
        for (i, (position, moved, on)) in (first..).zip(quiet.iter()) {
            let mut capture = Capture { survey: self, i, position, worth, best };
            if self.prospects.prey[moved.index()].contains(on) {
                capture.of(moved, attacks::of_piece(mover, moved, on, position.occupied()));
            }
            for from in opened {
                if let Some((_, die)) = position.piece_at(from) {
                    capture.of(die, attacks::of_piece(mover, die, from, position.occupied()));
                }
            }
        }
    }

    /// Captures, apart from promotions and en passant.
    #[inline]
    fn capture(&self, i: usize, worth: i32, best: &mut [Gain; 6]) {
        let position = &self.set.positions()[i];
        let (mover, occupied) = (self.mover, position.occupied());
        let mut capture = Capture { survey: self, i, position, worth, best };
        capture.by(PieceType::Pawn, |from| attacks::pawn(mover, from));
        capture.by(PieceType::Knight, attacks::knight);
        capture.by(PieceType::Bishop, |from| attacks::bishop(from, occupied));
        capture.by(PieceType::Rook, |from| attacks::rook(from, occupied));
        capture.by(PieceType::Queen, |from| attacks::queen(from, occupied));
        capture.by(PieceType::King, attacks::king);
    }

    /// Promotions and captures en passant.
    #[inline]
    fn special_pawns(&self, i: usize, position: &Position, worth: i32, best: &mut Gain) {
        let en_passant = || worth + value(PieceType::Pawn) > best.worth && self.attacks_en_passant(position);
        if self.prospects.promotes || en_passant() {
            let steps = self.set.steps(position, PieceType::Pawn);
            if steps.en_passant || steps.promoting.any() {
                best.raise(worth + best_gain(position, self.mover, &steps), i);
            }
        }
    }

    /// Whether a pawn attacks one of the targets that there were before the roll.
    fn attacks_en_passant(&self, position: &Position) -> bool {
        let pawns = position.pieces(self.mover, PieceType::Pawn);
        let targets = self.before.en_passant() & position.en_passant();
        targets.into_iter().any(|target| (attacks::pawn(!self.mover, target) & pawns).any())
    }
}

/// What captures lead to from one position.
struct Capture<'a> {
    survey: &'a Survey<'a>,
    i: usize,
    position: &'a Position,
    worth: i32,
    best: &'a mut [Gain; 6],
}

impl Capture<'_> {
    /// By the pieces of one type.
    #[inline(always)]
    fn by(&mut self, die: PieceType, attacks: impl Fn(Square) -> Bitboard) {
        let pieces =
            self.position.pieces(self.survey.mover, die) & self.survey.set.capturers_to_try(self.i, die);
        self.of(die, pieces.into_iter().fold(Bitboard::EMPTY, |attacked, from| attacked | attacks(from)));
    }

    /// Of what stands on these squares, by a die's pieces that attack them.
    #[inline(always)]
    fn of(&mut self, die: PieceType, attacked: Bitboard) {
        let captures = attacked & self.position.color(!self.survey.mover);
        if captures.any() {
            self.best[die.index()].raise(self.worth + best_capture(self.position, captures), self.i);
        }
    }
}

/// Calls `visit` with the mover's material after each turn, in order; none of them captures the king.
pub(super) fn after_turns(root: &Position, turns: &[Turn], mut visit: impl FnMut(i32)) {
    let mover = root.side_to_move();
    let start = Tally { enemies: root.color(!mover), worth: material(root, mover) };
    let (mut stem, mut before) = (Turn::default(), start);
    for (next_stem, last) in turns.iter().filter_map(|turn| turn.split_last()) {
        // Turns that differ in their last micro-move only stand together.
        if next_stem != stem {
            stem = next_stem;
            before = stem.moves().fold(start, |tally, micro_move| tally.after(root, micro_move));
        }
        visit(before.after(root, last).worth);
    }
}

/// What a turn has won so far.
#[derive(Clone, Copy)]
struct Tally {
    /// The enemy pieces that are left.
    enemies: Bitboard,
    /// The mover's material.
    worth: i32,
}

impl Tally {
    /// One more micro-move of a turn that began at `root`.
    #[inline]
    fn after(self, root: &Position, micro_move: MicroMove) -> Self {
        let (from, to) = (micro_move.from(), micro_move.to());
        if micro_move.is_plain() && !self.enemies.contains(to) {
            return self;
        }
        let square =
            if micro_move.is_en_passant() { Square::from_coords(to.file(), from.rank()) } else { to };
        let mut next = self;
        if self.enemies.contains(square) {
            next.enemies &= !square.bitboard();
            next.worth += root.piece_at(square).map_or(0, |(_, piece)| value(piece));
        }
        if let Some(piece) = micro_move.promotion() {
            next.worth += value(piece) - value(PieceType::Pawn);
        }
        next
    }
}

/// A half of the types that has about as many moves as the other.
fn is_of_first_half(piece: PieceType) -> bool {
    matches!(piece, PieceType::Pawn | PieceType::Rook | PieceType::King)
}

fn value(piece: PieceType) -> i32 {
    PIECE_VALUES[piece.index()]
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
