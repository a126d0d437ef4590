//! Each special case of the rules, by name, with the expected result worked out by hand.

mod oracle;
mod texts;

use std::collections::BTreeSet;

use dicechess_native::board::{Color, PieceType, Position};
use dicechess_native::rules::{
    Budget, Finals, Identity, ReachSets, Roll, divide, king_capture_path, king_capture_rolls, legal_turns,
    partition, perft, visit_turn_states,
};
use texts::{
    after, after_turn, assert_turns, dice, micro_move_texts, play, position, turn_texts, without_dice,
};

fn contains(turns: &[String], turn: &str) -> bool {
    turns.iter().any(|other| other == turn)
}

fn castles(dfen: &str) -> Vec<String> {
    turn_texts(dfen).into_iter().filter(|turn| turn == "e1g1" || turn == "e1c1").collect()
}

// En passant

#[test]
fn en_passant_has_several_targets_at_once() {
    let dfen = "4k3/8/8/1pPpP3/8/8/8/4K3 w - b6d6 0 1 PP";
    assert_eq!(micro_move_texts(dfen), ["c5c6", "c5b6", "c5d6", "e5e6", "e5d6"]);
    // Taking one target leaves the other.
    assert_eq!(after(dfen, "c5b6"), "4k3/8/1P6/3pP3/8/8/8/4K3 w - d6 0 1");
    assert_eq!(after(dfen, "c5b6 e5d6"), "4k3/8/1P1P4/8/8/8/8/4K3 w - - 0 1");
    assert!(contains(&turn_texts(dfen), "c5b6 e5d6"));
}

#[test]
fn en_passant_targets_of_one_pawn_are_listed_by_square_after_its_other_moves() {
    let dfen = "4k3/8/3r4/3pPp2/8/8/8/4K3 w - d6f6 0 1 P";
    // On d6 stands a rook, so only f6 is taken in passing.
    assert_eq!(micro_move_texts(dfen), ["e5e6", "e5d6", "e5f6"]);
    let dfen = "4k3/8/8/3pPp2/8/8/8/4K3 w - d6f6 0 1 P";
    assert_eq!(micro_move_texts(dfen), ["e5e6", "e5d6", "e5f6"]);
    assert_eq!(after(dfen, "e5f6"), "4k3/8/5P2/3p4/8/8/8/4K3 w - d6 0 1");
}

#[test]
fn en_passant_is_available_at_the_first_micro_move() {
    let dfen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1 P";
    assert_turns(dfen, &["e5e6", "e5d6"]);
    assert_eq!(after(dfen, "e5d6"), "4k3/8/3P4/8/8/8/8/4K3 w - - 0 1");
}

#[test]
fn en_passant_is_available_at_the_second_micro_move() {
    let dfen = "4k3/8/8/3pP3/8/8/8/K7 w - d6 0 1 PK";
    assert_turns(
        dfen,
        &[
            "e5e6 a1a2",
            "e5e6 a1b1",
            "e5e6 a1b2",
            "e5d6 a1a2",
            "e5d6 a1b1",
            "e5d6 a1b2",
            "a1a2 e5e6",
            "a1b1 e5e6",
            "a1b2 e5e6",
            "a1a2 e5d6",
            "a1b1 e5d6",
            "a1b2 e5d6",
        ],
    );
    assert_eq!(after(dfen, "a1a2 e5d6"), "4k3/8/3P4/8/8/8/K7/8 w - - 0 1");
}

#[test]
fn en_passant_is_available_at_the_third_micro_move() {
    let dfen = "4k3/8/8/3pP3/8/8/8/K7 w - d6 0 1 PKK";
    assert!(contains(&turn_texts(dfen), "a1a2 a2a1 e5d6"));
    assert_eq!(after(dfen, "a1a2 a2a1 e5d6"), "4k3/8/3P4/8/8/8/8/K7 w - - 0 1");
}

#[test]
fn en_passant_works_for_black() {
    let dfen = "k7/8/8/8/3Pp3/8/8/7K b - d3 0 1 pkk";
    assert!(contains(&turn_texts(dfen), "a8a7 a7a8 e4d3"));
    assert_eq!(after(dfen, "a8a7 a7a8 e4d3"), "k7/8/8/8/8/3p4/8/7K b - - 0 1");
}

#[test]
fn target_is_lost_when_a_piece_stands_on_it() {
    let dfen = "4k3/8/8/1N1pP3/8/8/8/4K3 w - d6 0 1 PNN";
    assert_eq!(after(dfen, "b5d6"), "4k3/8/3N4/3pP3/8/8/8/4K3 w - - 1 1");
    let turns = turn_texts(dfen);
    // Leaving the square again does not bring the target back.
    assert!(contains(&turns, "b5d6 d6b5 e5e6"));
    assert!(!contains(&turns, "b5d6 d6b5 e5d6"));
    assert!(contains(&turns, "b5c3 c3b5 e5d6"));
}

#[test]
fn capture_on_an_occupied_target_is_an_ordinary_one() {
    let dfen = "4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1 P";
    assert_turns(dfen, &["e5e6", "e5d6"]);
    // The pawn on d5 stays: what was taken is the knight.
    assert_eq!(after(dfen, "e5d6"), "4k3/8/3P4/3p4/8/8/8/4K3 w - - 0 1");
}

#[test]
fn target_is_lost_when_its_pawn_was_captured_first() {
    let dfen = "4k3/8/8/3pP3/8/2N5/8/4K3 w - d6 0 1 PN";
    assert_eq!(after(dfen, "c3d5"), "4k3/8/8/3NP3/8/8/8/4K3 w - - 0 1");
    let turns = turn_texts(dfen);
    // 7 other knight moves with 2 pawn moves each, both pawn moves with 8 knight moves each, and this one.
    assert_eq!(turns.len(), 7 * 2 + 2 * 8 + 1);
    let after_capture: Vec<_> = turns.iter().filter(|turn| turn.starts_with("c3d5")).collect();
    assert_eq!(after_capture, ["c3d5 e5e6"]);
}

