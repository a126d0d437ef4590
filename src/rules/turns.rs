//! Legal turns in their canonical order.

use std::fmt;

use super::micro_move::MicroMove;
use super::movegen::{DieBoard, MoveGroup, for_each_pool_group};
use super::{Budget, Exhausted};
use crate::board::{Bitboard, PieceType, Position};

/// One to three micro-moves that make up a turn, in eight bytes.
///
/// Its text is the micro-moves in UCI with single spaces, as in `e2e4 g1f3`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Turn(u64);

impl Turn {
    const MOVE_BITS: u32 = 16;

    /// No micro-moves.
    pub(crate) const NONE: Self = Self(0);

    /// The micro-moves in order.
    #[inline]
    pub fn moves(self) -> impl Iterator<Item = MicroMove> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let bits = rest as u16;
            rest >>= Self::MOVE_BITS;
            (bits != 0).then_some(MicroMove::from_bits(bits))
        })
    }

    /// How many micro-moves it has: castling is one.
    #[inline]
    pub const fn len(self) -> usize {
        (u64::BITS - self.0.leading_zeros()).div_ceil(Self::MOVE_BITS) as usize
    }

    /// Whether it has no micro-moves, which no legal turn is.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Three packed micro-moves of 16 bits, the first lowest; 0 is none.
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    #[inline]
    pub(super) fn then(self, micro_move: MicroMove) -> Self {
        self.then_at(self.end(), micro_move)
    }

    /// [`Turn::then`], `end` being the turn's own.
    #[inline(always)]
    fn then_at(self, end: u32, micro_move: MicroMove) -> Self {
        Self(self.0 | u64::from(micro_move.bits()) << end)
    }

    /// The turn without its last micro-move, and that move; `None` when it has none.
    #[inline]
    pub(crate) fn split_last(self) -> Option<(Self, MicroMove)> {
        let shift = (self.len().checked_sub(1)? as u32) * Self::MOVE_BITS;
        Some((Self(self.0 & ((1 << shift) - 1)), MicroMove::from_bits((self.0 >> shift) as u16)))
    }

    /// Where the next micro-move goes, in bits.
    #[inline]
    const fn end(self) -> u32 {
        self.len() as u32 * Self::MOVE_BITS
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, micro_move) in self.moves().enumerate() {
            let space = if i > 0 { " " } else { "" };
            write!(f, "{space}{micro_move}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Turn({self})")
    }
}

impl Position {
    /// The position after the micro-moves of a turn, before [`Position::end_turn`]; dice not spent stay in the pool.
    #[must_use]
    pub fn play_turn(&self, turn: Turn) -> Self {
        turn.moves().fold(*self, |position, micro_move| position.play(micro_move))
    }
}

/// The legal turns of a position in canonical order: those that capture the king first, then the others, each part in
/// depth-first order of micro-moves.
///
/// The micro-moves of one position are ordered by die, in pool order; then by the square of the piece, a1 first. A pawn steps
/// once, steps twice, captures towards the h-file, towards the a-file, captures en passant; it promotes to Q, R, B, N in that
/// order. Other pieces go by target square; a king then castles king side, queen side.
///
/// A buffer that can be filled again and again without allocating once it has grown. It holds [`Turns::MAX`] turns at most.
#[derive(Clone, Debug, Default)]
pub struct Turns {
    captures: Vec<Turn>,
    quiet: Vec<Turn>,
    /// Dice spent by the turns of `quiet`: the most seen so far.
    spent: usize,
    /// The moves still to be tried on the way to the current node.
    groups: Vec<MoveGroup>,
}

/// Why the turns of a position are not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unlisted {
    /// The budget ran out.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
    /// There are more than [`Turns::MAX`], or memory does not hold them.
    #[error("more than {turns} legal turns: the limit is {max}, and memory must hold 8 bytes for each", max = Turns::MAX)]
    TooMany {
        /// How many had been listed.
        turns: usize,
    },
}

impl Turns {
    /// The most turns that are listed: 16,777,216, for 128 MB; a board with nearly as many may be refused too. Boards of
    /// games, which promote eight pawns at most, stay far below; it takes 28 queens to exceed it.
    pub const MAX: usize = 1 << 24;

