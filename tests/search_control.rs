//! Limits end a search in an orderly way: the seeds' fixtures F4, F7 and F10 at every boundary of budget, deadline and
//! cancellation.

use std::cell::Cell;
use std::sync::atomic::AtomicBool;

use dicechess_native::board::Position;
use dicechess_native::eval::BuiltIn;
use dicechess_native::rules::Budget;
use dicechess_native::search::{
    Candidate, Expectimax, ExpectimaxConfig, RootSearchStats, ScoreSource, SearchControl, SearchError,
    SearchOutcome, SearchResult,
};

const F4: &str = "4k3/8/8/8/8/p7/P7/R3K3 w - - 0 1 PPP";
const F7: &str = "8/8/8/2k5/8/1N6/2P5/K7 w - - 0 1 NPP";
const F10: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 3 NBP";
/// Has few candidates and classes, so that every interruption point can be tried.
const SPARSE: &str = "4k3/8/8/3q4/2P5/8/8/4K3 w - - 0 1 PPK";

const SEED: u64 = 7;

fn search(dfen: &str, control: &SearchControl<'_>) -> SearchResult {
    ranked(dfen, control).0
}

/// The search with its candidates.
fn ranked(dfen: &str, control: &SearchControl<'_>) -> (SearchResult, Vec<Candidate>) {
    let search = Expectimax::new(ExpectimaxConfig::default(), &BuiltIn::Material).unwrap();
    let mut candidates = Vec::new();
    let result = search.rank_moves(&dfen.parse().unwrap(), control, SEED, &mut candidates).unwrap();
    (result, candidates)
}

fn with_budget(dfen: &str, limit: u64) -> (SearchResult, Budget) {
    let budget = Budget::new(limit);
    let result = search(dfen, &SearchControl::unbounded().with_budget(&budget));
    (result, budget)
}

/// Every way of being cancelled before the search begins.
fn cancelled_at_entry(dfen: &str) -> Vec<SearchResult> {
    let exhausted = Budget::new(0);
    exhausted.charge(1).unwrap_err();
    let flag = AtomicBool::new(true);
    let controls = [
        SearchControl::unbounded().with_budget(&exhausted),
        SearchControl::unbounded().with_deadline(i64::MIN),
        SearchControl::unbounded().with_cancel_flag(&flag),
    ];
    controls.iter().map(|control| search(dfen, control)).collect()
}

/// What a run did, without the unit count that only a budget has.
fn telemetry(result: &SearchResult) -> RootSearchStats {
    RootSearchStats { work_used: 0, ..result.stats }
}

#[test]
fn f4_forced_pass_is_none_with_all_zero_statistics_under_every_control() {
    let mut results = cancelled_at_entry(F4);
    results.push(search(F4, &SearchControl::unbounded()));
    for result in results {
        assert_eq!(result.best, None);
        assert_eq!(result.stats, RootSearchStats::default());
    }
}

#[test]
fn f7_immediate_capture_is_played_although_cancelled_at_entry() {
    for result in cancelled_at_entry(F7) {
        let best = result.best.unwrap();
        assert_eq!(best.turn.to_string(), "b3c5");
        assert_eq!((best.score, best.source), (i32::MAX, ScoreSource::Capture));
        let stats = RootSearchStats { legal_turns: result.stats.legal_turns, ..Default::default() };
        assert_eq!(result.stats, stats);
    }
}

#[test]
fn f7_root_generation_charges_nothing_to_the_budget() {
    let (result, budget) = with_budget(F7, 0);
    assert!(result.best.is_some());
    assert_eq!((budget.used(), budget.is_exhausted()), (0, false));
}

#[test]
fn f10_budget_of_the_exact_need_reproduces_the_unbounded_search() {
    let unbounded = search(F10, &SearchControl::unbounded());
    let (measured, budget) = with_budget(F10, 1_000_000_000);
    let need = budget.used();
    assert_eq!(measured.stats.work_used, need);
    let (result, budget) = with_budget(F10, need);
    assert_eq!((budget.used(), budget.is_exhausted()), (need, false));
    let (best, expected) = (result.best.unwrap(), unbounded.best.unwrap());
    assert_eq!((best.turn, best.score), (expected.turn, expected.score));
    assert_eq!(best.outcome.exact(), expected.outcome.exact());
    assert_eq!(telemetry(&result), telemetry(&unbounded));
    assert_eq!(result.stats.candidates_completed + result.stats.cutoffs, 8);
}