#[test]
fn no_en_passant_without_a_pawn_behind_the_target() {
    assert_turns("4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1 P", &["e5e6"]);
    assert_turns("4k3/8/8/3nP3/8/8/8/4K3 w - d6 0 1 P", &["e5e6"]);
    assert_turns("4k3/8/8/3PP3/8/8/8/4K3 w - d6 0 1 P", &["d5d6", "e5e6"]);
    assert_turns("4k3/8/8/8/4p3/8/8/4K3 b - d3 0 1 p", &["e4e3"]);
}

#[test]
fn no_en_passant_on_a_rank_where_no_double_step_of_the_enemy_passes() {
    assert_turns("4k3/8/8/8/8/8/3pP3/4K3 w - d3 0 1 P", &["e2e3", "e2e4"]);
    assert_turns("4k3/3pP3/8/8/8/8/8/4K3 b - e6 0 1 p", &["d7d6", "d7d5"]);
    // On the last rank nothing can be taken in passing, and there is nothing to promote.
    assert_turns("8/k2pP3/8/8/8/8/8/4K3 w - d8 0 1 P", &["e7e8q", "e7e8r", "e7e8b", "e7e8n"]);
}

#[test]
fn no_en_passant_across_the_edge_of_the_board() {
    assert_turns("4k3/8/8/p6P/8/8/8/4K3 w - a6 0 1 P", &["h5h6"]);
    assert_turns("4k3/8/8/P6p/8/8/8/4K3 w - h6 0 1 P", &["a5a6"]);
}

#[test]
fn double_step_of_the_own_side_cannot_be_captured_in_the_same_turn() {
    let dfen = "4k3/8/8/8/8/8/4PP2/4K3 w - - 0 1 PP";
    assert_eq!(after(dfen, "e2e4"), "4k3/8/8/8/4P3/8/5P2/4K3 w - e3 0 1");
    let turns = turn_texts(dfen);
    assert_eq!(turns.len(), 12);
    assert!(!turns.iter().any(|turn| turn.contains("f2e3") || turn.contains("e2f3")));
}

#[test]
fn target_is_lost_when_its_pawn_moves_on_in_the_same_turn() {
    let dfen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 PP";
    assert_eq!(after(dfen, "e2e4"), "4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1");
    assert_eq!(after(dfen, "e2e4 e4e5"), "4k3/8/8/4P3/8/8/8/4K3 w - - 0 1");
    // A capture leaves the square as well.
    assert_eq!(after("4k3/8/8/5p2/8/8/4P3/4K3 w - - 0 1 PP", "e2e4 e4f5"), "4k3/8/8/5P2/8/8/8/4K3 w - - 0 1");
}

#[test]
fn target_is_lost_when_an_own_piece_steps_behind_the_pawn() {
    let dfen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 PKK";
    assert_eq!(after(dfen, "e2e4 e1e2 e2e3"), "4k3/8/8/8/4P3/4K3/8/8 w - - 2 1");
}

#[test]
fn targets_live_until_the_end_of_the_opponents_turn() {
    let dfen = "4k3/8/8/8/8/8/P1P5/4K3 w - - 0 1 PP";
    assert_eq!(after_turn(dfen, "a2a4 c2c4"), "4k3/8/8/8/P1P5/8/8/4K3 b - a3c3 0 1");
    let next = play(position(dfen), "a2a4 c2c4").end_turn();
    let rolled = next.with_dice(dice("KKK"));
    assert_eq!(without_dice(play(rolled, "e8e7 e7e8 e8d8")), "3k4/8/8/8/P1P5/8/8/4K3 b - a3c3 3 1");
    assert_eq!(play(rolled, "e8e7 e7e8 e8d8").end_turn().to_string(), "3k4/8/8/8/P1P5/8/8/4K3 w - - 3 2");
}

