//! Where the count of placements goes wrong, and what windows do about it ("Where a search may stop", *Where the count of
//! placements goes wrong*, *Moving the threshold instead*, *Searching on while it is close*).

use std::sync::LazyLock;

use dicechess_native::domineering::{Accuracy, Board, Census, MarginCount, Order, Profile, WINDOWS, margins};
use dicechess_native::stopping::{Extension, Guess, Horizon, Step};

static LARGEST: LazyLock<Census> = LazyLock::new(|| Census::new(Board::MEASURED[3], Order::FewestReplies));

fn boards() -> [Census; 4] {
    Board::MEASURED.map(|board| Census::new(board, Order::FewestReplies))
}

fn accuracy(census: &Census, horizon: Horizon) -> Vec<Accuracy> {
    Profile::measure(census, horizon).accuracy
}

fn wrong(accuracy: &[Accuracy]) -> Vec<usize> {
    let last = accuracy.iter().rposition(|accuracy| accuracy.wrong() > 0).map_or(0, |depth| depth + 1);
    accuracy[..last].iter().map(|accuracy| accuracy.wrong()).collect()
}

/// Wrong placement guesses and positions at a margin.
fn at(margin: i32) -> (usize, usize) {
    let count = margins(&LARGEST)[&margin];
    (count.wrong(margin > 0), count.positions)
}

#[test]
fn the_placement_guess_is_wrong_where_the_counts_are_close() {
    assert_eq!(at(0), (6_868, 9_845));
    assert_eq!(at(-1), (3_916, 8_944));
    assert_eq!(at(1), (693, 8_356));
    assert_eq!(at(2), (94, 5_450));
    assert_eq!(at(-3), (320, 2_698));
    assert_eq!(at(3), (22, 2_755));
    let all: Vec<(i32, MarginCount)> = margins(&LARGEST).into_iter().collect();
    let total = |of: fn(&(i32, MarginCount)) -> usize| all.iter().map(of).sum::<usize>();
    assert_eq!(total(|(margin, count)| count.wrong(*margin > 0)), 13_363);
    assert_eq!(total(|(_, count)| count.positions), 46_400);
    assert_eq!((at(0).0 + at(-1).0, at(0).1 + at(-1).1), (10_784, 18_789));
    let share = |(wrong, positions): (usize, usize)| wrong as f64 / positions as f64;
    assert!(share(at(0)) > 2.0 / 3.0, "well over two thirds");
    assert!((share(at(1)) - 1.0 / 12.0).abs() < 0.001, "one time in twelve");
    assert!((share((18_789, 46_400)) - 2.0 / 5.0).abs() < 0.01, "two in five");
    // Past three either way it is almost never wrong.
    let far: Vec<_> = all.iter().filter(|(margin, _)| margin.abs() > 3).collect();
    assert_eq!(far.iter().map(|(margin, count)| count.wrong(*margin > 0)).sum::<usize>(), 50);
    assert_eq!(far.iter().map(|(_, count)| count.positions).sum::<usize>(), 2_507);
}

#[test]
fn having_the_move_is_worth_something_on_every_board() {
    for census in boards() {
        let margins = margins(&census);
        let share =
            |margin: i32, ahead| margins[&margin].wrong(ahead) as f64 / margins[&margin].positions as f64;
        assert!(share(0, false) > 0.5, "level positions are mostly won for the mover");
        assert!(
            share(-1, false) > 4.0 * share(1, true),
            "one behind is misjudged far more often than one ahead"
        );
    }
}

#[test]
fn calling_ties_for_the_mover_is_better_as_a_guess_and_worse_under_a_search() {
    let [placements, ties] =
        [Guess::Ahead, Guess::NotBehind].map(|guess| accuracy(&LARGEST, Horizon::plain(guess)));
    assert_eq!(wrong(&placements), [13_363, 4_716, 2_140, 596, 189, 17, 1]);
    assert_eq!(wrong(&ties), [9_472, 5_946, 3_475, 1_606, 517, 76, 11]);
    for depth in 1..7 {
        assert!(ties[depth].wrong() > placements[depth].wrong(), "depth {depth}");
    }
    assert_eq!((placements[1].false_wins, placements[1].false_losses), (4_082, 634));
    assert_eq!((ties[1].false_wins, ties[1].false_losses), (1_868, 4_078));
}

#[test]
fn both_counting_guesses_by_depth_on_the_smaller_boards() {
    let expected: [[&[usize]; 2]; 3] = [
        [&[134, 19, 2], &[74, 15, 6]],
        [&[1_316, 368, 194, 32, 10, 2], &[936, 704, 490, 296, 56, 18]],
        [&[3_451, 1_486, 468, 102, 4], &[3_117, 2_388, 1_476, 628, 222, 28, 8]],
    ];
    for (census, expected) in boards().iter().zip(expected) {
        let by_depth =
            [Guess::Ahead, Guess::NotBehind].map(|guess| wrong(&accuracy(census, Horizon::plain(guess))));
        assert_eq!(by_depth.each_ref().map(Vec::as_slice), expected, "{}", census.board());
    }
}

#[test]
fn windows_leave_fewer_positions_wrong_the_wider_they_are() {
    let expected: [[&[usize]; 3]; 4] = [
        [&[54, 11, 2], &[18, 10, 2], &[14, 6]],
        [&[648, 264, 146, 48, 8, 2], &[356, 224, 136, 48, 8, 2], &[232, 56, 8]],
        [&[1_921, 754, 244, 56, 4], &[1_093, 594, 240, 56, 4], &[737, 226, 4]],
        [
            &[7_274, 2_846, 1_277, 486, 179, 13, 1],
            &[3_700, 2_132, 1_148, 486, 179, 13, 1],
            &[2_556, 844, 86, 16, 1],
        ],
    ];
    for (census, expected) in boards().iter().zip(expected) {
        let by_window = WINDOWS.map(|(_, window)| {
            let extension = Some(Extension { window, step: Step::One, cap: None });
            wrong(&accuracy(census, Horizon { extension, guess: Guess::Ahead }))
        });
        assert_eq!(by_window.each_ref().map(Vec::as_slice), expected, "{}", census.board());
        let plain = wrong(&accuracy(census, Horizon::plain(Guess::Ahead)));
        for depth in 0..plain.len() {
            let errors = |by_depth: &[usize]| by_depth.get(depth).copied().unwrap_or(0);
            let [level, behind, within] = by_window.each_ref().map(|window| errors(window));
            assert!(within <= behind && behind <= level, "{} depth {depth}", census.board());
        }
    }
}

#[test]
fn a_cap_of_three_moves_keeps_nearly_all_of_the_widest_window() {
    let by_cap = [Some(1), Some(2), Some(3), None].map(|cap| {
        let extension = Some(Extension { window: WINDOWS[2].1, step: Step::One, cap });
        accuracy(&LARGEST, Horizon { extension, guess: Guess::Ahead })
    });
    let expected: [&[usize]; 4] = [
        &[5_178, 2_329, 642, 192, 17, 1],
        &[3_509, 1_186, 234, 20, 1],
        &[2_680, 874, 90, 16, 1],
        &[2_556, 844, 86, 16, 1],
    ];
    assert_eq!(by_cap.each_ref().map(|accuracy| wrong(accuracy)), expected);
    // The tighter the cap, the cheaper each depth.
    for depth in 0..6 {
        assert!(by_cap.each_ref().map(|accuracy| accuracy[depth].cost).is_sorted(), "depth {depth}");
    }
}