#[test]
fn f10_budget_of_one_unit_less_abandons_exactly_one_candidate() {
    let need = with_budget(F10, 1_000_000_000).1.used();
    let (result, budget) = with_budget(F10, need - 1);
    assert_eq!((budget.used(), budget.is_exhausted()), (need - 1, true));
    assert_eq!(result.stats.candidates_abandoned, 1);
    assert!(result.stats.deadline_truncated && !result.stats.fell_back_to_pre_rank);
    let best = result.best.unwrap();
    assert!(matches!(best.outcome, SearchOutcome::LowerBound { .. }));
    assert_eq!(best.source, ScoreSource::Search);
}

#[test]
fn f10_budgets_of_one_and_zero_units_fall_back_to_the_pre_ranker() {
    let first = ranked(F10, &SearchControl::unbounded()).1[0];
    for limit in [0, 1] {
        let (result, budget) = with_budget(F10, limit);
        assert_eq!(budget.used(), limit);
        let best = result.best.unwrap();
        assert_eq!((best.turn, best.source), (first.turn, ScoreSource::PreRank));
        assert_eq!(f64::from(best.score), first.pre_rank);
        assert_eq!(best.outcome, SearchOutcome::Incomplete { work_used: limit });
        assert!(result.stats.deadline_truncated && result.stats.fell_back_to_pre_rank);
        assert_eq!(result.stats.candidates_completed, 0);
    }
}

/// The answer must be the best of what was finished, by the values that the full search gives.
fn assert_best_of_the_finished((result, candidates): &(SearchResult, Vec<Candidate>), full: &[Candidate]) {
    let finished: Vec<_> = candidates.iter().zip(full).collect();
    for (cut, whole) in &finished {
        assert_eq!(cut.turn, whole.turn);
        assert!(!cut.outcome.is_exact() || cut.outcome.exact() == whole.outcome.exact());
    }
    let best = result.best.unwrap();
    let value = finished.iter().filter_map(|(cut, _)| cut.outcome.exact()).reduce(f64::max);
    match value {
        None => assert_eq!((best.turn, best.source), (full[0].turn, ScoreSource::PreRank)),
        Some(value) => {
            assert_eq!(best.outcome.value(), Some(value));
            let chosen = finished.iter().find(|(cut, _)| cut.turn == best.turn).unwrap();
            assert_eq!(chosen.0.outcome.exact(), Some(value));
        }
    }
}

#[test]
fn every_budget_up_to_the_need_leaves_the_best_of_the_finished_candidates() {
    let (full, full_candidates) = ranked(SPARSE, &SearchControl::unbounded());
    let need = with_budget(SPARSE, 1_000_000_000).1.used();
    let mut finished = 0;
    for limit in (0..=need).step_by(7).chain([need]) {
        let budget = Budget::new(limit);
        let cut = ranked(SPARSE, &SearchControl::unbounded().with_budget(&budget));
        assert!(budget.used() <= limit);
        assert!(budget.used() == limit || !budget.is_exhausted());
        let now_finished = cut.0.stats.candidates_completed + cut.0.stats.cutoffs;
        assert!(now_finished >= finished, "more budget finishes no fewer");
        finished = now_finished;
        assert_best_of_the_finished(&cut, &full_candidates);
    }
    assert_eq!(finished, full.stats.candidates_selected);
}

#[test]
fn cancelling_at_every_check_leaves_the_best_of_the_finished_candidates() {
    let (full, full_candidates) = ranked(SPARSE, &SearchControl::unbounded());
    let reads = Cell::new(0);
    let clock = || {
        reads.set(reads.get() + 1);
        reads.get()
    };
    for deadline in 1.. {
        reads.set(0);
        let control = SearchControl::unbounded().with_deadline(deadline).with_clock(&clock);
        let cut = ranked(SPARSE, &control);
        assert_best_of_the_finished(&cut, &full_candidates);
        let result = cut.0;
        if !result.stats.deadline_truncated {
            assert_eq!(telemetry(&result), telemetry(&full));
            assert!(deadline > 30, "there are many checks to cancel at: {deadline}");
            break;
        }
        assert_eq!(reads.get(), deadline, "a cancelled control reads no clock again");
    }
}

