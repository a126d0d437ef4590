//! The census and the searches agree with a naive solver: plain recursion over an array, without memory, bits or cuts.

use std::collections::HashSet;

use dicechess_native::domineering::{Board, Census, Order, Player, Position};
use dicechess_native::stopping::{CutSearch, Extension, Game, Guess, Horizon, Step, Window};

/// Rows of covered squares, and whether Left is to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Naive {
    rows: Vec<Vec<bool>>,
    left: bool,
}

impl Naive {
    fn empty(rows: usize, columns: usize, left: bool) -> Self {
        Self { rows: vec![vec![false; columns]; rows], left }
    }

    fn of(rows: usize, columns: usize, position: Position) -> Self {
        let mut naive = Self::empty(rows, columns, position.mover == Player::Left);
        for (square, covered) in naive.rows.iter_mut().flatten().enumerate() {
            *covered = position.covered / 2_u32.pow(square as u32) % 2 == 1;
        }
        naive
    }

    /// After each domino of the given player, squares row by row.
    fn placed(&self, left: bool) -> Vec<Self> {
        let mut after = Vec::new();
        for row in 0..self.rows.len() {
            for column in 0..self.rows[0].len() {
                let (other_row, other_column) = if left { (row + 1, column) } else { (row, column + 1) };
                let inside = other_row < self.rows.len() && other_column < self.rows[0].len();
                if inside && !self.rows[row][column] && !self.rows[other_row][other_column] {
                    let mut next = Self { left: !self.left, ..self.clone() };
                    next.rows[row][column] = true;
                    next.rows[other_row][other_column] = true;
                    after.push(next);
                }
            }
        }
        after
    }

    fn replies(&self) -> Vec<Self> {
        self.placed(self.left)
    }

    fn margin(&self) -> i32 {
        self.placed(self.left).len() as i32 - self.placed(!self.left).len() as i32
    }

    fn mover_wins(&self) -> bool {
        self.replies().iter().any(|reply| !reply.mover_wins())
    }

    fn longest_line(&self) -> u32 {
        self.replies().iter().map(|reply| 1 + reply.longest_line()).max().unwrap_or(0)
    }

    /// A search cut at a depth; in the window it goes on move by move, and elsewhere it guesses by count.
    fn wins_by_search(&self, depth: u32, window: Option<(i32, i32)>, know_nothing: bool) -> bool {
        let replies = self.replies();
        let close = window.is_some_and(|(low, high)| low <= self.margin() && self.margin() <= high);
        if depth == 0 && !replies.is_empty() && !close {
            return know_nothing || self.margin() > 0;
        }
        let rest = depth.saturating_sub(1);
        replies.iter().any(|reply| !reply.wins_by_search(rest, window, know_nothing))
    }
}

/// Compares what census and oracle say of every `nth` position whose lines are at most `longest` moves.
fn compare(rows: usize, columns: usize, nth: usize, longest: u32) -> usize {
    let board = Board::new(rows as u32, columns as u32).unwrap();
    let census = Census::new(board, Order::Generation);
    let ids = census.ids().step_by(nth).filter(|&id| census.longest_line(id) <= longest);
    let mut compared = 0;
    for id in ids {
        let naive = Naive::of(rows, columns, census.position(id));
        let replies = census.replies(id).map(|reply| Naive::of(rows, columns, census.position(reply)));
        assert!(replies.eq(naive.replies()), "{naive:?}");
        assert_eq!(census.margin(id), naive.margin(), "{naive:?}");
        assert_eq!(census.mover_wins(id), naive.mover_wins(), "{naive:?}");
        assert_eq!(census.longest_line(id), naive.longest_line(), "{naive:?}");
        compared += 1;
    }
    compared
}

#[test]
fn every_position_of_the_smallest_board_is_solved_as_by_plain_recursion() {
    assert_eq!(compare(3, 4, 1, 6), 493);
}

#[test]
fn positions_of_the_larger_boards_are_solved_as_by_plain_recursion() {
    assert_eq!([compare(4, 4, 7, 6), compare(3, 6, 19, 6), compare(4, 5, 61, 6)], [694, 720, 791]);
}

#[test]
fn the_census_holds_what_play_reaches_and_nothing_else() {
    for (rows, columns) in [(1, 1), (1, 5), (5, 1), (2, 3), (3, 4), (4, 4)] {
        let mut reached = HashSet::new();
        let mut open = vec![Naive::empty(rows, columns, true), Naive::empty(rows, columns, false)];
        while let Some(position) = open.pop() {
            if reached.insert(position.clone()) {
                open.extend(position.replies());
            }
        }
        let census = Census::new(Board::new(rows as u32, columns as u32).unwrap(), Order::FewestReplies);
        let counted: HashSet<Naive> =
            census.ids().map(|id| Naive::of(rows, columns, census.position(id))).collect();
        assert_eq!((counted.len(), &counted), (census.ids().len(), &reached), "{rows} × {columns}");
    }
}

#[test]
fn cut_searches_and_windows_answer_as_plain_recursion_does() {
    for (rows, columns, nth) in [(3, 4, 1), (4, 4, 37), (4, 5, 499)] {
        let census = Census::new(Board::new(rows as u32, columns as u32).unwrap(), Order::FewestReplies);
        for window in [None, Some((0, 0)), Some((-1, 0)), Some((-1, 1))] {
            let extension = window.map(|(low, high)| Extension {
                window: Window { low, high },
                step: Step::One,
                cap: None,
            });
            for (guess, know_nothing) in [(Guess::Mover, true), (Guess::Ahead, false)] {
                let mut search = CutSearch::new(&census, Horizon { extension, guess });
                for id in census.ids().step_by(nth).filter(|&id| census.longest_line(id) <= 5) {
                    let naive = Naive::of(rows, columns, census.position(id));
                    for depth in 0..=5 {
                        let expected = naive.wins_by_search(depth, window, know_nothing);
                        assert_eq!(search.verdict(id, depth).value, expected, "{naive:?} {window:?} {depth}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_census_in_the_other_order_tries_the_move_that_leaves_fewest_replies_first() {
    let board = Board::MEASURED[1];
    let [generated, sorted] =
        [Order::Generation, Order::FewestReplies].map(|order| Census::new(board, order));
    for id in generated.ids() {
        let key = |reply: &_| generated.replies(*reply).count();
        let mut expected: Vec<_> = generated.replies(id).collect();
        expected.sort_by_key(key);
        assert!(sorted.replies(id).eq(expected));
        assert_eq!(sorted.position(id), generated.position(id));
    }
}

#[test]
fn boards_without_squares_or_with_too_many_are_refused_by_size() {
    for (rows, columns) in [(0, 4), (4, 0), (3, 7), (21, 1), (u32::MAX, u32::MAX)] {
        let error = Board::new(rows, columns).unwrap_err();
        let expected = format!("a board of {rows} rows and {columns} columns is not of 1 to 20 squares");
        assert_eq!(error.to_string(), expected);
    }
    for board in Board::MEASURED {
        let (rows, columns) = board
            .to_string()
            .split_once(" × ")
            .map(|(r, c)| (r.parse().unwrap(), c.parse().unwrap()))
            .unwrap();
        assert_eq!(Board::new(rows, columns), Ok(board));
    }
}

#[test]
fn a_position_is_drawn_row_by_row() {
    let board = Board::new(2, 3).unwrap();
    let position = Position { covered: 0b100_011, mover: Player::Left };
    assert_eq!(board.draw(position), "##.\n..#");
}
