//! The bots that look at their own turn only choose what plain enumeration of the turns says, and leave ties to the seed.

mod oracle;
mod playout;
mod texts;

use std::collections::BTreeSet;

use dicechess_native::search::SearchControl;
use dicechess_native::search::bots::{Bot, ScoredTurn};
use oracle::{State, aggressive, evaluate, material};
use playout::{Choices, canonical_dfen, engine_position, estimated_sequences, random_pool, random_state};
use proptest::collection::vec;
use proptest::prelude::*;
use texts::state;

const ONE_TURN: [Bot; 5] = [Bot::Random, Bot::CheckmateAware, Bot::Greedy, Bot::GreedyV2, Bot::Aggressive];

fn best(bot: Bot, state: &State, seed: u64) -> Option<ScoredTurn> {
    bot.best_turn(&engine_position(state), &SearchControl::unbounded(), seed).unwrap()
}

/// A turn as text, the position after its micro-moves, and the score.
type Scored = (String, String, i32);

/// The turns among which the bot leaves the choice to the seed.
fn expected(bot: Bot, state: &State) -> BTreeSet<Scored> {
    let turns = state.turns();
    let scored = |(moves, after): &(Vec<String>, State), score: i64| {
        (moves.join(" "), canonical_dfen(after), score as i32)
    };
    let captures = turns.captures.iter().map(|turn| scored(turn, i64::from(i32::MAX)));
    let material_of = |turn: &(Vec<String>, State)| material(&turn.1.end_turn(), state.mover);
    if bot == Bot::Random {
        return captures.chain(turns.quiet.iter().map(|turn| scored(turn, material_of(turn)))).collect();
    }
    if let Some(shortest) = turns.captures.iter().map(|(moves, _)| moves.len()).min() {
        return captures.filter(|(turn, _, _)| turn.split(' ').count() == shortest).collect();
    }
    let worth = |turn: &(Vec<String>, State)| {
        let after = turn.1.end_turn();
        match bot {
            // Safe or not: what an attacked king costs.
            Bot::CheckmateAware => evaluate(&after, state.mover) - material(&after, state.mover),
            Bot::Greedy => material(&after, state.mover),
            Bot::GreedyV2 => evaluate(&after, state.mover),
            _ => aggressive(&after, state.mover),
        }
    };
    let most = turns.quiet.iter().map(worth).max();
    let tied = turns.quiet.iter().filter(|turn| Some(worth(turn)) == most);
    tied.map(|turn| scored(turn, if bot == Bot::CheckmateAware { 0 } else { worth(turn) })).collect()
}

fn found(turn: ScoredTurn) -> Scored {
    (turn.turn.to_string(), turn.position.to_string(), turn.score)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn each_chooses_among_the_best_of_all_turns(bytes in vec(any::<u8>(), 0..80), seed: u64) {
        let mut choices = Choices::new(&bytes);
        let state = random_state(&mut choices);
        let state = state.with_pool(&random_pool(&state, &mut choices));
        prop_assume!(estimated_sequences(&state) < 2_000);
        for bot in ONE_TURN {
            let expected = expected(bot, &state);
            match best(bot, &state, seed) {
                Some(turn) => prop_assert!(
                    expected.contains(&found(turn)),
                    "{bot} plays {turn:?} at {}, not one of {expected:?}", state.to_dfen()
                ),
                None => prop_assert!(expected.is_empty(), "{bot} plays none of {expected:?}"),
            }
        }
    }
}

/// What the bot chooses for two hundred seeds.
fn choices(bot: Bot, state: &State) -> BTreeSet<Scored> {
    (0..200).filter_map(|seed| best(bot, state, seed)).map(found).collect()
}

#[test]
fn every_tied_turn_is_chosen_by_some_seed() {
    let mut ties = 0;
    for dfen in [
        "3rk3/8/8/8/8/8/8/3K4 w - - 0 1 K",
        "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1 PK",
        "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 KR",
        "4k3/8/8/8/8/8/3N4/4K3 b - - 0 1 kk",
        "k7/8/8/8/8/8/8/R3K3 w Q - 0 1 KR",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 NBR",
    ] {
        for bot in ONE_TURN {
            let expected = expected(bot, &state(dfen));
            assert!(!expected.is_empty(), "{bot} {dfen}");
            // More than forty could be missed by chance.
            if expected.len() <= 40 {
                assert_eq!(choices(bot, &state(dfen)), expected, "{bot} {dfen}");
                ties += usize::from(expected.len() > 1);
            }
        }
    }
    assert!(ties > 15, "{ties} choices between equals");
}

fn turns_of(bot: Bot, dfen: &str) -> BTreeSet<String> {
    choices(bot, &state(dfen)).into_iter().map(|(turn, _, _)| turn).collect()
}

fn set<const N: usize>(turns: [&str; N]) -> BTreeSet<String> {
    turns.map(String::from).into()
}

#[test]
fn checkmate_aware_leaves_its_king_where_nothing_attacks_it() {
    const FIVE_STEPS: &str = "3rk3/8/8/8/8/8/8/3K4 w - - 0 1 K";
    assert_eq!(turns_of(Bot::CheckmateAware, FIVE_STEPS), set(["d1c1", "d1c2", "d1e1", "d1e2"]));
    assert_eq!(turns_of(Bot::GreedyV2, FIVE_STEPS), set(["d1c1", "d1c2", "d1e1", "d1e2"]));
    assert_eq!(turns_of(Bot::Greedy, FIVE_STEPS), set(["d1c1", "d1c2", "d1d2", "d1e1", "d1e2"]));
}

#[test]
fn checkmate_aware_plays_any_turn_when_none_is_safe() {
    const NO_WAY_OUT: &str = "r3k3/1r6/8/8/8/8/8/K7 w - - 0 1 K";
    assert_eq!(turns_of(Bot::CheckmateAware, NO_WAY_OUT), set(["a1a2", "a1b1", "a1b2"]));
}

#[test]
fn the_shortest_king_capture_comes_first() {
    // The rook takes the king at once, or after a step of the own king.
    const ROOK: &str = "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1 RK";
    assert!(state(ROOK).turns().captures.len() > 1);
    for bot in ONE_TURN.into_iter().filter(|&bot| bot != Bot::Random) {
        assert_eq!(turns_of(bot, ROOK), set(["e1e8"]), "{bot}");
        assert_eq!(best(bot, &state(ROOK), 0).unwrap().score, i32::MAX);
    }
    // It may take the king, but need not.
    assert!(turns_of(Bot::Random, ROOK).len() > 20);
}

#[test]
fn dice_that_a_turn_leaves_unspent_stay_in_its_final_position() {
    let capture = best(Bot::Greedy, &state("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1 RKP"), 0).unwrap();
    assert_eq!(capture.position.to_string(), "4R3/8/8/8/8/8/8/6K1 w - - 0 1 PK");
    let short = best(Bot::Greedy, &state("4k3/8/8/8/8/8/8/4K2R w - - 0 1 RQB"), 0).unwrap();
    assert_eq!(short.turn.len(), 1);
    assert_eq!(short.position.dice().to_string(), "BQ");
}

#[test]
fn dfn_15_they_play_on_where_a_king_is_missing() {
    let lone = state("8/8/8/8/8/8/8/4K3 w - - 0 1 K");
    assert_eq!(lone.turns().quiet.len(), 5);
    for bot in ONE_TURN {
        assert_eq!(choices(bot, &lone), expected(bot, &lone), "{bot}");
    }
}
