//! The stopping rules on games made for the purpose.

use dicechess_native::stopping::{
    Cut, CutSearch, Extension, Game, Guess, Horizon, Reason, Step, Stop, Verdict, Window,
    deepen_until_agreement,
};
use proptest::prelude::*;

const CLOSE: Window = Window { low: -1, high: 1 };
const STEPS: [Step; 3] = [Step::One, Step::Pair, Step::ToEnd];
const GUESSES: [Guess; 6] =
    [Guess::Mover, Guess::MoverAtCut, Guess::Root, Guess::RootOpponent, Guess::Ahead, Guess::NotBehind];

fn scripted(verdicts: &[(char, bool)]) -> impl Fn(u32) -> Verdict<char> {
    |depth| {
        let (value, guessed) = verdicts[depth as usize];
        Verdict { value, guessed }
    }
}

#[test]
fn deepening_stops_at_the_first_depth_that_agrees_or_is_exhaustive() {
    let stop = |depth, value, reason| Some(Stop { depth, value, reason });
    for (verdicts, expected) in [
        (vec![('w', true), ('w', true)], stop(1, 'w', Reason::Agreement)),
        (vec![('w', true), ('l', true), ('w', true), ('w', true)], stop(3, 'w', Reason::Agreement)),
        (vec![('w', false)], stop(0, 'w', Reason::Exhausted)),
        (vec![('w', true), ('l', false)], stop(1, 'l', Reason::Exhausted)),
        // Both at once: exhaustion is asked first.
        (vec![('w', true), ('w', false)], stop(1, 'w', Reason::Exhausted)),
        (vec![('w', true), ('l', true), ('w', true)], None),
        (vec![('w', true)], None),
    ] {
        let limit = verdicts.len() as u32 - 1;
        assert_eq!(deepen_until_agreement(limit, scripted(&verdicts)), expected, "{verdicts:?}");
    }
}

#[test]
fn deepening_searches_no_depth_after_the_stop() {
    let mut searched = Vec::new();
    deepen_until_agreement(9, |depth| {
        searched.push(depth);
        Verdict { value: depth >= 2, guessed: true }
    });
    assert_eq!(searched, [0, 1]);
}

/// One line of forced moves: the position is the number of moves left, and with it go its margins.
struct Line(Vec<i32>);

impl Game for Line {
    type Position = usize;

    fn replies(&self, left: usize) -> impl Iterator<Item = usize> {
        left.checked_sub(1).into_iter()
    }

    fn margin(&self, left: usize) -> i32 {
        self.0[left]
    }
}

fn horizons() -> impl Iterator<Item = Horizon> {
    let caps = std::iter::once(None).chain((0..=4).map(Some));
    let extensions = STEPS
        .into_iter()
        .flat_map(move |step| caps.clone().map(move |cap| Some(Extension { window: CLOSE, step, cap })));
    let extensions = std::iter::once(None).chain(extensions);
    extensions.flat_map(|extension| GUESSES.map(|guess| Horizon { extension, guess }))
}

/// Whether an even depth understates the mover somewhere, or an odd one overstates.
fn leaves_bracket(game: &Line, horizon: Horizon) -> bool {
    let mut search = CutSearch::new(game, horizon);
    (1..game.0.len()).any(|left| {
        let mover_wins = left % 2 == 1;
        (0..left as u32).any(|depth| {
            let value = search.verdict(left, depth).value;
            value != mover_wins && value != (depth % 2 == 0)
        })
    })
}

#[test]
fn the_condition_for_the_bracket_is_exact() {
    let margins = [-2, 0, 2];
    let lines: Vec<Line> = (0..3_usize.pow(7))
        .map(|code| Line((0..7).map(|place| margins[code / 3_usize.pow(place) % 3]).collect()))
        .collect();
    for horizon in horizons() {
        let leaves = lines.iter().any(|line| leaves_bracket(line, horizon));
        assert_eq!(horizon.keeps_bracket(), !leaves, "{horizon:?}");
    }
}

