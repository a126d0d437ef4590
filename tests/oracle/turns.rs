//! Legal turns, found by writing down every sequence of micro-moves.

use super::chance::ordered_rolls;
use super::{Color, Kind, State, Step};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// The legal turns of a position with its dice, each as UCI texts and the position before
/// `end_turn`.
#[derive(Clone, Debug)]
pub struct Turns {
    /// Turns that capture a king, in canonical order.
    pub captures: Vec<(Vec<String>, State)>,
    /// All others, in canonical order.
    pub quiet: Vec<(Vec<String>, State)>,
}

impl Turns {
    /// The whole canonical list, each turn as its micro-moves joined by a space.
    pub fn texts(&self) -> Vec<String> {
        self.all().map(|(moves, _)| moves.join(" ")).collect()
    }

    /// The whole canonical list.
    pub fn all(&self) -> impl Iterator<Item = &(Vec<String>, State)> {
        self.captures.iter().chain(&self.quiet)
    }
}

/// A finished sequence: its steps, the position after it, and whether its last step captures a
/// king.
pub(super) type Visit<'a> = &'a mut dyn FnMut(&[Step], &State, bool) -> ControlFlow<()>;

impl State {
    /// Every legal turn.
    pub fn turns(&self) -> Turns {
        let mut captures = vec![];
        let mut quiet = vec![];
        let _ = self.visit_sequences(&mut |steps, after, takes_king| {
            let moves = steps.iter().map(|step| step.uci()).collect();
            let list = if takes_king { &mut captures } else { &mut quiet };
            list.push((moves, after.clone()));
            ControlFlow::Continue(())
        });
        keep_longest(&mut quiet, |(_, after)| after);
        Turns { captures, quiet }
    }

    /// Visits, depth first in canonical order, each sequence that captures a king or cannot go on.
    /// The empty sequence is none.
    pub(super) fn visit_sequences(&self, visit: Visit<'_>) -> ControlFlow<()> {
        self.extend(&mut vec![], visit)
    }

    fn extend(&self, sequence: &mut Vec<Step>, visit: Visit<'_>) -> ControlFlow<()> {
        let steps = self.steps();
        if steps.is_empty() && !sequence.is_empty() {
            return visit(sequence, self, false);
        }
        for step in steps {
            let after = self.apply(step);
            sequence.push(step);
            if self.takes_king(step) {
                visit(sequence, &after, true)?;
            } else {
                after.extend(sequence, visit)?;
            }
            sequence.pop();
        }
        ControlFlow::Continue(())
    }

    /// Whether some turn of this roll captures a king.
    pub fn can_take_king(&self) -> bool {
        let found = self.visit_sequences(&mut |_, _, takes_king| match takes_king {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        found.is_break()
    }

    /// Six-field DFENs of the positions after quiet turns, before `end_turn`.
    pub fn distinct_finals(&self) -> BTreeSet<String> {
        self.turns().quiet.iter().map(|(_, after)| after.dfen_without_dice()).collect()
    }

    /// Six-field DFENs of the positions after quiet turns and `end_turn`.
    pub fn distinct_finals_after_end_turn(&self) -> BTreeSet<String> {
        self.turns().quiet.iter().map(|(_, after)| after.end_turn().dfen_without_dice()).collect()
    }

    /// Six-field DFENs of the positions after turns that capture a king, before `end_turn`.
    pub fn capture_finals(&self) -> BTreeSet<String> {
        self.turns().captures.iter().map(|(_, after)| after.dfen_without_dice()).collect()
    }

    /// How many of the 216 ordered rolls let the defender's opponent capture a king, whoever is to
    /// move here.
    pub fn king_capture_rolls(&self, defender: Color) -> u32 {
        let attacker = State { mover: defender.other(), ..self.clone() };
        if !self.has((defender, Kind::King)) {
            return 0;
        }
        ordered_rolls().iter().filter(|roll| attacker.with_pool(&roll[..]).can_take_king()).count() as u32
    }
}

/// Keeps those that spent the most dice, which is those with the fewest left.
pub(super) fn keep_longest<T>(finals: &mut Vec<T>, after: impl Fn(&T) -> &State) {
    let fewest_left = finals.iter().map(|item| after(item).pool.len()).min();
    finals.retain(|item| Some(after(item).pool.len()) == fewest_left);
}
