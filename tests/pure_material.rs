//! An evaluator that declares itself pure material is told without its positions: with the same values as one that does the
//! same and declares nothing.

mod oracle;
mod playout;

use dicechess_native::board::{Color, Position};
use dicechess_native::eval::{BuiltIn, Evaluator};
use dicechess_native::rules::{Roll, Turn, legal_turns};
use dicechess_native::search::{Expectimax, ExpectimaxConfig, SearchControl};
use playout::{Choices, KNOWN, engine_position, random_pool, random_state};
use proptest::collection::vec;
use proptest::prelude::*;

/// Material, without saying so.
struct Undeclared;

impl Evaluator for Undeclared {
    fn name(&self) -> &str {
        "material"
    }

    fn evaluate(&self, positions: &[Position], perspective: Color, scores: &mut [f64]) {
        BuiltIn::Material.evaluate(positions, perspective, scores);
    }

    fn reads_clocks(&self) -> bool {
        false
    }
}

fn has_both_kings(position: &Position) -> bool {
    Color::ALL.into_iter().all(|color| position.has_king(color))
}

/// What a chance node is worth to each side, and whether that loses its king.
fn chance_values(evaluator: &dyn Evaluator, after_turn: &Position) -> Vec<(Option<f64>, bool)> {
    let search = Expectimax::new(ExpectimaxConfig::default(), evaluator).unwrap();
    let value_for = |perspective| {
        let result = search.chance_value(after_turn, perspective, &SearchControl::unbounded()).unwrap();
        (result.outcome.exact(), result.loss_tainted)
    };
    Color::ALL.into_iter().map(value_for).collect()
}

/// The candidates in pre-rank order, with their scores.
fn pre_ranked(pre_ranker: &dyn Evaluator, root: &Position, limit: usize) -> Vec<(Turn, f64)> {
    let config = ExpectimaxConfig { candidate_limit: limit, ..ExpectimaxConfig::default() };
    let search = Expectimax::new(config, &BuiltIn::Material).unwrap().with_pre_ranker(Some(pre_ranker));
    let mut candidates = Vec::new();
    // Cancelled at entry: the pre-rank is owed all the same.
    let control = SearchControl::unbounded().with_deadline(i64::MIN);
    search.rank_moves(root, &control, 1, &mut candidates).unwrap();
    candidates.iter().map(|candidate| (candidate.turn, candidate.pre_rank)).collect()
}

/// A position that a few random turns lead to from one with many pieces; `None` when a king is captured on the way.
fn played_out(choices: &mut Choices<'_>) -> Option<Position> {
    let mut position: Position = KNOWN[choices.below(4)].parse().unwrap();
    for _ in 0..choices.below(6) {
        let roll = Roll::all_full().nth(choices.below(56)).unwrap();
        let turns = legal_turns(&position.with_dice(roll.pool()));
        if !turns.captures().is_empty() {
            return None;
        }
        let turn = turns.iter().nth(choices.below(turns.len().max(1))).unwrap_or_default();
        position = position.play_turn(turn).end_turn();
    }
    Some(position)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_chance_node_of_few_and_odd_pieces_is_worth_the_same(bytes in vec(any::<u8>(), 0..48)) {
        let position = engine_position(&random_state(&mut Choices::new(&bytes)));
        prop_assume!(has_both_kings(&position));
        prop_assert_eq!(chance_values(&BuiltIn::Material, &position), chance_values(&Undeclared, &position));
    }

    #[test]
    fn the_pre_rank_is_the_same(bytes in vec(any::<u8>(), 0..48), pool in vec(any::<u8>(), 0..8), limit in 1_usize..20) {
        let state = random_state(&mut Choices::new(&bytes));
        let dice = random_pool(&state, &mut Choices::new(&pool));
        let root = engine_position(&state.with_pool(&dice));
        prop_assume!(has_both_kings(&root));
        let declared = pre_ranked(&BuiltIn::Material, &root, limit);
        prop_assert_eq!(&declared, &pre_ranked(&Undeclared, &root, limit));
        let all = pre_ranked(&BuiltIn::Material, &root, usize::MAX);
        prop_assert_eq!(&declared[..], &all[..limit.min(all.len())]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_chance_node_of_a_full_board_is_worth_the_same(bytes in vec(any::<u8>(), 0..32)) {
        let position = played_out(&mut Choices::new(&bytes));
        prop_assume!(position.is_some());
        let position = position.unwrap();
        prop_assert_eq!(chance_values(&BuiltIn::Material, &position), chance_values(&Undeclared, &position));
    }
}
