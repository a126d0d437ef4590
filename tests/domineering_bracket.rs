//! Know-nothing searches bracket the truth, and deepening until two depths agree is never wrong
//! ("Where a search may stop", *Two depths that bracket the answer* and the paragraphs that follow it).

use std::sync::LazyLock;

use dicechess_native::domineering::{
    Board, Census, Id, Order, Player, Profile, Run, Stops, deepen, late_agreements,
};
use dicechess_native::stopping::{CutSearch, Game, Guess, Horizon, Verdict, deepen_until_agreement};

const PLAIN: Horizon = Horizon::plain(Guess::Mover);

/// The four boards, smallest first, with their know-nothing searches.
static BOARDS: LazyLock<Vec<(Census, Profile)>> = LazyLock::new(|| {
    let measured = Board::MEASURED.map(|board| {
        let census = Census::new(board, Order::FewestReplies);
        let profile = Profile::measure(&census, PLAIN);
        (census, profile)
    });
    measured.into()
});

fn largest() -> &'static (Census, Profile) {
    &BOARDS[3]
}

fn runs_that_save(runs: &[Run], moves: u32) -> usize {
    runs.iter().filter(|run| run.saved == moves).count()
}

#[test]
fn the_boards_have_as_many_positions_as_published() {
    let counts = BOARDS.iter().map(|(census, _)| {
        let with_a_move = census.ids().filter(|&id| census.replies(id).next().is_some()).count();
        (census.board().to_string(), census.ids().len(), with_a_move)
    });
    let expected =
        [("3 × 4", 493, 399), ("4 × 4", 4_886, 4_466), ("3 × 6", 13_862, 13_063), ("4 × 5", 48_670, 46_400)];
    assert!(counts.eq(expected.map(|(board, positions, with_a_move)| (
        board.into(),
        positions,
        with_a_move
    ))));
}

#[test]
fn even_depths_only_overstate_the_mover_and_odd_depths_only_understate() {
    // By depth: the false wins at even depths, the false losses at odd ones.
    let expected: [&[usize]; 4] = [
        &[122, 85, 10, 1, 0, 0],
        &[1_512, 1_690, 552, 354, 56, 18, 0, 0, 0],
        &[4_992, 5_295, 2_400, 1_198, 313, 44, 9, 0, 0, 0],
        &[16_726, 20_956, 7_407, 4_985, 992, 267, 14, 1, 0, 0],
    ];
    for ((census, profile), expected) in BOARDS.iter().zip(expected) {
        assert_eq!(profile.accuracy.len(), expected.len(), "{}", census.board());
        for (depth, (accuracy, &wrong)) in profile.accuracy.iter().zip(expected).enumerate() {
            let one_sided = if depth % 2 == 0 { (wrong, 0) } else { (0, wrong) };
            assert_eq!(
                (accuracy.false_wins, accuracy.false_losses),
                one_sided,
                "{} depth {depth}",
                census.board()
            );
        }
    }
}

#[test]
fn agreement_saves_moves_on_a_share_of_every_board() {
    let expected = [
        (77, [69, 8, 0, 0]),
        (1_890, [1_038, 644, 192, 16]),
        (4_158, [2_506, 1_020, 410, 222]),
        (17_589, [12_014, 5_059, 440, 76]),
    ];
    for ((_, profile), (early, by_moves)) in BOARDS.iter().zip(expected) {
        assert_eq!(Stops::of(&profile.runs).early, early);
        assert_eq!([1, 2, 3, 4].map(|moves| runs_that_save(&profile.runs, moves)), by_moves);
        // At most two moves on the smallest board, four on the others.
        assert_eq!(early, by_moves.iter().sum::<usize>());
    }
    let shares: Vec<f64> = BOARDS.iter().map(|(_, profile)| Stops::of(&profile.runs).early_share()).collect();
    assert!((shares[0] - 1.0 / 6.0).abs() < 0.02, "about a sixth on 3 × 4: {}", shares[0]);
    assert!((shares[1] - 2.0 / 5.0).abs() < 0.02, "about two fifths on 4 × 4: {}", shares[1]);
    assert!(shares[1..3].iter().chain(&shares[3..]).all(|share| (shares[0]..=shares[1]).contains(share)));
    assert!((1.0 / 3.0..0.37).contains(&shares[3]), "a little over a third on 4 × 5: {}", shares[3]);
}

