//! Where a search notices that it must stop: the six check points of "Bounded Search Outcomes", section 2, and cancellation
//! from another thread.

mod reference;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

use dicechess_native::board::{Color, Position};
use dicechess_native::eval::{BuiltIn, Evaluator};
use dicechess_native::rules::{Budget, Finals, Identity, ReachSets, legal_turns, partition};
use dicechess_native::search::{
    Expectimax, ExpectimaxConfig, RootRescore, ScoreSource, SearchControl, SearchOutcome, TranspositionTable,
};
use reference::{F10, LossOnly, ROOK_ENDING, ROUGH, Recording, config, position, ranked, selected_turns};

/// All five steps are candidates, and on no roll is a king lost: every decision is made.
const SPARSE: &str = ROOK_ENDING;
const SEED: u64 = 7;

fn unbounded() -> SearchControl<'static> {
    SearchControl::unbounded()
}

/// Sets a flag in its `after`-th call, and counts its calls.
struct Cancelling<'a> {
    flag: &'a AtomicBool,
    after: usize,
    calls: AtomicUsize,
}

impl<'a> Cancelling<'a> {
    fn new(flag: &'a AtomicBool, after: usize) -> Self {
        Self { flag, after, calls: AtomicUsize::new(0) }
    }

    fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }
}

impl Evaluator for Cancelling<'_> {
    fn name(&self) -> &str {
        "cancelling"
    }

    fn evaluate(&self, positions: &[Position], perspective: Color, scores: &mut [f64]) {
        if self.calls.fetch_add(1, Ordering::Relaxed) + 1 == self.after {
            self.flag.store(true, Ordering::Relaxed);
        }
        ROUGH.evaluate(positions, perspective, scores);
    }

    fn reads_clocks(&self) -> bool {
        false
    }
}

/// A clock that advances by one per read.
struct Ticks(Cell<i64>);

impl Ticks {
    fn new() -> Self {
        Self(Cell::new(0))
    }

    fn read(&self) -> i64 {
        self.0.set(self.0.get() + 1);
        self.0.get()
    }
}

