//! The root rescore: what it blends and what it leaves alone, and that cutting with its transformed alpha loses no candidate
//! that could win or tie.

mod reference;

use dicechess_native::board::{Color, Position};
use dicechess_native::eval::{BuiltIn, Evaluator};
use dicechess_native::rules::legal_turns;
use dicechess_native::search::{
    Candidate, Expectimax, ExpectimaxConfig, RootRescore, ScoreSource, SearchControl, SearchError,
    SearchOutcome, SearchResult, TranspositionTable,
};
use proptest::collection::vec;
use proptest::prelude::*;
use reference::{
    CLOCKED, F10, FINE, Hashed, Plain, PlainSearch, ROOK_ENDING, ROUGH, Recording, config, evaluators,
    position, ranked, selected_turns, small_position, small_roll,
};

const FOUR_KING_STEPS: &str = "7k/8/8/8/8/8/r2P4/3K4 w - - 0 1 K";
/// Lost on no roll: every candidate is blended.
const SAFE: &str = ROOK_ENDING;
/// Whether the king is lost on some roll depends on the step.
const MIXED: &str = "7k/8/8/8/8/2n5/8/1K6 w - - 0 1 K";
const SEED: u64 = 3;

fn unbounded() -> SearchControl<'static> {
    SearchControl::unbounded()
}

fn rescored<'a>(
    config: ExpectimaxConfig,
    leaf: &'a dyn Evaluator,
    evaluator: &'a dyn Evaluator,
    weight: f64,
) -> Expectimax<'a> {
    Expectimax::new(config, leaf).unwrap().with_root_rescore(RootRescore { evaluator, weight }).unwrap()
}

fn score_of(evaluator: &dyn Evaluator, position: &Position, perspective: Color) -> f64 {
    let mut score = [f64::NAN];
    evaluator.evaluate(std::slice::from_ref(position), perspective, &mut score);
    score[0]
}

/// Worth the same everywhere.
struct Constant(f64);

impl Evaluator for Constant {
    fn name(&self) -> &str {
        "constant"
    }

    fn evaluate(&self, _: &[Position], _: Color, scores: &mut [f64]) {
        scores.fill(self.0);
    }
}

#[test]
fn a_weight_outside_zero_to_one_is_refused_with_its_value() {
    let error = |weight| {
        let search = Expectimax::new(config(2, 8), &BuiltIn::Material).unwrap();
        search.with_root_rescore(RootRescore { evaluator: &BuiltIn::Standard, weight }).err()
    };
    for weight in [-0.1, 1.1, f64::INFINITY, f64::NEG_INFINITY, -f64::MIN_POSITIVE, 1.0_f64.next_up()] {
        assert_eq!(error(weight), Some(SearchError::RescoreWeight(weight)));
    }
    assert!(matches!(error(f64::NAN), Some(SearchError::RescoreWeight(weight)) if weight.is_nan()));
    assert_eq!(error(-0.1).unwrap().to_string(), "root rescore weight must be from 0 to 1, not -0.1");
    for weight in [0.0, -0.0, f64::MIN_POSITIVE, 0.5, 1.0] {
        assert_eq!(error(weight), None);
    }
}

#[test]
fn weight_zero_is_no_rescore_and_never_calls_its_evaluator() {
    let recording = Recording::new(&FINE);
    for dfen in [F10, SAFE, MIXED] {
        let with_zero = rescored(config(2, 8), &BuiltIn::Material, &recording, 0.0);
        let without = Expectimax::new(config(2, 8), &BuiltIn::Material).unwrap();
        let root = position(dfen);
        assert_eq!(
            ranked(&with_zero, &root, &unbounded(), SEED),
            ranked(&without, &root, &unbounded(), SEED)
        );
    }
    assert_eq!(recording.calls(), 0);
}

#[test]
fn the_kept_positions_are_rescored_in_one_batch() {
    let recording = Recording::new(&FINE);
    let search = rescored(config(2, 8), &BuiltIn::Material, &recording, 0.5);
    let root = position(F10);
    search.find_best_move(&root, &unbounded(), SEED).unwrap();
    let kept: Vec<Position> = selected_turns(&root, 8).into_iter().map(|(_, after)| after).collect();
    assert_eq!(recording.take(), [kept]);
}

#[test]
fn a_cancelled_search_does_not_rescore() {
    let recording = Recording::new(&FINE);
    let search = rescored(config(2, 8), &BuiltIn::Material, &recording, 0.5);
    let control = unbounded().with_deadline(i64::MIN);
    let best = search.find_best_move(&position(F10), &control, SEED).unwrap().best.unwrap();
    assert_eq!((recording.calls(), best.source), (0, ScoreSource::PreRank));
}

