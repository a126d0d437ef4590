//! Legal turns in their canonical order.

use std::fmt;

use super::micro_move::MicroMove;
use super::movegen::{MoveGroup, for_each_group, for_each_pool_group};
use super::{Budget, Exhausted};
use crate::board::{Bitboard, PieceType, Position, Square};

/// One to three micro-moves that make up a turn, in eight bytes.
///
/// Its text is the micro-moves in UCI with single spaces, as in `e2e4 g1f3`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Turn(u64);

impl Turn {
    const MOVE_BITS: u32 = 16;

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
        Self(self.0 | u64::from(micro_move.bits()) << (self.len() as u32 * Self::MOVE_BITS))
    }

    /// The turn without its last micro-move, and that move; `None` when it has none.
    #[inline]
    pub(crate) fn split_last(self) -> Option<(Self, MicroMove)> {
        let shift = (self.len().checked_sub(1)? as u32) * Self::MOVE_BITS;
        Some((Self(self.0 & ((1 << shift) - 1)), MicroMove::from_bits((self.0 >> shift) as u16)))
    }

    /// The turn followed by each move of a group.
    #[inline]
    fn then_each(self, group: MoveGroup) -> impl Iterator<Item = Self> {
        let shift = self.len() as u32 * Self::MOVE_BITS;
        let first = MicroMove::new(group.from, Square::from_coords(0, 0), group.kind);
        let stem = self.0 | u64::from(first.bits()) << shift;
        group
            .targets
            .into_iter()
            .map(move |to| Self(stem | (to.index() as u64) << (shift + MicroMove::TO_SHIFT)))
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
/// A buffer that can be filled again and again without allocating once it has grown.
#[derive(Clone, Debug, Default)]
pub struct Turns {
    captures: Vec<Turn>,
    quiet: Vec<Turn>,
    /// Dice spent by the turns of `quiet`: the most seen so far.
    spent: usize,
    /// The moves still to be tried on the way to the current node.
    moves: Vec<MicroMove>,
}

impl Turns {
    /// An empty buffer.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces the contents by the legal turns of `position` with its dice.
    ///
    /// # Errors
    /// When the budget runs out; the buffer is then empty.
    pub fn generate(&mut self, position: &Position, budget: &Budget) -> Result<(), Exhausted> {
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

    fn clear(&mut self) {
        self.captures.clear();
        self.quiet.clear();
        self.moves.clear();
        self.spent = 0;
    }

    /// Visits the sequences that go on from `node` with its dice, depth first.
    fn walk(&mut self, node: &Node, budget: &Budget) -> Result<(), Exhausted> {
        budget.charge(1)?;
        if node.position.dice().len() == 1 {
            return self.finish(node, budget);
        }
        let start = self.moves.len();
        for_each_pool_group(&node.position, |group| self.moves.extend(group.moves()));
        let end = self.moves.len();
        budget.charge((end - start) as u64)?;
        if start == end {
            self.push_dead_end(node);
        }
        for i in start..end {
            let micro_move = self.moves[i];
            let child = node.after(micro_move);
            if node.kings.contains(micro_move.to()) {
                self.captures.push(child.turn);
            } else if child.position.dice().is_empty() {
                self.push_quiet(child.turn, child.spent);
            } else {
                self.walk(&child, budget)?;
            }
        }
        self.moves.truncate(start);
        Ok(())
    }

    /// The last die: every move ends a turn, so none needs to be played on the board.
    fn finish(&mut self, node: &Node, budget: &Budget) -> Result<(), Exhausted> {
        let Some(die) = node.position.dice().into_iter().next() else {
            return Ok(());
        };
        let mut examined = 0;
        for_each_group(&node.position, die, |group| {
            let quiet = MoveGroup { targets: group.targets & !node.kings, ..group };
            if quiet.targets != group.targets {
                let to_king = MoveGroup { targets: group.targets & node.kings, ..group };
                self.captures.extend(node.turn.then_each(to_king));
                examined += u64::from(to_king.targets.count());
            }
            if quiet.targets.any() && self.admits(node.spent + 1) {
                self.quiet.reserve(MoveGroup::MAX_TARGETS);
                for turn in node.turn.then_each(quiet) {
                    self.quiet.push(turn);
                    examined += 1;
                }
            } else {
                examined += u64::from(quiet.targets.count());
            }
        });
        if examined == 0 {
            self.push_dead_end(node);
        }
        budget.charge(examined)
    }

    /// A sequence that cannot go on is a turn, unless it is empty.
    fn push_dead_end(&mut self, node: &Node) {
        if !node.turn.is_empty() {
            self.push_quiet(node.turn, node.spent);
        }
    }

    fn push_quiet(&mut self, turn: Turn, spent: usize) {
        if self.admits(spent) {
            self.quiet.push(turn);
        }
    }

    /// Whether turns that spend this many dice belong in the list; if they spend more than those in it, it starts over.
    #[inline]
    fn admits(&mut self, spent: usize) -> bool {
        if spent > self.spent {
            self.quiet.clear();
            self.spent = spent;
        }
        spent == self.spent
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
/// ```
/// use dicechess_native::{board::Position, rules::legal_turns};
/// let position: Position = "4k3/8/8/8/8/8/3PPP1P/3QK2R w K - 0 1 RK".parse().unwrap();
/// let turns: Vec<_> = legal_turns(&position).iter().map(|turn| turn.to_string()).collect();
/// assert_eq!(turns, ["h1g1 e1f1", "e1f1 h1g1", "e1g1"]);
/// ```
pub fn legal_turns(position: &Position) -> Turns {
    let mut turns = Turns::new();
    turns.generate(position, &Budget::unlimited()).expect("an unlimited budget refuses nothing");
    turns
}
