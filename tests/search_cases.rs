//! What went wrong in other engines of this kind, by the numbers of the case collection: the search's part.

mod oracle;
mod reference;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use dicechess_native::board::{Color, DicePool, Position};
use dicechess_native::eval::{BuiltIn, Evaluator};
use dicechess_native::rules::{Budget, Finals, Identity, ReachSets, partition};
use dicechess_native::search::chance_node::{self, Policy, Value};
use dicechess_native::search::{
    Expectimax, ExpectimaxConfig, ScoreSource, SearchControl, SearchError, SearchOutcome, TranspositionTable,
    UtilityBounds,
};
use oracle::{Reply, State};
use proptest::collection::vec;
use proptest::prelude::*;
use reference::{
    CLOCKED, F10, FINE, LOSS, LossOnly, PlainSearch, ROUGH, Recording, config, position, ranked,
    selected_turns, small_position,
};

const SEA_01: &str = "7k/8/8/8/8/2n5/8/1K6 w - - 0 1 K";

fn unbounded() -> SearchControl<'static> {
    SearchControl::unbounded()
}

fn loss_only(limit: usize) -> Expectimax<'static> {
    Expectimax::new(config(2, limit), &LossOnly).unwrap()
}

/// On how many of the 216 rolls each turn loses the king.
fn losing_rolls(dfen: &str) -> BTreeMap<String, f64> {
    let root = position(dfen);
    let value = |after: &Position| {
        let node = loss_only(8).chance_value(after, root.side_to_move(), &unbounded()).unwrap();
        node.outcome.exact().unwrap() * 216.0 / LOSS
    };
    selected_turns(&root, 100).iter().map(|(turn, after)| (turn.to_string(), value(after))).collect()
}

fn table_of<const N: usize>(rolls: [(&str, f64); N]) -> BTreeMap<String, f64> {
    rolls.into_iter().map(|(turn, rolls)| (turn.to_owned(), rolls)).collect()
}

#[test]
fn sea_01_a_chance_node_has_exact_weights() {
    let expected = table_of([("b1a1", 0.0), ("b1c2", 1.0), ("b1c1", 16.0), ("b1b2", 16.0), ("b1a2", 91.0)]);
    assert_eq!(losing_rolls(SEA_01), expected);
    let best = loss_only(8).find_best_move(&position(SEA_01), &unbounded(), 1).unwrap().best.unwrap();
    assert_eq!((best.turn.to_string(), best.outcome.exact()), ("b1a1".into(), Some(0.0)));
    let knight_and_king = position("7k/8/8/8/8/2n5/8/1K6 b - - 0 1");
    let classes = partition(&knight_and_king);
    assert_eq!((classes.len(), classes.iter().map(|class| class.weight).sum::<u32>()), (10, 216));
}

#[test]
fn sea_03_ties_survive_pruning_and_each_is_chosen_by_some_seed() {
    const DFEN: &str = "3rk3/8/8/8/8/8/8/3K4 w - - 0 1 K";
    let expected = table_of([("d1c1", 16.0), ("d1c2", 16.0), ("d1e1", 16.0), ("d1e2", 16.0), ("d1d2", 91.0)]);
    assert_eq!(losing_rolls(DFEN), expected);
    let mut chosen = BTreeSet::new();
    for seed in 0..200 {
        let best = loss_only(8).find_best_move(&position(DFEN), &unbounded(), seed).unwrap().best.unwrap();
        assert_eq!(best.outcome.exact(), Some(16.0 * LOSS / 216.0));
        chosen.insert(best.turn.to_string());
    }
    assert_eq!(chosen, BTreeSet::from(["d1c1", "d1c2", "d1e1", "d1e2"].map(String::from)));
}

#[test]
fn sea_05_forced_passes_keep_their_mass() {
    const DFEN: &str = "4k3/8/8/8/8/8/8/4K3 b - - 0 1";
    // A value that tells positions apart, so that a lost or renormalised class shows.
    let leaf = |position: &Position| {
        let mut score = [0.0];
        FINE.evaluate(std::slice::from_ref(position), Color::White, &mut score);
        score[0]
    };
    let state = State::parse(DFEN).unwrap();
    let worth = |dice: &str| match state.reply(&state.with_dice_letters(dice).pool) {
        Reply::TakesKing => panic!("the kings are far apart"),
        Reply::Pass(after) => leaf(&position(&after.to_dfen())),
        Reply::Quiet(finals) => {
            finals.iter().map(|after| leaf(&position(&after.to_dfen()))).fold(f64::INFINITY, f64::min)
        }
    };
    let expected = (125.0 * worth("") + 75.0 * worth("K") + 15.0 * worth("KK") + worth("KKK")) / 216.0;
    let search = Expectimax::new(config(2, 8), &FINE).unwrap();
    let node = search.chance_value(&position(DFEN), Color::White, &unbounded()).unwrap();
    assert_eq!((node.outcome.exact(), node.classes), (Some(expected), 4));
}