#[test]
fn final_values_are_the_blends_of_search_and_rescore() {
    let root = position(SAFE);
    // By hand: White has a rook more after every step, and Black cannot change that on any roll.
    for (weight, blended) in [(0.25, 350.0), (0.5, 200.0), (1.0, -100.0)] {
        let search = rescored(config(2, 8), &BuiltIn::Material, &Constant(-100.0), weight);
        let (result, candidates) = ranked(&search, &root, &unbounded(), SEED);
        assert_eq!(candidates.len(), 5);
        for candidate in candidates {
            assert_eq!(candidate.outcome.exact(), Some(blended), "weight {weight}");
            assert!(!candidate.loss_tainted);
        }
        let best = result.best.unwrap();
        assert_eq!((f64::from(best.score), best.outcome.exact()), (blended, Some(blended)));
        assert_eq!(best.source, ScoreSource::Search);
    }
}

#[test]
fn the_rescore_decides_between_equal_search_values() {
    let root = position(SAFE);
    for weight in [0.25, 0.5, 1.0] {
        let search = rescored(config(2, 8), &BuiltIn::Material, &FINE, weight);
        let expected = selected_turns(&root, 8)
            .iter()
            .map(|(_, after)| (1.0 - weight) * 500.0 + weight * score_of(&FINE, after, Color::White))
            .fold(f64::NEG_INFINITY, f64::max);
        let best = search.find_best_move(&root, &unbounded(), SEED).unwrap().best.unwrap();
        assert_eq!(best.outcome.exact(), Some(expected), "weight {weight}");
    }
}

#[test]
fn a_candidate_that_loses_the_king_on_some_roll_keeps_its_search_value() {
    let root = position(MIXED);
    for weight in [0.25, 0.5, 1.0] {
        let search = rescored(config(2, 8), &BuiltIn::Material, &Constant(5000.0), weight);
        let (result, candidates) = ranked(&search, &root, &unbounded(), SEED);
        let mut plain = PlainSearch::new(&BuiltIn::Material, Color::White);
        let mut tainted = 0;
        for ((_, after), candidate) in selected_turns(&root, 8).iter().zip(&candidates) {
            let (value, lost) = plain.chance(after, 1);
            tainted += u32::from(lost);
            let expected = if lost { value } else { (1.0 - weight) * value + weight * 5000.0 };
            if let Some(exact) = candidate.outcome.exact() {
                assert_eq!((exact, candidate.loss_tainted), (expected, lost), "{candidate:?}");
            }
        }
        assert_eq!((candidates.len(), tainted), (5, 4));
        assert_eq!(result.best.unwrap().turn.to_string(), "b1a1", "the only step that loses on no roll");
    }
}

#[test]
fn without_a_pre_ranker_the_first_turns_in_canonical_order_are_searched() {
    let root = position(F10);
    let canonical: Vec<_> = legal_turns(&root).iter().take(8).collect();
    let search = Expectimax::new(config(2, 8), &BuiltIn::Material).unwrap().with_pre_ranker(None);
    let (_, candidates) = ranked(&search, &root, &unbounded(), SEED);
    let turns: Vec<_> = candidates.iter().map(|candidate| candidate.turn).collect();
    assert_eq!(turns, canonical);
    assert!(candidates.iter().all(|candidate| candidate.pre_rank == 0.0));
    let cancelled = unbounded().with_deadline(i64::MIN);
    let best = search.find_best_move(&root, &cancelled, SEED).unwrap().best.unwrap();
    assert_eq!((best.turn, best.score, best.source), (canonical[0], 0, ScoreSource::PreRank));
}

#[test]
fn a_pre_ranker_of_ones_own_selects_in_one_batch_and_keeps_canonical_order_among_equals() {
    let root = position(F10);
    let recording = Recording::new(&ROUGH);
    let search = Expectimax::new(config(2, 8), &BuiltIn::Material).unwrap();
    let search = search.with_pre_ranker(Some(&recording));
    let (_, candidates) = ranked(&search, &root, &unbounded(), SEED);
    let mut expected = selected_turns(&root, usize::MAX);
    // Back to canonical order first: sorts are stable.
    let canonical: Vec<_> = legal_turns(&root).iter().collect();
    expected.sort_by_key(|(turn, _)| canonical.iter().position(|other| other == turn));
    let batch: Vec<Position> = expected.iter().map(|&(_, after)| after).collect();
    assert_eq!(recording.take(), [batch]);
    let worth = |after: &Position| score_of(&ROUGH, after, Color::White);
    expected.sort_by(|(_, a), (_, b)| worth(b).total_cmp(&worth(a)));
    for (candidate, (turn, after)) in candidates.iter().zip(&expected) {
        assert_eq!((candidate.turn, candidate.pre_rank), (*turn, worth(after)));
    }
}

#[test]
fn a_pre_ranker_or_rescorer_outside_its_range_is_named_with_its_value() {
    let mildly_off = Hashed { name: "mildly off", values: 2, step: 20_000.0, clocks: false };
    for bad in [&Constant(10_000.5) as &dyn Evaluator, &Constant(f64::NAN), &mildly_off] {
        let search = || Expectimax::new(config(2, 8), &BuiltIn::Material).unwrap();
        let rescore = RootRescore { evaluator: bad, weight: 0.5 };
        for search in [search().with_pre_ranker(Some(bad)), search().with_root_rescore(rescore).unwrap()] {
            let error = search.find_best_move(&position(F10), &unbounded(), SEED).unwrap_err();
            assert!(matches!(error, SearchError::LeafOutOfRange { .. }));
            let text = error.to_string();
            assert!(text.starts_with(&format!("evaluator '{}' gave ", bad.name())), "{text}");
        }
    }
}

