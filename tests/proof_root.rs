//! The root of a proof: when it stops, what it may claim, and what it owes whatever happens.

mod oracle;
mod reference;

use std::collections::{BTreeMap, BTreeSet};

use dicechess_native::board::{Color, Position};
use dicechess_native::rules::{Budget, legal_turns};
use dicechess_native::search::{
    Bracket, BracketedTurn, MAX_PROOF_HORIZON, ProofResult, ProofVerdict, SearchControl, SearchError,
    TranspositionTable, WinProof, WinProofConfig,
};
use oracle::{State, win_numerator};
use proptest::collection::vec;
use proptest::prelude::*;
use reference::{F10, position, small_position, small_roll};

/// Positions where a turn is proven best, and the horizon at which it is: the table of docs/stopping-in-dice-chess.md.
const PROVEN: [(&str, &str, u32); 5] = [
    ("2B5/8/8/R1q5/Q6b/2K5/2k5/6b1 w - - 0 1 R", "a5c5", 2),
    ("6R1/1n6/2Q5/4K2q/2N1k3/5r2/8/8 w - - 0 1 PPR", "g8g5", 2),
    ("5r2/8/6k1/1B3K2/8/8/2P5/8 w - - 0 1 BRQ", "b5e8", 3),
    ("7q/5b2/8/7P/6K1/3B3k/8/8 w - - 0 1 BR", "d3f1", 3),
    ("r1bq3r/pppp1ppp/2n2n2/Kkb1p3/2B1P3/2N2N2/PPPP1PPP/R1BQ3R w - - 6 5 QQQ", "d1e1 e1e3 e3c5", 2),
];

fn proof(max_horizon: u32) -> WinProof {
    WinProof::new(WinProofConfig { max_horizon, ..WinProofConfig::default() }).unwrap()
}

fn bracketed(proof: &WinProof, root: &Position, seed: u64) -> (ProofResult, Vec<BracketedTurn>) {
    let mut turns = Vec::new();
    let result = proof.bracket_moves(root, &SearchControl::unbounded(), seed, &mut turns).unwrap();
    (result, turns)
}

#[test]
fn the_search_stops_with_a_proof_long_before_its_horizon() {
    for (dfen, turn, horizon) in PROVEN {
        let (result, turns) = bracketed(&proof(8), &position(dfen), 1);
        let best = result.best.unwrap();
        assert_eq!((best.turn.to_string().as_str(), best.verdict), (turn, ProofVerdict::Proven), "{dfen}");
        assert_eq!((result.stats.horizon, result.stats.open_rivals), (horizon, 0), "{dfen}");
        for rival in turns.iter().filter(|rival| rival.turn != best.turn) {
            assert!(rival.bracket.upper <= best.bracket.lower, "{dfen}: {} is open", rival.turn);
        }
        let (before, _) = bracketed(&proof(horizon - 1), &position(dfen), 1);
        assert_eq!(before.best.unwrap().verdict, ProofVerdict::HorizonReached, "{dfen} needs {horizon}");
        assert!(before.stats.open_rivals > 0, "{dfen}");
    }
}

#[test]
fn a_proof_costs_a_fraction_of_the_brackets_one_turn_further() {
    for (dfen, _, horizon) in PROVEN {
        let root = position(dfen);
        let work = |search: &dyn Fn(&SearchControl<'_>)| {
            let budget = Budget::new(10_000_000);
            search(&SearchControl::unbounded().with_budget(&budget));
            budget.used()
        };
        let (_, all) = bracketed(&proof(1), &root, 1);
        let proving =
            work(&|control| assert!(proof(8).find_proven_move(&root, control, 1).unwrap().best.is_some()));
        let further = work(&|control| {
            for turn in &all {
                let after = root.play_turn(turn.turn).end_turn();
                proof(1).win_bracket(&after, root.side_to_move(), horizon + 1, control).unwrap();
            }
        });
        assert!(proving * 10 < further, "{dfen}: {proving} units against {further}");
    }
}

#[test]
fn a_proof_holds_at_every_deeper_horizon() {
    for (dfen, _, horizon) in &PROVEN[..3] {
        let root = position(dfen);
        let (result, turns) = bracketed(&proof(*horizon), &root, 1);
        let best = result.best.unwrap();
        for rival in turns {
            let after = root.play_turn(rival.turn).end_turn();
            let deeper = proof(1).win_bracket(&after, Color::White, 3, &SearchControl::unbounded()).unwrap();
            let is_best = rival.turn == best.turn;
            assert!(is_best || deeper.upper <= best.bracket.lower, "{dfen}: {} {deeper:?}", rival.turn);
            assert!(rival.bracket.lower <= deeper.upper && deeper.lower <= rival.bracket.upper, "{dfen}");
        }
    }
}