#[test]
fn en_passant_and_an_ordinary_capture_lead_to_different_positions() {
    // The pawn passes d6, or takes on f6 beside it: only the former removes a pawn on rank 5.
    let dfen = "4k3/8/5p2/3pP3/8/8/8/4K3 w - d6 0 1 P";
    assert_eq!(after(dfen, "e5d6"), "4k3/8/3P1p2/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(after(dfen, "e5f6"), "4k3/8/5P2/3p4/8/8/8/4K3 w - d6 0 1");
}

// Castling

const BOTH_ROOKS: &str = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";

#[test]
fn castling_needs_both_dice() {
    assert_turns(&format!("{BOTH_ROOKS} K"), &["e1d1", "e1d2", "e1e2", "e1f1", "e1f2"]);
    let rook_moves = turn_texts(&format!("{BOTH_ROOKS} R"));
    // a1 reaches b1-d1 and a2-a8, h1 reaches f1, g1 and h2-h8.
    assert_eq!(rook_moves.len(), 10 + 9);
    for pool in ["KK", "KKK", "RR", "RRR", "KKP", "RRP", "KNB"] {
        let dfen = format!("{BOTH_ROOKS} {pool}");
        let first_moves = micro_move_texts(&dfen);
        assert!(!first_moves.iter().any(|text| text == "e1g1" || text == "e1c1"), "{pool}");
    }
    for pool in ["RK", "RRK", "RKK", "PRK"] {
        let dfen = format!("{BOTH_ROOKS} {pool}");
        let first_moves = micro_move_texts(&dfen);
        assert!(contains(&first_moves, "e1g1") && contains(&first_moves, "e1c1"), "{pool}");
    }
}

#[test]
fn castling_goes_to_both_sides_for_both_colours() {
    let white = format!("{BOTH_ROOKS} RK");
    assert_eq!(after(&white, "e1g1"), "4k3/8/8/8/8/8/8/R4RK1 w - - 1 1");
    assert_eq!(after(&white, "e1c1"), "4k3/8/8/8/8/8/8/2KR3R w - - 1 1");
    let black = "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1 rk";
    assert_eq!(after(black, "e8g8"), "r4rk1/8/8/8/8/8/8/4K3 b - - 1 1");
    assert_eq!(after(black, "e8c8"), "2kr3r/8/8/8/8/8/8/4K3 b - - 1 1");
    assert_eq!(after_turn(black, "e8c8"), "2kr3r/8/8/8/8/8/8/4K3 w - - 1 2");
}

#[test]
fn castling_spends_both_dice_in_one_micro_move() {
    let castled = play(position(&format!("{BOTH_ROOKS} PRK")), "e1g1");
    assert_eq!(castled.dice(), dice("P"));
    let castling = dicechess_native::rules::micro_moves(&position(&format!("{BOTH_ROOKS} RK")))
        .into_iter()
        .find(|micro_move| micro_move.to_string() == "e1g1")
        .unwrap();
    assert!(castling.is_castling());
    assert_eq!((castling.dice_spent(), castling.piece()), (2, PieceType::King));
}

#[test]
fn castling_ignores_attacks_on_the_king_its_way_and_its_goal() {
    for (dfen, castling) in [
        ("4r1k1/8/8/8/8/8/8/4K2R w K - 0 1 RK", "e1g1"),
        ("5rk1/8/8/8/8/8/8/4K2R w K - 0 1 RK", "e1g1"),
        ("k5r1/8/8/8/8/8/8/4K2R w K - 0 1 RK", "e1g1"),
        ("3r2k1/8/8/8/8/8/8/R3K3 w Q - 0 1 RK", "e1c1"),
        ("2r3k1/8/8/8/8/8/8/R3K3 w Q - 0 1 RK", "e1c1"),
        ("1r4k1/8/8/8/8/8/8/R3K3 w Q - 0 1 RK", "e1c1"),
        ("r5k1/8/8/8/8/8/8/R3K3 w Q - 0 1 RK", "e1c1"),
    ] {
        assert_eq!(castles(dfen), [castling], "{dfen}");
    }
}

#[test]
fn castling_needs_every_square_between_king_and_rook_empty() {
    for (home_rank, expected) in [
        ("R3K2R", vec!["e1g1", "e1c1"]),
        ("R3KB1R", vec!["e1c1"]),
        ("R3K1nR", vec!["e1c1"]),
        ("R2bK2R", vec!["e1g1"]),
        ("R1B1K2R", vec!["e1g1"]),
        ("RN2K2R", vec!["e1g1"]),
        ("Rn2KN1R", vec![]),
    ] {
        assert_eq!(castles(&format!("4k3/8/8/8/8/8/8/{home_rank} w KQ - 0 1 RK")), expected, "{home_rank}");
    }
}

#[test]
fn castling_needs_the_right_of_its_side() {
    for (rights, expected) in [
        ("K", vec!["e1g1"]),
        ("Q", vec!["e1c1"]),
        ("KQkq", vec!["e1g1", "e1c1"]),
        ("kq", vec![]),
        ("-", vec![]),
    ] {
        let dfen = format!("4k3/8/8/8/8/8/8/R3K2R w {rights} - 0 1 RK");
        assert_eq!(castles(&dfen), expected, "{rights}");
    }
}

#[test]
fn contradicting_rights_are_kept_and_give_no_castling() {
    for dfen in [
        "4k3/8/8/8/8/8/8/3K3R w K - 0 1 RK",
        "4k3/8/8/8/8/8/8/4K2r w K - 0 1 RK",
        "4k3/8/8/8/8/8/8/4K2B w K - 0 1 RK",
        "4k3/8/8/8/8/8/7R/4K3 w K - 0 1 RK",
    ] {
        assert_eq!(position(dfen).to_string(), dfen);
        assert_eq!(castles(dfen), Vec::<String>::new(), "{dfen}");
    }
}

#[test]
fn contradicting_right_gives_castling_once_the_board_agrees() {
    // The rook comes to the corner, which is no move from the corner: the right is still there.
    let dfen = "4k3/8/8/8/8/8/8/4K1R1 w K - 0 1 RRK";
    assert_eq!(after(dfen, "g1h1"), "4k3/8/8/8/8/8/8/4K2R w K - 1 1");
    assert!(contains(&turn_texts(dfen), "g1h1 e1g1"));
}

#[test]
fn castling_with_a_third_die_before_it() {
    let dfen = "4k3/8/8/8/8/8/8/4KB1R w K - 0 1 BRK";
    let turns = turn_texts(dfen);
    // The bishop clears the way with the third die.
    assert!(contains(&turns, "f1e2 e1g1"));
    assert!(!turns.iter().any(|turn| turn.starts_with("e1g1")));
    assert_eq!(after(dfen, "f1e2 e1g1"), "4k3/8/8/8/8/8/4B3/5RK1 w - - 2 1");
}

#[test]
fn castling_with_a_third_die_after_it() {
    let pawn = "4k3/8/8/8/8/8/P7/4K2R w K - 0 1 PRK";
    assert!(contains(&turn_texts(pawn), "e1g1 a2a4"));
    assert_eq!(after(pawn, "e1g1 a2a4"), "4k3/8/8/8/P7/8/8/5RK1 w - a3 0 1");
    let rook = "4k3/8/8/8/8/8/8/4K2R w K - 0 1 RRK";
    assert!(contains(&turn_texts(rook), "e1g1 f1f8"));
    let king = "4k3/8/8/8/8/8/8/4K2R w K - 0 1 RKK";
    assert!(contains(&turn_texts(king), "e1g1 g1g2"));
}

#[test]
fn castling_with_a_third_die_that_cannot_move_spends_two_dice() {
    // No knight: two dice are the most, which castling and king with rook spend alike.
    let turns = turn_texts("4k3/8/8/8/8/8/8/4K2R w K - 0 1 NRK");
    assert!(contains(&turns, "e1g1") && contains(&turns, "h1h8 e1e2"));
}

#[test]
fn castling_counts_as_two_dice_for_the_maximum() {
    assert_turns("4k3/8/8/8/8/8/3PPP1P/3QK2R w K - 0 1 RK", &["e1g1", "e1f1 h1g1", "h1g1 e1f1"]);
}

#[test]
fn king_and_rook_moves_drop_the_rights() {
    assert_eq!(after(&format!("{BOTH_ROOKS} K"), "e1e2"), "4k3/8/8/8/8/8/4K3/R6R w - - 1 1");
    assert_eq!(after(&format!("{BOTH_ROOKS} R"), "a1b1"), "4k3/8/8/8/8/8/8/1R2K2R w K - 1 1");
    assert_eq!(after(&format!("{BOTH_ROOKS} R"), "h1g1"), "4k3/8/8/8/8/8/8/R3K1R1 w Q - 1 1");
    // Coming back does not restore them.
    assert_eq!(after(&format!("{BOTH_ROOKS} KK"), "e1e2 e2e1"), "4k3/8/8/8/8/8/8/R3K2R w - - 2 1");
    let turns = turn_texts(&format!("{BOTH_ROOKS} RRR"));
    assert!(!turns.iter().any(|turn| turn.contains("e1")));
    assert_eq!(after(&format!("{BOTH_ROOKS} RRK"), "h1h2 h2h1"), "4k3/8/8/8/8/8/8/R3K2R w Q - 2 1");
}

#[test]
fn capturing_a_rook_in_its_corner_drops_the_enemys_right() {
    let dfen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 R";
    assert_eq!(after(dfen, "a1a8"), "R3k2r/8/8/8/8/8/8/4K2R w Kk - 0 1");
    assert_eq!(after(dfen, "h1h8"), "r3k2R/8/8/8/8/8/8/R3K3 w Qq - 0 1");
    // Another piece in the corner is no rook: its capture leaves a right that contradicts the board.
    assert_eq!(after("4k2n/8/8/8/8/8/8/4K2R w Kk - 0 1 R", "h1h8"), "4k2R/8/8/8/8/8/8/4K3 w k - 0 1");
}

#[test]
fn capturing_the_king_drops_both_of_its_rights() {
    assert_eq!(after("r3k2r/8/8/8/8/8/4R3/4K3 w kq - 0 1 R", "e2e8"), "r3R2r/8/8/8/8/8/8/4K3 w - - 0 1");
}

// Promotion

#[test]
fn promotion_gives_four_moves_in_the_order_q_r_b_n() {
    let dfen = "1n5k/P7/8/8/8/8/8/8 w - - 0 1 P";
    assert_eq!(
        micro_move_texts(dfen),
        ["a7a8q", "a7a8r", "a7a8b", "a7a8n", "a7b8q", "a7b8r", "a7b8b", "a7b8n"]
    );
}

#[test]
fn captures_towards_the_h_file_come_first_for_both_colours() {
    assert_eq!(micro_move_texts("4k3/8/8/8/3p1p2/4P3/8/4K3 w - - 0 1 P"), ["e3e4", "e3f4", "e3d4"]);
    assert_eq!(micro_move_texts("4k3/8/4p3/3P1P2/8/8/8/4K3 b - - 0 1 p"), ["e6e5", "e6f5", "e6d5"]);
}

#[test]
fn promotion_enables_another_die() {
    // The knight die has no knight until the pawn has become one; every other promotion is too short.
    let dfen = "8/P7/8/8/8/8/8/7k w - - 0 1 PN";
    assert_turns(dfen, &["a7a8n a8b6", "a7a8n a8c7"]);
    assert_eq!(after(dfen, "a7a8n a8c7"), "8/2N5/8/8/8/8/8/7k w - - 1 1");
}

#[test]
fn turn_that_promotes_to_the_wrong_piece_is_too_short() {
    let turns = turn_texts("8/P7/8/8/8/8/8/7k w - - 0 1 PNR");
    // A rook on a8 has 14 moves, a knight 2; nothing spends all three dice.
    assert_eq!(turns.len(), 14 + 2);
    assert!(!turns.iter().any(|turn| turn.starts_with("a7a8q") || turn.starts_with("a7a8b")));
    assert_eq!(turns.iter().filter(|turn| turn.starts_with("a7a8r ")).count(), 14);
}

#[test]
fn promotion_two_steps_away_enables_the_third_die() {
    let dfen = "8/8/P7/8/8/8/8/7k w - - 0 1 PPN";
    assert_turns(dfen, &["a6a7 a7a8n a8b6", "a6a7 a7a8n a8c7"]);
}

#[test]
fn promotion_forbids_another_die() {
    // By taking on b8 the pawn would fill the only square the king can go to.
    let dfen = "Kr6/NNP5/8/8/8/8/8/7k w - - 0 1 PK";
    assert_turns(
        dfen,
        &[
            "c7c8q a8b8",
            "c7c8r a8b8",
            "c7c8b a8b8",
            "c7c8n a8b8",
            "a8b8 c7c8q",
            "a8b8 c7c8r",
            "a8b8 c7c8b",
            "a8b8 c7c8n",
        ],
    );
    assert!(contains(&micro_move_texts(dfen), "c7b8q"));
}

#[test]
fn promoted_pawn_cannot_spend_the_next_pawn_die() {
    // The only pawn has become something else when the second die is to be spent.
    assert_turns("7k/P7/8/8/8/8/8/8 w - - 0 1 PP", &["a7a8q", "a7a8r", "a7a8b", "a7a8n"]);
    // With a second pawn, both dice are spent, and one promotion alone is too short.
    let turns = turn_texts("7k/P7/8/8/8/8/3P4/8 w - - 0 1 PP");
    // Promotion and step (4 x 2, both orders), and the d-pawn twice: d3 d4, d4 d5.
    assert_eq!(turns.len(), 4 * 2 * 2 + 2);
}

#[test]
fn promotion_spends_a_pawn_die_whatever_the_pawn_becomes() {
    let promoted = play(position("8/P7/8/8/8/8/8/7k w - - 0 1 PNQ"), "a7a8q");
    assert_eq!(promoted.dice(), dice("NQ"));
}

// Capturing the king

#[test]
fn pawn_captures_the_king_on_the_last_rank_as_one_plain_capture() {
    let dfen = "1k6/P7/8/8/8/8/8/8 w - - 0 1 P";
    assert_eq!(micro_move_texts(dfen), ["a7a8q", "a7a8r", "a7a8b", "a7a8n", "a7b8"]);
    assert_eq!(turn_texts(dfen), ["a7b8", "a7a8q", "a7a8r", "a7a8b", "a7a8n"]);
    assert_eq!(after(dfen, "a7b8"), "1P6/8/8/8/8/8/8/8 w - - 0 1");
    let black = "8/8/8/8/8/8/p7/1K6 b - - 0 1 p";
    assert_eq!(turn_texts(black), ["a2b1", "a2a1q", "a2a1r", "a2a1b", "a2a1n"]);
    assert_eq!(after(black, "a2b1"), "8/8/8/8/8/8/8/1p6 b - - 0 1");
}

#[test]
fn king_captures_of_one_two_and_three_micro_moves_stand_beside_longer_quiet_turns() {
    // A rook on an empty board always has 14 moves. The king on h8 is taken from the h-file or the eighth rank.
    let dfen = "7k/8/8/8/8/8/8/7R w - - 0 1 RRR";
    let turns = legal_turns(&position(dfen));
    assert_eq!(turn_texts(dfen).len(), turns.len());
    let of_length = |length| turns.captures().iter().filter(|turn| turn.len() == length).count();
    // At once; after h2-h7; after 6 x 6 ways over two of h1-h7, 7 over a1-g1 and back, 7 over a1-g1 to a8-g8.
    assert_eq!((of_length(1), of_length(2), of_length(3)), (1, 6, 36 + 7 + 7));
    // Quiet pairs: 7 squares of rank 1 with 14 moves, 6 of the h-file with 13; each with 14 more but the 50 captures.
    let pairs = 7 * 14 + 6 * 13;
    assert_eq!(turns.quiet().len(), pairs * 14 - 50);
    assert!(turns.quiet().iter().all(|turn| turn.len() == 3));
    assert_eq!(turns.captures()[0].to_string(), "h1a1 a1h1 h1h8");
}

#[test]
fn king_capture_ends_the_turn() {
    let dfen = "4k3/8/8/8/8/8/8/4R3 w - - 0 1 RRR";
    assert!(!turn_texts(dfen).iter().any(|turn| turn.contains("e8 ")));
}

#[test]
fn king_capture_may_begin_with_a_move_that_no_longest_turn_begins_with() {
    assert_turns(
        "8/8/P7/8/2k3K1/8/1P4P1/8 w - - 0 1 PPN",
        &["b2b3 b3c4", "a6a7 a7a8n a8b6", "a6a7 a7a8n a8c7"],
    );
}

#[test]
fn king_capture_may_be_all_that_a_roll_allows() {
    // The pawn is blocked but for the king beside it. A knight move alone could only go on by taking the king.
    assert_turns("8/8/8/2pk4/2P5/8/8/N7 w - - 0 1 PN", &["c4d5", "a1b3 c4d5", "a1c2 c4d5"]);
}

#[test]
fn promoted_piece_captures_the_king_with_the_next_die() {
    let turns = turn_texts("7k/P7/8/8/8/8/8/K7 w - - 0 1 PRQ");
    let captures: Vec<_> = turns.iter().filter(|turn| turn.ends_with("h8")).collect();
    assert_eq!(captures, ["a7a8q a8h8", "a7a8r a8h8"]);
    assert_eq!(turns[..2], ["a7a8q a8h8", "a7a8r a8h8"]);
}

// The maximum rule

#[test]
fn first_moves_that_leave_a_die_dead_are_not_legal() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PR";
    assert_turns(start, &["a2a3 a1a2", "a2a4 a1a2", "a2a4 a1a3", "h2h3 h1h2", "h2h4 h1h2", "h2h4 h1h3"]);
}

