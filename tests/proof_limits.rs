//! A proof that is stopped early: every bracket is one that was completed, the turn is the best by them, and nothing of the
//! interrupted search is left behind.

mod reference;

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};

use dicechess_native::board::{Color, Position};
use dicechess_native::rules::{Budget, Turn};
use dicechess_native::search::{
    Bracket, BracketedTurn, ProofResult, ProofVerdict, SearchControl, WinProof, WinProofConfig,
};
use reference::{F10, position};

const SPARSE: &str = "8/8/8/8/8/2kn4/8/1K6 w - - 0 1 K";
const HORIZON: u32 = 3;

fn proof(max_horizon: u32) -> WinProof {
    WinProof::new(WinProofConfig { max_horizon, table_capacity: 1 << 8 }).unwrap()
}

fn bracketed(
    proof: &WinProof,
    root: &Position,
    control: &SearchControl<'_>,
) -> (ProofResult, Vec<BracketedTurn>) {
    let mut turns = Vec::new();
    let result = proof.bracket_moves(root, control, 7, &mut turns).unwrap();
    (result, turns)
}

/// Some hundred budgets from none to just enough.
fn budgets(search: impl Fn(&SearchControl<'_>)) -> impl Iterator<Item = u64> {
    let measured = Budget::unlimited();
    search(&SearchControl::unbounded().with_budget(&measured));
    let need = measured.used();
    (0..need).step_by((need / 300) as usize | 1).chain([need - 1, need])
}

/// Every bracket a turn can have once some horizon is completed: by searches of their own, none of which is cut short.
fn completed_brackets(root: &Position) -> HashMap<Turn, Vec<Bracket>> {
    let (_, turns) = bracketed(&proof(HORIZON), root, &SearchControl::unbounded());
    let open = SearchControl::unbounded();
    let of_turn = |turn: Turn| {
        let after = root.play_turn(turn).end_turn();
        let unknown = Bracket { lower: 0.0, upper: 1.0, horizon: 0 };
        let searched = (1..=HORIZON)
            .map(|horizon| proof(1).win_bracket(&after, root.side_to_move(), horizon, &open).unwrap());
        std::iter::once(unknown).chain(searched).collect()
    };
    turns.iter().map(|turn| (turn.turn, of_turn(turn.turn))).collect()
}

/// What holds of every answer, however early it was stopped.
fn assert_sound(
    result: &ProofResult,
    turns: &[BracketedTurn],
    completed: &HashMap<Turn, Vec<Bracket>>,
    what: &str,
) {
    assert_eq!(turns.len(), completed.len(), "{what}: every turn is there");
    for &BracketedTurn { turn, bracket } in turns {
        let own = &completed[&turn];
        let deepest = own[HORIZON as usize];
        assert!(
            bracket.lower <= deepest.lower && deepest.upper <= bracket.upper,
            "{what}: {turn} {bracket:?}"
        );
        let exact = own[bracket.horizon as usize];
        // A turn that was cut has the lower end of an earlier horizon; no end is one of no horizon.
        assert!(own.iter().any(|known| known.lower == bracket.lower), "{what}: {turn} {bracket:?}");
        assert!(bracket.lower <= exact.lower, "{what}: {turn} {bracket:?}");
    }
    let best = result.best.unwrap();
    let greatest = turns.iter().map(|turn| turn.bracket.lower).fold(0.0, f64::max);
    assert_eq!(best.bracket.lower, greatest, "{what}: the greatest lower end");
    let rivals = turns.iter().filter(|turn| turn.turn != best.turn);
    let open = rivals.filter(|rival| rival.bracket.upper > best.bracket.lower).count() as u64;
    assert_eq!(result.stats.open_rivals, open, "{what}");
    assert_eq!(best.verdict == ProofVerdict::Proven, open == 0, "{what}");
}

#[test]
fn every_budget_leaves_completed_brackets() {
    let root = position(SPARSE);
    let completed = completed_brackets(&root);
    let search = proof(HORIZON);
    let unlimited = bracketed(&search, &root, &SearchControl::unbounded());
    let mut horizons = BTreeSet::new();
    let mut mixed = false;
    for limit in budgets(|control| drop(bracketed(&search, &root, control))) {
        let budget = Budget::new(limit);
        let control = SearchControl::unbounded().with_budget(&budget);
        let (result, turns) = bracketed(&search, &root, &control);
        assert_sound(&result, &turns, &completed, &format!("budget {limit}"));
        assert_eq!(result.stats.work_used, budget.used());
        horizons.insert(result.stats.horizon);
        mixed |= turns.iter().any(|turn| turn.bracket.horizon != turns[0].bracket.horizon);
        if !budget.is_exhausted() {
            assert_eq!((result.best, &turns), (unlimited.0.best, &unlimited.1));
            continue;
        }
        assert_eq!(result.best.unwrap().verdict, ProofVerdict::Cancelled, "budget {limit}");
    }
    assert_eq!(horizons, (0..=HORIZON).collect(), "some budget completes each horizon");
    assert!(mixed, "some budget ends between the turns of a horizon");
}

#[test]
fn a_deadline_at_every_check_leaves_completed_brackets_and_no_trace() {
    let root = position("8/8/8/8/8/2k5/8/K7 w - - 0 1 K");
    let completed = completed_brackets(&root);
    let search = proof(HORIZON);
    let unlimited = bracketed(&search, &root, &SearchControl::unbounded());
    for deadline in 1.. {
        let now = Cell::new(0);
        let clock = || {
            now.set(now.get() + 1);
            now.get()
        };
        let control = SearchControl::unbounded().with_deadline(deadline).with_clock(&clock);
        let (result, turns) = bracketed(&search, &root, &control);
        assert_sound(&result, &turns, &completed, &format!("check {deadline}"));
        if deadline % 64 == 0 {
            let again = bracketed(&search, &root, &SearchControl::unbounded());
            assert_eq!(again, unlimited, "after check {deadline}");
        }
        if now.get() < deadline {
            assert_eq!((result.best, &turns), (unlimited.0.best, &unlimited.1));
            break;
        }
        assert_eq!(now.get(), deadline, "the clock is not read again once it has cancelled");
    }
}

#[test]
fn cancelled_at_entry_there_is_still_a_turn_and_nothing_is_searched() {
    let flag = AtomicBool::new(true);
    let exhausted = Budget::new(0);
    exhausted.charge(1).unwrap_err();
    for control in [
        SearchControl::unbounded().with_deadline(i64::MIN),
        SearchControl::unbounded().with_cancel_flag(&flag),
        SearchControl::unbounded().with_budget(&exhausted),
    ] {
        let (result, turns) = bracketed(&proof(HORIZON), &position(F10), &control);
        let best = result.best.unwrap();
        assert_eq!(best.verdict, ProofVerdict::Cancelled);
        assert_eq!((result.stats.chance_nodes, result.stats.horizon, turns.len()), (0, 0, 966));
        assert!(turns.iter().all(|turn| turn.bracket == Bracket { lower: 0.0, upper: 1.0, horizon: 0 }));
        let node = position(F10).end_turn();
        let bracket = proof(1).win_bracket(&node, Color::White, 2, &control).unwrap();
        assert_eq!(bracket.horizon, 0);
        let capture = position("8/8/8/2k5/8/1N6/2P5/K7 w - - 0 1 NPP");
        assert_eq!(bracketed(&proof(1), &capture, &control).0.best.unwrap().verdict, ProofVerdict::Proven);
        let pass = position("4k3/8/8/8/8/8/8/4K3 w - - 0 1 Q");
        assert_eq!(bracketed(&proof(1), &pass, &control).0.best, None);
    }
}

#[test]
fn the_flag_of_another_thread_stops_the_search() {
    let flag = AtomicBool::new(false);
    let (result, turns) = std::thread::scope(|scope| {
        let running = scope.spawn(|| {
            // F10 three turns ahead takes longer than any test may.
            bracketed(&proof(HORIZON), &position(F10), &SearchControl::unbounded().with_cancel_flag(&flag))
        });
        flag.store(true, Ordering::Relaxed);
        running.join().unwrap()
    });
    assert_eq!((result.best.unwrap().verdict, turns.len()), (ProofVerdict::Cancelled, 966));
}

#[test]
fn a_bracket_of_a_node_is_that_of_the_last_horizon_its_limit_allows() {
    let node = position("8/8/8/8/8/2kn4/8/1K6 b - - 0 1");
    let open = SearchControl::unbounded();
    for perspective in Color::ALL {
        let completed: Vec<_> =
            (1..=HORIZON).map(|h| proof(1).win_bracket(&node, perspective, h, &open).unwrap()).collect();
        let mut horizons = BTreeSet::new();
        let search = proof(1);
        let of_node =
            |control: &SearchControl<'_>| search.win_bracket(&node, perspective, HORIZON, control).unwrap();
        for limit in budgets(|control| assert!(of_node(control).horizon > 0)) {
            let budget = Budget::new(limit);
            let found = of_node(&SearchControl::unbounded().with_budget(&budget));
            horizons.insert(found.horizon);
            match found.horizon {
                0 => assert_eq!((found.lower, found.upper), (0.0, 1.0)),
                horizon => assert_eq!(found, completed[horizon as usize - 1]),
            }
        }
        assert_eq!(horizons, (0..=HORIZON).collect());
    }
}

#[test]
fn the_same_budget_gives_the_same_answer_whatever_was_searched_before() {
    let root = position("7k/8/8/8/8/8/r2P4/3K4 w - - 0 1 K");
    let budgeted = |search: &WinProof| {
        let budget = Budget::new(20_000);
        let (result, turns) = bracketed(search, &root, &SearchControl::unbounded().with_budget(&budget));
        assert_eq!(result.best.unwrap().verdict, ProofVerdict::Cancelled);
        (result, turns)
    };
    let search = proof(4);
    let fresh = budgeted(&search);
    bracketed(&search, &position(SPARSE), &SearchControl::unbounded());
    bracketed(&search, &root, &SearchControl::unbounded().with_budget(&Budget::new(200_000)));
    assert_eq!(budgeted(&search), fresh);
    let threads: Vec<_> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..4).map(|_| scope.spawn(|| budgeted(&search))).collect();
        running.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(threads.iter().all(|answer| *answer == fresh));
}
