//! Three turns deep: every candidate of sparse endings against exhaustive enumeration, and the seeds' boundaries of budget,
//! deadline and cancellation, which F10 would take too long for.

mod oracle;
mod reference;

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::AtomicBool;

use dicechess_native::board::Color;
use dicechess_native::eval::BuiltIn;
use dicechess_native::rules::Budget;
use dicechess_native::search::{
    BestTurn, Candidate, Expectimax, ExpectimaxConfig, RootSearchStats, ScoreSource, SearchControl,
    SearchOutcome, SearchResult, TranspositionTable,
};
use oracle::State;
use reference::{ROOK_ENDING, config, position, ranked, selected_turns};

/// Enough for every turn of a sparse ending.
const ALL: usize = 1000;
const SEED: u64 = 7;

type Leaf = fn(&State, oracle::Color) -> i64;

fn material_leaf(state: &State, view: oracle::Color) -> i64 {
    oracle::saturated(oracle::material(state, view))
}

fn standard_leaf(state: &State, view: oracle::Color) -> i64 {
    oracle::saturated(oracle::evaluate(state, view))
}

const EVALUATORS: [(BuiltIn, Leaf); 2] =
    [(BuiltIn::Material, material_leaf), (BuiltIn::Standard, standard_leaf)];

/// Every turn with its true value, by the oracle.
fn values_by_the_oracle(root: &State, plies: u32, leaf: Leaf) -> Vec<(String, f64)> {
    let mut known = HashMap::new();
    let scale = 216_f64.powi(plies as i32);
    let mut value = |after: State| {
        *known.entry(after.clone()).or_insert_with(|| {
            oracle::chance_numerator_weighted(&after, plies, root.mover, &leaf) as f64 / scale
        })
    };
    root.played_turns().into_iter().map(|(turn, after)| (turn, value(after))).collect()
}

/// The inner divisions round.
fn is_close(value: f64, truth: f64) -> bool {
    (value - truth).abs() <= 1e-12 * truth.abs().max(1.0)
}

fn assert_every_candidate_is_right(root: &State, depth: u32) {
    for (evaluator, leaf) in EVALUATORS {
        let dfen = root.to_dfen();
        let expected: HashMap<_, _> = values_by_the_oracle(root, depth - 1, leaf).into_iter().collect();
        let best = expected.values().copied().reduce(f64::max).unwrap();
        let engine_root = position(&dfen);
        for reply_probes in [false, true] {
            let config = ExpectimaxConfig { reply_probes, ..config(depth, ALL) };
            let search = Expectimax::new(config, &evaluator).unwrap();
            for (turn, after) in selected_turns(&engine_root, ALL) {
                let open = SearchControl::unbounded();
                let value =
                    search.chance_value(&after, engine_root.side_to_move(), &open).unwrap().outcome.exact();
                let truth = expected[&turn.to_string()];
                assert!(is_close(value.unwrap(), truth), "{dfen} {turn}: {value:?} is not {truth}");
            }
            for seed in 0..4 {
                let (result, candidates) = ranked(&search, &engine_root, &SearchControl::unbounded(), seed);
                assert_eq!(candidates.len(), expected.len(), "{dfen}");
                assert_candidates_agree(&candidates, &expected, best);
                let chosen = result.best.unwrap();
                let value = chosen.outcome.exact().unwrap();
                assert!(is_close(value, best), "{dfen}: {value} is not {best}");
                let truth = expected[&chosen.turn.to_string()];
                assert!(is_close(truth, best), "{dfen}: {} is not among the best", chosen.turn);
            }
        }
    }
}

fn assert_candidates_agree(candidates: &[Candidate], expected: &HashMap<String, f64>, best: f64) {
    for candidate in candidates {
        let truth = expected[&candidate.turn.to_string()];
        match candidate.outcome {
            SearchOutcome::Exact { value, .. } => assert!(is_close(value, truth), "{candidate:?}"),
            SearchOutcome::UpperBound { value, .. } => {
                assert!(truth <= value || is_close(value, truth), "{candidate:?} is worth {truth}");
                assert!(value < best, "{candidate:?}");
            }
            _ => panic!("{candidate:?}"),
        }
    }
}

fn assert_both_colours_are_right(dfen: &str, depth: u32) {
    let root = State::parse(dfen).unwrap();
    assert_every_candidate_is_right(&root, depth);
    assert_every_candidate_is_right(&root.mirrored(), depth);
}

#[test]
fn every_candidate_of_the_rook_ending_equals_exhaustive_enumeration() {
    assert_both_colours_are_right(ROOK_ENDING, 3);
}