/// Each candidate's final value, by a search without any cuts.
fn final_values(
    root: &Position,
    config: ExpectimaxConfig,
    leaf: &dyn Evaluator,
    rescore: &dyn Evaluator,
    weight: f64,
) -> Vec<Plain> {
    let mover = root.side_to_move();
    let mut plain = PlainSearch::new(leaf, mover);
    let mut value = |after: &Position| {
        let (value, lost) = plain.chance(after, config.search_depth as usize - 1);
        let blended = (1.0 - weight) * value + weight * score_of(rescore, after, mover);
        (if lost || weight == 0.0 { value } else { blended }, lost)
    };
    selected_turns(root, config.candidate_limit).iter().map(|(_, after)| value(after)).collect()
}

fn assert_agrees((result, candidates): &(SearchResult, Vec<Candidate>), values: &[Plain], what: &str) {
    let best = values.iter().map(|&(value, _)| value).reduce(f64::max).unwrap();
    assert_eq!(result.best.unwrap().outcome.exact(), Some(best), "{what}");
    assert_eq!(candidates.len(), values.len(), "{what}");
    for (candidate, &(truth, lost)) in candidates.iter().zip(values) {
        match candidate.outcome {
            SearchOutcome::Exact { value, .. } => {
                assert_eq!((value, candidate.loss_tainted), (truth, lost), "{what}: {candidate:?}");
            }
            SearchOutcome::UpperBound { value, .. } => {
                assert!(truth <= value, "{what}: {candidate:?} is worth {truth}");
                assert!(truth < best, "{what}: {candidate:?} is among the best");
            }
            _ => panic!("{what}: {candidate:?}"),
        }
    }
    let chosen = candidates.iter().position(|candidate| candidate.turn == result.best.unwrap().turn);
    assert_eq!(values[chosen.unwrap()].0, best, "{what}");
}

fn assert_no_candidate_is_cut_that_could_win(
    root: &Position,
    depth: u32,
    leaf: &dyn Evaluator,
    rescore: &dyn Evaluator,
    weight: f64,
) {
    for reply_probes in [false, true] {
        let config = ExpectimaxConfig { reply_probes, ..config(depth, 8) };
        let values = final_values(root, config, leaf, rescore, weight);
        let table = TranspositionTable::new(1 << 12);
        let cached = rescored(config, leaf, rescore, weight).with_table(&table).unwrap();
        // A table keeps search values, so it may serve another weight.
        let other_weight = rescored(config, leaf, rescore, 1.0 - weight).with_table(&table).unwrap();
        other_weight.find_best_move(root, &unbounded(), SEED).unwrap();
        for search in [rescored(config, leaf, rescore, weight), cached] {
            for seed in 0..2 {
                let what = format!("{root} {} {} {weight}", leaf.name(), rescore.name());
                assert_agrees(&ranked(&search, root, &unbounded(), seed), &values, &what);
            }
        }
    }
}

fn is_quiet(root: &Position) -> bool {
    let turns = legal_turns(root);
    turns.captures().is_empty() && !turns.is_empty()
}

fn weights() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(0.25), Just(0.5), Just(1.0), Just(1.0_f64.next_down()), 0.0..=1.0]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_transformed_alpha_cuts_no_candidate_that_could_win_or_tie(
        (bytes, roll) in (vec(any::<u8>(), 0..32), vec(any::<u8>(), 0..8)),
        leaf in 0..evaluators().len(),
        (values, step) in (1_u64..5, prop_oneof![Just(0.1), Just(50.0), Just(4000.0)]),
        weight in weights(),
    ) {
        let root = small_position(&bytes, 5);
        let root = root.with_dice(small_roll(&root, &roll));
        prop_assume!(is_quiet(&root));
        let rescore = Hashed { name: "rescore", values, step, clocks: false };
        assert_no_candidate_is_cut_that_could_win(&root, 2, evaluators()[leaf], &rescore, weight);
    }
}

#[test]
fn the_transformed_alpha_cuts_no_candidate_that_could_win_or_tie_on_known_positions() {
    for (dfen, depth) in
        [(F10, 2), (MIXED, 2), (FOUR_KING_STEPS, 2), (MIXED, 3), (SAFE, 3), (FOUR_KING_STEPS, 3)]
    {
        for weight in [0.1, 0.5, 0.9, 1.0] {
            for rescore in [&CLOCKED as &dyn Evaluator, &FINE, &ROUGH] {
                let root = position(dfen);
                assert_no_candidate_is_cut_that_could_win(&root, depth, &BuiltIn::Material, rescore, weight);
            }
        }
    }
}
