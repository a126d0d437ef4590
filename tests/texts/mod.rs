//! Positions and turns as text, the form in which the tests write down what they expect.

// Each test file uses its own part of this.
#![allow(dead_code, unreachable_pub)]

use dicechess_native::board::{DicePool, Position};
use dicechess_native::rules::{legal_turns, micro_moves};

use crate::oracle::State;

/// The position of a valid DFEN.
pub fn position(dfen: &str) -> Position {
    dfen.parse().unwrap_or_else(|error| panic!("{dfen}: {error}"))
}

/// The oracle's position of a valid DFEN.
pub fn state(dfen: &str) -> State {
    State::parse(dfen).unwrap_or_else(|| panic!("{dfen}: the oracle refuses it"))
}

/// The dice of these letters, in this order.
pub fn dice(letters: &str) -> DicePool {
    use dicechess_native::board::PieceType;
    let dice: Vec<_> = letters.bytes().map(|letter| PieceType::from_letter(letter).unwrap()).collect();
    DicePool::from_dice(&dice).unwrap()
}

/// The position's DFEN without its dice.
pub fn without_dice(position: Position) -> String {
    position.with_dice(DicePool::EMPTY).to_string()
}

/// The micro-moves of a DFEN in canonical order.
pub fn micro_move_texts(dfen: &str) -> Vec<String> {
    micro_moves(&position(dfen)).iter().map(|micro_move| micro_move.to_string()).collect()
}

/// The legal turns of a DFEN in canonical order, on which engine and oracle agree.
pub fn turn_texts(dfen: &str) -> Vec<String> {
    let turns: Vec<String> = legal_turns(&position(dfen)).iter().map(|turn| turn.to_string()).collect();
    assert_eq!(turns, state(dfen).turns().texts(), "engine and oracle on {dfen}");
    turns
}

/// Asserts that the legal turns of a DFEN are exactly these, in any order.
#[track_caller]
pub fn assert_turns(dfen: &str, expected: &[&str]) {
    let (mut found, mut expected) = (turn_texts(dfen), expected.to_vec());
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected, "{dfen}");
}

/// The position after micro-moves such as `"e2e4 g1f3"`, each of which must be among those listed.
#[track_caller]
pub fn play(start: Position, moves: &str) -> Position {
    moves.split_whitespace().fold(start, |position, text| {
        let listed = micro_moves(&position);
        let Some(&micro_move) = listed.iter().find(|listed| listed.to_string() == text) else {
            panic!("{text} is not among the micro-moves {listed:?} of {position}");
        };
        position.play(micro_move)
    })
}

/// The DFEN without dice after micro-moves from a DFEN, before `end_turn`.
#[track_caller]
pub fn after(dfen: &str, moves: &str) -> String {
    without_dice(play(position(dfen), moves))
}

/// The DFEN after micro-moves from a DFEN and `end_turn`.
#[track_caller]
pub fn after_turn(dfen: &str, moves: &str) -> String {
    play(position(dfen), moves).end_turn().to_string()
}