#[test]
fn capturing_the_king_is_a_proof_by_itself() {
    // The shortest capture, first in canonical order.
    for (dfen, turn) in
        [("8/8/8/2k5/8/1N6/2P5/K7 w - - 0 1 NPP", "b3c5"), ("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1 RRK", "e1e8")]
    {
        let (result, turns) = bracketed(&proof(1), &position(dfen), 1);
        let best = result.best.unwrap();
        assert_eq!(best.turn.to_string(), turn);
        assert_eq!(best.verdict, ProofVerdict::Proven);
        assert_eq!(best.bracket, Bracket { lower: 1.0, upper: 1.0, horizon: 0 });
        assert!(turns.is_empty() && result.stats.distinct_turns == 0 && result.stats.chance_nodes == 0);
        assert_eq!(result.stats.legal_turns, legal_turns(&position(dfen)).len() as u64);
    }
}

#[test]
fn the_only_position_a_roll_leads_to_is_proven_without_a_look() {
    // Both orders of the two king steps to a2 and the pawn's only step.
    let root = position("7k/8/8/8/8/p7/P7/KB6 w - - 0 1 PPK");
    let (result, turns) = bracketed(&proof(4), &root, 1);
    assert_eq!((turns.len(), result.stats.chance_nodes), (1, 0));
    let best = result.best.unwrap();
    assert_eq!((best.verdict, best.bracket.horizon), (ProofVerdict::Proven, 0));
}

#[test]
fn a_forced_pass_has_no_turn() {
    for dfen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 BBR",
        "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1 qqq",
    ] {
        let (result, turns) = bracketed(&proof(4), &position(dfen), 1);
        assert_eq!((result.best, turns.len(), result.stats.legal_turns), (None, 0, 0));
    }
}

#[test]
fn turns_to_one_position_are_searched_once_as_the_first_of_them() {
    let root = position("8/7k/8/8/8/8/8/R3K3 w - - 0 1 RK");
    let (result, turns) = bracketed(&proof(1), &root, 1);
    let mut firsts = BTreeMap::new();
    for turn in legal_turns(&root).quiet() {
        let after = State::parse(&root.play_turn(*turn).end_turn().to_string()).unwrap();
        firsts.entry(State { half_moves: 0, ..after }).or_insert_with(|| turn.to_string());
    }
    let expected: BTreeSet<_> = firsts.into_values().collect();
    let found: BTreeSet<_> = turns.iter().map(|turn| turn.turn.to_string()).collect();
    assert_eq!(found, expected);
    assert!(result.stats.distinct_turns < result.stats.legal_turns);
    assert_eq!(result.stats.distinct_turns as usize, turns.len());
    assert_eq!(result.stats.chance_nodes, result.stats.distinct_turns, "one each at the first horizon");
}

#[test]
fn every_distinct_turn_of_the_middlegame_has_its_bracket_one_turn_ahead() {
    let root = position(F10);
    let (result, turns) = bracketed(&proof(1), &root, 1);
    assert_eq!((result.stats.legal_turns, turns.len()), (4654, 966));
    for BracketedTurn { turn, bracket } in turns {
        let after = root.play_turn(turn).end_turn();
        let direct = proof(1).win_bracket(&after, Color::White, 1, &SearchControl::unbounded()).unwrap();
        assert_eq!(bracket, direct, "{turn}");
    }
}

#[test]
fn ties_are_broken_by_the_seed_and_each_is_chosen_by_some() {
    // One turn ahead four of the five king steps lose on 16 rolls.
    let root = position("3rk3/8/8/8/8/8/8/3K4 w - - 0 1 K");
    let mut chosen = BTreeSet::new();
    for seed in 0..200 {
        let best = bracketed(&proof(1), &root, seed).0.best.unwrap();
        assert_eq!(bracketed(&proof(1), &root, seed).0.best, Some(best), "the same seed, the same turn");
        assert_eq!(best.verdict, ProofVerdict::HorizonReached);
        chosen.insert(best.turn.to_string());
    }
    assert_eq!(chosen, BTreeSet::from(["d1c1", "d1c2", "d1e1", "d1e2"].map(String::from)));
}