/// Every way of being cancelled before the search begins.
fn for_each_cancelled_control(mut check: impl FnMut(&SearchControl<'_>)) {
    let exhausted = Budget::new(0);
    exhausted.charge(1).unwrap_err();
    check(&unbounded().with_budget(&exhausted));
    check(&unbounded().with_deadline(i64::MIN));
    let flag = AtomicBool::new(true);
    check(&unbounded().with_cancel_flag(&flag));
}

#[test]
fn check_point_1_before_the_first_piece_of_search_work() {
    let (leaf, rescorer, pre_ranker) =
        (Recording::new(&ROUGH), Recording::new(&ROUGH), Recording::new(&ROUGH));
    for weight in [0.0, 0.5] {
        for depth in [2, 3] {
            let search = Expectimax::new(config(depth, 8), &leaf).unwrap().with_pre_ranker(Some(&pre_ranker));
            let rescore = RootRescore { evaluator: &rescorer, weight };
            let search = search.with_root_rescore(rescore).unwrap();
            for_each_cancelled_control(|control| {
                let used = control.work_used();
                let result = search.find_best_move(&position(SPARSE), control, SEED).unwrap();
                assert_eq!((leaf.calls(), rescorer.calls()), (0, 0));
                assert_eq!(pre_ranker.take().len(), 1, "the fallback is found all the same");
                let stats = result.stats;
                assert_eq!((stats.chance_nodes, stats.leaves, stats.candidates_abandoned), (0, 0, 0));
                assert_eq!(control.work_used(), used);
                assert_eq!(result.best.unwrap().source, ScoreSource::PreRank);
                let node = selected_turns(&position(SPARSE), 1)[0].1;
                let node = search.chance_value(&node, Color::White, control).unwrap();
                assert_eq!(node.outcome, SearchOutcome::Incomplete { work_used: used });
                assert_eq!((node.classes_resolved, leaf.calls()), (0, 0));
            });
        }
    }
}

/// Cancels a search on a warm table at each of its checks. Nothing but these happens there: one between candidates, one
/// before each look-up.
fn cancelled_at_each_check_on_a_warm_table(mut check: impl FnMut(i64, u64, u64)) {
    let table = TranspositionTable::new(1 << 12);
    let leaf = Recording::new(&LossOnly);
    let search = Expectimax::new(config(2, 8), &leaf).unwrap().with_table(&table).unwrap();
    let root = position(SPARSE);
    search.find_best_move(&root, &unbounded(), SEED).unwrap();
    leaf.take();
    for deadline in 1.. {
        let ticks = Ticks::new();
        let clock = || ticks.read();
        let control = unbounded().with_deadline(deadline).with_clock(&clock);
        let stats = search.find_best_move(&root, &control, SEED).unwrap().stats;
        assert_eq!((stats.leaves, leaf.calls()), (0, 0), "the table answers or nothing does");
        check(deadline, stats.tt_hits, stats.candidates_abandoned);
        if !stats.deadline_truncated {
            assert_eq!(stats.tt_hits, 5);
            return;
        }
    }
}

#[test]
fn check_point_2_between_root_candidates() {
    // Stopped between two candidates none is abandoned.
    let mut between = BTreeSet::new();
    cancelled_at_each_check_on_a_warm_table(|_, hits, abandoned| {
        if abandoned == 0 {
            between.insert(hits);
        }
    });
    assert_eq!(between, (0..=5).collect());
}

#[test]
fn check_point_3_between_dice_rolls() {
    // All classes with a king die capture and none of them needs an evaluator; only the look between rolls can stop this.
    let node = position("8/8/8/8/8/8/1k6/K7 b - - 0 1");
    let mut resolved = Vec::new();
    for deadline in 1.. {
        let ticks = Ticks::new();
        let clock = || ticks.read();
        let search = Expectimax::new(config(2, 8), &LossOnly).unwrap();
        let control = unbounded().with_deadline(deadline).with_clock(&clock);
        let node = search.chance_value(&node, Color::White, &control).unwrap();
        resolved.push(node.classes_resolved);
        if node.outcome.is_exact() {
            break;
        }
        assert_eq!(node.outcome.value(), None);
    }
    resolved.dedup();
    assert_eq!(resolved, [0, 1, 2, 3, 4], "each roll can be the last");
}

#[test]
fn check_point_3_between_dice_rolls_at_every_depth() {
    // Black passes without a king die and White without a king or a queen die, so the lowest node of this board comes
    // first, at every depth. There White's queen takes the king on all classes with her die.
    let lowest = position("7k/8/8/7Q/8/8/8/K7 w - - 0 1");
    let mut sets = ReachSets::new(Identity::AfterTurnEnd);
    sets.reset(&lowest);
    // How many classes without an evaluator lie before each that calls it.
    let mut captures_before = vec![0];
    for class in partition(&lowest) {
        match sets.finals(class.roll, &Budget::unlimited()).unwrap() {
            Finals::KingCapture => *captures_before.last_mut().unwrap() += 1,
            _ => captures_before.push(0),
        }
    }
    captures_before.pop();
    assert!(captures_before.iter().any(|&captures| captures >= 3), "{captures_before:?}");

    for depth in 2..=4 {
        let mut node = lowest;
        if depth % 2 == 1 {
            node.set_side_to_move(Color::Black);
        }
        let leaf = Recording::new(&LossOnly);
        let (ticks, reads_before) = (Ticks::new(), std::cell::RefCell::new(Vec::new()));
        let clock = || {
            let calls = leaf.calls();
            let mut reads: std::cell::RefMut<'_, Vec<i64>> = reads_before.borrow_mut();
            if reads.len() <= calls {
                reads.resize(calls + 1, 0);
            }
            reads[calls] += 1;
            ticks.read()
        };
        let search = Expectimax::new(config(depth, 8), &leaf).unwrap();
        let control = unbounded().with_deadline(i64::MAX - 1).with_clock(&clock);
        search.chance_value(&node, Color::White, &control).unwrap();
        let reads = reads_before.borrow();
        for (call, &captures) in captures_before.iter().enumerate() {
            assert!(reads[call] > captures, "depth {depth}: {} checks for {captures} rolls", reads[call]);
        }
    }
}

#[test]
fn check_point_4_inside_nested_rules_queries_through_the_shared_budget() {
    for depth in [2, 3] {
        let calls_within = |limit| {
            let (leaf, budget) = (Recording::new(&ROUGH), Budget::new(limit));
            let search = Expectimax::new(config(depth, 1), &leaf).unwrap();
            let control = unbounded().with_budget(&budget);
            let result = search.find_best_move(&position(SPARSE), &control, SEED).unwrap();
            assert_eq!(budget.is_exhausted(), result.stats.deadline_truncated);
            assert_eq!(result.best.unwrap().outcome.is_exact(), !budget.is_exhausted());
            (leaf.calls(), budget)
        };
        let (all, budget) = calls_within(u64::MAX);
        let need = budget.used();
        // Whatever query the last unit goes to, nothing is evaluated after it.
        let mut calls = Vec::new();
        for limit in (0..need).step_by(if depth == 2 { 1 } else { 997 }).chain([need - 1, need]) {
            let (now, budget) = calls_within(limit);
            assert_eq!(budget.used(), limit);
            assert!(calls.last().is_none_or(|&before| before <= now), "more budget, no fewer calls");
            calls.push(now);
        }
        calls.dedup();
        // A roll without dice is no query: it passes for nothing.
        assert!(calls[0] <= 1 && *calls.last().unwrap() == all);
        assert!(depth > 2 || calls.len() == all, "each query can be the last: {calls:?} of {all}");
        assert!(calls.len() > 3);
    }
}

#[test]
fn check_point_5_right_after_a_batch_evaluator_call() {
    for depth in [2, 3] {
        for reply_probes in [false, true] {
            let config = ExpectimaxConfig { reply_probes, ..config(depth, 8) };
            let flag = AtomicBool::new(false);
            let run = |after| {
                flag.store(false, Ordering::Relaxed);
                let leaf = Cancelling::new(&flag, after);
                let search = Expectimax::new(config, &leaf).unwrap();
                let control = unbounded().with_cancel_flag(&flag);
                let (result, candidates) = ranked(&search, &position(SPARSE), &control, SEED);
                (leaf.calls(), result, candidates)
            };
            let (all, full, full_candidates) = run(usize::MAX);
            assert!(!full.stats.deadline_truncated);
            let step = if depth == 2 { 1 } else { all / 60 };
            for after in (1..=all).step_by(step).chain([all]) {
                let (calls, result, candidates) = run(after);
                assert_eq!(calls, after, "not one more call, depth {depth}");
                let stats = result.stats;
                // Even the last result of the last candidate is not used.
                assert_eq!(stats.candidates_abandoned, 1, "call {after} of {all}");
                assert!(stats.deadline_truncated);
                for (candidate, whole) in candidates.iter().zip(&full_candidates) {
                    assert!(candidate.outcome.value().is_none() || candidate == whole);
                }
                let best =
                    candidates.iter().filter_map(|candidate| candidate.outcome.exact()).reduce(f64::max);
                assert_eq!(result.best.unwrap().outcome.value(), best);
            }
        }
    }
}

#[test]
fn check_point_5_right_after_the_rescore_batch() {
    let flag = AtomicBool::new(false);
    let rescorer = Cancelling::new(&flag, 1);
    let leaf = Recording::new(&ROUGH);
    let rescore = RootRescore { evaluator: &rescorer, weight: 0.5 };
    let search = Expectimax::new(config(2, 8), &leaf).unwrap().with_root_rescore(rescore).unwrap();
    let control = unbounded().with_cancel_flag(&flag);
    let result = search.find_best_move(&position(SPARSE), &control, SEED).unwrap();
    assert_eq!((rescorer.calls(), leaf.calls()), (1, 0));
    assert_eq!((result.stats.chance_nodes, result.best.unwrap().source), (0, ScoreSource::PreRank));
}

/// A host's evaluator that sees the cancellation itself and returns at once, its scores unwritten.
struct GivesUp<'a>(&'a AtomicBool);