#[test]
fn every_candidate_of_a_knight_ending_equals_exhaustive_enumeration() {
    assert_both_colours_are_right("8/8/8/5k2/8/8/8/N3K3 w - - 0 1 NK", 3);
}

#[test]
fn every_candidate_of_a_promoting_pawn_equals_exhaustive_enumeration() {
    assert_every_candidate_is_right(&State::parse("8/1k4P1/8/8/8/8/8/6K1 w - - 5 1 PQ").unwrap(), 3);
}

#[test]
fn every_candidate_of_a_pawn_race_equals_exhaustive_enumeration() {
    assert_every_candidate_is_right(&State::parse("k7/p7/8/8/1P3K2/8/8/8 b - - 0 1 ppk").unwrap(), 3);
}

#[test]
fn every_candidate_under_attack_by_a_bishop_equals_exhaustive_enumeration() {
    assert_every_candidate_is_right(&State::parse("7k/8/8/8/3b4/8/3P4/3K4 w - - 0 1 K").unwrap(), 3);
}

#[test]
fn lone_kings_equal_exhaustive_enumeration_four_turns_deep() {
    assert_both_colours_are_right("k7/8/8/8/8/8/8/K7 w - - 0 1 K", 4);
}

#[test]
fn the_216_ordered_rolls_and_the_56_weighted_ones_give_the_rook_ending_the_same_values() {
    let root = State::parse(ROOK_ENDING).unwrap();
    for (_, after) in root.root_positions() {
        let ordered = oracle::chance_numerator(&after, 2, root.mover, &standard_leaf);
        assert_eq!(ordered, oracle::chance_numerator_weighted(&after, 2, root.mover, &standard_leaf));
    }
}

fn three_deep() -> Expectimax<'static> {
    Expectimax::new(config(3, 8), &BuiltIn::Material).unwrap()
}

fn search(dfen: &str, control: &SearchControl<'_>) -> SearchResult {
    three_deep().find_best_move(&position(dfen), control, SEED).unwrap()
}

fn with_budget(dfen: &str, limit: u64) -> (SearchResult, Budget) {
    let budget = Budget::new(limit);
    let result = search(dfen, &SearchControl::unbounded().with_budget(&budget));
    (result, budget)
}

/// The budget that the rook ending needs.
fn need() -> u64 {
    with_budget(ROOK_ENDING, u64::MAX).1.used()
}

/// What a run did, without the unit count that only a budget has.
fn telemetry(result: &SearchResult) -> RootSearchStats {
    RootSearchStats { work_used: 0, ..result.stats }
}

/// Every way of being cancelled before the search begins.
fn cancelled_at_entry(search: &Expectimax<'_>, dfen: &str) -> Vec<SearchResult> {
    let exhausted = Budget::new(0);
    exhausted.charge(1).unwrap_err();
    let flag = AtomicBool::new(true);
    let controls = [
        SearchControl::unbounded().with_budget(&exhausted),
        SearchControl::unbounded().with_deadline(i64::MIN),
        SearchControl::unbounded().with_cancel_flag(&flag),
    ];
    controls.iter().map(|control| search.find_best_move(&position(dfen), control, SEED).unwrap()).collect()
}

#[test]
fn f4_forced_pass_is_none_three_turns_deep_under_every_control() {
    const F4: &str = "4k3/8/8/8/8/p7/P7/R3K3 w - - 0 1 PPP";
    let mut results = cancelled_at_entry(&three_deep(), F4);
    results.push(search(F4, &SearchControl::unbounded()));
    results.push(with_budget(F4, 0).0);
    for result in results {
        assert_eq!((result.best, result.stats), (None, RootSearchStats::default()));
    }
}

#[test]
fn f7_immediate_capture_is_played_three_turns_deep_although_cancelled_at_entry() {
    const F7: &str = "8/8/8/2k5/8/1N6/2P5/K7 w - - 0 1 NPP";
    for result in cancelled_at_entry(&three_deep(), F7) {
        let best = result.best.unwrap();
        assert_eq!((best.turn.to_string(), best.score), ("b3c5".into(), i32::MAX));
        assert_eq!(best.source, ScoreSource::Capture);
    }
    let (result, budget) = with_budget(F7, 0);
    assert_eq!(result.best.unwrap().source, ScoreSource::Capture);
    assert_eq!((budget.used(), budget.is_exhausted()), (0, false));
}