#[test]
fn die_that_no_sequence_can_spend_does_not_count() {
    assert_turns(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 NBQ",
        &["b1a3", "b1c3", "g1f3", "g1h3"],
    );
}

#[test]
fn sequence_that_can_only_go_on_by_capturing_the_king_is_no_turn() {
    let dfen = "8/4n3/2kQ4/2K5/3P4/5B2/8/8 w - - 0 1 PPK";
    let turns = legal_turns(&position(dfen));
    assert_eq!(turns.captures().len(), 12);
    // c5d5 blocks the pawn. Every other sequence, whatever its length, can in the end only take the king on c6.
    let quiet: Vec<String> = turns.quiet().iter().map(|turn| turn.to_string()).collect();
    assert_eq!(quiet, ["c5d5"]);
    assert_eq!(turn_texts(dfen).len(), 13);
}

#[test]
fn pair_of_dice_is_spent_by_one_piece_twice_or_by_two_pieces() {
    // Two kings' steps from the corner: a1 has 3 moves, a2 and b1 have 5, b2 has 8.
    assert_eq!(turn_texts("7k/8/8/8/8/8/8/K7 w - - 0 1 KK").len(), 5 + 5 + 8);
}

#[test]
fn turns_with_the_same_moves_in_another_order_are_different_turns() {
    let dfen = "4k3/8/8/8/8/8/P6P/4K3 w - - 0 1 PP";
    let turns = turn_texts(dfen);
    assert!(contains(&turns, "a2a3 h2h3") && contains(&turns, "h2h3 a2a3"));
    assert_eq!(after(dfen, "a2a3 h2h3"), after(dfen, "h2h3 a2a3"));
    // a2 and h2: 2 x 2 squares in two orders, and one pawn twice: a3 a4, a4 a5 for each.
    assert_eq!(turns.len(), 8 + 4);
    let mut distinct = 0;
    assert!(!visit_turn_states(&position(dfen), &Budget::unlimited(), |_| distinct += 1).unwrap());
    // One pawn twice: a4 without a target (from a3) or a5.
    assert_eq!(distinct, 4 + 4);
}