impl Evaluator for GivesUp<'_> {
    fn name(&self) -> &str {
        "gives up"
    }

    fn evaluate(&self, _: &[Position], _: Color, scores: &mut [f64]) {
        self.0.store(true, Ordering::Relaxed);
        scores.fill(f64::NAN);
    }
}

#[test]
fn check_point_5_the_result_of_a_call_during_which_the_search_was_cancelled_is_not_even_looked_at() {
    for reply_probes in [false, true] {
        let flag = AtomicBool::new(false);
        let gives_up = GivesUp(&flag);
        let config = ExpectimaxConfig { reply_probes, ..config(2, 8) };
        let as_leaf = Expectimax::new(config, &gives_up).unwrap();
        let rescore = RootRescore { evaluator: &gives_up, weight: 0.5 };
        let as_rescorer = Expectimax::new(config, &ROUGH).unwrap().with_root_rescore(rescore).unwrap();
        for search in [as_leaf, as_rescorer] {
            flag.store(false, Ordering::Relaxed);
            let control = unbounded().with_cancel_flag(&flag);
            let result = search.find_best_move(&position(SPARSE), &control, SEED).unwrap();
            assert_eq!(result.best.unwrap().source, ScoreSource::PreRank);
        }
    }
}

#[test]
fn check_point_6_before_every_cache_hit_of_the_root() {
    // Stopped before a look-up the candidate is abandoned, though the table knows it.
    let mut before_a_hit = BTreeSet::new();
    cancelled_at_each_check_on_a_warm_table(|_, hits, abandoned| {
        if abandoned == 1 {
            before_a_hit.insert(hits);
        }
    });
    assert_eq!(before_a_hit, (0..5).collect());
}

