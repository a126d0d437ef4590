//! What searches of fixed positions look at, to the last leaf and unit of work: a change that is to change nothing changes
//! none of these numbers.
//!
//! A change that is to search otherwise does: then the new numbers belong here, with the reason in the changelog of that change.

mod reference;

use dicechess_native::eval::{BuiltIn, Evaluator};
use dicechess_native::rules::Budget;
use dicechess_native::search::{Expectimax, ExpectimaxConfig, SearchControl};
use reference::{F10, FINE, ROOK_ENDING, config, position};

/// Openings, middlegames and an ending of every size.
const POSITIONS: [&str; 8] = [
    F10,
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PPP",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNB",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 PNB",
    "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 6 5 BNQ",
    "r2q1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 0 9 NRQ",
    "2rq1rk1/1b2bppp/p2ppn2/1p6/3BP3/1BN2P2/PPPQ2PP/2KR3R b - - 2 14 pbq",
    ROOK_ENDING,
];

/// Chance nodes, leaves and work of searches of all these positions.
fn signature(positions: &[&str], config: ExpectimaxConfig, evaluator: &dyn Evaluator) -> [u64; 3] {
    let search = Expectimax::new(config, evaluator).unwrap();
    let mut sums = [0; 3];
    for dfen in positions {
        let budget = Budget::new(u64::MAX);
        let control = SearchControl::unbounded().with_budget(&budget);
        let stats = search.find_best_move(&position(dfen), &control, 1).unwrap().stats;
        for (sum, count) in sums.iter_mut().zip([stats.chance_nodes, stats.leaves, budget.used()]) {
            *sum += count;
        }
    }
    sums
}

#[test]
fn two_turns_deep_each_evaluator_costs_what_it_did() {
    let of = |evaluator: &dyn Evaluator| signature(&POSITIONS, config(2, 8), evaluator);
    let found = [of(&BuiltIn::Material), of(&BuiltIn::Standard), of(&FINE)];
    assert_eq!(found, [[45, 17_895, 95_587], [45, 187_015, 398_567], [45, 200_295, 421_257]]);
}

#[test]
fn three_turns_deep_each_evaluator_costs_what_it_did() {
    let of = |evaluator: &dyn Evaluator| signature(&[F10, ROOK_ENDING], config(3, 1), evaluator);
    assert_eq!(
        [of(&BuiltIn::Material), of(&BuiltIn::Standard)],
        [[6177, 557_156, 3_110_715], [7680, 2_886_483, 10_270_016]]
    );
}

#[test]
fn probes_of_whole_replies_cost_what_they_did() {
    let probing = ExpectimaxConfig { reply_probes: true, ..config(2, 8) };
    assert_eq!(signature(&POSITIONS, probing, &FINE), [45, 254_692, 597_455]);
}