#[test]
fn sea_07_the_table_tells_apart_what_en_passant_makes_different() {
    // The same board arises with the right to capture en passant, by the double step, and without.
    let double_step = ("8/2kp4/8/4P3/8/8/8/4K3 b - - 0 1 P", "d7d5", 16.0);
    let single_step = ("8/2k5/3p4/4P3/8/8/8/4K3 b - - 0 1 P", "d6d5", 0.0);
    for queries in [[double_step, single_step], [single_step, double_step]] {
        let table = TranspositionTable::new(1 << 10);
        let search = loss_only(8).with_table(&table).unwrap();
        for _ in ["cold", "warm"] {
            for (dfen, turn, rolls) in queries {
                let (_, candidates) = ranked(&search, &position(dfen), &unbounded(), 1);
                let of_turn = candidates.iter().find(|candidate| candidate.turn.to_string() == turn).unwrap();
                assert_eq!(of_turn.outcome.exact(), Some(rolls * LOSS / 216.0), "{dfen} {turn}");
            }
        }
    }
}

#[test]
fn sea_07_the_table_does_not_hide_what_castling_makes_different() {
    let with_right = "4k3/8/8/8/8/8/8/4K2R w K - 0 1 RK";
    let without = "4k3/8/8/8/8/8/8/4K2R w - - 0 1 RK";
    for queries in [[(with_right, 105), (without, 104)], [(without, 104), (with_right, 105)]] {
        let table = TranspositionTable::new(1 << 10);
        let search = Expectimax::new(config(2, 1000), &BuiltIn::Material).unwrap();
        let search = search.with_table(&table).unwrap();
        for (dfen, turns) in queries {
            let (result, candidates) = ranked(&search, &position(dfen), &unbounded(), 1);
            assert_eq!((result.stats.legal_turns, candidates.len()), (turns, turns as usize), "{dfen}");
        }
    }
}

#[test]
fn sea_09_nothing_from_a_cancelled_search_stays_in_the_table() {
    let root = position(SEA_01);
    let fresh = loss_only(8).find_best_move(&root, &unbounded(), 5).unwrap().best;
    for limit in 0.. {
        let (table, budget) = (TranspositionTable::new(1 << 10), Budget::new(limit));
        let search = loss_only(8).with_table(&table).unwrap();
        search.find_best_move(&root, &unbounded().with_budget(&budget), 5).unwrap();
        assert_eq!(search.find_best_move(&root, &unbounded(), 5).unwrap().best, fresh, "budget {limit}");
        if !budget.is_exhausted() {
            break;
        }
    }
}

/// Fail-soft: answers with a bound wherever the window allows it, off from the truth by `slack` but still outside.
struct FailSoft {
    values: Vec<f64>,
    slack: f64,
}

impl Policy for FailSoft {
    fn probing_enabled(&self) -> bool {
        false
    }

    fn lowest_value(&self) -> f64 {
        LOSS
    }

    fn highest_value(&self) -> f64 {
        reference::WIN
    }

    fn decide(
        &mut self,
        _: &Position,
        class_index: usize,
        alpha: f64,
        beta: f64,
        control: &SearchControl<'_>,
    ) -> Result<Value, SearchError> {
        let truth = self.values[class_index];
        Ok(if truth + self.slack < alpha {
            Value::upper_bound(truth + self.slack, control)
        } else if truth - self.slack > beta {
            Value::lower_bound(truth - self.slack, control)
        } else {
            Value::exact(truth, control)
        })
    }
}

