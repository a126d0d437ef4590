//! Proof searches allocate nothing on the heap once the buffers that they pool have grown.

mod reference;

use dicechess_native::board::{Color, Position};
use dicechess_native::rules::Budget;
use dicechess_native::search::{SearchControl, WinProof, WinProofConfig};
use reference::{F10, position};

fn allocations(work: impl FnOnce()) -> u64 {
    allocation_counter::measure(work).count_total
}

#[test]
fn a_proof_allocates_nothing_in_the_steady_state() {
    let config = WinProofConfig { max_horizon: 3, table_capacity: 1 << 10 };
    let proof = WinProof::new(config).unwrap();
    let roots = [F10, "8/8/8/8/8/2kn4/8/1K6 w - - 0 1 K", "6R1/1n6/2Q5/4K2q/2N1k3/5r2/8/8 w - - 0 1 PPR"];
    let mut turns = Vec::new();
    let mut search = |root: &Position| {
        let budget = Budget::new(2_000_000);
        let control = SearchControl::unbounded().with_budget(&budget);
        std::hint::black_box(proof.bracket_moves(root, &control, 1, &mut turns).unwrap());
        let before_roll = root.with_dice(Default::default());
        std::hint::black_box(proof.win_bracket(&before_roll, Color::White, 2, &control).unwrap());
    };
    let mut all = || roots.iter().for_each(|dfen| search(&position(dfen)));
    assert!(allocations(&mut all) > 0, "the counter counts");
    all();
    assert_eq!(allocations(all), 0);
}
