//! Micro-moves: which there are, in canonical order, and what they do.

use super::dfen::square_name;
use super::{Color, Kind, Piece, State, file_of, offset, rank_of, square};

/// One micro-move as board coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub from: usize,
    pub to: usize,
    pub promotion: Option<Kind>,
    pub castling: bool,
}

impl Step {
    fn plain(from: usize, to: usize) -> Step {
        Step { from, to, promotion: None, castling: false }
    }

    /// UCI text; castling is the king's move.
    pub fn uci(self) -> String {
        let promotion =
            self.promotion.map(|kind| kind.letter().to_ascii_lowercase().to_string()).unwrap_or_default();
        square_name(self.from) + &square_name(self.to) + &promotion
    }
}

/// One micro-move with its result.
#[derive(Clone, Debug)]
pub struct MicroMove {
    pub uci: String,
    pub after: State,
    pub takes_king: bool,
}

const PROMOTIONS: [Kind; 4] = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];
const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const KNIGHT: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

impl State {
    /// Every pseudo-legal micro-move for the current pool, king captures included, in canonical
    /// order.
    pub fn micro_moves(&self) -> Vec<MicroMove> {
        self.steps()
            .into_iter()
            .map(|step| MicroMove {
                uci: step.uci(),
                after: self.apply(step),
                takes_king: self.takes_king(step),
            })
            .collect()
    }