    /// More than the moves of one die: 63 pieces go to fewer than 27 squares, or promote in fewer than 12 ways.
    const MOVES_OF_A_DIE: usize = 2048;

    /// An empty buffer.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces the contents by the legal turns of `position` with its dice.
    ///
    /// # Errors
    /// When the budget runs out, or there are too many turns; the buffer is then empty.
    pub fn generate(&mut self, position: &Position, budget: &Budget) -> Result<(), Unlisted> {
        self.clear();
        if position.dice().is_empty() {
            return Ok(());
        }
        let root = Node {
            position: *position,
            kings: position.pieces(!position.side_to_move(), PieceType::King),
            turn: Turn::default(),
            spent: 0,
        };
        let result = self.walk(&root, budget);
        if result.is_err() {
            self.clear();
        }
        result
    }

    /// The turns that capture the king, whatever their length.
    pub fn captures(&self) -> &[Turn] {
        &self.captures
    }

    /// The turns that capture no king: those that spend the most dice.
    pub fn quiet(&self) -> &[Turn] {
        &self.quiet
    }

    /// All turns in canonical order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Turn> + '_ {
        let (captures, quiet) = (&self.captures, &self.quiet);
        (0..self.len()).map(move |i| match i.checked_sub(captures.len()) {
            None => captures[i],
            Some(i) => quiet[i],
        })
    }

    /// How many turns there are.
    pub fn len(&self) -> usize {
        self.captures.len() + self.quiet.len()
    }

    /// Whether the roll is a forced pass.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The memory that the buffer keeps, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        (self.captures.capacity() + self.quiet.capacity()) * size_of::<Turn>()
    }

    /// Makes room for as many more turns of each part.
    #[inline]
    fn reserve(&mut self, more: usize) -> Result<(), Unlisted> {
        let turns = self.len();
        let too_many = Unlisted::TooMany { turns };
        if turns + more > Self::MAX {
            return Err(too_many);
        }
        self.captures.try_reserve(more).and_then(|()| self.quiet.try_reserve(more)).map_err(|_| too_many)
    }

    fn clear(&mut self) {
        self.captures.clear();
        self.quiet.clear();
        self.groups.clear();
        self.spent = 0;
    }

    /// Visits the sequences that go on from `node` with its dice, depth first.
    fn walk(&mut self, node: &Node, budget: &Budget) -> Result<(), Unlisted> {
        let dice = node.position.dice();
        let mut rest = dice.into_iter();
        if let (Some(die), None) = (rest.next(), rest.next()) {
            let board = DieBoard::new(&node.position, node.position.side_to_move(), die);
            return Ok(budget.charge(self.walk_last(&board, node.turn, node.spent)?)?);
        }
        budget.charge(1)?;
        let start = self.groups.len();
        for_each_pool_group(&node.position, |group| self.groups.push(group));
        let end = self.groups.len();
        if start == end {
            self.push_dead_end(node.turn, node.spent)?;
        }
        for i in start..end {
            let group = self.groups[i];
            if dice.len() == 2 && group.kind.is_plain() {
                budget.charge(self.walk_pair(node, group)?)?;
            } else {
                group.moves().try_for_each(|micro_move| self.step(node, micro_move, budget))?;
            }
        }
        self.groups.truncate(start);
        Ok(())
    }

    /// Visits the sequences that go on from `node` with one of its moves.
    fn step(&mut self, node: &Node, micro_move: MicroMove, budget: &Budget) -> Result<(), Unlisted> {
        budget.charge(1)?;
        let child = node.after(micro_move);
        if node.kings.contains(micro_move.to()) {
            self.push_capture(child.turn)?;
        } else if child.position.dice().is_empty() {
            self.push_quiet(child.turn, child.spent)?;
        } else {
            self.walk(&child, budget)?;
        }
        Ok(())
    }

    /// Visits the sequences of two moves that begin with a move of `group`, a plain one. Between them no position is made,
    /// only what the second die needs of it. Tells how much work that was.
    fn walk_pair(&mut self, node: &Node, group: MoveGroup) -> Result<u64, Unlisted> {
        let piece = group.kind.piece();
        let Some(last) = node.position.dice().without(piece).and_then(|rest| rest.into_iter().next()) else {
            return Ok(0);
        };
        let board = DieBoard::new(&node.position, node.position.side_to_move(), last).lift(piece, group.from);
        let mut work = 0;
        let end = node.turn.end();
        for micro_move in group.moves() {
            work += 1;
            let (to, turn) = (micro_move.to(), node.turn.then_at(end, micro_move));
            if node.kings.contains(to) {
                self.push_capture(turn)?;
            } else {
                work += self.walk_last(&board.land(piece, to), turn, node.spent + 1)?;
            }
        }
        Ok(work)
    }

    /// Visits the sequences that go on from `turn` with the last die: every move ends one. Tells how much work that was.
    fn walk_last(&mut self, board: &DieBoard, turn: Turn, spent: usize) -> Result<u64, Unlisted> {
        self.reserve(Self::MOVES_OF_A_DIE)?;
        let (captures, quiet) = (self.captures.len(), self.quiet.len());
        let end = turn.end();
        let kings = board.enemy_kings();
        board.for_each_move(|micro_move| {
            let turn = turn.then_at(end, micro_move);
            if kings.contains(micro_move.to()) {
                self.captures.push(turn);
            } else {
                self.quiet.push(turn);
            }
        });
        let examined = self.captures.len() - captures + self.quiet.len() - quiet;
        if examined == 0 {
            self.push_dead_end(turn, spent)?;
        } else if self.quiet.len() > quiet {
            self.keep_longest(quiet, spent + 1);
        }
        Ok(1 + examined as u64)
    }

    /// A sequence that cannot go on is a turn, unless it is empty.
    fn push_dead_end(&mut self, turn: Turn, spent: usize) -> Result<(), Unlisted> {
        if turn.is_empty() { Ok(()) } else { self.push_quiet(turn, spent) }
    }

    fn push_quiet(&mut self, turn: Turn, spent: usize) -> Result<(), Unlisted> {
        self.reserve(1)?;
        self.quiet.push(turn);
        self.keep_longest(self.quiet.len() - 1, spent);
        Ok(())
    }

    fn push_capture(&mut self, turn: Turn) -> Result<(), Unlisted> {
        self.reserve(1)?;
        self.captures.push(turn);
        Ok(())
    }

    /// Keeps the turns from index `new` on, which spend `spent` dice, or those before them, or both: whichever spend most.
    #[inline]
    fn keep_longest(&mut self, new: usize, spent: usize) {
        if spent > self.spent {
            self.quiet.drain(..new);
            self.spent = spent;
        } else if spent < self.spent {
            self.quiet.truncate(new);
        }
    }
}

