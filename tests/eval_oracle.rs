//! Evaluators and feature vectors are what their definitions say, on a board of another make and on positions worked out
//! by hand.

mod oracle;
mod playout;
mod reference;
mod texts;

use dicechess_native::board::{Color, PieceType, Position};
use dicechess_native::eval::{
    BuiltIn, Evaluator, aggressive, material, onnx_features, rich_features, saturated, standard,
};
use dicechess_native::rules::mobility;
use dicechess_native::search::{Expectimax, SearchControl};
use oracle::State;
use playout::{Choices, engine_position, random_state};
use proptest::collection::vec;
use proptest::prelude::*;
use reference::{PlainSearch, config, selected_turns, small_position, small_roll};
use texts::{position, state};

type Value = fn(&Position, Color) -> i32;

const EVALUATORS: [(BuiltIn, Value); 3] =
    [(BuiltIn::Material, material), (BuiltIn::Standard, standard), (BuiltIn::Aggressive, aggressive)];

/// Boards with many pieces, beside the random ones with few.
const FULL_BOARDS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "rnbq1bnr/ppp1pppp/8/3pk3/3PP3/5Q2/PPP2PPP/RNB1KBNR b KQ - 1 3",
];

fn sides() -> impl Iterator<Item = (Color, oracle::Color)> {
    Color::ALL.into_iter().zip([oracle::Color::White, oracle::Color::Black])
}

fn whole(features: &[f32]) -> Vec<i64> {
    features
        .iter()
        .map(|&feature| {
            assert_eq!(feature.fract(), 0.0);
            feature as i64
        })
        .collect()
}

fn compare(position: &Position, state: &State) {
    for (color, view) in sides() {
        let what = || format!("{position} for {color:?}");
        assert_eq!(i64::from(material(position, color)), oracle::material(state, view), "{}", what());
        assert_eq!(i64::from(standard(position, color)), oracle::evaluate(state, view), "{}", what());
        assert_eq!(i64::from(aggressive(position, color)), oracle::aggressive(state, view), "{}", what());
        assert_eq!(whole(&onnx_features(position, color)), oracle::onnx_features(state, view), "{}", what());
        assert_eq!(whole(&rich_features(position, color)), oracle::rich_features(state, view), "{}", what());
    }
}

