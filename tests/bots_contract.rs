//! What all bots promise: their names, legal turns only, no turn where there is none, and the king where it can be had.

mod oracle;
mod playout;
mod texts;

use std::sync::atomic::AtomicBool;

use dicechess_native::board::{Color, Position};
use dicechess_native::rules::{Budget, legal_turns};
use dicechess_native::search::bots::{Bot, ScoredTurn, UnknownBot};
use dicechess_native::search::{Expectimax, ExpectimaxConfig, SearchControl};
use playout::{Choices, engine_position, estimated_sequences, random_pool, random_state};
use proptest::collection::vec;
use proptest::prelude::*;
use texts::position;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const F10: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 3 NBP";
const SPARSE: &str = "4k3/8/8/3q4/2P5/8/8/4K3 w - - 0 1 PPK";

fn within(bot: Bot, root: &Position, work: u64, seed: u64) -> Option<ScoredTurn> {
    let budget = Budget::new(work);
    bot.best_turn(root, &SearchControl::unbounded().with_budget(&budget), seed).unwrap()
}

#[test]
fn ids_are_in_order_of_strength() {
    assert_eq!(
        Bot::ALL.map(Bot::id),
        ["random", "checkmate-aware", "greedy", "greedy-v2", "aggressive", "monte-carlo", "expectimax"]
    );
    assert!(Bot::ALL.iter().all(|bot| bot.to_string() == bot.id()));
}

#[test]
fn can_05_ids_are_read_in_either_case() {
    for bot in Bot::ALL {
        assert_eq!(bot.id().parse(), Ok(bot));
        assert_eq!(bot.id().to_uppercase().parse(), Ok(bot));
    }
    assert_eq!("Greedy-V2".parse(), Ok(Bot::GreedyV2));
}

#[test]
fn can_05_an_unknown_id_is_refused_with_the_ids_there_are() {
    for id in ["", "minimax", " greedy", "greedy-v3", "gre\u{1F3B2}edy"] {
        assert_eq!(id.parse::<Bot>(), Err(UnknownBot(id.to_owned())));
    }
    let error = "minimax".parse::<Bot>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown bot 'minimax': the bots are random, checkmate-aware, greedy, greedy-v2, aggressive, monte-carlo, \
         expectimax"
    );
}