#[test]
fn horizons_that_keep_the_bracket_are_those_that_favour_the_mover_at_the_horizon() {
    let kept = horizons().filter(Horizon::keeps_bracket);
    for Horizon { extension, guess } in kept {
        let even = |cap: Option<u32>| cap.is_none_or(|cap| cap % 2 == 0);
        let pairs = extension.is_none_or(|e| e.cap == Some(0) || e.step != Step::One && even(e.cap));
        assert!(guess == Guess::MoverAtCut || guess == Guess::Mover && pairs, "{extension:?} {guess:?}");
    }
    assert_eq!(horizons().filter(Horizon::keeps_bracket).count(), (1 + 3 * 6) + (1 + 1 + 4 + 4));
}

#[test]
fn a_capped_search_ends_at_its_cap_however_long_the_game() {
    let endless = Line(vec![0; 1_000_000]);
    for step in STEPS {
        for (depth, cap) in [(0, 0), (0, 1), (0, 2), (3, 0), (3, 5), (10, 100)] {
            let extension = Some(Extension { window: CLOSE, step, cap: Some(cap) });
            let mut search = CutSearch::new(&endless, Horizon { extension, guess: Guess::Mover });
            assert!(search.verdict(999_999, depth).guessed);
            assert_eq!(search.cost(), (depth + cap + 1) as usize, "{step:?} depth {depth} cap {cap}");
        }
    }
}

#[test]
fn without_a_cap_a_close_line_is_searched_to_its_end() {
    let line = Line(vec![0; 200]);
    for step in STEPS {
        let extension = Some(Extension { window: CLOSE, step, cap: None });
        let mut search = CutSearch::new(&line, Horizon { extension, guess: Guess::Mover });
        let verdict = search.verdict(199, 2);
        assert!(verdict.value && !verdict.guessed, "{step:?}");
        assert_eq!(search.cost(), 200, "{step:?}");
    }
}

#[test]
fn steps_ask_again_where_they_say() {
    // By margins from the horizon on: the moves past the horizon at which the search guesses.
    for (step, margins, expected) in [
        (Step::One, [0, 0, 9, 0, 9], 2),
        (Step::Pair, [0, 9, 0, 9, 9], 4),
        (Step::ToEnd, [0, 9, 9, 9, 9], 5),
        (Step::One, [9, 0, 0, 0, 0], 0),
        (Step::Pair, [9, 0, 0, 0, 0], 0),
        (Step::ToEnd, [9, 0, 0, 0, 0], 0),
    ] {
        let extension = Extension { window: CLOSE, step, cap: Some(5) };
        let goes_on = |&beyond: &u32| {
            let margin = margins.get(beyond as usize).copied().unwrap_or(9);
            extension.goes_on(margin, beyond)
        };
        assert_eq!((0..).take_while(goes_on).count(), expected, "{step:?} {margins:?}");
    }
}

#[test]
fn guesses_favour_whom_they_name() {
    let wins = |guess: Guess, margin, depth, beyond| guess.mover_wins(margin, Cut { depth, beyond });
    for (depth, beyond) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 3), (3, 2)] {
        let root_moves = (depth + beyond) % 2 == 0;
        assert!(wins(Guess::Mover, -9, depth, beyond));
        assert_eq!(wins(Guess::MoverAtCut, -9, depth, beyond), beyond % 2 == 0);
        assert_eq!(wins(Guess::Root, -9, depth, beyond), root_moves);
        assert_eq!(wins(Guess::RootOpponent, 9, depth, beyond), !root_moves);
        let by_count = |guess| [-1, 0, 1].map(|margin| wins(guess, margin, depth, beyond));
        assert_eq!(by_count(Guess::Ahead), [false, false, true]);
        assert_eq!(by_count(Guess::NotBehind), [false, true, true]);
    }
}

/// Positions 0, 1, 2 …, moves to higher numbers only.
#[derive(Debug)]
struct Random {
    replies: Vec<Vec<usize>>,
    margins: Vec<i32>,
}

impl Game for Random {
    type Position = usize;

    fn replies(&self, position: usize) -> impl Iterator<Item = usize> {
        self.replies[position].iter().copied()
    }

    fn margin(&self, position: usize) -> i32 {
        self.margins[position]
    }
}

impl Random {
    /// Without memory or cut.
    fn mover_wins(&self, position: usize) -> bool {
        self.replies[position].iter().filter(|&&reply| !self.mover_wins(reply)).count() > 0
    }
}