#[test]
fn check_point_6_before_every_cache_hit_of_a_recursive_node() {
    let table = TranspositionTable::new(1 << 16);
    let leaf = Recording::new(&ROUGH);
    let search = Expectimax::new(config(3, 8), &leaf).unwrap().with_table(&table).unwrap();
    // The node itself is not looked up, those after Black's replies are.
    let (_, node) = selected_turns(&position(SPARSE), 1)[0];
    let value = search.chance_value(&node, Color::White, &unbounded()).unwrap().outcome.exact();
    leaf.take();
    let run = |deadline| {
        let ticks = Ticks::new();
        let clock = || ticks.read();
        let control = unbounded().with_deadline(deadline).with_clock(&clock);
        let outcome = search.chance_value(&node, Color::White, &control).unwrap().outcome;
        assert_eq!(leaf.calls(), 0, "the table knows all of it");
        (outcome, ticks.0.get())
    };
    let (outcome, checks) = run(i64::MAX - 1);
    assert_eq!(outcome.exact(), value);
    let mut sets = ReachSets::new(Identity::AfterTurnEndIgnoringClock);
    sets.reset(&node);
    let hits: usize = partition(&node)
        .iter()
        .map(|class| match sets.finals(class.roll, &Budget::unlimited()).unwrap() {
            Finals::KingCapture => 0,
            Finals::ForcedPass => 1,
            Finals::Positions(replies) => replies.len(),
        })
        .sum();
    assert!(hits > 20 && checks >= hits as i64, "{checks} checks for {hits} hits");
    for deadline in 1..=checks {
        assert_eq!(run(deadline), (SearchOutcome::Incomplete { work_used: 0 }, deadline));
    }
}

/// Tells another thread of its call number `at`, and goes on only when that thread has set the flag.
struct Rendezvous<'a> {
    at: usize,
    calls: AtomicUsize,
    reached: mpsc::SyncSender<()>,
    flag: &'a AtomicBool,
}

impl Evaluator for Rendezvous<'_> {
    fn name(&self) -> &str {
        "rendezvous"
    }

    fn evaluate(&self, positions: &[Position], perspective: Color, scores: &mut [f64]) {
        if self.calls.fetch_add(1, Ordering::Relaxed) + 1 == self.at {
            self.reached.send(()).unwrap();
            while !self.flag.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
        }
        BuiltIn::Standard.evaluate(positions, perspective, scores);
    }

    fn reads_clocks(&self) -> bool {
        false
    }
}

#[test]
fn a_flag_set_by_another_thread_ends_f10_three_deep_with_a_legal_turn() {
    let root = position(F10);
    let is_legal = |turn| legal_turns(&root).iter().any(|legal| legal == turn);
    for at in [1, 100, 2000] {
        let flag = AtomicBool::new(false);
        let (reached, wait) = mpsc::sync_channel(1);
        let leaf = Rendezvous { at, calls: AtomicUsize::new(0), reached, flag: &flag };
        std::thread::scope(|scope| {
            let flag = &flag;
            scope.spawn(move || {
                // Fails when the search has ended without getting there, and must not hang then.
                if wait.recv().is_ok() {
                    flag.store(true, Ordering::Relaxed);
                }
            });
            let search = Expectimax::new(config(3, 8), &leaf).unwrap();
            let control = unbounded().with_cancel_flag(flag);
            let result = search.find_best_move(&root, &control, SEED).unwrap();
            assert!(is_legal(result.best.unwrap().turn));
            assert!(result.stats.deadline_truncated);
            assert_eq!(result.stats.candidates_abandoned, 1);
            assert_eq!(leaf.calls.load(Ordering::Relaxed), at, "not one more call");
        });
    }
}