/// The oracle's value of each class of the node, in the engine's order.
fn class_values(node: &Position, view: oracle::Color) -> Vec<f64> {
    let state = State::parse(&node.to_string()).unwrap();
    let maximizes = state.mover == view;
    let leaf = |after: &State| oracle::saturated(oracle::evaluate(after, view)) as f64;
    let worth = |dice: &str| match state.reply(&state.with_dice_letters(dice).pool) {
        Reply::TakesKing => {
            if maximizes {
                reference::WIN
            } else {
                LOSS
            }
        }
        Reply::Pass(after) => leaf(&after),
        Reply::Quiet(finals) => {
            finals.iter().map(leaf).reduce(if maximizes { f64::max } else { f64::min }).unwrap()
        }
    };
    state.classes().iter().map(|(dice, _)| worth(dice)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Eight windows a case: at, just beside and around the value.
    #[test]
    fn sea_11_an_outcome_is_the_exact_value_or_a_strict_sound_bound(
        bytes in vec(any::<u8>(), 0..32),
        white in any::<bool>(),
        windows in vec((0..6_usize, 0..6_usize), 8),
        slack in 0.0..300.0,
    ) {
        let node = small_position(&bytes, 3);
        let (perspective, view) = if white {
            (Color::White, oracle::Color::White)
        } else {
            (Color::Black, oracle::Color::Black)
        };
        let values = class_values(&node, view);
        let leaf = |state: &State, view| oracle::saturated(oracle::evaluate(state, view));
        let state = State::parse(&node.to_string()).unwrap();
        let truth = oracle::chance_numerator(&state, 1, view, &leaf) as f64 / 216.0;
        let bounds = UtilityBounds::expectimax(perspective);
        for (low, high) in windows {
            let below = [f64::NEG_INFINITY, LOSS, truth - 90.5, truth, truth.next_up(), truth + 90.5][low];
            let above = [f64::INFINITY, reference::WIN, truth + 90.5, truth, truth.next_down(), truth - 90.5][high];
            if below > above {
                continue;
            }
            let mut policy = FailSoft { values: values.clone(), slack };
            let node = chance_node::expand(&node, &bounds, &unbounded(), (below, above), &mut policy).unwrap();
            match node.outcome {
                SearchOutcome::Exact { value, .. } => prop_assert_eq!(value, truth),
                SearchOutcome::LowerBound { value, .. } => prop_assert!(above < value && value <= truth),
                SearchOutcome::UpperBound { value, .. } => prop_assert!(truth <= value && value < below),
                SearchOutcome::Incomplete { .. } => prop_assert!(false, "nothing cancels"),
            }
            if below <= truth && truth <= above {
                prop_assert!(node.outcome.is_exact(), "a value within its window is exact");
            }
        }
    }
}

/// Ranks turns the wrong way round by what their plain search is worth.
struct WorstFirst;

impl Evaluator for WorstFirst {
    fn name(&self) -> &str {
        "worst first"
    }

    fn evaluate(&self, positions: &[Position], perspective: Color, scores: &mut [f64]) {
        let mut plain = PlainSearch::new(&LossOnly, perspective);
        for (score, position) in scores.iter_mut().zip(positions) {
            *score = plain.chance(position, 1).0 * 216.0 / LOSS;
        }
    }
}

#[test]
fn sea_13_the_answer_is_the_best_of_the_candidates_that_were_settled() {
    let rolls = losing_rolls(SEA_01);
    let canonical = ["b1a1", "b1c1", "b1a2", "b1b2", "b1c2"];
    let worst_first = ["b1a2", "b1c1", "b1b2", "b1c2", "b1a1"];
    for (order, pre_ranker) in [(canonical, &BuiltIn::Material as &dyn Evaluator), (worst_first, &WorstFirst)]
    {
        let search = loss_only(8).with_pre_ranker(Some(pre_ranker));
        let mut settled_counts = BTreeSet::new();
        for limit in 0.. {
            let budget = Budget::new(limit);
            let control = unbounded().with_budget(&budget);
            let (result, candidates) = ranked(&search, &position(SEA_01), &control, 9);
            let turns: Vec<_> = candidates.iter().map(|candidate| candidate.turn.to_string()).collect();
            assert_eq!(turns, order);
            let stats = result.stats;
            let settled = (stats.candidates_completed + stats.cutoffs) as usize;
            settled_counts.insert(settled);
            let best = result.best.unwrap();
            let fewest = order[..settled].iter().map(|turn| rolls[*turn]).reduce(f64::min);
            match fewest {
                None => {
                    assert_eq!(
                        (best.turn.to_string().as_str(), best.source),
                        (order[0], ScoreSource::PreRank)
                    );
                    assert_eq!(best.outcome.value(), None);
                }
                Some(fewest) => {
                    assert_eq!(rolls[&best.turn.to_string()], fewest, "{settled} of {order:?}");
                    assert!(order[..settled].contains(&best.turn.to_string().as_str()));
                    assert_eq!(best.outcome.value(), Some(fewest * LOSS / 216.0));
                }
            }
            for candidate in &candidates[settled..] {
                assert_eq!(candidate.outcome.value(), None, "not settled: {candidate:?}");
            }
            if !budget.is_exhausted() {
                break;
            }
        }
        assert_eq!(settled_counts, (0..=5).collect(), "some budget settles each number of candidates");
    }
}

/// Calls `check` with every way of being cancelled before the search begins.
fn for_each_cancelled_control(mut check: impl FnMut(&SearchControl<'_>)) {
    let exhausted = Budget::new(0);
    exhausted.charge(1).unwrap_err();
    check(&unbounded().with_budget(&exhausted));
    let clock = || 5_000_000_000;
    check(&unbounded().with_clock(&clock).with_deadline(4_000_000_000));
    let flag = AtomicBool::new(true);
    check(&unbounded().with_cancel_flag(&flag));
}

#[test]
fn can_03_already_cancelled_or_late_falls_back_whether_the_table_is_cold_or_warm() {
    const PASSES: [&str; 3] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 BBR",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 RQK",
        "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1 qqq",
    ];
    let table = TranspositionTable::new(1 << 10);
    let search = loss_only(8).with_table(&table).unwrap();
    for _ in ["cold", "warm"] {
        for_each_cancelled_control(|control| {
            let fallback = search.find_best_move(&position(SEA_01), control, 1).unwrap();
            let best = fallback.best.unwrap();
            assert_eq!((best.turn.to_string(), best.source), ("b1a1".into(), ScoreSource::PreRank));
            assert_eq!((best.outcome.value(), fallback.stats.tt_hits), (None, 0));
            for pass in PASSES {
                assert_eq!(search.find_best_move(&position(pass), control, 1).unwrap().best, None);
            }
            let capture =
                search.find_best_move(&position("8/8/8/2k5/8/1N6/2P5/K7 w - - 0 1 NPP"), control, 1);
            assert_eq!(capture.unwrap().best.unwrap().source, ScoreSource::Capture);
        });
        let warmed = search.find_best_move(&position(SEA_01), &unbounded(), 1).unwrap();
        assert_eq!(warmed.best.unwrap().source, ScoreSource::Search);
    }
}

#[test]
fn can_03_a_budget_of_zero_falls_back_whether_the_table_is_cold_or_warm() {
    let table = TranspositionTable::new(1 << 10);
    let search = loss_only(8).with_table(&table).unwrap();
    for _ in ["cold", "warm"] {
        let budget = Budget::new(0);
        let result = search.find_best_move(&position(SEA_01), &unbounded().with_budget(&budget), 1).unwrap();
        assert_eq!(result.best.unwrap().source, ScoreSource::PreRank);
        assert_eq!((result.stats.tt_hits, budget.is_exhausted()), (0, true));
        search.find_best_move(&position(SEA_01), &unbounded(), 1).unwrap();
    }
}

#[test]
fn can_07_a_work_limit_is_a_limit_and_is_used_up_unless_the_search_ends() {
    for depth in [2, 3] {
        let search = Expectimax::new(config(depth, 8), &BuiltIn::Material).unwrap();
        for dfen in [F10, reference::ROOK_ENDING] {
            for limit in [1, 10, 1_000, 50_000] {
                let budget = Budget::new(limit);
                let control = unbounded().with_budget(&budget);
                let result = search.find_best_move(&position(dfen), &control, 1).unwrap();
                assert_eq!(result.stats.work_used, budget.used());
                assert!(budget.used() <= limit);
                if result.stats.deadline_truncated {
                    assert_eq!(budget.used(), limit, "{dfen} {depth}");
                } else {
                    assert!(!budget.is_exhausted(), "{dfen} {depth}");
                }
            }
        }
    }
}

#[test]
fn dfn_15_boards_without_a_king_are_refused() {
    for (dfen, missing) in [
        ("8/8/8/8/8/8/8/4K3 w - - 0 1 K", Color::Black),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1 PPP", Color::White),
        ("8/8/8/8/8/8/8/8 w - - 0 1", Color::White),
        ("8/8/8/8/8/8/8/8 b - - 0 1 kkk", Color::White),
    ] {
        let root = position(dfen);
        for depth in [2, 3] {
            let search = Expectimax::new(config(depth, 8), &BuiltIn::Material).unwrap();
            let refused = search.find_best_move(&root, &unbounded(), 1).unwrap_err();
            assert_eq!(refused, SearchError::MissingKing(missing), "{dfen}");
            assert_eq!(search.rank_moves(&root, &unbounded(), 1, &mut Vec::new()).unwrap_err(), refused);
            for perspective in Color::ALL {
                let node = root.with_dice(DicePool::EMPTY);
                assert_eq!(search.chance_value(&node, perspective, &unbounded()).unwrap_err(), refused);
            }
        }
        let name = format!("{missing:?} has no king");
        assert!(SearchError::MissingKing(missing).to_string().contains(&name));
    }
}

/// The final positions of each roll's decision, one list a class, as the evaluator is to see them.
fn finals_of_each_class(node: &Position, evaluator: &dyn Evaluator) -> Vec<Vec<Position>> {
    let identity =
        if evaluator.reads_clocks() { Identity::AfterTurnEnd } else { Identity::AfterTurnEndIgnoringClock };
    let mut sets = ReachSets::new(identity);
    sets.reset(node);
    let mut finals = Vec::new();
    for class in partition(node) {
        match sets.finals(class.roll, &Budget::unlimited()).unwrap() {
            Finals::KingCapture => {}
            Finals::ForcedPass => finals.push(vec![node.end_turn()]),
            Finals::Positions(positions) => finals.push(positions.to_vec()),
        }
    }
    finals
}

/// What tells positions apart for an evaluator.
fn seen_by(evaluator: &dyn Evaluator, positions: &[Position]) -> Vec<String> {
    let mut seen: Vec<_> = positions
        .iter()
        .map(|position| {
            let text = position.to_string();
            let fields = if evaluator.reads_clocks() { 6 } else { 4 };
            text.split(' ').take(fields).collect::<Vec<_>>().join(" ")
        })
        .collect();
    seen.sort();
    seen
}

#[test]
fn prf_01_an_evaluator_sees_each_distinct_position_of_a_decision_once() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for dfen in [start, "4k3/8/8/8/8/p7/P7/R3K3 w - - 0 1", "k7/8/8/3Q4/8/8/8/K7 w - - 0 1"] {
        let node = position(dfen);
        for evaluator in [&CLOCKED as &(dyn Evaluator + Sync), &ROUGH] {
            let recording = Recording::new(evaluator);
            let search = Expectimax::new(config(2, 8), &recording).unwrap();
            search.chance_value(&node, Color::White, &unbounded()).unwrap();
            let batches = recording.take();
            let finals = finals_of_each_class(&node, evaluator);
            assert_eq!(batches.len(), finals.len(), "one batch a decision: {dfen}");
            for (batch, finals) in batches.iter().zip(&finals) {
                let seen = seen_by(evaluator, batch);
                assert_eq!(seen, seen_by(evaluator, finals), "{dfen}");
                assert_eq!(seen.iter().collect::<BTreeSet<_>>().len(), seen.len(), "{dfen}: seen twice");
            }
        }
    }
}

