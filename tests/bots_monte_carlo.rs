//! The random games of `monte-carlo`: what they are worth, where that can be told exactly, and when they end.

mod oracle;
mod texts;

use std::cell::Cell;
use std::collections::BTreeSet;

use dicechess_native::board::{Color, PieceType, Position, Square};
use dicechess_native::eval::material;
use dicechess_native::rules::{Budget, legal_turns};
use dicechess_native::search::SearchControl;
use dicechess_native::search::bots::{Bot, ScoredTurn};
use texts::position;

const F10: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 3 NBP";
/// After any turn but d1e2, a rook or the bishop attacks the king.
const ONE_SAFE_TURN: &str = "2rrk3/8/8/8/1b6/8/8/3K3Q w - - 0 1 K";

fn best(root: &Position, control: &SearchControl<'_>, seed: u64) -> ScoredTurn {
    Bot::MonteCarlo.best_turn(root, control, seed).unwrap().expect("a turn")
}

fn unlimited(dfen: &str, seed: u64) -> ScoredTurn {
    best(&position(dfen), &SearchControl::unbounded(), seed)
}

/// With a clock that advances by one at each look. Also how often it was looked at.
fn until(dfen: &str, deadline: i64, seed: u64) -> (ScoredTurn, i64) {
    let now = Cell::new(0);
    let clock = || {
        now.set(now.get() + 1);
        now.get()
    };
    let control = SearchControl::unbounded().with_deadline(deadline).with_clock(&clock);
    (best(&position(dfen), &control, seed), now.get())
}

#[test]
fn without_a_deadline_the_seed_decides_everything() {
    const PAWN_ENDING: &str = "8/8/8/3k4/8/1P6/8/3K4 w - - 0 1 P";
    let scores: BTreeSet<i32> = [11, 11, 12].map(|seed| unlimited(PAWN_ENDING, seed).score).into();
    assert_eq!(scores.len(), 2, "another seed, other games");
}

#[test]
fn with_a_work_budget_the_seed_decides_everything_and_the_limit_holds() {
    for limit in [0, 1, 1_000, 100_000] {
        let run = || {
            let budget = Budget::new(limit);
            let turn = best(&position(F10), &SearchControl::unbounded().with_budget(&budget), 5);
            (turn, budget.used())
        };
        let (turn, used) = run();
        assert_eq!(run(), (turn, used));
        assert_eq!(used, limit, "sixteen candidates need more");
        assert!(legal_turns(&position(F10)).iter().any(|legal| legal == turn.turn));
    }
}

#[test]
fn the_turn_that_takes_the_attacker_is_found() {
    // The queens stand opposite each other; any other turn leaves Black a queen die to win with.
    const QUEENS: &str = "q5k1/8/8/8/8/8/8/Q6K w - - 0 1 Q";
    for seed in 0..3 {
        let (turn, _) = until(QUEENS, 6_000, seed);
        assert_eq!(turn.turn.to_string(), "a1a8");
        assert!(turn.score > 700_000, "{turn:?}");
    }
}

#[test]
fn the_turn_that_leaves_the_king_safe_is_found_where_material_tells_nothing() {
    for seed in 0..3 {
        assert_eq!(until(ONE_SAFE_TURN, 4_000, seed).0.turn.to_string(), "d1e2");
    }
}

/// Both kings are walled in by pawns that cannot move, and White's knight is the only piece that can.
const WALLED_IN: &str = "6PK/6PP/8/8/3N4/8/pp6/kp6 w - - 0 1 N";

#[test]
fn a_game_without_chance_is_worth_its_exact_probability_of_twenty_rolls() {
    // From b3 and c2 the knight attacks the king. It moves with a knight die only, and then it takes the king: of the
    // forty turns of a game every second is White's, and wins unless all three dice are others.
    let exact = 1.0 - (125.0_f64 / 216.0).powi(20);
    let mut turns = BTreeSet::new();
    for root in [position(WALLED_IN), position(WALLED_IN).flipped()] {
        for seed in 0..6 {
            let turn = until(&root.to_string(), 4_000, seed).0;
            assert!((f64::from(turn.score) - exact * 1e6).abs() <= 1.0, "{turn:?} {exact}");
            turns.insert(turn.turn.to_string());
        }
    }
    // Each of the equals for some seed, and the same on both sides of the board.
    assert_eq!(turns, ["d4b3", "d4c2", "d5b6", "d5c7"].map(String::from).into());
}