#[test]
fn double_step_and_two_single_steps_lead_to_different_positions() {
    let dfen = "4k3/8/8/8/8/8/P6P/4K3 w - - 0 1 PPP";
    assert_eq!(after(dfen, "a2a3 a3a4 h2h4"), "4k3/8/8/8/P6P/8/8/4K3 w - h3 0 1");
    assert_eq!(after(dfen, "a2a4 h2h3 h3h4"), "4k3/8/8/8/P6P/8/8/4K3 w - a3 0 1");
}

#[test]
fn finals_that_differ_by_an_expiring_target_are_one_after_the_turn() {
    // The knight goes out and back, over the target or elsewhere.
    let root = position("7k/8/8/1N1pP3/8/8/8/4K3 w - d6 0 1 NN");
    let finals = |identity| {
        let mut sets = ReachSets::new(identity);
        sets.reset(&root);
        let Ok(Finals::Positions(finals)) = sets.finals(Roll::of(root.dice()), &Budget::unlimited()) else {
            panic!("quiet turns");
        };
        let unmoved = finals.iter().filter(|after| after.piece_at("b5".parse().unwrap()).is_some());
        unmoved.map(|after| after.to_string()).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
    };
    assert_eq!(
        finals(Identity::BeforeTurnEnd),
        ["7k/8/8/1N1pP3/8/8/8/4K3 w - - 2 1", "7k/8/8/1N1pP3/8/8/8/4K3 w - d6 2 1"]
    );
    assert_eq!(finals(Identity::AfterTurnEnd), ["7k/8/8/1N1pP3/8/8/8/4K3 b - - 2 1"]);
}