#[test]
fn turns_of_equal_value_stay_unresolved_and_the_seed_decides() {
    // The diagonal from a1 to h8 mirrors the board and swaps the knight's two steps.
    let root = position("7N/8/8/8/3k4/8/8/K7 w - - 0 1 N");
    let mut chosen = BTreeSet::new();
    for seed in 0..20 {
        let (result, turns) = bracketed(&proof(3), &root, seed);
        let best = result.best.unwrap();
        assert_eq!((best.verdict, result.stats.open_rivals), (ProofVerdict::HorizonReached, 1));
        assert_eq!(turns[0].bracket, turns[1].bracket);
        assert!(best.bracket.lower < best.bracket.upper);
        chosen.insert(best.turn.to_string());
    }
    assert_eq!(chosen, BTreeSet::from(["h8f7", "h8g6"].map(String::from)));
}

#[test]
fn turns_come_best_bracket_first() {
    for (dfen, max_horizon) in [(F10, 1), ("7k/8/8/8/8/8/r2P4/3K4 w - - 0 1 K", 4)] {
        let (result, turns) = bracketed(&proof(max_horizon), &position(dfen), 1);
        let ends: Vec<_> = turns.iter().map(|turn| (turn.bracket.lower, turn.bracket.upper)).collect();
        assert!(ends.is_sorted_by(|a, b| a >= b), "{dfen}: {ends:?}");
        let best = result.best.unwrap().bracket;
        assert_eq!((best.lower, best.upper), ends[0], "{dfen}");
    }
}

#[test]
fn an_old_list_of_turns_is_replaced() {
    let mut turns = Vec::new();
    let control = SearchControl::unbounded();
    for (dfen, expected) in [("3rk3/8/8/8/8/8/8/3K4 w - - 0 1 K", 5), ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 Q", 0)]
    {
        proof(1).bracket_moves(&position(dfen), &control, 1, &mut turns).unwrap();
        assert_eq!(turns.len(), expected);
    }
}

#[test]
fn a_mirrored_root_has_the_same_proof() {
    for (dfen, _, horizon) in PROVEN {
        let root = position(dfen);
        let [as_is, mirrored] = [root, root.flipped()].map(|root| bracketed(&proof(8), &root, 1).0);
        let [best, mirrored_best] = [as_is, mirrored].map(|result| result.best.unwrap());
        assert_eq!((best.bracket, best.verdict), (mirrored_best.bracket, mirrored_best.verdict), "{dfen}");
        assert_eq!((as_is.stats.horizon, mirrored.stats.horizon), (horizon, horizon), "{dfen}");
        let after = root.play_turn(best.turn).flipped();
        assert_eq!(after, root.flipped().play_turn(mirrored_best.turn), "{dfen}");
    }
}

#[test]
fn the_documented_brackets_are_found() {
    let rounded = |bracket: Bracket| [bracket.lower, bracket.upper].map(|end| (end * 1e4).round() / 1e4);
    let documented = [[0.3903, 0.5185], [0.3319, 0.4537], [0.2085, 0.2963], [0.3225, 0.4583], [0.2402, 0.25]];
    let greatest_rival = [0.25, 0.2454, 0.2028, 0.3043, 0.2037];
    for (((dfen, _, _), expected), rival) in PROVEN.into_iter().zip(documented).zip(greatest_rival) {
        let (result, turns) = bracketed(&proof(8), &position(dfen), 1);
        assert_eq!(rounded(result.best.unwrap().bracket), expected, "{dfen}");
        let uppers = turns[1..].iter().map(|turn| rounded(turn.bracket)[1]);
        assert_eq!(uppers.reduce(f64::max), Some(rival), "{dfen}");
    }
}

/// The ends of a turn by the oracle, times 216 to the power of `horizon`.
fn numerators(after: &Position, view: oracle::Color, horizon: u32) -> (i64, i64) {
    let state = State::parse(&after.to_string()).unwrap();
    (win_numerator(&state, horizon, view, false), win_numerator(&state, horizon, view, true))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 24, ..ProptestConfig::default() })]

    /// Whole numbers tell what is proven at each horizon; the search must claim just that.
    #[test]
    fn the_verdict_is_that_of_whole_numbers(bytes in vec(any::<u8>(), 0..24), dice in vec(any::<u8>(), 0..8)) {
        let node = small_position(&bytes, 1);
        let root = node.with_dice(small_roll(&node, &dice));
        let view = if root.side_to_move() == Color::White { oracle::Color::White } else { oracle::Color::Black };
        let turns = legal_turns(&root);
        prop_assume!(turns.captures().is_empty() && (2..=5).contains(&turns.len()));
        for horizon in 1..=2 {
            let (result, found) = bracketed(&proof(horizon), &root, 3);
            let ends: BTreeMap<String, (i64, i64)> = found
                .iter()
                .map(|turn| (turn.turn.to_string(), numerators(&root.play_turn(turn.turn).end_turn(), view, horizon)))
                .collect();
            let scale = 216_i64.pow(horizon) as f64;
            for BracketedTurn { turn, bracket } in &found {
                let (lower, upper) = ends[&turn.to_string()];
                prop_assert!(bracket.lower * scale <= lower as f64 && upper as f64 <= bracket.upper * scale);
            }
            let best = result.best.unwrap();
            let chosen = best.turn.to_string();
            let is_proof = |turn: &String| {
                ends.iter().all(|(rival, &(_, upper))| rival == turn || ends[turn].0 >= upper)
            };
            if best.verdict == ProofVerdict::Proven {
                prop_assert!(is_proof(&chosen), "{}: {} {:?}", root, chosen, ends);
            } else {
                let strict = |turn: &String| {
                    ends.iter().all(|(rival, &(_, upper))| rival == turn || ends[turn].0 > upper)
                };
                prop_assert!(!ends.keys().any(strict), "{}: a proof was missed, {:?}", root, ends);
                let greatest = ends.values().map(|&(lower, _)| lower).max();
                prop_assert_eq!(Some(ends[&chosen].0), greatest, "{}", root);
            }
        }
    }
}

