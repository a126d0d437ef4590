//! The oracle agrees with every expected result in `data`, so that the two vouch for each other
//! before the engine is measured against either.

mod oracle;

use oracle::{
    Color, Kind, Reply, State, aggressive, chance_numerator, chance_numerator_weighted, evaluate, material,
    saturated, weighted_rolls,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::{BTreeSet, HashMap};

const F10: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 3";

fn read(name: &str) -> Value {
    let path = format!("{}/tests/data/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap()
}

/// The entries of a file, each with its position.
fn entries(name: &str) -> Vec<(State, Value)> {
    let file = read(name);
    assert_eq!(file["kind"], name);
    let entries = file["entries"].as_array().unwrap();
    assert!(!entries.is_empty());
    entries.iter().map(|entry| (state(entry["dfen"].as_str().unwrap()), entry.clone())).collect()
}

fn state(dfen: &str) -> State {
    State::parse(dfen).unwrap_or_else(|| panic!("{dfen} must parse"))
}

fn sha256<T: AsRef<str>>(lines: impl IntoIterator<Item = T>) -> String {
    let lines: Vec<String> = lines.into_iter().map(|line| line.as_ref().to_string()).collect();
    Sha256::digest(lines.join("\n")).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Compares every field but the note, and demands that there is no other.
fn assert_entry(expected: &Value, mut found: Value) {
    for field in ["note", "dfen"] {
        if let Some(text) = expected.get(field) {
            found[field] = text.clone();
        }
    }
    assert_eq!(&found, expected);
}

#[test]
fn oracle_agrees_with_dfen_json() {
    let file = read("dfen");
    for entry in file["valid"].as_array().unwrap() {
        let (text, out) = (entry["in"].as_str().unwrap(), entry["out"].as_str().unwrap());
        assert_eq!(state(text).to_dfen(), out, "{text}");
        assert_eq!(state(out).to_dfen(), out);
    }
    for entry in file["invalid"].as_array().unwrap() {
        let text = entry["in"].as_str().unwrap();
        assert_eq!(State::parse(text), None, "{text}");
    }
}

#[test]
fn oracle_agrees_with_turns_json() {
    for (state, expected) in entries("turns") {
        let turns = state.turns();
        let texts = turns.texts();
        let finals = state.distinct_finals();
        let finals_after = state.distinct_finals_after_end_turn();
        let capture_finals = state.capture_finals();
        let found = json!({
            "turns": texts.len(),
            "capturing": turns.captures.len(),
            "first": texts[..texts.len().min(3)],
            "last": texts[texts.len().saturating_sub(3)..],
            "turns_sha256": sha256(&texts),
            "finals": finals.len(),
            "finals_sha256": sha256(&finals),
            "finals_after_end_turn": finals_after.len(),
            "finals_after_end_turn_sha256": sha256(&finals_after),
            "capture_finals": capture_finals.len(),
            "capture_finals_sha256": sha256(&capture_finals),
        });
        assert_entry(&expected, found);
    }
}

#[test]
fn oracle_agrees_with_perft_json() {
    for (state, expected) in entries("perft") {
        let die = Kind::from_letter(expected["die"].as_str().unwrap().parse().unwrap()).unwrap();
        let depths = expected["nodes"].as_array().unwrap().len() as u32;
        let nodes: Vec<u64> = (1..=depths).map(|depth| state.perft(die, depth)).collect();
        assert_entry(&expected, json!({ "die": die.letter().to_string(), "nodes": nodes }));
    }
}

#[test]
fn oracle_agrees_with_classes_json() {
    for (state, expected) in entries("classes") {
        let classes = state.classes();
        assert_eq!(classes.iter().map(|(_, weight)| weight).sum::<u32>(), 216);
        assert_entry(&expected, json!({ "classes": classes }));
    }
}

#[test]
fn oracle_agrees_with_captures_json() {
    for (state, expected) in entries("captures") {
        let found = json!({
            "defender_w": state.king_capture_rolls(Color::White),
            "defender_b": state.king_capture_rolls(Color::Black),
        });
        assert_entry(&expected, found);
    }
}

#[test]
fn oracle_agrees_with_chance_json() {
    for (state, expected) in entries("chance") {
        let plies = expected["plies"].as_u64().unwrap() as u32;
        let numerator = |perspective, leaf| chance_numerator_weighted(&state, plies, perspective, leaf);
        let (capturing, passing) = state.capturing_and_pass_rolls();
        let found = json!({
            "plies": plies,
            "classes": state.classes().len(),
            "capturing_rolls": capturing,
            "forced_pass_rolls": passing,
            "material": {
                "w": numerator(Color::White, &material),
                "b": numerator(Color::Black, &material),
            },
            "evaluate": {
                "w": numerator(Color::White, &evaluate),
                "b": numerator(Color::Black, &evaluate),
            },
        });
        assert_entry(&expected, found);
    }
}

#[test]
fn ordered_and_weighted_rolls_give_the_same_expectation() {
    for (state, expected) in entries("chance") {
        let plies = expected["plies"].as_u64().unwrap() as u32;
        let ordered = chance_numerator(&state, plies, Color::White, &material);
        assert_eq!(ordered, expected["material"]["w"], "{}", state.to_dfen());
    }
}

#[test]
fn oracle_agrees_with_root_json() {
    for (state, expected) in entries("root") {
        let turns = state.turns();
        let count = turns.all().count();
        match expected["kind"].as_str().unwrap() {
            "pass" => {
                assert_eq!(count, 0);
                assert_entry(&expected, json!({ "turns": 0, "kind": "pass" }));
            }
            "capture" => {
                let captures: Vec<String> = turns.captures.iter().map(|(moves, _)| moves.join(" ")).collect();
                assert!(!captures.is_empty());
                assert_entry(&expected, json!({ "turns": count, "kind": "capture", "captures": captures }));
            }
            "search" => assert_root_search(&state, &expected),
            kind => panic!("unknown kind {kind}"),
        }
    }
}

/// Tables up to this size are computed in full. The middlegame's 2319 chance nodes would take
/// minutes, so there the numerators of all candidates, of all best positions and of a spread sample
/// are computed, and the rest are taken from the file.
const FULL_TABLE: usize = 200;
const SAMPLE: usize = 20;

/// A candidate: its turn and the index of the position it leads to.
type Candidate = (String, usize);

fn assert_root_search(root: &State, expected: &Value) {
    let view = root.mover;
    let played = root.played_turns();
    let positions = root.root_positions();
    let material_of: Vec<i64> = positions.iter().map(|(_, after)| material(after, view)).collect();
    let index: HashMap<&State, usize> =
        positions.iter().enumerate().map(|(i, (_, after))| (after, i)).collect();
    let goals: Vec<usize> = played.iter().map(|(_, after)| index[after]).collect();

    // The eight with the most material, ties in the order given.
    let limited = |mut list: Vec<Candidate>| {
        list.sort_by_key(|&(_, i)| -material_of[i]);
        list.truncate(8);
        list
    };
    let by_turn = limited(played.iter().zip(&goals).map(|((turn, _), &i)| (turn.clone(), i)).collect());
    let everything: Vec<Candidate> =
        positions.iter().enumerate().map(|(i, (turn, _))| (turn.clone(), i)).collect();
    let by_position = limited(everything.clone());
    let clockless = |i: usize| State { half_moves: 0, ..positions[i].1.clone() };
    let mut seen = BTreeSet::new();
    let by_clockless =
        limited(everything.iter().filter(|&&(_, i)| seen.insert(clockless(i))).cloned().collect());

    let claimed: Vec<i64> =
        expected["table"].as_array().unwrap().iter().map(|row| row[1].as_i64().unwrap()).collect();
    assert_eq!(claimed.len(), positions.len());
    let best_claimed = claimed.iter().max().unwrap();
    let stride = positions.len() / SAMPLE + 1;
    let is_checked = |i: usize| {
        positions.len() <= FULL_TABLE
            || i.is_multiple_of(stride)
            || &claimed[i] == best_claimed
            || [&by_turn, &by_position, &by_clockless].iter().any(|list| list.iter().any(|&(_, j)| i == j))
    };
    let numerators: Vec<i64> = (0..positions.len())
        .map(|i| match is_checked(i) {
            true => chance_numerator_weighted(&positions[i].1, 1, view, &material),
            false => claimed[i],
        })
        .collect();

    let best_of = |list: &[Candidate]| list.iter().map(|&(_, i)| numerators[i]).max().unwrap();
    let ties = |list: &[Candidate]| -> Vec<Candidate> {
        let best = best_of(list);
        // In the order of the canonical list, not of the material ranking.
        let mut ties: Vec<_> = list.iter().filter(|&&(_, i)| numerators[i] == best).cloned().collect();
        ties.sort_by_key(|(turn, _)| played.iter().position(|(other, _)| other == turn));
        ties
    };
    let turns = |list: &[Candidate]| list.iter().map(|(turn, _)| turn.clone()).collect::<Vec<_>>();
    let limit = |list: &[Candidate]| {
        let best_turns = turns(&ties(list));
        json!({ "candidates": turns(list), "best": best_of(list), "turns": best_turns })
    };
    let reading = |list: &[Candidate]| {
        let best: BTreeSet<State> = ties(list).into_iter().map(|(_, i)| clockless(i)).collect();
        (best_of(list), best)
    };

    let most = best_of(&everything);
    let all_turns: Vec<&str> = played
        .iter()
        .zip(&goals)
        .filter(|&(_, &i)| numerators[i] == most)
        .map(|((turn, _), _)| turn.as_str())
        .collect();
    let table: Vec<Value> =
        (0..positions.len()).map(|i| json!([positions[i].0, numerators[i], material_of[i]])).collect();
    let same = reading(&by_turn) == reading(&by_position) && reading(&by_position) == reading(&by_clockless);
    let found = json!({
        "turns": played.len(),
        "kind": "search",
        "positions": positions.len(),
        "table": table,
        "unlimited": {
            "best": most,
            "turns": turns(&ties(&everything)),
            "all_turns": all_turns.len(),
            "all_turns_sha256": sha256(&all_turns),
        },
        "limit8": limit(&by_position),
        "limit8_by_turn": limit(&by_turn),
        "limit8_same_in_every_reading": same,
    });
    assert_entry(expected, found);
}

#[test]
fn mirrored_positions_have_mirrored_results() {
    for dfen in [F10, "4k3/8/8/pPpPpP2/8/8/8/4K3 w - a6c6e6 0 3", "r3k2r/p7/8/8/8/8/P7/4K3 b kq - 0 1"] {
        let state = state(dfen);
        let mirrored = state.mirrored();
        assert_eq!(mirrored.mirrored(), state);
        assert_eq!(mirrored.classes(), state.classes());
        assert_eq!(mirrored.king_capture_rolls(Color::White), state.king_capture_rolls(Color::Black));
        for leaf in [material, evaluate, aggressive] {
            assert_eq!(leaf(&mirrored, Color::White), leaf(&state, Color::Black));
        }
        for (roll, _) in weighted_rolls().into_iter().step_by(9) {
            let finals = |state: &State| match state.reply(&roll) {
                Reply::Quiet(finals) => finals.into_iter().collect::<BTreeSet<_>>(),
                Reply::Pass(after) => BTreeSet::from([after]),
                Reply::TakesKing => BTreeSet::new(),
            };
            // The full-move number counts Black's turns, on either board.
            let unnumbered = |state: State| State { full_moves: 1, ..state };
            let back: BTreeSet<_> =
                finals(&mirrored).iter().map(|after| unnumbered(after.mirrored())).collect();
            assert_eq!(back, finals(&state).into_iter().map(unnumbered).collect());
        }
    }
}

#[test]
fn aggressive_adds_storm_proximity_and_ring() {
    // Material 600, storm 2 x 15, proximity 25 x (8 - 7), the rook attacks a7 in the ring.
    let attack = state("k7/8/8/8/4P3/8/8/R3K3 w - - 0 1");
    assert_eq!(aggressive(&attack, Color::White), 600 + 30 + 25 + 25);
    assert_eq!(aggressive(&attack, Color::Black), -600 - 2000);
    let no_enemy_king = state("8/8/8/8/4P3/8/8/R3K3 w - - 0 1");
    assert_eq!(aggressive(&no_enemy_king, Color::White), 10_600);
    assert_eq!(saturated(10_600), 10_000);
}

#[test]
fn sequence_that_can_only_take_the_king_is_no_turn_and_sets_no_maximum() {
    // No fixture has this case. After d4d5 and a king step the queen bars the pawn: it can only take
    // the king. So these two dice set no maximum, and c5d5, which blocks the pawn with one die, is legal.
    let turns = state("8/4n3/2kQ4/2K5/3P4/5B2/8/8 w - - 0 1 PPK").turns();
    let expected = [
        "d4d5 d5c6",
        "d4d5 c5b4 d5c6",
        "d4d5 c5c4 d5c6",
        "d4d5 c5d4 d5c6",
        "d4d5 c5b5 d5c6",
        "d4d5 c5b6 d5c6",
        "d4d5 c5c6",
        "c5b4 d4d5 d5c6",
        "c5c4 d4d5 d5c6",
        "c5b5 d4d5 d5c6",
        "c5b6 d4d5 d5c6",
        "c5c6",
        "c5d5",
    ];
    assert_eq!(turns.texts(), expected);
    assert_eq!(turns.quiet.len(), 1);
}