#[test]
fn a_game_that_nobody_can_win_is_worth_nothing() {
    // The pawns block each other after this turn, for good.
    let stuck = unlimited("6PK/6PP/8/4p3/8/4P3/pp6/kp6 w - - 0 1 P", 1);
    assert_eq!((stuck.turn.to_string().as_str(), stuck.score), ("e3e4", 0));
}

/// All six types of black piece attack the king on d4, whatever the pawns do: each game is over with the first roll.
const LOST: &str = "3r4/8/4n3/2k1p3/q2K4/8/6PP/6b1 w - - 0 1";

#[test]
fn a_game_that_the_opponent_wins_with_any_roll_is_worth_nothing() {
    assert_eq!(unlimited(&format!("{LOST} P"), 1).score, 0);
}

#[test]
fn without_a_deadline_a_candidate_gets_120_games() {
    // One turn, and games of one roll, each the same work and one look at the clock.
    let root = position("3r4/8/4n3/2k1p3/q2K4/7P/8/6b1 w - - 0 1 P");
    assert_eq!(legal_turns(&root).len(), 1);
    let (timed, untimed) = (Budget::new(u64::MAX), Budget::new(u64::MAX));
    let now = Cell::new(0);
    let clock = || now.replace(now.get() + 1);
    let control = SearchControl::unbounded().with_deadline(50).with_clock(&clock);
    best(&root, &control.with_budget(&timed), 1);
    best(&root, &SearchControl::unbounded().with_budget(&untimed), 1);
    // The first look shares out the time, the last one ends it.
    let timed_games = now.get() as u64 - 2;
    assert_eq!(timed.used() % timed_games, 0);
    assert_eq!(untimed.used(), 120 * (timed.used() / timed_games));
}

/// What two kings alone win from each other, turn by turn: tables by the squares of the king to roll and of the other.
struct KingsAlone {
    /// By the king's square and the number of steps: how often each square ends a walk of so many steps.
    walks: [[[f64; 64]; 4]; 64],
    /// The share of games that the king to roll wins, and the other.
    shares: Vec<[[f64; 2]; 64]>,
}

impl KingsAlone {
    /// Rolls with none, one, two and three king dice, among 216.
    const ROLLS: [f64; 4] = [125.0, 75.0, 15.0, 1.0];

    fn distance(a: usize, b: usize) -> usize {
        (a % 8).abs_diff(b % 8).max((a / 8).abs_diff(b / 8))
    }

    /// After so many turns.
    fn after(plies: usize) -> Self {
        let mut kings = Self { walks: [[[0.0; 64]; 4]; 64], shares: vec![[[0.0; 2]; 64]; 64] };
        for from in 0..64 {
            kings.walks[from][0][from] = 1.0;
            for steps in 1..4 {
                for to in 0..64 {
                    let before = (0..64).filter(|&before| Self::distance(before, to) == 1);
                    kings.walks[from][steps][to] =
                        before.map(|before| kings.walks[from][steps - 1][before]).sum();
                }
            }
        }
        for _ in 0..plies {
            let turn = |king| (0..64).map(|other| kings.turn(king, other)).collect::<Vec<_>>();
            let next: Vec<Vec<[f64; 2]>> = (0..64).map(turn).collect();
            kings.shares = next.into_iter().map(|row| row.try_into().unwrap()).collect();
        }
        kings
    }

    /// One turn more in front of what `shares` knows: a roll that reaches the other king takes it, any other is walked.
    fn turn(&self, king: usize, other: usize) -> [f64; 2] {
        let (mut mine, mut theirs) = (0.0, 0.0);
        for (dice, rolls) in Self::ROLLS.into_iter().enumerate() {
            let chance = rolls / 216.0;
            if Self::distance(king, other) <= dice {
                mine += chance;
                continue;
            }
            let walks = &self.walks[king][dice];
            let all: f64 = walks.iter().sum();
            for (to, count) in walks.iter().enumerate() {
                let [next_theirs, next_mine] = self.shares[other][to];
                mine += chance * count / all * next_mine;
                theirs += chance * count / all * next_theirs;
            }
        }
        [mine, theirs]
    }
}

fn king(position: &Position, color: Color) -> usize {
    position.pieces(color, PieceType::King).first().map(Square::index).unwrap()
}