#[test]
fn no_stop_is_wrong() {
    for (census, profile) in BOARDS.iter() {
        assert_eq!(Stops::of(&profile.runs).wrong, 0);
        for (id, run) in census.ids().zip(&profile.runs) {
            assert_eq!(id, run.root);
            // Not taken from the profile, which counts errors itself.
            let stop = deepen(census, PLAIN, id);
            assert_eq!(stop, *run);
            let value = CutSearch::new(census, PLAIN).verdict(id, stop.depth).value;
            assert_eq!(value, census.mover_wins(id), "{} {:?}", census.board(), census.position(id));
        }
    }
}

#[test]
fn agreement_alone_would_come_a_move_late_on_some_positions() {
    let late = BOARDS.iter().map(|(census, _)| late_agreements(census));
    assert!(late.eq([94, 420, 799, 2_270]));
}

#[test]
fn the_cut_search_becomes_exhaustive_at_the_longest_line_of_every_position() {
    for (census, _) in BOARDS.iter() {
        // Whether some line of a search to this depth ends in a guess, depth by depth.
        let mut guesses: Vec<bool> = census.ids().map(|id| census.replies(id).next().is_some()).collect();
        let mut exhaustive_at: Vec<Option<u32>> = vec![None; guesses.len()];
        let number = |id: Id| census.ids().position(|other| other == id);
        assert_eq!(census.ids().next().and_then(number), Some(0));
        for depth in 0.. {
            for (at, _) in
                exhaustive_at.iter_mut().zip(&guesses).filter(|(at, guesses)| at.is_none() && !**guesses)
            {
                *at = Some(depth);
            }
            if !guesses.contains(&true) {
                break;
            }
            let guesses_below: std::collections::HashMap<Id, bool> = census.ids().zip(guesses).collect();
            guesses = census.ids().map(|id| census.replies(id).any(|reply| guesses_below[&reply])).collect();
        }
        let longest_lines = census.ids().map(|id| Some(census.longest_line(id)));
        assert!(longest_lines.eq(exhaustive_at), "{}", census.board());
    }
}

#[test]
fn a_search_sees_for_itself_when_it_is_exhaustive() {
    // The published rule asks whether any line of the depth ends in a guess; a search that stops at the first winning move
    // does not follow every line, and only knows of its own guesses. Both stop at the same depth everywhere.
    for (census, profile) in BOARDS.iter() {
        let mut search = CutSearch::new(census, PLAIN);
        for run in &profile.runs {
            let end = census.longest_line(run.root);
            let by_every_line = deepen_until_agreement(end, |depth| Verdict {
                guessed: depth < end,
                ..search.verdict(run.root, depth)
            });
            assert_eq!(by_every_line.unwrap().depth, run.depth);
        }
    }
}

#[test]
fn agreement_at_depth_one_means_that_the_opponent_can_be_left_without_a_move() {
    let expected = [68, 812, 1_954, 5_663];
    for ((census, profile), expected) in BOARDS.iter().zip(expected) {
        let mut agreements = 0;
        let mut search = CutSearch::new(census, PLAIN);
        for run in &profile.runs {
            let [at_once, next] = [0, 1].map(|depth| search.verdict(run.root, depth).value);
            let agree = at_once && next;
            let can_end = census.replies(run.root).any(|reply| census.replies(reply).next().is_none());
            assert_eq!(agree, can_end, "{:?}", census.position(run.root));
            assert!(!agree || run.depth == 1);
            agreements += usize::from(agree && run.saved > 0);
        }
        assert_eq!(agreements, expected, "{}", census.board());
    }
}

#[test]
fn one_position_is_stopped_three_moves_early_with_a_proof() {
    let (census, profile) = largest();
    let run = profile.best_saving(3).unwrap();
    assert_eq!((run.depth, run.saved, census.longest_line(run.root)), (3, 3, 6));
    let deep = profile.runs.iter().filter(|run| run.depth >= 3);
    assert_eq!(deep.map(|run| run.saved).max(), Some(3), "none saves more");

    let position = census.position(run.root);
    let placements = |player| census.board().placements(position.covered, player).count_ones();
    assert_eq!(position.mover, Player::Right);
    assert_eq!((placements(Player::Right), placements(Player::Left), census.margin(run.root)), (9, 7, 2));
    assert_eq!(census.board().draw(position), "..##.\n#...#\n#...#\n.....");

    let mut search = CutSearch::new(census, PLAIN);
    let verdicts = [0, 1, 2, 3].map(|depth| search.verdict(run.root, depth));
    assert_eq!(verdicts.map(|verdict| verdict.value), [true, false, true, true]);
    assert!(verdicts.iter().all(|verdict| verdict.guessed));
    assert!(census.mover_wins(run.root));
    // At depth one the guess is taken with Left to move.
    assert!(census.replies(run.root).all(|reply| census.position(reply).mover == Player::Left));
}
