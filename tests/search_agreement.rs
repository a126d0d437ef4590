//! However a search is configured, it finds the same: pruned, cached, warm, probed and on eight threads it agrees with a
//! plain search that does none of this.

mod reference;

use std::collections::BTreeSet;

use dicechess_native::board::{Color, Position};
use dicechess_native::eval::{BuiltIn, Evaluator};
use dicechess_native::rules::{Turn, legal_turns};
use dicechess_native::search::{
    Candidate, Expectimax, ExpectimaxConfig, SearchControl, SearchOutcome, SearchResult, TranspositionTable,
};
use proptest::collection::vec;
use proptest::prelude::*;
use reference::{
    CLOCKED, F10, FINE, Plain, PlainSearch, ROOK_ENDING, ROUGH, config, evaluators, position, ranked,
    selected_turns, small_position, small_roll,
};

const F4_AFTER_A_TURN: &str = "4k3/8/8/8/8/p7/P7/R3K3 w - - 0 1 RRK";
const CASTLING: &str = "r3k2r/8/8/1B6/8/8/8/4K3 b kq - 0 1 rk";
/// The four-king-step tie fixture.
const FOUR_KING_STEPS: &str = "7k/8/8/8/8/8/r2P4/3K4 w - - 0 1 K";

fn unbounded() -> SearchControl<'static> {
    SearchControl::unbounded()
}

/// What a plain search says of each selected turn, in order.
struct Truth {
    turns: Vec<(Turn, Position)>,
    values: Vec<Plain>,
    best: f64,
}

impl Truth {
    fn of(root: &Position, config: ExpectimaxConfig, evaluator: &dyn Evaluator) -> Self {
        let mut turns = if config.distinct_candidates {
            selected_turns(root, usize::MAX)
        } else {
            selected_turns(root, config.candidate_limit)
        };
        if config.distinct_candidates {
            let mut seen = Vec::new();
            turns.retain(|(_, after)| {
                let new = !seen.contains(after);
                seen.push(*after);
                new
            });
            turns.truncate(config.candidate_limit);
        }
        let mut plain = PlainSearch::new(evaluator, root.side_to_move());
        let plies = config.search_depth as usize - 1;
        let values: Vec<Plain> = turns.iter().map(|(_, after)| plain.chance(after, plies)).collect();
        let best = values.iter().map(|&(value, _)| value).fold(f64::NEG_INFINITY, f64::max);
        Self { turns, values, best }
    }

    fn assert_agrees(&self, (result, candidates): &(SearchResult, Vec<Candidate>), what: &str) {
        let found: Vec<Turn> = candidates.iter().map(|candidate| candidate.turn).collect();
        let expected: Vec<Turn> = self.turns.iter().map(|&(turn, _)| turn).collect();
        assert_eq!(found, expected, "{what}");
        for (candidate, &(truth, tainted)) in candidates.iter().zip(&self.values) {
            match candidate.outcome {
                SearchOutcome::Exact { value, .. } => {
                    assert_eq!((value, candidate.loss_tainted), (truth, tainted), "{what}: {candidate:?}");
                }
                SearchOutcome::UpperBound { value, .. } => {
                    assert!(truth <= value && value < self.best, "{what}: {candidate:?} is worth {truth}");
                }
                _ => panic!("{what}: {candidate:?}"),
            }
            // A tie must be able to win.
            assert!(truth < self.best || candidate.outcome.is_exact(), "{what}: {candidate:?}");
        }
        let best = result.best.expect("a turn");
        assert_eq!(best.outcome.exact(), Some(self.best), "{what}");
        let chosen = self.turns.iter().position(|&(turn, _)| turn == best.turn).expect("a selected turn");
        assert_eq!(self.values[chosen].0, self.best, "{what}");
    }
}

/// Every way to configure a search that must not change what it finds; the chosen turn must not depend on it either.
fn assert_every_configuration_agrees(
    root: &Position,
    depth: u32,
    limit: usize,
    evaluator: &dyn Evaluator,
    seeds: std::ops::Range<u64>,
) {
    for distinct_candidates in [false, true] {
        let base = ExpectimaxConfig { distinct_candidates, ..config(depth, limit) };
        let truth = Truth::of(root, base, evaluator);
        let table = TranspositionTable::new(1 << 14);
        let mut chosen = Vec::new();
        // The first configuration with a table finds it cold, each other one as the ones before have left it.
        for (cached, exact_only) in [(false, false), (true, false), (true, true), (true, false)] {
            for reply_probes in [false, true] {
                let config = ExpectimaxConfig { exact_only, reply_probes, ..base };
                let mut search = Expectimax::new(config, evaluator).unwrap();
                if cached {
                    search = search.with_table(&table).unwrap();
                }
                let mut turns = Vec::new();
                for seed in seeds.clone() {
                    let found = ranked(&search, root, &unbounded(), seed);
                    truth.assert_agrees(&found, &format!("{root} {} {config:?}", evaluator.name()));
                    turns.push(found.0.best.unwrap().turn);
                }
                chosen.push(turns);
            }
        }
        assert!(
            chosen.iter().all(|turns| *turns == chosen[0]),
            "{root}: a seed chooses one turn: {chosen:?}"
        );
    }
}