/// Every way of being cancelled before the bot begins, and no limit.
fn for_each_control(mut visit: impl FnMut(&SearchControl<'_>)) {
    let exhausted = Budget::new(0);
    exhausted.charge(1).unwrap_err();
    let flag = AtomicBool::new(true);
    visit(&SearchControl::unbounded().with_budget(&exhausted));
    visit(&SearchControl::unbounded().with_deadline(i64::MIN));
    visit(&SearchControl::unbounded().with_cancel_flag(&flag));
    visit(&SearchControl::unbounded());
}

fn assert_no_turn(root: &Position) {
    for bot in Bot::ALL {
        for_each_control(|control| assert_eq!(bot.best_turn(root, control, 1), Ok(None), "{bot} {root}"));
    }
}

#[test]
fn rul_18_a_forced_pass_has_no_turn() {
    for roll in ["BBQ", "RQK"] {
        assert_no_turn(&position(&format!("{START} {roll}")));
    }
    assert_no_turn(&position("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1 qqq"));
}

#[test]
fn an_empty_pool_has_no_turn() {
    assert_no_turn(&position(START));
    assert_no_turn(&position("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"));
}

#[test]
fn dfn_15_bots_that_search_take_a_board_without_a_king_for_a_finished_game() {
    for dfen in
        ["8/8/8/8/8/8/8/4K3 w - - 0 1 K", "4k3/8/8/8/8/8/P7/8 w - - 0 1 PPP", "8/8/8/8/8/8/P7/8 w - - 0 1 P"]
    {
        let root = position(dfen);
        assert!(!legal_turns(&root).is_empty());
        for bot in [Bot::MonteCarlo, Bot::Expectimax] {
            for_each_control(|control| {
                assert_eq!(bot.best_turn(&root, control, 1), Ok(None), "{bot} {dfen}")
            });
        }
    }
    for dfen in
        ["4k3/8/8/8/8/8/8/8 w - - 0 1 PPP", "8/8/8/8/8/8/8/8 w - - 0 1", "8/8/8/8/8/8/8/8 w - - 0 1 K"]
    {
        assert_no_turn(&position(dfen));
    }
}

#[test]
fn every_bot_but_the_random_one_takes_the_king_whatever_the_limits() {
    let root = position("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1 RKR");
    for bot in Bot::ALL.into_iter().filter(|&bot| bot != Bot::Random) {
        for_each_control(|control| {
            let turn = bot.best_turn(&root, control, 3).unwrap().unwrap();
            assert_eq!((turn.turn.to_string(), turn.score), ("e1e8".to_owned(), i32::MAX), "{bot}");
            assert!(!turn.position.has_king(Color::Black));
        });
    }
}

#[test]
fn a_cancelled_bot_still_has_a_turn() {
    for dfen in [F10, SPARSE] {
        let root = position(dfen);
        let turns: Vec<_> = legal_turns(&root).iter().collect();
        for bot in Bot::ALL {
            for_each_control(|control| {
                // Sixteen candidates' games to the end are much for a test.
                if bot == Bot::MonteCarlo && dfen == F10 && !control.is_cancelled() {
                    return;
                }
                let turn = bot.best_turn(&root, control, 1).unwrap().unwrap();
                assert!(turns.contains(&turn.turn), "{bot} {dfen}");
            });
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_turn_is_legal_and_the_same_for_the_same_seed(bytes in vec(any::<u8>(), 0..80), seed: u64) {
        let mut choices = Choices::new(&bytes);
        let state = random_state(&mut choices);
        let state = state.with_pool(&random_pool(&state, &mut choices));
        prop_assume!(estimated_sequences(&state) < 2_000);
        let (root, turns) = (engine_position(&state), state.turns());
        let kings = Color::ALL.iter().all(|&color| root.has_king(color));
        for bot in Bot::ALL {
            let found = within(bot, &root, 5_000, seed);
            prop_assert_eq!(within(bot, &root, 5_000, seed), found);
            let searches = matches!(bot, Bot::MonteCarlo | Bot::Expectimax);
            let Some(ScoredTurn { turn, position, score }) = found else {
                prop_assert!(turns.all().count() == 0 || searches && !kings, "{} has no turn at {}", bot, root);
                continue;
            };
            let legal = |turns: &[(Vec<String>, oracle::State)]| {
                turns.iter().any(|(moves, after)| {
                    moves.join(" ") == turn.to_string() && playout::canonical_dfen(after) == position.to_string()
                })
            };
            let captures = legal(&turns.captures);
            prop_assert!(captures || legal(&turns.quiet), "{} plays {} at {}", bot, turn, root);
            prop_assert_eq!(captures, score == i32::MAX);
            prop_assert!(captures || bot == Bot::Random || turns.captures.is_empty());
        }
    }
}

#[test]
fn expectimax_is_the_search_of_its_description() {
    use dicechess_native::eval::BuiltIn;
    let search = Expectimax::new(ExpectimaxConfig::default(), &BuiltIn::Standard).unwrap();
    for dfen in [F10, SPARSE, "3rk3/8/8/8/8/8/8/3K4 w - - 0 1 K"] {
        let root = position(dfen);
        for seed in 0..10 {
            for work in [0, 500, u64::MAX] {
                let budget = Budget::new(work);
                let control = SearchControl::unbounded().with_budget(&budget);
                let expected = search.find_best_move(&root, &control, seed).unwrap().best.unwrap();
                let found = within(Bot::Expectimax, &root, work, seed).unwrap();
                assert_eq!((found.turn, found.score), (expected.turn, expected.score), "{dfen} {work}");
                assert_eq!(found.position, root.play_turn(expected.turn));
            }
        }
    }
}