#[test]
fn finals_that_differ_by_the_clock_are_one_when_it_is_ignored() {
    // The pawn moves first or last; with the clock these are two positions for each square of the king.
    let root = position("4k3/8/8/8/8/7P/8/K7 w - - 5 1 PK");
    let finals = |identity| {
        let mut sets = ReachSets::new(identity);
        sets.reset(&root);
        let Ok(Finals::Positions(finals)) = sets.finals(Roll::of(root.dice()), &Budget::unlimited()) else {
            panic!("quiet turns");
        };
        finals.iter().map(|after| after.half_move()).collect::<Vec<_>>()
    };
    let mut clocks = finals(Identity::AfterTurnEnd);
    clocks.sort_unstable();
    assert_eq!(clocks, [0, 0, 0, 1, 1, 1]);
    assert_eq!(finals(Identity::AfterTurnEndIgnoringClock), [5, 5, 5], "the clock before the turn");
}

#[test]
fn forced_pass_is_an_empty_list_and_leaves_the_board() {
    for pool in ["BBN", "BRQ", "BRK", "RQK", "QQQ"] {
        let dfen = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 {pool}");
        let turns = turn_texts(&dfen);
        assert_eq!(turns.is_empty(), !pool.contains('N'), "{pool}");
    }
    let pass = position("4k3/8/8/8/4P3/8/8/4K3 b - e3 5 7 qqq");
    assert!(legal_turns(&pass).is_empty());
    let mut sets = ReachSets::new(Identity::AfterTurnEnd);
    sets.reset(&pass);
    assert_eq!(sets.finals(Roll::of(pass.dice()), &Budget::unlimited()), Ok(Finals::ForcedPass));
    assert_eq!(pass.end_turn().to_string(), "4k3/8/8/8/4P3/8/8/4K3 w - - 5 8");
}