fn random_game() -> impl Strategy<Value = Random> {
    let position = (prop::collection::vec(1_usize..5, 0..4), -2..=2);
    prop::collection::vec(position, 1..14).prop_map(|positions| {
        let count = positions.len();
        let replies = |(from, (steps, _)): (usize, &(Vec<usize>, i32))| {
            steps.iter().map(|step| from + step).filter(|&to| to < count).collect()
        };
        Random {
            replies: positions.iter().enumerate().map(replies).collect(),
            margins: positions.iter().map(|&(_, margin)| margin).collect(),
        }
    })
}

/// Deeper than any line of a random game.
const DEEP: u32 = 14;

proptest! {
    #[test]
    fn a_search_without_a_guess_is_exact(game in random_game()) {
        for horizon in horizons() {
            let mut search = CutSearch::new(&game, horizon);
            for position in 0..game.margins.len() {
                let truth = game.mover_wins(position);
                prop_assert_eq!(search.finish(position), truth);
                for depth in 0..=DEEP {
                    let verdict = search.verdict(position, depth);
                    prop_assert!(verdict.guessed || verdict.value == truth);
                    prop_assert!(depth < DEEP || !verdict.guessed);
                }
            }
        }
    }

    #[test]
    fn agreement_is_a_proof_under_every_horizon_that_keeps_the_bracket(game in random_game()) {
        let mut plain = CutSearch::new(&game, Horizon::plain(Guess::Mover));
        for horizon in horizons().filter(Horizon::keeps_bracket) {
            let mut search = CutSearch::new(&game, horizon);
            for position in 0..game.margins.len() {
                let truth = game.mover_wins(position);
                for depth in 0..=DEEP {
                    let value = search.verdict(position, depth).value;
                    prop_assert!(value == truth || value == (depth % 2 == 0), "{horizon:?} depth {depth}");
                }
                let stop = deepen_until_agreement(DEEP, |depth| search.verdict(position, depth)).unwrap();
                let plainly = deepen_until_agreement(DEEP, |depth| plain.verdict(position, depth)).unwrap();
                prop_assert_eq!(stop.value, truth);
                prop_assert!(stop.depth <= plainly.depth, "{horizon:?} stops later");
            }
        }
    }

    #[test]
    fn guesses_for_either_side_bound_the_truth_at_every_depth(game in random_game()) {
        for extension in horizons().map(|horizon| horizon.extension) {
            let [mut above, mut below] = [Guess::Root, Guess::RootOpponent]
                .map(|guess| CutSearch::new(&game, Horizon { extension, guess }));
            for position in 0..game.margins.len() {
                let truth = game.mover_wins(position);
                for depth in 0..=DEEP {
                    prop_assert!(above.verdict(position, depth).value || !truth);
                    prop_assert!(!below.verdict(position, depth).value || truth);
                }
            }
        }
    }

    #[test]
    fn without_an_extension_each_side_gains_only_at_every_other_depth(game in random_game()) {
        let [mut above, mut below, mut plain] =
            [Guess::Root, Guess::RootOpponent, Guess::Mover].map(|guess| CutSearch::new(&game, Horizon::plain(guess)));
        for position in 0..game.margins.len() {
            for depth in 0..DEEP {
                let same = if depth % 2 == 0 { &mut above } else { &mut below };
                let value = plain.verdict(position, depth).value;
                prop_assert_eq!(same.verdict(position, depth).value, value);
                prop_assert_eq!(same.verdict(position, depth + 1).value, value);
            }
        }
    }

    #[test]
    fn no_line_goes_further_past_the_horizon_than_the_cap(
        margins in prop::collection::vec(-2..=2, 40), depth in 0_u32..6, cap in 0_u32..8, step in prop::sample::select(&STEPS[..])
    ) {
        let line = Line(margins);
        let extension = Some(Extension { window: CLOSE, step, cap: Some(cap) });
        let mut search = CutSearch::new(&line, Horizon { extension, guess: Guess::Mover });
        prop_assert!(search.verdict(39, depth).guessed);
        prop_assert!(search.cost() <= (depth + cap + 1) as usize);
    }
}