#[test]
fn prf_01_of_3376_turns_an_evaluator_sees_688_positions_and_of_1082_it_sees_270() {
    let start = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let sizes = |evaluator: &(dyn Evaluator + Sync)| -> Vec<(String, usize)> {
        let recording = Recording::new(evaluator);
        let search = Expectimax::new(config(2, 8), &recording).unwrap();
        search.chance_value(&start, Color::White, &unbounded()).unwrap();
        let sizes = recording.take().into_iter().map(|batch| batch.len());
        partition(&start).iter().map(|class| class.roll.to_string()).zip(sizes).collect()
    };
    let without_clock = sizes(&ROUGH);
    assert!(without_clock.contains(&("PPP".into(), 688)) && without_clock.contains(&("PNN".into(), 270)));
    assert!(sizes(&CLOCKED).contains(&("PNN".into(), 702)));
}

#[test]
fn prf_01_a_probed_reply_is_not_shown_again() {
    // Far from each other, so that nothing but equal values comes up and every decision is made.
    for dfen in ["k7/p7/8/8/8/8/6NP/7K w - - 0 1 NPK", "7k/p7/8/8/8/8/8/K7 w - - 0 1 K"] {
        let root = position(dfen);
        for clocks in [true, false] {
            let flat = Flat { clocks };
            let recording = Recording::new(&flat);
            let mut expected = Vec::new();
            let mut known = BTreeSet::new();
            for (_, after) in selected_turns(&root, 8) {
                if known.insert(after.to_string()) {
                    expected.extend(finals_of_each_class(&after, &flat).concat());
                }
            }
            for reply_probes in [false, true] {
                let config = ExpectimaxConfig { reply_probes, ..config(2, 8) };
                let search = Expectimax::new(config, &recording).unwrap();
                let stats = search.find_best_move(&root, &unbounded(), 1).unwrap().stats;
                assert_eq!(stats.cutoffs, 0, "{dfen}");
                let seen = recording.take().concat();
                assert_eq!(seen_by(&flat, &seen), seen_by(&flat, &expected), "{dfen} {reply_probes}");
                assert_eq!(stats.leaves as usize, seen.len());
            }
        }
    }
}