#[test]
fn bad_input_is_refused_by_name() {
    let control = SearchControl::unbounded();
    let refused = |dfen: &str| proof(1).find_proven_move(&position(dfen), &control, 1).unwrap_err();
    assert_eq!(refused("8/8/8/8/8/8/8/4K3 w - - 0 1 K"), SearchError::MissingKing(Color::Black));
    assert_eq!(refused("4k3/8/8/8/8/8/8/8 b - - 0 1 K"), SearchError::MissingKing(Color::White));
    assert_eq!(refused("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), SearchError::EmptyPool);
    let of_node =
        |dfen: &str, horizon| proof(1).win_bracket(&position(dfen), Color::White, horizon, &control);
    assert_eq!(of_node("8/8/8/8/8/8/8/4K3 w - - 0 1", 1), Err(SearchError::MissingKing(Color::Black)));
    let with_dice = of_node("4k3/8/8/8/8/8/8/4K3 w - - 0 1 K", 1);
    assert_eq!(with_dice, Err(SearchError::PoolNotEmpty("K".into())));
    for horizon in [0, MAX_PROOF_HORIZON + 1, u32::MAX] {
        let expected = SearchError::ProofHorizon(horizon);
        assert_eq!(expected.to_string(), format!("proof horizon must be from 1 to 32, not {horizon}"));
        assert_eq!(of_node("4k3/8/8/8/8/8/8/4K3 w - - 0 1", horizon), Err(expected.clone()));
        let config = WinProofConfig { max_horizon: horizon, ..WinProofConfig::default() };
        assert_eq!(WinProof::new(config).err(), Some(expected));
    }
    let table_capacity = TranspositionTable::MAX_CAPACITY + 1;
    let error = WinProof::new(WinProofConfig { table_capacity, ..WinProofConfig::default() }).err().unwrap();
    assert_eq!(
        error,
        SearchError::TableCapacity { capacity: table_capacity, max: TranspositionTable::MAX_CAPACITY }
    );
}

#[test]
fn the_deepest_horizon_fits_a_small_stack() {
    // Nobody can ever move: every line is passes all the way down.
    let search = || {
        let node = position("PP4pk/PP4pp/PP4pp/PP4pp/PP4pp/PP4pp/PP4pp/KP4pp w - - 0 1");
        let control = SearchControl::unbounded();
        proof(1).win_bracket(&node, Color::White, MAX_PROOF_HORIZON, &control).unwrap()
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(search).unwrap();
    let expected = Bracket { lower: 0.0, upper: 1.0, horizon: MAX_PROOF_HORIZON };
    assert_eq!(thread.join().unwrap(), expected);
}