#[test]
fn a_clock_that_jumps_back_does_not_revive_a_search() {
    let reads = Cell::new(0);
    // Late once, at the tenth read, and early ever after.
    let clock = || {
        reads.set(reads.get() + 1);
        if reads.get() == 10 { 1000 } else { -1000 }
    };
    for depth in [2, 3] {
        reads.set(0);
        let search = Expectimax::new(config(depth, 8), &ROUGH).unwrap();
        let control = unbounded().with_deadline(1000).with_clock(&clock);
        let result = search.find_best_move(&position(SPARSE), &control, SEED).unwrap();
        assert_eq!(reads.get(), 10, "the clock is not asked again");
        assert!(result.stats.deadline_truncated && control.is_cancelled());
        assert_eq!(result.stats.candidates_abandoned, 1);
        reads.set(20);
        assert!(control.is_cancelled(), "the same control stays cancelled in the next search");
        let next = search.find_best_move(&position(SPARSE), &control, SEED).unwrap();
        assert_eq!((next.stats.chance_nodes, reads.get()), (0, 20));
    }
}

#[test]
fn a_clock_that_jumps_forward_cancels_at_the_next_check() {
    for jump_to in [1000, i64::MAX] {
        let reads = Cell::new(0);
        let clock = || {
            reads.set(reads.get() + 1);
            if reads.get() < 10 { i64::MIN } else { jump_to }
        };
        let search = Expectimax::new(config(2, 8), &ROUGH).unwrap();
        let control = unbounded().with_deadline(1000).with_clock(&clock);
        let result = search.find_best_move(&position(SPARSE), &control, SEED).unwrap();
        assert_eq!((reads.get(), result.stats.deadline_truncated), (10, true));
    }
}

#[test]
fn extreme_deadlines_are_always_and_never_late() {
    let search = Expectimax::new(config(2, 8), &ROUGH).unwrap();
    let unlimited = search.find_best_move(&position(SPARSE), &unbounded(), SEED).unwrap();
    for now in [i64::MIN, -1, 0, 1, i64::MAX] {
        let reads = Cell::new(0);
        let clock = || {
            reads.set(reads.get() + 1);
            now
        };
        let run = |deadline| {
            reads.set(0);
            let control = unbounded().with_deadline(deadline).with_clock(&clock);
            search.find_best_move(&position(SPARSE), &control, SEED).unwrap()
        };
        let late = run(i64::MIN);
        assert_eq!((late.stats.chance_nodes, reads.get()), (0, 1), "at {now}");
        assert_eq!((run(i64::MAX), reads.get()), (unlimited, 0), "at {now}");
        assert_eq!(run(i64::MAX - 1).stats.deadline_truncated, now == i64::MAX, "at {now}");
        assert_eq!(run(i64::MIN + 1).stats.deadline_truncated, now > i64::MIN, "at {now}");
    }
}

#[test]
fn a_search_is_as_good_as_new_after_a_cancelled_one() {
    for depth in [2, 3] {
        let flag = AtomicBool::new(false);
        let leaf = Cancelling::new(&flag, usize::MAX);
        let search = Expectimax::new(config(depth, 8), &leaf).unwrap();
        let expected = search.find_best_move(&position(SPARSE), &unbounded(), SEED).unwrap();
        for after in (1..=leaf.calls()).step_by(if depth == 2 { 1 } else { leaf.calls() / 20 }) {
            flag.store(false, Ordering::Relaxed);
            let leaf = Cancelling::new(&flag, after);
            let search = Expectimax::new(config(depth, 8), &leaf).unwrap();
            let control = unbounded().with_cancel_flag(&flag);
            search.find_best_move(&position(SPARSE), &control, SEED).unwrap();
            assert!(flag.load(Ordering::Relaxed));
            // The buffers that the cancelled search left are used again.
            let next = search.find_best_move(&position(SPARSE), &unbounded(), SEED).unwrap();
            assert_eq!(next, expected, "depth {depth}, call {after}");
        }
    }
}