#[test]
fn prf_01_what_probes_have_shown_of_a_decision_is_not_shown_again() {
    let middlegame = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 6 5 BNQ";
    let root = position(middlegame);
    for evaluator in [&CLOCKED as &(dyn Evaluator + Sync), &BuiltIn::Standard] {
        let recording = Recording::new(evaluator);
        let search = Expectimax::new(config(2, 8), &recording).unwrap();
        search.find_best_move(&root, &unbounded(), 1).unwrap();
        let seen = counted(&seen_by(evaluator, &recording.take().concat()));
        let mut nodes = BTreeSet::new();
        let mut finals = Vec::new();
        for (_, after) in selected_turns(&root, 8) {
            if nodes.insert(seen_by(evaluator, &[after])) {
                finals.extend(finals_of_each_class(&after, evaluator).concat());
            }
        }
        let at_most = counted(&seen_by(evaluator, &finals));
        let too_often = seen.iter().find(|(leaf, times)| at_most.get(*leaf) < Some(times));
        assert_eq!(too_often, None, "seen more often than there are decisions with it");
        assert!(seen.len() > 1000);
    }
}

fn counted(texts: &[String]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for text in texts {
        *counts.entry(text.clone()).or_insert(0) += 1;
    }
    counts
}

/// Worth 0 everywhere.
struct Flat {
    clocks: bool,
}