#[test]
fn a_control_checks_latch_then_flag_then_budget_then_clock() {
    let reads = Cell::new(0);
    let clock = || {
        reads.set(reads.get() + 1);
        0
    };
    let flag = AtomicBool::new(true);
    let control = SearchControl::unbounded().with_deadline(1).with_clock(&clock).with_cancel_flag(&flag);
    assert!(control.is_cancelled());
    flag.store(false, std::sync::atomic::Ordering::Relaxed);
    assert!(control.is_cancelled(), "the latch holds when the flag is taken back");
    let exhausted = Budget::new(0);
    exhausted.charge(1).unwrap_err();
    let control = SearchControl::unbounded().with_deadline(1).with_clock(&clock).with_budget(&exhausted);
    assert!(control.is_cancelled());
    assert_eq!(reads.get(), 0, "the clock is asked last");
    let control = SearchControl::unbounded().with_deadline(1).with_clock(&clock);
    assert!(!control.is_cancelled());
    assert_eq!(reads.get(), 1);
}

#[test]
fn the_clock_is_never_read_without_a_deadline() {
    let clock = || panic!("read");
    let control = SearchControl::unbounded().with_clock(&clock);
    assert!(!control.is_timed());
    assert!(search(SPARSE, &control).best.unwrap().outcome.is_exact());
}

#[test]
fn a_deadline_that_equals_the_clock_is_late() {
    let clock = || 5;
    let late =
        |deadline| SearchControl::unbounded().with_deadline(deadline).with_clock(&clock).is_cancelled();
    assert_eq!([late(i64::MIN), late(4), late(5), late(6)], [true, true, true, false]);
}

#[test]
fn a_root_without_dice_or_without_a_king_is_an_error_that_says_so() {
    let error = |dfen: &str, config| {
        let root: Position = dfen.parse().unwrap();
        Expectimax::new(config, &BuiltIn::Material)
            .and_then(|search| search.find_best_move(&root, &SearchControl::unbounded(), SEED))
            .unwrap_err()
            .to_string()
    };
    let config = ExpectimaxConfig::default();
    assert_eq!(
        error("4k3/8/8/8/8/8/8/4K3 w - - 0 1", config),
        "the dice pool is empty: a root position needs its roll"
    );
    assert_eq!(
        error("4k3/8/8/8/8/8/8/8 w - - 0 1 K", config),
        "White has no king: there is no game to search"
    );
    assert_eq!(
        error(F10, ExpectimaxConfig { candidate_limit: 0, ..config }),
        "candidate limit must be at least 1, not 0"
    );
    assert_eq!(
        error(F10, ExpectimaxConfig { search_depth: 9, ..config }),
        "search depth must be from 2 to 8, not 9"
    );
}

#[test]
fn an_evaluator_outside_its_range_is_named_with_its_value() {
    struct Broken;
    impl dicechess_native::eval::Evaluator for Broken {
        fn name(&self) -> &str {
            "broken"
        }
        fn evaluate(&self, _: &[Position], _: dicechess_native::board::Color, scores: &mut [f64]) {
            scores.fill(10_000.5);
        }
    }
    let search = Expectimax::new(ExpectimaxConfig::default(), &Broken).unwrap();
    let error = search.find_best_move(&F10.parse().unwrap(), &SearchControl::unbounded(), SEED).unwrap_err();
    assert!(matches!(error, SearchError::LeafOutOfRange { .. }));
    assert_eq!(error.to_string(), "evaluator 'broken' gave 10000.5, outside -10000..=10000");
}

#[test]
fn a_clock_that_jumps_at_any_check_ends_the_search_once_and_for_all() {
    let (full, _) = ranked(F10, &SearchControl::unbounded());
    let checks = {
        let reads = Cell::new(0);
        let clock = || -> i64 {
            reads.set(reads.get() + 1);
            // Backwards for ever: never late.
            -reads.get()
        };
        let (unhurried, _) = ranked(F10, &SearchControl::unbounded().with_deadline(1).with_clock(&clock));
        assert_eq!(unhurried, full);
        reads.get()
    };
    for late_at in 1..=checks {
        let reads = Cell::new(0);
        // Forwards past the deadline at one check, and back before everything at the next.
        let clock = || {
            reads.set(reads.get() + 1);
            if reads.get() == late_at { i64::MAX } else { i64::MIN }
        };
        let control = SearchControl::unbounded().with_deadline(0).with_clock(&clock);
        let (result, candidates) = ranked(F10, &control);
        assert_eq!(reads.get(), late_at, "the clock is not asked again");
        assert!(control.is_cancelled() && result.best.is_some());
        // A jump at the last check comes too late to take anything away.
        let unfinished = candidates.iter().any(|candidate| candidate.outcome.exact().is_none());
        assert!(!result.stats.deadline_truncated || unfinished, "{late_at}");
    }
}
