//! Rolls, their classes, and the exact expectation over them.

use super::turns::keep_longest;
use super::{Color, Kind, State, letters};
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

/// The value of a node whose perspective has lost its king.
pub const LOSS: i64 = -1_000_000_000;
/// The value of a node whose perspective has taken the enemy's king.
pub const WIN: i64 = 10_001;

/// A leaf evaluator: the position after `end_turn`, from a colour's view.
pub type Leaf<'a> = &'a dyn Fn(&State, Color) -> i64;

/// All 216 outcomes of three dice told apart.
pub fn ordered_rolls() -> Vec<[Kind; 3]> {
    let mut rolls = vec![];
    for first in Kind::ALL {
        for second in Kind::ALL {
            for third in Kind::ALL {
                rolls.push([first, second, third]);
            }
        }
    }
    rolls
}

/// The 56 sorted rolls, each with the number of ordered ones it stands for.
pub fn weighted_rolls() -> Vec<([Kind; 3], i64)> {
    let mut weights = BTreeMap::new();
    for mut roll in ordered_rolls() {
        roll.sort();
        *weights.entry(roll).or_insert(0) += 1;
    }
    weights.into_iter().collect()
}

/// What the mover can make of one roll; positions are those after `end_turn`.
#[derive(Clone, Debug)]
pub enum Reply {
    /// Some turn captures a king.
    TakesKing,
    /// No legal turn.
    Pass(State),
    /// One position for each turn, so a position may come more than once.
    Quiet(Vec<State>),
}

impl State {
    /// The mover's possibilities with this roll.
    pub fn reply(&self, roll: &[Kind]) -> Reply {
        let mut finals = vec![];
        let found = self.with_pool(roll).visit_sequences(&mut |_, after, takes_king| {
            if takes_king {
                return ControlFlow::Break(());
            }
            finals.push(after.clone());
            ControlFlow::Continue(())
        });
        if found.is_break() {
            return Reply::TakesKing;
        }
        keep_longest(&mut finals, |after| after);
        if finals.is_empty() {
            return Reply::Pass(self.end_turn());
        }
        Reply::Quiet(finals.iter().map(State::end_turn).collect())
    }

    /// How many of the 216 ordered rolls capture a king, and how many admit no legal turn.
    pub fn capturing_and_pass_rolls(&self) -> (u32, u32) {
        let (mut capturing, mut passing) = (0, 0);
        for roll in ordered_rolls() {
            match self.reply(&roll) {
                Reply::TakesKing => capturing += 1,
                Reply::Pass(_) => passing += 1,
                Reply::Quiet(_) => {}
            }
        }
        (capturing, passing)
    }

    /// The classes of the chance node with this side to roll: compact roll and weight, in class
    /// order.
    pub fn classes(&self) -> Vec<(String, u32)> {
        let mut weights: BTreeMap<Vec<Kind>, u32> = BTreeMap::new();
        for roll in ordered_rolls() {
            let mut compact: Vec<Kind> = roll.into_iter().filter(|&die| self.retains(die, &roll)).collect();
            compact.sort();
            *weights.entry(compact).or_default() += 1;
        }
        let mut classes: Vec<_> = weights.into_iter().collect();
        classes.sort_by_key(|(dice, weight)| (std::cmp::Reverse(*weight), dice.len(), dice.clone()));
        classes.into_iter().map(|(dice, weight)| (letters(&dice), weight)).collect()
    }

    /// Whether some sequence could spend this die of the roll, judged by where the pieces stand and
    /// nothing else.
    fn retains(&self, die: Kind, roll: &[Kind; 3]) -> bool {
        let pawn_on = |nth_rank: usize| {
            (0..8).any(|file| {
                let square = super::square(file, self.mover.rank(nth_rank));
                self.board[square] == Some((self.mover, Kind::Pawn))
            })
        };
        let pawn_dice = roll.iter().filter(|&&other| other == Kind::Pawn).count();
        let can_promote = pawn_on(7) && pawn_dice >= 1 || pawn_on(6) && pawn_dice >= 2;
        self.has((self.mover, die)) || can_promote && !matches!(die, Kind::Pawn | Kind::King)
    }
}

/// The exact value of the chance node times 216 to the power of `plies`, the decision plies below
/// it. Every one of the 216 ordered rolls is played out.
pub fn chance_numerator(node: &State, plies: u32, perspective: Color, leaf: Leaf<'_>) -> i64 {
    let rolls = ordered_rolls().into_iter().map(|roll| (roll, 1)).collect();
    Expectation { rolls, perspective, win: WIN, loss: LOSS, leaf, known: HashMap::new() }
        .numerator(node, plies)
}

/// The same value from the 56 weighted rolls.
pub fn chance_numerator_weighted(node: &State, plies: u32, perspective: Color, leaf: Leaf<'_>) -> i64 {
    let rolls = weighted_rolls();
    Expectation { rolls, perspective, win: WIN, loss: LOSS, leaf, known: HashMap::new() }
        .numerator(node, plies)
}

/// The probability that `perspective` captures a king first, times 216 to the power of `plies`, where lines that are
/// undecided after `plies` turns count as won or as lost.
pub fn win_numerator(node: &State, plies: u32, perspective: Color, undecided_wins: bool) -> i64 {
    let leaf = |_: &State, _: Color| i64::from(undecided_wins);
    let rolls = weighted_rolls();
    Expectation { rolls, perspective, win: 1, loss: 0, leaf: &leaf, known: HashMap::new() }
        .numerator(node, plies)
}

struct Expectation<'a> {
    rolls: Vec<([Kind; 3], i64)>,
    perspective: Color,
    win: i64,
    loss: i64,
    leaf: Leaf<'a>,
    /// Chance nodes met before: turns lead to the same position by the thousand.
    known: HashMap<(State, u32), i64>,
}

impl Expectation<'_> {
    fn numerator(&mut self, node: &State, plies: u32) -> i64 {
        if plies == 0 {
            return (self.leaf)(node, self.perspective);
        }
        let key = (node.clone(), plies);
        if let Some(&numerator) = self.known.get(&key) {
            return numerator;
        }
        let numerator =
            self.rolls.clone().iter().map(|(roll, weight)| weight * self.decide(node, roll, plies)).sum();
        self.known.insert(key, numerator);
        numerator
    }

    fn decide(&mut self, node: &State, roll: &[Kind; 3], plies: u32) -> i64 {
        let maximizes = node.mover == self.perspective;
        match node.reply(roll) {
            Reply::TakesKing => 216_i64.pow(plies - 1) * if maximizes { self.win } else { self.loss },
            Reply::Pass(after) => self.numerator(&after, plies - 1),
            Reply::Quiet(finals) => {
                let values = finals.iter().map(|after| self.numerator(after, plies - 1));
                if maximizes { values.max() } else { values.min() }.expect("a turn")
            }
        }
    }
}