#[test]
fn full_boards_are_worth_what_the_oracle_says() {
    for dfen in FULL_BOARDS {
        compare(&position(dfen), &state(dfen));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_board_is_worth_what_the_oracle_says(bytes in vec(any::<u8>(), 0..60)) {
        let state = random_state(&mut Choices::new(&bytes));
        compare(&engine_position(&state), &state);
    }

    #[test]
    fn the_other_side_of_the_board_sees_the_same(bytes in vec(any::<u8>(), 0..60)) {
        let position = engine_position(&random_state(&mut Choices::new(&bytes)));
        let flipped = position.flipped();
        for color in Color::ALL {
            // Of several enemy kings, aggressive looks at the one on the lowest square, which the other side sees as another.
            let one_king = position.pieces(!color, PieceType::King).count() < 2;
            for (_, value) in &EVALUATORS[..if one_king { 3 } else { 2 }] {
                prop_assert_eq!(value(&flipped, !color), value(&position, color));
            }
            prop_assert_eq!(onnx_features(&flipped, !color), onnx_features(&position, color));
            prop_assert_eq!(rich_features(&flipped, !color), rich_features(&position, color));
            prop_assert_eq!(mobility(&flipped, !color), mobility(&position, color));
        }
    }

    #[test]
    fn features_are_differences_but_for_the_total(bytes in vec(any::<u8>(), 0..60)) {
        let position = engine_position(&random_state(&mut Choices::new(&bytes)));
        let (white, black) = (rich_features(&position, Color::White), rich_features(&position, Color::Black));
        for (i, (white, black)) in white.into_iter().zip(black).enumerate() {
            prop_assert_eq!(white, if i == 6 { black } else { -black }, "feature {}", i);
        }
    }

    /// Neither whose turn it is nor the dice count.
    #[test]
    fn values_are_those_of_the_board_alone(bytes in vec(any::<u8>(), 0..60), roll in vec(any::<u8>(), 0..6)) {
        let one = small_position(&bytes, 6);
        let mut other = one.with_dice(small_roll(&one, &roll));
        other.set_side_to_move(!one.side_to_move());
        for color in Color::ALL {
            for (_, value) in EVALUATORS {
                prop_assert_eq!(value(&one, color), value(&other, color));
            }
            prop_assert_eq!(rich_features(&one, color), rich_features(&other, color));
        }
    }
}

#[test]
fn aggressive_adds_storm_proximity_and_ring() {
    // Pawn e4: two ranks. Rook a1, seven steps from h8: 25. Nothing attacks g8, g7, h7.
    let quiet = position("7k/8/8/8/4P3/8/8/R3K3 w - - 0 1");
    assert_eq!(aggressive(&quiet, Color::White), 600 + 2 * 15 + 25);
    // The black king is alone, and far from harm.
    assert_eq!(aggressive(&quiet, Color::Black), -600);
    // Rook a7, seven steps away, attacks g7 and sees through to h7: twice 25.
    let ring = position("7k/R7/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(aggressive(&ring, Color::White), 500 + 25 + 2 * 25);
    // Queen g6, two steps away: 6 x 40. It attacks g7, h7 and, through g7, g8: 75. The king f6 attacks g7: 25.
    let queen = position("7k/8/5KQ1/8/8/8/8/8 w - - 0 1");
    assert_eq!(aggressive(&queen, Color::White), 900 + 6 * 40 + 75 + 25);
    // Knight and bishop, seven and six steps away; the bishop attacks g7, beyond its own knight nothing.
    let minor = position("7k/8/8/8/8/2B5/8/N3K3 w - - 0 1");
    assert_eq!(aggressive(&minor, Color::White), 600 + 15 + 3 * 15 + 25);
}

#[test]
fn a_pawn_behind_its_start_rank_costs_a_rank() {
    let pawn = position("7k/8/8/8/8/8/8/P3K3 w - - 0 1");
    assert_eq!(aggressive(&pawn, Color::White), 100 - 15);
    assert_eq!(aggressive(&pawn.flipped(), Color::Black), 100 - 15);
}

#[test]
fn aggressive_is_standard_without_an_enemy_king() {
    let lone = position("8/8/8/8/3P4/4r3/8/R3K3 w - - 0 1");
    assert_eq!(aggressive(&lone, Color::White), standard(&lone, Color::White));
    assert_eq!(standard(&lone, Color::White), 10_100 - 2000);
    // Black does have an enemy king to attack: rook e3, two steps away, attacks e2, d3 is no neighbour; so e2 alone.
    assert_eq!(aggressive(&lone, Color::Black), -10_100 + 6 * 25 + 25);
}

#[test]
fn aggressive_looks_at_the_enemy_king_on_the_lowest_square() {
    // Rook b5: five steps from g1, six from h8.
    let kings = position("7k/8/8/1R6/8/8/8/K5k1 w - - 0 1");
    assert_eq!(aggressive(&kings, Color::White), 500 - 10_000 + 3 * 25);
}

#[test]
fn castling_counts_as_if_its_dice_were_there() {
    let castling = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    // King 5 and 2 castlings; each rook 7 on its file, and 3 or 2 on its rank.
    assert_eq!(mobility(&castling, Color::White), 7 + 7 + 3 + 7 + 2);
    let one_sided = position("r3k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1");
    assert_eq!(rich_features(&one_sided, Color::White)[7], 1.0);
    assert_eq!(rich_features(&one_sided.with_dice(texts::dice("P")), Color::Black)[7], -1.0);
}

#[test]
fn promotions_en_passant_and_king_captures_are_micro_moves() {
    let promotion = position("8/P7/8/8/8/8/8/8 w - - 0 1");
    assert_eq!(mobility(&promotion, Color::White), 4);
    // A step, and en passant, which only the other side of the double step has.
    let en_passant = position("8/8/8/3pP3/8/8/8/8 w - d6 0 1");
    assert_eq!(mobility(&en_passant, Color::White), 2);
    assert_eq!(mobility(&en_passant, Color::Black), 1);
    let capture = position("k7/K7/8/8/8/8/8/8 w - - 0 1");
    assert_eq!(mobility(&capture, Color::White), 5);
}

#[test]
fn king_safety_is_the_last_feature() {
    let check = position("4r1k1/8/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(rich_features(&check, Color::White)[8], -2000.0);
    assert_eq!(rich_features(&check, Color::Black)[8], 2000.0);
    let both = position("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1");
    assert_eq!(rich_features(&both, Color::White)[8], -2000.0);
    let facing = position("8/8/8/8/8/8/4k3/4K3 w - - 0 1");
    assert_eq!(rich_features(&facing, Color::White)[8], 0.0);
}

#[test]
fn built_in_evaluators_saturate_as_leaves_only() {
    let rich = position("8/8/8/8/8/QQQQQQQQ/Q7/k1K4R w - - 0 1");
    for (evaluator, value) in EVALUATORS {
        let mut scores = [0.0; 2];
        let positions = [position("4k3/8/8/8/8/8/P7/4K3 w - - 0 1"), rich];
        evaluator.evaluate(&positions, Color::White, &mut scores);
        assert_eq!(scores, positions.map(|position| saturated(value(&position, Color::White))));
        assert!(!evaluator.reads_clocks());
    }
    // Nine queens are 8100, the rook 500: over the end only with what aggressive adds.
    assert!(aggressive(&rich, Color::White) > 10_000);
    let mut score = [0.0];
    BuiltIn::Aggressive.evaluate(&[rich], Color::White, &mut score);
    assert_eq!(score, [10_000.0]);
}

#[test]
fn the_three_names_differ_as_tables_need() {
    for ((evaluator, _), name) in EVALUATORS.iter().zip(["material", "standard", "aggressive"]) {
        assert_eq!(evaluator.name(), name);
    }
    let marks = EVALUATORS.map(|(evaluator, _)| evaluator.fingerprint());
    assert!(marks[0] != marks[1] && marks[1] != marks[2] && marks[0] != marks[2]);
    assert_eq!(EVALUATORS.map(|(evaluator, _)| evaluator.is_pure_material()), [true, false, false]);
}

#[test]
fn a_search_with_aggressive_leaves_finds_what_a_plain_one_finds() {
    for dfen in ["7k/8/8/8/8/8/r2P4/3K4 w - - 0 1 KP", "4k3/8/8/3q4/2P5/8/8/4K3 b - - 0 1 qk"] {
        let root = position(dfen);
        let search = Expectimax::new(config(2, 8), &BuiltIn::Aggressive).unwrap();
        let found = search.find_best_move(&root, &SearchControl::unbounded(), 1).unwrap().best.unwrap();
        let mut plain = PlainSearch::new(&BuiltIn::Aggressive, root.side_to_move());
        let best =
            selected_turns(&root, 8).iter().map(|(_, after)| plain.chance(after, 1).0).reduce(f64::max);
        assert_eq!(found.outcome.exact(), best, "{dfen}");
    }
}