/// A place in the tree of sequences.
struct Node {
    position: Position,
    /// The kings whose capture ends the turn; they do not move while it lasts.
    kings: Bitboard,
    turn: Turn,
    /// Dice spent by `turn`.
    spent: usize,
}

impl Node {
    #[inline]
    fn after(&self, micro_move: MicroMove) -> Self {
        Self {
            position: self.position.play(micro_move),
            kings: self.kings,
            turn: self.turn.then(micro_move),
            spent: self.spent + micro_move.dice_spent(),
        }
    }
}

/// The legal turns of a position with its dice, in canonical order; empty for a forced pass and for an empty pool.
///
/// A turn spends as many dice as any turn of the roll can without capturing the king; a turn that captures the king is
/// legal whatever its length. Turns that reach the same position by different micro-moves are different turns.
///
/// A position in the middle of a turn does not remember the roll: asked afresh there, this function can list moves that
/// the maximum rule of the whole roll forbids.
///
/// # Panics
/// Where [`Turns::generate`] finds too many turns, which no board of a game has.
///
/// ```
/// use dicechess_native::{board::Position, rules::legal_turns};
/// let position: Position = "4k3/8/8/8/8/8/3PPP1P/3QK2R w K - 0 1 RK".parse().unwrap();
/// let turns: Vec<_> = legal_turns(&position).iter().map(|turn| turn.to_string()).collect();
/// assert_eq!(turns, ["h1g1 e1f1", "e1f1 h1g1", "e1g1"]);
/// ```
pub fn legal_turns(position: &Position) -> Turns {
    let mut turns = Turns::new();
    turns.generate(position, &Budget::unlimited()).unwrap_or_else(|error| panic!("{error}"));
    turns
}
