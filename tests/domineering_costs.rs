//! What a proof costs, and what a window costs ("Where a search may stop", *The proof is dearer than the verdict*,
//! *Searching on while it is close*, *Four boards*).

use std::sync::LazyLock;

use dicechess_native::domineering::{
    Board, Census, Contest, Order, Profile, Run, Stops, WINDOWS, contests, deepen,
};
use dicechess_native::stopping::{CutSearch, Extension, Guess, Horizon, Step};

const DEEPENING: Horizon = Horizon::plain(Guess::Mover);
const PLACEMENTS: Horizon = Horizon::plain(Guess::Ahead);

static BOARDS: LazyLock<Vec<Census>> =
    LazyLock::new(|| Board::MEASURED.map(|board| Census::new(board, Order::FewestReplies)).into());

fn in_window(census: &Census, index: usize) -> Profile {
    let extension = Some(Extension { window: WINDOWS[index].1, step: Step::One, cap: None });
    Profile::measure(census, Horizon { extension, guess: Guess::Ahead })
}

/// From the empty board of 4 × 5 with Left and with Right to move.
fn openings(order: Order) -> [Run; 2] {
    let census = Census::new(Board::MEASURED[3], order);
    [0, 1].map(|start| deepen(&census, DEEPENING, census.ids().nth(start).unwrap()))
}

#[test]
fn from_the_empty_board_a_proof_is_dearer_than_the_verdict() {
    let costs = |runs: [Run; 2]| runs.map(|run| (run.finishing, run.cost, run.depth));
    assert_eq!(costs(openings(Order::FewestReplies)), [(234, 2_099, 9), (891, 2_565, 8)]);
    assert_eq!(costs(openings(Order::Generation)), [(1_114, 5_011, 9), (4_874, 8_139, 8)]);
    // In the order of generation the gap is smaller.
    let ratios = |order| openings(order).map(|run| run.cost as f64 / run.finishing as f64);
    let (sorted, generated) = (ratios(Order::FewestReplies), ratios(Order::Generation));
    assert!(generated[0] < sorted[0] && generated[1] < sorted[1]);
    // The last move with Left to move, a move early with Right.
    assert_eq!(openings(Order::FewestReplies).map(|run| run.saved), [0, 1]);
}

#[test]
fn from_every_position_with_a_move_a_proof_is_dearer_than_the_verdict() {
    // The published 947 of 1,000 drawn positions is a sample: 46,400 of 48,670 are 95.3 %.
    for census in BOARDS.iter() {
        let stops = Stops::of(&Profile::measure(census, DEEPENING).runs);
        let with_a_move = census.ids().filter(|&id| census.longest_line(id) > 0).count();
        assert_eq!((stops.dearer, stops.cheaper), (with_a_move, 0));
    }
    let largest = Stops::of(&Profile::measure(&BOARDS[3], DEEPENING).runs);
    assert_eq!((largest.dearer, largest.positions), (46_400, 48_670));
}

#[test]
fn the_price_of_a_proof_grows_with_the_board() {
    let totals: Vec<Stops> =
        BOARDS.iter().map(|census| Stops::of(&Profile::measure(census, DEEPENING).runs)).collect();
    let expected = [(3_337, 1_556), (74_732, 25_383), (289_891, 94_218), (1_165_830, 368_416)];
    assert!(totals.iter().map(|stops| (stops.cost, stops.finishing)).eq(expected));
    let ratios: Vec<f64> = totals.iter().map(|stops| stops.cost_ratio()).collect();
    assert!(ratios.is_sorted(), "{ratios:?}");
    // Published as 2.1 to 3.1, the latter from a sample: 20.8 to 6.8 entries.
    assert_eq!(
        ratios.iter().map(|ratio| format!("{ratio:.2}")).collect::<Vec<_>>(),
        ["2.14", "2.94", "3.08", "3.16"]
    );
}

#[test]
fn exact_averages_beside_the_published_samples() {
    let census = &BOARDS[3];
    let deepening = Stops::of(&Profile::measure(census, DEEPENING).runs);
    let (placements, within_one) = (Profile::measure(census, PLACEMENTS), in_window(census, 2));
    // What; entries over all 48,670 positions; the published average over 1,000 or 5,000 positions drawn at random.
    for (what, total, expected, sample) in [
        ("deepening", deepening.cost, 1_165_830, 20.8),
        ("finishing", deepening.finishing, 368_416, 6.8),
        ("within one, depth 2", within_one.accuracy[2].cost, 277_479, 5.59),
        ("plain, depth 2", placements.accuracy[2].cost, 220_537, 4.46),
        ("plain, depth 5", placements.accuracy[5].cost, 359_088, 7.16),
        ("within one, depth 3", within_one.accuracy[3].cost, 321_229, 6.46),
        ("plain, depth 6", placements.accuracy[6].cost, 366_417, 7.27),
    ] {
        assert_eq!(total, expected, "{what}");
        let exact = total as f64 / 48_670.0;
        let above_sample = exact / sample - 1.0;
        assert!(
            (0.01..0.16).contains(&above_sample),
            "{what}: {exact:.2} over all positions, {sample} in the sample"
        );
    }
}

#[test]
fn to_be_as_right_as_the_widest_window_plain_search_goes_deeper_and_costs_more() {
    let census = &BOARDS[3];
    let contests = contests(&in_window(census, 2), &Profile::measure(census, PLACEMENTS));
    let result = |Contest { depth, wrong, plain_depth, plain_wrong, .. }: Contest| {
        (depth, wrong, plain_depth, plain_wrong)
    };
    assert_eq!(result(contests[2]), (2, 86, 5, 17));
    assert_eq!(result(contests[3]), (3, 16, 6, 1));
    assert!(contests.iter().all(Contest::window_wins));
}

#[test]
fn a_window_is_cheaper_in_most_contests_of_every_board() {
    let results = BOARDS.iter().map(|census| {
        let plain = Profile::measure(census, PLACEMENTS);
        let contests: Vec<Contest> =
            (0..3).flat_map(|window| contests(&in_window(census, window), &plain)).collect();
        (contests.iter().filter(|contest| contest.window_wins()).count(), contests.len())
    });
    assert!(results.eq([(6, 8), (11, 15), (11, 13), (17, 19)]));
}

#[test]
fn every_search_finishes_right_in_either_order() {
    for order in [Order::FewestReplies, Order::Generation] {
        let census = Census::new(Board::MEASURED[2], order);
        let mut search = CutSearch::new(&census, DEEPENING);
        for id in census.ids() {
            assert_eq!(search.finish(id), census.mover_wins(id));
        }
    }
}
