//! Brackets of the win probability: right by plain enumeration, proven, nested, and the same whatever is cut or cached.

mod oracle;
mod reference;

use std::collections::HashMap;

use dicechess_native::board::{Color, Position};
use dicechess_native::rules::{Budget, Finals, Identity, ReachSets, king_capture_rolls, partition};
use dicechess_native::search::{Bracket, SearchControl, WinProof, WinProofConfig};
use oracle::{State, win_numerator};
use proptest::collection::vec;
use proptest::prelude::*;
use reference::{F10, position, small_position};

/// How far rounding and the outward step may take an end from the rational number.
const SLACK: f64 = 2e-12;

/// Endings small enough to enumerate some turns ahead, and how many.
const ENDINGS: [(&str, u32); 6] = [
    ("k7/8/8/8/8/8/8/1K6 b - - 0 1", 3),
    ("8/8/8/3k4/8/3K4/3P4/8 w - - 0 1", 3),
    ("7k/8/8/8/8/8/r7/3K4 w - - 0 1", 2),
    ("8/8/8/8/8/2kn4/8/1K6 b - - 0 1", 2),
    ("8/P5k1/8/8/8/8/5K2/8 w - - 0 1", 2),
    ("8/8/8/2pP4/2k1K3/8/8/8 w - c6 0 1", 2),
];

fn proof(table_capacity: usize) -> WinProof {
    WinProof::new(WinProofConfig { table_capacity, ..WinProofConfig::default() }).unwrap()
}

fn bracket(proof: &WinProof, node: &Position, perspective: Color, horizon: u32) -> Bracket {
    proof.win_bracket(node, perspective, horizon, &SearchControl::unbounded()).unwrap()
}

fn sides() -> [(Color, oracle::Color); 2] {
    [(Color::White, oracle::Color::White), (Color::Black, oracle::Color::Black)]
}

/// Lower and upper end by the oracle, as the nearest numbers to the rationals.
fn ends_by_the_oracle(node: &State, view: oracle::Color, horizon: u32) -> (f64, f64) {
    let scale = 216_f64.powi(horizon as i32);
    let end = |undecided_wins| win_numerator(node, horizon, view, undecided_wins) as f64 / scale;
    (end(false), end(true))
}

/// The ends are those of the horizon, on the proven side of them.
fn assert_is_bracket_of((lower, upper): (f64, f64), found: Bracket, what: &str) {
    let Bracket { lower: found_lower, upper: found_upper, .. } = found;
    assert!(found_lower <= lower && lower - found_lower <= SLACK, "{what}: {found:?} for {lower}");
    assert!(upper <= found_upper && found_upper - upper <= SLACK, "{what}: {found:?} for {upper}");
}

#[test]
fn brackets_of_endings_are_those_of_plain_enumeration() {
    for (dfen, deepest) in ENDINGS {
        let (node, state) = (position(dfen), State::parse(dfen).unwrap());
        for (perspective, view) in sides() {
            for horizon in 1..=deepest {
                let found = bracket(&proof(1 << 10), &node, perspective, horizon);
                let what = format!("{dfen} {perspective:?} {horizon}");
                assert_is_bracket_of(ends_by_the_oracle(&state, view, horizon), found, &what);
                assert_eq!(found.horizon, horizon, "{what}");
            }
        }
    }
}

#[test]
fn one_turn_ahead_only_king_captures_count() {
    for dfen in [F10, "7k/8/8/8/8/8/r2P4/3K4 w - - 0 1", "8/8/8/3q4/8/3K4/8/k7 b - - 0 1"] {
        let node = position(dfen).with_dice(Default::default());
        let mover = node.side_to_move();
        let rolls = king_capture_rolls(&node, !mover, &Budget::unlimited()).unwrap();
        let chance = f64::from(rolls) / 216.0;
        assert_is_bracket_of((chance, 1.0), bracket(&proof(0), &node, mover, 1), dfen);
        assert_is_bracket_of((0.0, 1.0 - chance), bracket(&proof(0), &node, !mover, 1), dfen);
    }
}

/// The ends by visiting everything with the engine's rules, in the engine's order of additions, before the outward step.
struct Plain {
    perspective: Color,
    undecided: f64,
    known: HashMap<(Position, u32), f64>,
}

impl Plain {
    fn value(perspective: Color, undecided: f64, node: &Position, horizon: u32) -> f64 {
        Self { perspective, undecided, known: HashMap::new() }.chance(node, horizon)
    }

    fn chance(&mut self, node: &Position, plies: u32) -> f64 {
        if plies == 0 {
            return self.undecided;
        }
        if let Some(&known) = self.known.get(&(*node, plies)) {
            return known;
        }
        let own = node.side_to_move() == self.perspective;
        let pick = if own { f64::max } else { f64::min };
        let mut sets = ReachSets::new(Identity::AfterTurnEnd);
        sets.reset(node);
        let mut sum = 0.0;
        for class in partition(node) {
            let value = match sets.finals(class.roll, &Budget::unlimited()).unwrap() {
                Finals::KingCapture => f64::from(u8::from(own)),
                Finals::ForcedPass => self.chance(&node.end_turn(), plies - 1),
                Finals::Positions(replies) => {
                    replies.iter().map(|reply| self.chance(reply, plies - 1)).reduce(pick).unwrap()
                }
            };
            sum += f64::from(class.weight) * value;
        }
        self.known.insert((*node, plies), sum / 216.0);
        sum / 216.0
    }
}