/// Whether the roll has turns and none of them captures the king.
fn is_quiet(root: &Position) -> bool {
    let turns = legal_turns(root);
    turns.captures().is_empty() && !turns.is_empty()
}

fn quiet_roots(pieces: usize) -> impl Strategy<Value = Position> {
    (vec(any::<u8>(), 0..32), vec(any::<u8>(), 0..8))
        .prop_map(move |(bytes, roll)| {
            let position = small_position(&bytes, pieces);
            position.with_dice(small_roll(&position, &roll))
        })
        .prop_filter("a capture or a pass", is_quiet)
}

/// An evaluator that failures show by name.
#[derive(Clone, Copy)]
struct Shown(&'static (dyn Evaluator + Sync));

impl std::fmt::Debug for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.name())
    }
}

fn any_evaluator() -> impl Strategy<Value = Shown> {
    (0..evaluators().len()).prop_map(|i| Shown(evaluators()[i]))
}

/// `of_256` cases for each 256 of `PROPTEST_CASES`, which are its default.
fn cases(of_256: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    let cases = (default.cases * of_256).div_ceil(256);
    ProptestConfig { cases, max_shrink_iters: 2000, failure_persistence: None, ..default }
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn every_configuration_agrees_with_the_plain_search_two_deep(
        root in quiet_roots(6),
        limit in 1_usize..12,
        evaluator in any_evaluator(),
    ) {
        assert_every_configuration_agrees(&root, 2, limit, evaluator.0, 0..2);
    }
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn every_configuration_agrees_with_the_plain_search_three_deep(
        root in quiet_roots(1),
        limit in 1_usize..6,
        evaluator in any_evaluator(),
    ) {
        assert_every_configuration_agrees(&root, 3, limit, evaluator.0, 0..2);
    }
}

proptest! {
    #![proptest_config(cases(6))]

    /// Losing the own king on some roll is a matter of two turns; losing it later, of four.
    #[test]
    fn every_configuration_agrees_with_the_plain_search_four_deep(
        root in quiet_roots(0),
        evaluator in any_evaluator(),
    ) {
        assert_every_configuration_agrees(&root, 4, 4, evaluator.0, 0..1);
    }
}

#[test]
fn every_configuration_agrees_with_the_plain_search_on_middlegames() {
    for dfen in [
        F10,
        "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 6 5 PNQ",
        CASTLING,
        "8/P5k1/8/2pP4/4pP2/8/p5K1/8 w - c6 0 1 PPN",
    ] {
        for evaluator in [&BuiltIn::Material as &dyn Evaluator, &BuiltIn::Standard, &CLOCKED] {
            assert_every_configuration_agrees(&position(dfen), 2, 6, evaluator, 0..3);
        }
    }
}

#[test]
fn every_configuration_agrees_with_the_plain_search_on_endings_three_deep() {
    for dfen in [ROOK_ENDING, FOUR_KING_STEPS, "4k3/8/8/3p4/2P5/8/8/4K3 w - - 0 1 PPK"] {
        for evaluator in [&BuiltIn::Material as &dyn Evaluator, &ROUGH, &FINE] {
            assert_every_configuration_agrees(&position(dfen), 3, 6, evaluator, 0..3);
        }
    }
}

/// Enough pieces of the side that moves last for its rolls to be probed leaf by leaf.
#[test]
fn every_configuration_agrees_with_the_plain_search_three_deep_where_leaves_are_probed() {
    for dfen in ["k7/p7/8/8/8/8/1P6/RN1QK3 w - - 0 1 PNK", "k7/8/1p6/8/8/3N4/P7/RN2K3 w Q - 0 1 NRP"] {
        for root in [position(dfen), position(dfen).flipped()] {
            for evaluator in [&BuiltIn::Standard as &dyn Evaluator, &ROUGH, &CLOCKED] {
                assert_every_configuration_agrees(&root, 3, 2, evaluator, 0..1);
            }
        }
    }
}