#[test]
fn the_exact_budget_reproduces_the_unbounded_search_and_is_not_exhausted() {
    let unbounded = search(ROOK_ENDING, &SearchControl::unbounded());
    let need = need();
    let (result, budget) = with_budget(ROOK_ENDING, need);
    assert_eq!((budget.used(), budget.is_exhausted()), (need, false));
    let found = |result: &SearchResult| {
        let BestTurn { turn, score, source, outcome } = result.best.unwrap();
        (turn, score, source, outcome.exact().unwrap())
    };
    assert_eq!(found(&result), found(&unbounded));
    assert_eq!(telemetry(&result), telemetry(&unbounded));
    assert_eq!(result.stats.candidates_completed + result.stats.cutoffs, 5);
}

#[test]
fn one_unit_less_abandons_exactly_one_candidate() {
    let need = need();
    let (result, budget) = with_budget(ROOK_ENDING, need - 1);
    assert_eq!((budget.used(), budget.is_exhausted()), (need - 1, true));
    let stats = result.stats;
    assert_eq!((stats.candidates_abandoned, stats.candidates_completed + stats.cutoffs), (1, 4));
    assert!(stats.deadline_truncated && !stats.fell_back_to_pre_rank);
    let best = result.best.unwrap();
    assert_eq!(best.source, ScoreSource::Search);
    assert!(matches!(best.outcome, SearchOutcome::LowerBound { .. }));
}

#[test]
fn budgets_of_one_and_zero_units_fall_back_to_the_pre_ranker() {
    let (first, _) = selected_turns(&position(ROOK_ENDING), 1)[0];
    for limit in [0, 1] {
        let (result, budget) = with_budget(ROOK_ENDING, limit);
        assert_eq!((budget.used(), budget.is_exhausted()), (limit, true));
        let best = result.best.unwrap();
        assert_eq!((best.turn, best.source), (first, ScoreSource::PreRank));
        assert_eq!(best.outcome, SearchOutcome::Incomplete { work_used: limit });
        assert_eq!((result.stats.candidates_completed, result.stats.candidates_abandoned), (0, 1));
        assert!(result.stats.deadline_truncated && result.stats.fell_back_to_pre_rank);
    }
}

#[test]
fn a_warm_table_does_not_rescue_a_cancelled_search() {
    let table = TranspositionTable::default();
    let search = three_deep().with_table(&table).unwrap();
    let root = position(ROOK_ENDING);
    search.find_best_move(&root, &SearchControl::unbounded(), SEED).unwrap();
    let warm = search.find_best_move(&root, &SearchControl::unbounded(), SEED).unwrap();
    assert!(warm.stats.tt_hits > 0, "the table is warm");
    for result in cancelled_at_entry(&search, ROOK_ENDING) {
        let best = result.best.unwrap();
        assert_eq!((best.source, best.outcome.value()), (ScoreSource::PreRank, None));
        assert_eq!((result.stats.tt_hits, result.stats.tt_cutoffs), (0, 0));
        assert!(result.stats.fell_back_to_pre_rank);
        let node = search.chance_value(&selected_turns(&root, 1)[0].1, Color::White, &cancelled()).unwrap();
        assert!(matches!(node.outcome, SearchOutcome::Incomplete { .. }));
    }
}

fn cancelled() -> SearchControl<'static> {
    SearchControl::unbounded().with_deadline(i64::MIN)
}

#[test]
fn whatever_the_budget_the_answer_is_the_best_of_the_finished_candidates() {
    let root = position(ROOK_ENDING);
    let exact: HashMap<_, _> = selected_turns(&root, 8)
        .into_iter()
        .map(|(turn, after)| {
            let open = SearchControl::unbounded();
            (
                turn.to_string(),
                three_deep().chance_value(&after, Color::White, &open).unwrap().outcome.exact(),
            )
        })
        .collect();
    let need = need();
    let mut finished = BTreeSet::new();
    for limit in (0..=need).step_by(need as usize / 40) {
        let budget = Budget::new(limit);
        let control = SearchControl::unbounded().with_budget(&budget);
        let (result, candidates) = ranked(&three_deep(), &root, &control, SEED);
        for candidate in candidates.iter().filter(|candidate| candidate.outcome.is_exact()) {
            assert_eq!(candidate.outcome.exact(), exact[&candidate.turn.to_string()]);
        }
        let best = candidates.iter().filter_map(|candidate| candidate.outcome.exact()).reduce(f64::max);
        assert_eq!(result.best.unwrap().outcome.value(), best);
        finished.insert(result.stats.candidates_completed + result.stats.cutoffs);
    }
    assert!(finished.len() > 3, "budgets end in different candidates: {finished:?}");
}
