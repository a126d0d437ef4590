//! The search against plain enumeration that shares no code with it.

mod oracle;

use dicechess_native::board::{Color, Position};
use dicechess_native::eval::BuiltIn;
use dicechess_native::search::{Expectimax, ExpectimaxConfig, SearchControl, SearchOutcome};
use oracle::{State, chance_numerator, evaluate, material, saturated};

const F10: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 3 NBP";

fn search(evaluator: &BuiltIn) -> Expectimax<'_> {
    Expectimax::new(ExpectimaxConfig::default(), evaluator).unwrap()
}

/// The root's candidates by the oracle: the eight turns with the most material, earlier ones first among equals, with the
/// numerator of the chance node after each.
fn candidates_by_the_oracle(root: &State) -> Vec<(String, i64)> {
    let mover = root.mover;
    let mut turns = root.played_turns();
    turns.sort_by_key(|(_, after)| -material(after, mover));
    turns.truncate(8);
    let leaf = |state: &State, view| saturated(material(state, view));
    turns.into_iter().map(|(turn, after)| (turn, chance_numerator(&after, 1, mover, &leaf))).collect()
}

#[test]
fn f10_candidates_value_and_best_turns_equal_plain_enumeration() {
    let expected = candidates_by_the_oracle(&State::parse(F10).unwrap());
    let root: Position = F10.parse().unwrap();
    let best_numerator = expected.iter().map(|&(_, numerator)| numerator).max().unwrap();
    let best_turns: Vec<&String> =
        expected.iter().filter(|(_, numerator)| *numerator == best_numerator).map(|(turn, _)| turn).collect();
    let mut chosen = std::collections::BTreeSet::new();
    for seed in 0..32 {
        let mut found = Vec::new();
        let result = search(&BuiltIn::Material)
            .rank_moves(&root, &SearchControl::unbounded(), seed, &mut found)
            .unwrap();
        assert_eq!(found.len(), expected.len());
        for (candidate, (turn, numerator)) in found.iter().zip(&expected) {
            let truth = *numerator as f64 / 216.0;
            assert_eq!(candidate.turn.to_string(), *turn);
            match candidate.outcome {
                SearchOutcome::Exact { value, .. } => assert_eq!(value, truth, "{turn}"),
                SearchOutcome::UpperBound { value, .. } => {
                    assert!(truth <= value && value < best_numerator as f64 / 216.0, "{turn}");
                }
                other => panic!("{turn}: {other:?}"),
            }
        }
        let best = result.best.unwrap();
        assert_eq!(best.outcome.exact(), Some(best_numerator as f64 / 216.0));
        chosen.insert(best.turn.to_string());
    }
    assert_eq!(chosen.iter().collect::<Vec<_>>().len(), best_turns.len(), "every tie is chosen by some seed");
    assert!(best_turns.iter().all(|turn| chosen.contains(*turn)));
}

#[test]
fn chance_values_equal_plain_enumeration_over_the_216_ordered_rolls() {
    for dfen in [
        "4k3/8/8/8/8/8/8/4K3 b - - 0 1",
        "k7/4P3/8/8/8/8/8/4K3 w - - 3 1",
        "4k3/8/8/8/8/p7/P7/R3K3 w - - 0 1",
        "8/8/8/2k5/8/1N6/2P5/K7 w - - 0 1",
        "4k3/8/8/8/3r4/2P5/8/4K3 b - - 0 1",
        "n6k/8/3P4/P7/8/8/8/7K b - - 0 1",
        "r3k2r/8/8/1B6/8/8/8/4K3 b kq - 0 1",
        "r1bqkbnr/pppp1ppp/2n5/4N3/2B1P3/3P4/PPP2PPP/RNBQK2R b KQkq - 0 3",
    ] {
        let (position, state) = (dfen.parse().unwrap(), State::parse(dfen).unwrap());
        for (perspective, view) in
            [(Color::White, oracle::Color::White), (Color::Black, oracle::Color::Black)]
        {
            for evaluator in [BuiltIn::Material, BuiltIn::Standard] {
                let leaf = if evaluator == BuiltIn::Material { material } else { evaluate };
                let result = search(&evaluator)
                    .chance_value(&position, perspective, &SearchControl::unbounded())
                    .unwrap();
                let numerator =
                    chance_numerator(&state, 1, view, &|state, view| saturated(leaf(state, view)));
                assert_eq!(result.outcome.exact(), Some(numerator as f64 / 216.0), "{dfen} {evaluator:?}");
            }
        }
    }
}