impl Evaluator for Flat {
    fn name(&self) -> &str {
        "flat"
    }

    fn evaluate(&self, _: &[Position], _: Color, scores: &mut [f64]) {
        scores.fill(0.0);
    }

    fn reads_clocks(&self) -> bool {
        self.clocks
    }
}

#[test]
fn prf_01_a_search_that_sees_every_duplicate_finds_the_same() {
    for dfen in [F10, "k7/8/8/3Q4/8/8/8/K7 w - - 0 1 KKK"] {
        let root = position(dfen);
        for evaluator in [&CLOCKED as &dyn Evaluator, &ROUGH] {
            let search = Expectimax::new(config(2, 8), evaluator).unwrap();
            for (_, after) in selected_turns(&root, 2) {
                let worst_of_all_turns = |roll| {
                    let rolled = after.with_dice(roll);
                    let turns = dicechess_native::rules::legal_turns(&rolled);
                    let mut positions: Vec<_> =
                        turns.quiet().iter().map(|&turn| rolled.play_turn(turn).end_turn()).collect();
                    if turns.is_empty() {
                        positions.push(rolled.end_turn());
                    }
                    let mut scores = vec![f64::NAN; positions.len()];
                    evaluator.evaluate(&positions, Color::White, &mut scores);
                    let captured = !turns.captures().is_empty();
                    if captured { LOSS } else { scores.into_iter().fold(f64::INFINITY, f64::min) }
                };
                let expected: f64 = partition(&after)
                    .iter()
                    .map(|class| f64::from(class.weight) * worst_of_all_turns(class.roll.pool()))
                    .sum();
                let node = search.chance_value(&after, Color::White, &unbounded()).unwrap();
                assert_eq!(node.outcome.exact(), Some(expected / 216.0), "{dfen} {}", evaluator.name());
            }
        }
    }
}