const OUTWARD: f64 = 1.0 / (1u64 << 40) as f64;

/// The bracket bit for bit.
fn plain_bracket(node: &Position, perspective: Color, horizon: u32) -> Bracket {
    let lower = Plain::value(perspective, 0.0, node, horizon) * (1.0 - OUTWARD);
    let upper = (Plain::value(perspective, 1.0, node, horizon) * (1.0 + OUTWARD)).min(1.0);
    Bracket { lower, upper, horizon }
}

/// How many positions the replies to all rolls are: what visiting everything multiplies by.
fn reply_count(node: &Position) -> usize {
    let mut sets = ReachSets::new(Identity::AfterTurnEnd);
    sets.reset(node);
    let count = |roll| match sets.finals(roll, &Budget::unlimited()).unwrap() {
        Finals::Positions(replies) => replies.len(),
        _ => 1,
    };
    partition(node).iter().map(|class| class.roll).map(count).sum()
}

/// Deep enough to have inner decisions, shallow enough to be visited whole.
fn affordable_horizon(node: &Position) -> u32 {
    let mut other = *node;
    other.set_side_to_move(!node.side_to_move());
    match reply_count(node).max(reply_count(&other)) {
        0..100 => 3,
        100..1000 => 2,
        _ => 1,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn cut_and_cached_searches_find_the_bits_of_a_plain_one(bytes in vec(any::<u8>(), 0..24)) {
        let node = small_position(&bytes, 2);
        let proofs = [proof(0), proof(1 << 14)];
        for perspective in Color::ALL {
            for horizon in 1..=affordable_horizon(&node) {
                let plain = plain_bracket(&node, perspective, horizon);
                for proof in &proofs {
                    prop_assert_eq!(bracket(proof, &node, perspective, horizon), plain, "{} {}", node, horizon);
                }
            }
        }
    }

    #[test]
    fn a_deeper_bracket_lies_within_a_shallower_one(bytes in vec(any::<u8>(), 0..24)) {
        let node = small_position(&bytes, 3);
        let proof = proof(1 << 14);
        for perspective in Color::ALL {
            let mut outer = Bracket { lower: 0.0, upper: 1.0, horizon: 0 };
            for horizon in 1..=affordable_horizon(&node) {
                let inner = bracket(&proof, &node, perspective, horizon);
                prop_assert!(outer.lower <= inner.lower && inner.upper <= outer.upper);
                prop_assert!(inner.lower <= inner.upper);
                // Each turn moves one end; the other keeps its bits.
                prop_assert!(inner.lower == outer.lower || inner.upper == outer.upper);
                outer = inner;
            }
        }
    }

    #[test]
    fn what_one_side_wins_the_other_loses(bytes in vec(any::<u8>(), 0..24)) {
        let node = small_position(&bytes, 3);
        let proof = proof(1 << 14);
        for horizon in 1..=affordable_horizon(&node) {
            let [white, black] = Color::ALL.map(|perspective| bracket(&proof, &node, perspective, horizon));
            prop_assert!((white.lower + black.upper - 1.0).abs() <= SLACK);
            prop_assert!((white.upper + black.lower - 1.0).abs() <= SLACK);
        }
    }

    #[test]
    fn a_mirrored_position_has_the_same_bits(bytes in vec(any::<u8>(), 0..24)) {
        let node = small_position(&bytes, 3);
        let proof = proof(1 << 14);
        let horizon = affordable_horizon(&node);
        for perspective in Color::ALL {
            let mirrored = bracket(&proof, &node.flipped(), !perspective, horizon);
            prop_assert_eq!(bracket(&proof, &node, perspective, horizon), mirrored);
        }
    }
}

#[test]
fn what_many_turns_prove_lies_within_every_shallower_bracket() {
    // Two lone kings in a corner and a queen beside a king: most games end soon.
    for (dfen, deepest) in [("8/8/8/8/8/8/2k5/K7 w - - 0 1", 8), ("7k/8/8/8/8/1k6/8/KQ6 b - - 0 1", 2)] {
        let node = position(dfen);
        let proof = proof(1 << 16);
        for perspective in Color::ALL {
            let deep = bracket(&proof, &node, perspective, deepest);
            assert!(deep.upper - deep.lower < 0.75, "{dfen}: {deep:?} says something");
            for horizon in 1..deepest {
                let shallow = bracket(&proof, &node, perspective, horizon);
                assert!(shallow.lower <= deep.lower && deep.upper <= shallow.upper, "{dfen} {horizon}");
            }
        }
    }
}

#[test]
fn clocks_do_not_matter() {
    let [fresh, old] =
        ["0 1", "99 70"].map(|clocks| position(&format!("7k/8/8/8/8/8/r7/3K4 w - - {clocks}")));
    let proof = proof(1 << 10);
    assert_eq!(bracket(&proof, &fresh, Color::White, 3), bracket(&proof, &old, Color::White, 3));
}