#[test]
fn two_kings_win_from_each_other_what_exact_expectation_says() {
    let kings = KingsAlone::after(40);
    let root = position("8/8/8/8/3k4/8/8/3K4 w - - 0 1 K");
    let (white, black) = (root.side_to_move(), !root.side_to_move());
    let exact = |position: &Position| kings.shares[king(position, black)][king(position, white)][1];
    let finals: Vec<Position> = legal_turns(&root).iter().map(|turn| root.play_turn(turn)).collect();
    let values = finals.iter().map(exact);
    let (least, most) = (values.clone().fold(1.0, f64::min), values.fold(0.0, f64::max));
    // The kings start two or three steps apart; who steps next to the other is in danger.
    assert!(0.3 < least && most < 0.6 && least < most, "{least} {most}");
    let mut error = 0.0;
    for seed in 0..8 {
        let turn = best(&root, &SearchControl::unbounded(), seed);
        let off = f64::from(turn.score) / 1e6 - exact(&turn.position);
        // 120 games of a quantity between 0 and 1: a standard error of at most 0.046.
        assert!(off.abs() < 0.15, "{turn:?} {off}");
        error += off / 8.0;
    }
    // The best of five is a little too good.
    assert!((-0.03..0.08).contains(&error), "{error}");
}

#[test]
fn a_deadline_is_used_up_and_not_passed() {
    for dfen in [ONE_SAFE_TURN, F10] {
        for deadline in [100, 1_000] {
            let (turn, looks) = until(dfen, deadline, 3);
            // Two looks at most for each candidate that is left when the time is over.
            assert!((deadline..=deadline + 40).contains(&looks), "{looks} {deadline}");
            assert!((0..=1_000_000).contains(&turn.score));
        }
    }
}

#[test]
fn every_candidate_gets_its_share_of_the_time() {
    // The only safe turn is the last of five: without shares, the first would have all the time.
    let turns: Vec<String> =
        legal_turns(&position(ONE_SAFE_TURN)).iter().map(|turn| turn.to_string()).collect();
    assert_eq!(turns.last().map(String::as_str), Some("d1e2"));
    assert_eq!(until(ONE_SAFE_TURN, 4_000, 1).0.turn.to_string(), "d1e2");
}

#[test]
fn a_bot_without_time_for_a_game_plays_the_first_turn_by_material() {
    const CAPTURE: &str = "4k3/8/8/3q4/2P5/8/8/4K3 w - - 0 1 PK";
    for (dfen, expected) in [(CAPTURE, "c4d5 e1d1"), (ONE_SAFE_TURN, "d1c1")] {
        for deadline in [i64::MIN, 0, 2] {
            let (turn, _) = until(dfen, deadline, 9);
            assert_eq!((turn.turn.to_string().as_str(), turn.score), (expected, 0));
        }
    }
}

#[test]
fn only_the_sixteen_best_by_material_are_tried() {
    // Of more than twenty queen moves one takes the rook.
    let rook = "4k3/8/8/8/3Q2r1/8/8/4K3 w - - 0 1 Q";
    let candidates = first_by_material(&position(rook));
    assert_eq!(candidates.first().map(String::as_str), Some("d4g4"));
    let chosen: BTreeSet<String> = (0..20).map(|seed| until(rook, 700, seed).0.turn.to_string()).collect();
    assert!(chosen.len() > 1 && chosen.is_subset(&candidates.into_iter().collect()), "{chosen:?}");
    // Where all are worth the same, each of the sixteen is chosen by some seed.
    let lost = format!("{LOST} PPP");
    assert!(legal_turns(&position(&lost)).len() > 20);
    let chosen: BTreeSet<String> = (0..300).map(|seed| unlimited(&lost, seed).turn.to_string()).collect();
    assert_eq!(chosen, first_by_material(&position(&lost)).into_iter().collect());
}

fn first_by_material(root: &Position) -> Vec<String> {
    let mut turns: Vec<_> = legal_turns(root).iter().collect();
    turns.sort_by_key(|&turn| -material(&root.play_turn(turn), root.side_to_move()));
    turns.iter().take(16).map(|turn| turn.to_string()).collect()
}

#[test]
fn games_do_not_allocate_turn_by_turn() {
    let allocations = |deadline| {
        let run = || assert!(until(ONE_SAFE_TURN, deadline, 4).0.score >= 0);
        allocation_counter::measure(run).count_total
    };
    until(ONE_SAFE_TURN, 8_000, 4);
    let (few, many) = (allocations(1_000), allocations(8_000));
    assert!(few > 0, "the counter counts");
    assert!(many < few + 20, "{few} allocations in a thousand turns, {many} in eight thousand");
}
