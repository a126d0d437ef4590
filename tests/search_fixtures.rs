//! The search agrees with the fixtures `chance.json` (one ply) and `root.json`.

mod fixtures;

use dicechess_native::board::{Color, Position};
use dicechess_native::eval::BuiltIn;
use dicechess_native::search::{Expectimax, ExpectimaxConfig, ScoreSource, SearchControl, SearchOutcome};
use fixtures::{entries, strings};

fn position(dfen: &str) -> Position {
    dfen.parse().unwrap_or_else(|error| panic!("{dfen}: {error}"))
}

fn search(evaluator: &BuiltIn) -> Expectimax<'_> {
    Expectimax::new(ExpectimaxConfig::default(), evaluator).unwrap()
}

#[test]
fn chance_values_one_ply_deep_are_the_exact_numerators_over_216() {
    let one_ply = entries("chance").into_iter().filter(|entry| entry["plies"] == 1);
    let mut checked = 0;
    for entry in one_ply {
        let dfen = entry["dfen"].as_str().unwrap();
        for (evaluator, name) in [(BuiltIn::Material, "material"), (BuiltIn::Standard, "evaluate")] {
            for (perspective, side) in [(Color::White, "w"), (Color::Black, "b")] {
                let result = search(&evaluator)
                    .chance_value(&position(dfen), perspective, &SearchControl::unbounded())
                    .unwrap();
                let numerator = entry[name][side].as_f64().unwrap();
                assert_eq!(result.outcome.exact(), Some(numerator / 216.0), "{dfen} {name} {side}");
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 25 * 4);
}

#[test]
fn chance_values_two_plies_deep_are_the_numerators_over_216_squared() {
    let config = ExpectimaxConfig { search_depth: 3, ..ExpectimaxConfig::default() };
    let mut checked = 0;
    for entry in entries("chance").into_iter().filter(|entry| entry["plies"] == 2) {
        let dfen = entry["dfen"].as_str().unwrap();
        for (evaluator, name) in [(BuiltIn::Material, "material"), (BuiltIn::Standard, "evaluate")] {
            for (perspective, side) in [(Color::White, "w"), (Color::Black, "b")] {
                let search = Expectimax::new(config, &evaluator).unwrap();
                let control = SearchControl::unbounded();
                let result = search.chance_value(&position(dfen), perspective, &control).unwrap();
                let value = result.outcome.exact().unwrap();
                let expected = entry[name][side].as_f64().unwrap() / (216.0 * 216.0);
                // The inner divisions round.
                let error = (value - expected).abs() / expected.abs().max(1.0);
                assert!(error <= 1e-12, "{dfen} {name} {side}: {value} is not {expected}");
                assert_eq!(result.classes as u64, entry["classes"].as_u64().unwrap(), "{dfen}");
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 5 * 4);
}

#[test]
fn root_search_finds_the_best_of_the_eight_best_turns() {
    for entry in entries("root") {
        let dfen = entry["dfen"].as_str().unwrap();
        let root = position(dfen);
        let result =
            search(&BuiltIn::Material).find_best_move(&root, &SearchControl::unbounded(), 1).unwrap();
        assert_eq!(result.stats.legal_turns, entry["turns"].as_u64().unwrap(), "{dfen}");
        match entry["kind"].as_str().unwrap() {
            "pass" => assert_eq!(result.best, None, "{dfen}"),
            "capture" => {
                let best = result.best.unwrap();
                assert_eq!((best.score, best.source), (i32::MAX, ScoreSource::Capture), "{dfen}");
                assert!(strings(&entry["captures"]).contains(&best.turn.to_string()), "{dfen}");
            }
            _ => {
                let expected = &entry["limit8_by_turn"];
                let best = result.best.unwrap();
                let value = expected["best"].as_f64().unwrap() / 216.0;
                let outcome = SearchOutcome::Exact { value, work_used: 0 };
                assert_eq!(best.outcome, outcome, "{dfen}");
                let finals: Vec<Position> =
                    strings(&expected["turns"]).iter().map(|text| after_turn(&root, text)).collect();
                assert!(finals.contains(&root.play_turn(best.turn).end_turn()), "{dfen}");
            }
        }
    }
}

/// The position after the turn with this text, which must be legal.
fn after_turn(root: &Position, text: &str) -> Position {
    let turns = dicechess_native::rules::legal_turns(root);
    let turn = turns.iter().find(|turn| turn.to_string() == text);
    root.play_turn(turn.unwrap_or_else(|| panic!("{text} is legal"))).end_turn()
}