#[test]
fn pruning_prunes() {
    for (dfen, depth) in [(CASTLING, 2), (FOUR_KING_STEPS, 2), (FOUR_KING_STEPS, 3)] {
        let root = position(dfen);
        let plain_leaves: u64 = selected_turns(&root, 8)
            .iter()
            .map(|(_, after)| {
                // One candidate alone has nothing to be cut against.
                let recording = reference::Recording::new(&PlainMaterial);
                let search = Expectimax::new(config(depth, 1), &recording).unwrap();
                search.chance_value(after, root.side_to_move(), &unbounded()).unwrap();
                recording.take().iter().map(|batch| batch.len() as u64).sum::<u64>()
            })
            .sum();
        let search = Expectimax::new(config(depth, 8), &PlainMaterial).unwrap();
        let stats = search.find_best_move(&root, &unbounded(), 1).unwrap().stats;
        assert!(stats.cutoffs > 0 && stats.rolls_saved > 0, "{dfen} {stats:?}");
        assert!(stats.leaves < plain_leaves, "{dfen}: {} of {plain_leaves} leaves", stats.leaves);
    }
}

/// Material, without saying so: what it is asked can be counted.
struct PlainMaterial;

impl Evaluator for PlainMaterial {
    fn name(&self) -> &str {
        "unnamed material"
    }

    fn evaluate(&self, positions: &[Position], perspective: Color, scores: &mut [f64]) {
        BuiltIn::Material.evaluate(positions, perspective, scores);
    }

    fn reads_clocks(&self) -> bool {
        false
    }
}

#[test]
fn of_four_king_steps_three_tie_and_complete_and_one_is_cut() {
    let root = position(FOUR_KING_STEPS);
    let numerators = [
        ("d1c1", -16_000_087_500_i64),
        ("d1e1", -16_000_087_500),
        ("d1e2", -16_000_087_500),
        ("d1c2", -91_000_050_000),
    ];
    for evaluator in [&BuiltIn::Material as &dyn Evaluator, &PlainMaterial] {
        let search = Expectimax::new(config(2, 8), evaluator).unwrap();
        for (turn, after) in selected_turns(&root, 8) {
            let (_, numerator) = numerators.into_iter().find(|(text, _)| turn.to_string() == *text).unwrap();
            let node = search.chance_value(&after, Color::White, &unbounded()).unwrap();
            assert_eq!(node.outcome.exact(), Some(numerator as f64 / 216.0), "{turn}");
            assert!(node.loss_tainted);
        }
        let mut chosen = BTreeSet::new();
        for seed in 0..64 {
            let (result, candidates) = ranked(&search, &root, &unbounded(), seed);
            let best = result.best.unwrap();
            assert_eq!(best.outcome.exact(), Some(numerators[0].1 as f64 / 216.0));
            assert_eq!((result.stats.candidates_completed, result.stats.cutoffs), (3, 1));
            for candidate in candidates {
                let is_worse = candidate.turn.to_string() == "d1c2";
                assert_eq!(candidate.outcome.is_exact(), !is_worse, "{candidate:?}");
            }
            chosen.insert(best.turn.to_string());
        }
        assert_eq!(chosen, BTreeSet::from(["d1c1", "d1e1", "d1e2"].map(String::from)));
    }
}

/// SEA-18: what a position is worth to its mover does not depend on the colour.
fn assert_mirrored_search_is_the_same(root: &Position, depth: u32, evaluator: &BuiltIn) {
    let search = Expectimax::new(config(depth, usize::MAX), evaluator).unwrap();
    let open = unbounded();
    let worth = |root: &Position| {
        let best = search.find_best_move(root, &open, 3).unwrap().best.unwrap();
        (best.score, best.outcome)
    };
    assert_eq!(worth(root), worth(&root.flipped()), "{root} {evaluator:?}");
    for (turn, after) in selected_turns(root, 4) {
        let node = search.chance_value(&after, root.side_to_move(), &open).unwrap();
        let mirrored = search.chance_value(&after.flipped(), !root.side_to_move(), &open).unwrap();
        assert_eq!(node, mirrored, "{root} {turn} {evaluator:?}");
    }
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn the_mirrored_position_is_worth_the_same_to_its_mover(root in quiet_roots(5)) {
        for evaluator in [BuiltIn::Material, BuiltIn::Standard] {
            assert_mirrored_search_is_the_same(&root, 2, &evaluator);
        }
    }
}

#[test]
fn the_mirrored_position_is_worth_the_same_to_its_mover_three_deep() {
    for dfen in [ROOK_ENDING, "4k3/8/8/3p4/2P5/8/8/4K3 w - - 0 1 PPK"] {
        for evaluator in [BuiltIn::Material, BuiltIn::Standard] {
            assert_mirrored_search_is_the_same(&position(dfen), 3, &evaluator);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_result_and_statistics() {
    for (dfen, depth) in [(F10, 2), (ROOK_ENDING, 3), (F4_AFTER_A_TURN, 2)] {
        let search = Expectimax::new(config(depth, 8), &ROUGH).unwrap();
        for seed in 0..5 {
            let first = search.find_best_move(&position(dfen), &unbounded(), seed).unwrap();
            assert_eq!(search.find_best_move(&position(dfen), &unbounded(), seed).unwrap(), first, "{dfen}");
        }
    }
}