#[test]
fn empty_pool_has_no_turns() {
    assert_turns("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[]);
}

#[test]
fn fresh_query_in_the_middle_of_a_turn_forgets_the_roll() {
    let root = position("8/8/P7/8/2k3K1/8/1P4P1/8 w - - 0 1 PPN");
    let turns: Vec<String> = legal_turns(&root).iter().map(|turn| turn.to_string()).collect();
    assert!(!turns.iter().any(|turn| turn.starts_with("g2g3")));
    // The roll forbids g2g3, but the position after it knows only its two dice left.
    let middle = play(root, "g2g3");
    assert!(!legal_turns(&middle).is_empty());
}

#[test]
fn micro_moves_follow_the_order_of_the_pool() {
    let root = position("7k/8/8/8/8/8/P7/K7 w - - 0 1");
    let texts = |pool| {
        let moves = dicechess_native::rules::micro_moves(&root.with_dice(dice(pool)));
        moves.iter().map(|micro_move| micro_move.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(texts("PK"), ["a2a3", "a2a4", "a1b1", "a1b2"]);
    assert_eq!(texts("KPK"), ["a1b1", "a1b2", "a2a3", "a2a4"]);
    assert_eq!(play(root.with_dice(dice("KPK")), "a1b1").dice(), dice("PK"));
}

// Clocks

#[test]
fn half_move_clock_stops_at_127() {
    let dfen = "4k3/8/8/8/8/8/8/4K2R w - - 126 200 RRR";
    assert_eq!(after(dfen, "h1h2 h2h3 h3h4"), "4k3/8/8/8/7R/8/8/4K3 w - - 127 200");
    let mut clocks = BTreeSet::new();
    let turns = legal_turns(&position(dfen));
    for turn in turns.iter() {
        clocks.insert(position(dfen).play_turn(turn).half_move());
    }
    assert_eq!(clocks.into_iter().collect::<Vec<_>>(), [0, 127], "0 where the king was taken");
}

#[test]
fn half_move_clock_counts_micro_moves_and_restarts_after_pawn_moves_and_captures() {
    let dfen = "4k3/8/8/8/8/8/P6p/4K2R w - - 10 1 PRR";
    assert!(after(dfen, "h1g1 g1h1").ends_with(" 12 1"));
    assert!(after(dfen, "h1g1 a2a3").ends_with(" 0 1"));
    assert!(after(dfen, "h1h2").ends_with(" 0 1"));
    assert!(after(dfen, "a2a3 h1g1 g1f1").ends_with(" 2 1"));
}

#[test]
fn full_move_number_grows_after_black_and_stops_at_its_limit() {
    for (dfen, ended) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 9", "4k3/8/8/8/8/8/8/4K3 b - - 0 9"),
        ("4k3/8/8/8/8/8/8/4K3 b - - 0 9", "4k3/8/8/8/8/8/8/4K3 w - - 0 10"),
        ("4k3/8/8/8/8/8/8/4K3 b - - 0 2147483646", "4k3/8/8/8/8/8/8/4K3 w - - 0 2147483647"),
        ("4k3/8/8/8/8/8/8/4K3 b - - 0 2147483647", "4k3/8/8/8/8/8/8/4K3 w - - 0 2147483647"),
    ] {
        assert_eq!(position(dfen).end_turn().to_string(), ended);
    }
}

// Odd boards

#[test]
fn board_without_kings_has_turns_but_no_king_capture() {
    let dfen = "8/p7/8/8/8/8/7P/8 w - - 0 1 PPK";
    assert_turns(dfen, &["h2h3 h3h4", "h2h4 h4h5"]);
    let budget = Budget::new(0);
    assert_eq!(king_capture_path(&position(dfen), &budget), Ok(None), "no enemy king, no work");
    for defender in Color::ALL {
        assert_eq!(king_capture_rolls(&position(dfen), defender, &budget), Ok(0));
    }
    assert_turns("8/8/8/8/8/8/8/8 b - - 0 1 pnk", &[]);
}

#[test]
fn side_without_a_king_cannot_castle() {
    assert_eq!(castles("4k3/8/8/8/8/8/8/R6R w KQ - 0 1 RK"), Vec::<String>::new());
}

#[test]
fn capturing_any_of_two_kings_ends_the_turn() {
    let dfen = "k7/8/8/8/8/8/8/R6k w - - 0 1 RR";
    let turns = legal_turns(&position(dfen));
    let captures: Vec<String> = turns.captures().iter().map(|turn| turn.to_string()).collect();
    assert_eq!(
        captures,
        [
            "a1b1 b1h1",
            "a1c1 c1h1",
            "a1d1 d1h1",
            "a1e1 e1h1",
            "a1f1 f1h1",
            "a1g1 g1h1",
            "a1h1",
            "a1a2 a2a8",
            "a1a3 a3a8",
            "a1a4 a4a8",
            "a1a5 a5a8",
            "a1a6 a6a8",
            "a1a7 a7a8",
            "a1a8",
        ]
    );
    assert_eq!(turn_texts(dfen).len(), turns.len());
    let one_left = play(position(dfen), "a1a8");
    assert!(one_left.has_king(Color::Black));
    assert_eq!(without_dice(one_left), "R7/8/8/8/8/8/8/7k w - - 0 1");
}

#[test]
fn capturing_one_of_two_kings_drops_the_rights_of_both() {
    assert_eq!(after("k3k2r/8/8/8/8/8/8/R7 w k - 0 1 R", "a1a8"), "R3k2r/8/8/8/8/8/8/8 w - - 0 1");
}

#[test]
fn castling_is_listed_directly_after_the_other_moves_of_the_king_that_castles() {
    assert_eq!(
        micro_move_texts("k7/8/8/8/7K/8/8/K3K2R w K - 0 1 RK"),
        [
            "h1f1", "h1g1", "h1h2", "h1h3", "a1b1", "a1a2", "a1b2", "e1d1", "e1f1", "e1d2", "e1e2", "e1f2",
            "e1g1", "h4g3", "h4h3", "h4g4", "h4g5", "h4h5",
        ]
    );
}

#[test]
fn castling_with_several_kings_goes_both_ways_and_drops_the_rights() {
    let dfen = "k7/8/8/8/K7/8/8/R3K2R w KQ - 0 1 RK";
    let moves = micro_move_texts(dfen);
    let at = |text: &str| moves.iter().position(|other| other == text).unwrap();
    assert_eq!((at("e1g1"), at("e1c1"), at("a4a3")), (at("e1f2") + 1, at("e1f2") + 2, at("e1f2") + 3));
    // A move of the other king drops both rights as well.
    assert_eq!(after(dfen, "a4a3"), "k7/8/8/8/8/K7/8/R3K2R w - - 1 1");
}

#[test]
fn board_with_64_pieces_allows_captures_only() {
    let dfen = "rnbqkbnr/pppppppp/pppppppp/pppppppp/PPPPPPPP/PPPPPPPP/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let root = position(dfen);
    assert_eq!(root.occupied().count(), 64);
    assert_eq!(root.to_string(), dfen);
    assert_eq!(
        turn_texts(&format!("{dfen} PNB")),
        [
            "a4b5", "b4c5", "b4a5", "c4d5", "c4b5", "d4e5", "d4c5", "e4f5", "e4d5", "f4g5", "f4e5", "g4h5",
            "g4f5", "h4g5",
        ]
    );
    assert_turns(&format!("{dfen} NRK"), &[]);
    assert_eq!(king_capture_rolls(&root, Color::Black, &Budget::unlimited()), Ok(0));
}

#[test]
fn board_with_64_pieces_of_one_side_has_no_move() {
    let queens = ["QQQQQQQQ"; 8].join("/");
    assert_turns(&format!("{queens} w - - 0 1 QQQ"), &[]);
    assert_turns(&format!("{queens} b - - 0 1 qqq"), &[]);
    let kings = ["kkkkkkkk"; 8].join("/");
    assert_turns(&format!("{kings} b kq - 0 1 krk"), &[]);
    // 63 queens around one king: its three neighbours and nothing else can move, each by taking it.
    let dfen = format!("QQQQQQQk/{} w - - 0 1 QQQ", ["QQQQQQQQ"; 7].join("/"));
    assert_turns(&dfen, &["g7h8", "h7h8", "g8h8"]);
}

#[test]
fn pawns_on_the_edge_ranks_move_as_far_as_there_is_board() {
    // The a8 pawn has no move; the one on a1 steps to a2 and has its double step from there.
    assert_turns("P3k3/8/8/8/8/8/8/P3K3 w - - 0 1 PPP", &["a1a2 a2a3 a3a4", "a1a2 a2a4 a4a5"]);
    assert_turns("p3k3/8/8/8/8/8/8/p3K3 b - - 0 1 ppp", &["a8a7 a7a6 a6a5", "a8a7 a7a5 a5a4"]);
    // Captures from the first rank are ordinary ones.
    assert_turns("4k3/8/8/8/8/8/1n6/P3K3 w - - 0 1 P", &["a1a2", "a1b2"]);
}

// Classes, king-capture rolls, perft

#[test]
fn classes_are_4_10_20_35_56_and_56_for_one_to_six_types() {
    // The pawn is on its own first rank, too far from promotion to matter.
    for (placement, count) in
        [("K7", 4), ("KQ6", 10), ("KQR5", 20), ("KQRB4", 35), ("KQRBN3", 56), ("1K1Q1R1B/N6P", 56)]
    {
        let ranks = placement.matches('/').count();
        let empty = ["8"; 7];
        let dfen = format!("{}/{placement} w - - 0 1", empty[..7 - ranks].join("/"));
        let classes = partition(&position(&dfen));
        assert_eq!(classes.iter().map(|class| class.weight).sum::<u32>(), 216, "{placement}");
        assert_eq!(classes.len(), count, "{placement}");
    }
}

#[test]
fn class_order_is_weight_then_fewest_dice_then_dice() {
    let classes: Vec<(String, u32)> = partition(&position("4k3/8/8/8/8/8/P7/4K3 w - - 0 1"))
        .iter()
        .map(|class| (class.roll.to_string(), class.weight))
        .collect();
    // Four useless faces: 4^3; 3 x 4^2 for one die; 6 x 4 for two different, 3 x 4 for two alike; 3 and 1 for three.
    let expected = [
        ("", 64),
        ("P", 48),
        ("K", 48),
        ("PK", 24),
        ("PP", 12),
        ("KK", 12),
        ("PPK", 3),
        ("PKK", 3),
        ("PPP", 1),
        ("KKK", 1),
    ];
    assert_eq!(classes, expected.map(|(roll, weight)| (roll.to_owned(), weight)));
}

#[test]
fn king_capture_rolls_count_the_rolls_with_the_dice_that_the_capture_needs() {
    let rolls = |dfen| king_capture_rolls(&position(dfen), Color::White, &Budget::unlimited()).unwrap();
    // One rook die: 216 - 125 ordered rolls hold at least one of a given face.
    assert_eq!(rolls("k7/8/8/8/8/8/8/3K3r b - - 0 1"), 91);
    // Two of them, over a1 or d8: 3 x 5 + 1.
    assert_eq!(rolls("r3k3/8/8/8/8/8/8/3K4 b - - 0 1"), 16);
    // A king three steps away needs three king dice.
    assert_eq!(rolls("8/8/8/8/8/8/k7/3K4 b - - 0 1"), 1);
}

#[test]
fn king_capture_rolls_do_not_depend_on_the_side_to_move_and_the_pool() {
    for dfen in ["k7/8/8/8/8/8/8/3K3r b - - 0 1", "k7/8/8/8/8/8/8/3K3r w - - 0 1 PPP"] {
        assert_eq!(king_capture_rolls(&position(dfen), Color::White, &Budget::unlimited()), Ok(91), "{dfen}");
    }
}

#[test]
fn divide_lists_the_first_moves_with_their_part_of_perft() {
    let root = Position::start();
    let parts = divide(&root, PieceType::Knight, 2);
    let texts: Vec<String> = parts.iter().map(|(first, nodes)| format!("{first} {nodes}")).collect();
    assert_eq!(texts, ["b1a3 4", "b1c3 4", "g1f3 4", "g1h3 4"]);
    assert_eq!(perft(&root, PieceType::Knight, 2), 16);
    assert_eq!(divide(&root, PieceType::Knight, 0), []);
    assert_eq!(perft(&root, PieceType::Knight, 0), 1);
    assert_eq!(perft(&root, PieceType::Rook, 1), 0);
}

#[test]
fn perft_never_castles_and_goes_on_below_a_captured_king() {
    assert_eq!(perft(&position(BOTH_ROOKS), PieceType::King, 1), 5);
    assert_eq!(perft(&position("4k3/8/8/8/8/8/8/4R3 w - - 0 1"), PieceType::Rook, 1), 14);
    // With a black rook the line goes on: 14 replies on an empty board, whatever White did, but for blocks.
    // With the white rook on b1 ... g1 the black one has 6 ... 1 moves along the rank and 7 along the file. After a1h1 it
    // is gone. With the white rook on a2 ... a8, where it has taken the king on a8, the black one has all its 14.
    let replies = (6 + 5 + 4 + 3 + 2 + 1) + 6 * 7 + 7 * 14;
    assert_eq!(perft(&position("k7/8/8/8/8/8/8/R6r w - - 0 1"), PieceType::Rook, 2), replies);
}