    /// The same as `micro_moves`, as coordinates.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = vec![];
        for (i, &die) in self.pool.iter().enumerate() {
            if self.pool[..i].contains(&die) {
                continue;
            }
            for from in self.squares_of((self.mover, die)) {
                match die {
                    Kind::Pawn => self.pawn_steps(from, &mut steps),
                    _ => self.piece_steps(from, &mut steps),
                }
                if die == Kind::King {
                    self.castling_steps(from, &mut steps);
                }
            }
        }
        steps
    }

    fn pawn_steps(&self, from: usize, steps: &mut Vec<Step>) {
        let forward = self.mover.forward();
        let is_empty = |square: usize| self.board[square].is_none();
        let last_rank = self.mover.rank(8);

        if let Some(to) = offset(from, 0, forward).filter(|&to| is_empty(to)) {
            push_pawn_step(from, to, rank_of(to) == last_rank, steps);
            if rank_of(from) == self.mover.rank(2)
                && let Some(to) = offset(from, 0, 2 * forward).filter(|&to| is_empty(to))
            {
                steps.push(Step::plain(from, to));
            }
        }
        for files in [1, -1] {
            if let Some(to) = offset(from, files, forward)
                && let Some((color, kind)) = self.board[to]
                && color != self.mover
            {
                push_pawn_step(from, to, rank_of(to) == last_rank && kind != Kind::King, steps);
            }
        }
        for &target in &self.targets {
            if self.attacks(from).contains(&target) && self.can_take_en_passant(target) {
                steps.push(Step::plain(from, target));
            }
        }
    }

    /// All conditions on the target itself; that an own pawn attacks it comes on top.
    fn can_take_en_passant(&self, target: usize) -> bool {
        rank_of(target) == self.mover.rank(6)
            && self.board[target].is_none()
            && offset(target, 0, -self.mover.forward())
                .is_some_and(|victim| self.board[victim] == Some((self.mover.other(), Kind::Pawn)))
    }

    fn piece_steps(&self, from: usize, steps: &mut Vec<Step>) {
        let mut goals = self.attacks(from);
        goals.retain(|&to| self.board[to].is_none_or(|(color, _)| color != self.mover));
        goals.sort();
        steps.extend(goals.into_iter().map(|to| Step::plain(from, to)));
    }

    fn castling_steps(&self, king: usize, steps: &mut Vec<Step>) {
        let rank = self.mover.rank(1);
        if king != square(4, rank) || !self.pool.contains(&Kind::Rook) {
            return;
        }
        let rights = self.rights_of(self.mover);
        for (right, corner, between, to) in [(rights[0], 7, 5..=6, 6), (rights[1], 0, 1..=3, 2)] {
            let rook_is_home = self.board[square(corner, rank)] == Some((self.mover, Kind::Rook));
            let way_is_free = between.into_iter().all(|file| self.board[square(file, rank)].is_none());
            if right && rook_is_home && way_is_free {
                steps.push(Step { from: king, to: square(to, rank), promotion: None, castling: true });
            }
        }
    }

    /// The squares the piece on a square attacks, those with pieces of its own side included, in no
    /// special order.
    pub fn attacks(&self, from: usize) -> Vec<usize> {
        let Some((color, kind)) = self.board[from] else {
            return vec![];
        };
        let leaps =
            |offsets: &[(i32, i32)]| offsets.iter().filter_map(|&(df, dr)| offset(from, df, dr)).collect();
        match kind {
            Kind::Pawn => leaps(&[(1, color.forward()), (-1, color.forward())]),
            Kind::Knight => leaps(&KNIGHT),
            Kind::Bishop => self.rays(from, &DIAGONAL),
            Kind::Rook => self.rays(from, &STRAIGHT),
            Kind::Queen => self.rays(from, &[STRAIGHT, DIAGONAL].concat()),
            Kind::King => leaps(&[STRAIGHT, DIAGONAL].concat()),
        }
    }

    /// All squares along some directions, each up to the first piece and that one included.
    fn rays(&self, from: usize, directions: &[(i32, i32)]) -> Vec<usize> {
        let mut squares = vec![];
        for &(files, ranks) in directions {
            let mut at = from;
            while let Some(next) = offset(at, files, ranks) {
                squares.push(next);
                if self.board[next].is_some() {
                    break;
                }
                at = next;
            }
        }
        squares
    }

    fn rights_of(&self, color: Color) -> [bool; 2] {
        let [white_short, white_long, black_short, black_long] = self.rights;
        match color {
            Color::White => [white_short, white_long],
            Color::Black => [black_short, black_long],
        }
    }

    fn drop_right(&mut self, color: Color, side: usize) {
        self.rights[2 * color as usize + side] = false;
    }

    /// Drops the right that goes with a corner when a rook of that colour leaves it or falls on it.
    fn drop_right_of_corner(&mut self, (color, kind): Piece, corner: usize) {
        if kind == Kind::Rook && rank_of(corner) == color.rank(1) {
            match file_of(corner) {
                7 => self.drop_right(color, 0),
                0 => self.drop_right(color, 1),
                _ => {}
            }
        }
    }

    fn drop_both_rights(&mut self, color: Color) {
        self.drop_right(color, 0);
        self.drop_right(color, 1);
    }

    fn spend(&mut self, die: Kind) {
        let i = self.pool.iter().position(|&other| other == die).expect("the die is in the pool");
        self.pool.remove(i);
    }

    /// Whether a micro-move captures a king.
    pub fn takes_king(&self, step: Step) -> bool {
        matches!(self.board[step.to], Some((_, Kind::King)))
    }

    /// The position after a micro-move, with its dice spent.
    pub fn apply(&self, step: Step) -> State {
        let Step { from, to, promotion, castling } = step;
        let mut next = self.clone();
        let piece @ (color, kind) = self.board[from].expect("a piece to move");
        let behind = |square: usize, color: Color| offset(square, 0, -color.forward());

        next.board[from] = None;
        next.board[to] = Some((color, promotion.unwrap_or(kind)));
        let is_en_passant = kind == Kind::Pawn && file_of(from) != file_of(to) && self.board[to].is_none();
        if is_en_passant {
            next.board[behind(to, color).expect("the pawn behind the target")] = None;
        }
        if castling {
            let rank = rank_of(from);
            let (corner, beside) = if file_of(to) == 6 { (7, 5) } else { (0, 3) };
            next.board[square(corner, rank)] = None;
            next.board[square(beside, rank)] = Some((color, Kind::Rook));
        }

        next.targets.remove(&to);
        if kind == Kind::Pawn && rank_of(from) == color.rank(4) {
            next.targets.remove(&behind(from, color).expect("rank 3"));
        }
        if let Some((victim, Kind::Pawn)) = self.board[to]
            && let Some(target) = behind(to, victim)
        {
            next.targets.remove(&target);
        }
        if kind == Kind::Pawn && rank_of(from).abs_diff(rank_of(to)) == 2 {
            next.targets.insert(behind(to, color).expect("the square jumped over"));
        }

        if kind == Kind::King {
            next.drop_both_rights(color);
        }
        next.drop_right_of_corner(piece, from);
        if let Some(victim @ (victim_color, victim_kind)) = self.board[to] {
            next.drop_right_of_corner(victim, to);
            if victim_kind == Kind::King {
                next.drop_both_rights(victim_color);
            }
        }

        let resets_clock = kind == Kind::Pawn || self.board[to].is_some();
        next.half_moves = if resets_clock { 0 } else { (self.half_moves + 1).min(127) };

        next.spend(kind);
        if castling {
            next.spend(Kind::Rook);
        }
        next
    }

    /// Micro-moves `depth` deep with one fixed die, the turn ending after each.
    pub fn perft(&self, die: Kind, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let rolled = self.with_pool(&[die]);
        rolled.steps().into_iter().map(|step| rolled.apply(step).end_turn().perft(die, depth - 1)).sum()
    }
}

fn push_pawn_step(from: usize, to: usize, promotes: bool, steps: &mut Vec<Step>) {
    if promotes {
        steps.extend(PROMOTIONS.map(|kind| Step { promotion: Some(kind), ..Step::plain(from, to) }));
    } else {
        steps.push(Step::plain(from, to));
    }
}
