//! The rules layer agrees with every fixture of its own: DFEN, turns, perft, classes, king-capture rolls.

mod fixtures;

use std::collections::BTreeSet;

use dicechess_native::board::{Color, DfenError, DicePool, PieceType, Position};
use dicechess_native::rules::{
    Budget, Finals, Identity, ReachSets, Roll, Turn, king_capture_rolls, legal_turns, partition, perft,
};
use fixtures::{entries, load, sha256_of_lines, strings};

fn position(dfen: &str) -> Position {
    dfen.parse().unwrap_or_else(|error| panic!("{dfen}: {error}"))
}

fn without_dice(position: Position) -> String {
    position.with_dice(DicePool::EMPTY).to_string()
}

fn finals_after(root: &Position, turns: &[Turn]) -> BTreeSet<String> {
    turns.iter().map(|&turn| without_dice(root.play_turn(turn))).collect()
}

#[test]
fn valid_dfens_are_read_and_written_canonically() {
    for entry in load("dfen")["valid"].as_array().unwrap() {
        let (text, canonical) = (entry["in"].as_str().unwrap(), entry["out"].as_str().unwrap());
        assert_eq!(position(text).to_string(), canonical, "{text}");
        assert_eq!(position(canonical).to_string(), canonical);
    }
}

#[test]
fn invalid_dfens_are_refused_with_an_error_that_names_the_field() {
    for entry in load("dfen")["invalid"].as_array().unwrap() {
        let text = entry["in"].as_str().unwrap();
        let DfenError { field, .. } = text.parse::<Position>().expect_err(text);
        let accepted = strings(&entry["field"]);
        assert!(accepted.iter().any(|name| name == field), "{text}: {field} is none of {accepted:?}");
    }
}

#[test]
fn legal_turns_are_those_of_the_fixtures_in_canonical_order() {
    for entry in entries("turns") {
        let dfen = entry["dfen"].as_str().unwrap();
        let turns = legal_turns(&position(dfen));
        let texts: Vec<String> = turns.iter().map(|turn| turn.to_string()).collect();
        assert_eq!(texts.len() as u64, entry["turns"].as_u64().unwrap(), "{dfen}");
        assert_eq!(turns.captures().len() as u64, entry["capturing"].as_u64().unwrap(), "{dfen}");
        assert_eq!(texts[..texts.len().min(3)], strings(&entry["first"]), "{dfen}");
        assert_eq!(texts[texts.len().saturating_sub(3)..], strings(&entry["last"]), "{dfen}");
        assert_eq!(sha256_of_lines(&texts), entry["turns_sha256"], "{dfen}");
    }
}

#[test]
fn final_positions_of_the_turns_are_those_of_the_fixtures() {
    for entry in entries("turns") {
        let dfen = entry["dfen"].as_str().unwrap();
        let root = position(dfen);
        let turns = legal_turns(&root);
        let quiet = finals_after(&root, turns.quiet());
        let ended: BTreeSet<String> =
            turns.quiet().iter().map(|&turn| root.play_turn(turn).end_turn().to_string()).collect();
        let captures = finals_after(&root, turns.captures());
        assert_eq!(sha256_of_lines(&quiet), entry["finals_sha256"], "{dfen}");
        assert_eq!(sha256_of_lines(&ended), entry["finals_after_end_turn_sha256"], "{dfen}");
        assert_eq!(sha256_of_lines(&captures), entry["capture_finals_sha256"], "{dfen}");
    }
}

#[test]
fn reach_sets_find_the_final_positions_without_the_sequences() {
    for entry in entries("turns") {
        let dfen = entry["dfen"].as_str().unwrap();
        let root = position(dfen);
        let roll = Roll::of(root.dice());
        for (identity, hash) in [
            (Identity::BeforeTurnEnd, "finals_sha256"),
            (Identity::AfterTurnEnd, "finals_after_end_turn_sha256"),
        ] {
            let mut sets = ReachSets::new(identity);
            sets.reset(&root);
            let finals = sets.finals(roll, &Budget::unlimited()).unwrap();
            if entry["capturing"].as_u64().unwrap() > 0 {
                assert_eq!(finals, Finals::KingCapture, "{dfen}");
            } else if entry["turns"].as_u64().unwrap() == 0 {
                assert_eq!(finals, Finals::ForcedPass, "{dfen}");
            } else {
                let Finals::Positions(positions) = finals else { panic!("{dfen}: {finals:?}") };
                let distinct: BTreeSet<String> = positions.iter().map(|p| without_dice(*p)).collect();
                assert_eq!(distinct.len(), positions.len(), "{dfen}");
                assert_eq!(sha256_of_lines(&distinct), entry[hash], "{dfen}");
            }
        }
    }
}

#[test]
fn perft_counts_are_those_of_the_fixtures() {
    for entry in entries("perft") {
        let dfen = entry["dfen"].as_str().unwrap();
        let die = PieceType::from_letter(entry["die"].as_str().unwrap().as_bytes()[0]).unwrap();
        for (depth, nodes) in (1..).zip(entry["nodes"].as_array().unwrap()) {
            assert_eq!(perft(&position(dfen), die, depth), nodes.as_u64().unwrap(), "{dfen} {depth}");
        }
    }
}

#[test]
fn classes_and_weights_are_those_of_the_fixtures_in_class_order() {
    for entry in entries("classes") {
        let dfen = entry["dfen"].as_str().unwrap();
        let expected: Vec<(String, u64)> = entry["classes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|class| (class[0].as_str().unwrap().to_owned(), class[1].as_u64().unwrap()))
            .collect();
        let classes: Vec<(String, u64)> = partition(&position(dfen))
            .iter()
            .map(|class| (class.roll.to_string(), u64::from(class.weight)))
            .collect();
        assert_eq!(classes, expected, "{dfen}");
    }
}

#[test]
fn king_capture_rolls_are_those_of_the_fixtures() {
    for entry in entries("captures") {
        let dfen = entry["dfen"].as_str().unwrap();
        for (defender, name) in [(Color::White, "defender_w"), (Color::Black, "defender_b")] {
            let rolls = king_capture_rolls(&position(dfen), defender, &Budget::unlimited()).unwrap();
            assert_eq!(u64::from(rolls), entry[name].as_u64().unwrap(), "{dfen} {name}");
        }
    }
}
