//! What search tests compare with: a plain search that cuts nothing, evaluators of hosts, and random small positions.

// Each test file uses its own part of this.
#![allow(dead_code, unreachable_pub)]

use std::collections::HashMap;
use std::sync::Mutex;

use dicechess_native::board::{CastlingRights, Color, DicePool, PieceType, Position, Square};
use dicechess_native::eval::{BuiltIn, Evaluator, material};
use dicechess_native::rules::{Budget, Identity, ReachSets};
use dicechess_native::rules::{Finals, Turn, legal_turns, partition};
use dicechess_native::search::{Candidate, Expectimax, ExpectimaxConfig, SearchControl, SearchResult};

pub const F10: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 3 NBP";
/// The sparse rook ending of the seeds.
pub const ROOK_ENDING: &str = "k7/8/8/8/8/8/8/R3K3 w - - 0 1 NBK";
pub const LOSS: f64 = -1e9;
pub const WIN: f64 = 10_001.0;

pub fn position(dfen: &str) -> Position {
    dfen.parse().unwrap_or_else(|error| panic!("{dfen}: {error}"))
}

/// A value and whether the perspective's king is lost on some roll that it stands for.
pub type Plain = (f64, bool);

/// Expectations by visiting every class and every reply. Whole nodes are remembered, by all there is to a position.
pub struct PlainSearch<'a> {
    evaluator: &'a dyn Evaluator,
    perspective: Color,
    known: HashMap<(Position, usize), Plain>,
}

impl<'a> PlainSearch<'a> {
    pub fn new(evaluator: &'a dyn Evaluator, perspective: Color) -> Self {
        Self { evaluator, perspective, known: HashMap::new() }
    }

    /// The chance node at `node` with `plies` decision plies below it.
    pub fn chance(&mut self, node: &Position, plies: usize) -> Plain {
        if plies == 0 {
            let mut score = [f64::NAN];
            self.evaluator.evaluate(std::slice::from_ref(node), self.perspective, &mut score);
            return (score[0], false);
        }
        if let Some(&known) = self.known.get(&(*node, plies)) {
            return known;
        }
        let (mut sum, mut tainted) = (0.0, false);
        let mut sets = ReachSets::new(Identity::AfterTurnEnd);
        sets.reset(node);
        for class in partition(node) {
            let (value, taint) = match sets.finals(class.roll, &Budget::unlimited()).expect("no limit") {
                Finals::KingCapture if node.side_to_move() == self.perspective => (WIN, false),
                Finals::KingCapture => (LOSS, true),
                Finals::ForcedPass => self.chance(&node.end_turn(), plies - 1),
                Finals::Positions(replies) => self.decide(replies, node.side_to_move(), plies),
            };
            sum += f64::from(class.weight) * value;
            tainted |= taint;
        }
        self.known.insert((*node, plies), (sum / 216.0, tainted));
        (sum / 216.0, tainted)
    }

    fn decide(&mut self, replies: &[Position], mover: Color, plies: usize) -> Plain {
        let values: Vec<Plain> = replies.iter().map(|reply| self.chance(reply, plies - 1)).collect();
        let pick = if mover == self.perspective { f64::max } else { f64::min };
        let best = values.iter().map(|&(value, _)| value).reduce(pick).expect("a reply");
        (best, values.iter().any(|&(value, tainted)| value == best && tainted))
    }
}

/// The `limit` best quiet turns by material, earlier ones first among equals, each with the position after it.
pub fn selected_turns(root: &Position, limit: usize) -> Vec<(Turn, Position)> {
    let turns = legal_turns(root);
    assert!(turns.captures().is_empty(), "{root} is no capture");
    let after = |&turn: &Turn| (turn, root.play_turn(turn).end_turn());
    let mut selected: Vec<_> = turns.quiet().iter().map(after).collect();
    selected.sort_by_key(|(_, after)| -material(after, root.side_to_move()));
    selected.truncate(limit);
    selected
}

/// The search with its candidates.
pub fn ranked(
    search: &Expectimax<'_>,
    root: &Position,
    control: &SearchControl<'_>,
    seed: u64,
) -> (SearchResult, Vec<Candidate>) {
    let mut candidates = Vec::new();
    let result = search.rank_moves(root, control, seed, &mut candidates).unwrap();
    (result, candidates)
}

/// A configuration by depth and candidate limit.
pub fn config(search_depth: u32, candidate_limit: usize) -> ExpectimaxConfig {
    ExpectimaxConfig { search_depth, candidate_limit, ..ExpectimaxConfig::default() }
}

/// Worth 0 everywhere: what is left of a value counts lost and won kings.
pub struct LossOnly;

impl Evaluator for LossOnly {
    fn name(&self) -> &str {
        "loss only"
    }

    fn evaluate(&self, _: &[Position], _: Color, scores: &mut [f64]) {
        scores.fill(0.0);
    }

    fn reads_clocks(&self) -> bool {
        false
    }
}

/// As good as random, from a hash of the position: few different values make many ties.
pub struct Hashed {
    pub name: &'static str,
    /// How many different values there are.
    pub values: u64,
    /// The distance between them.
    pub step: f64,
    /// Whether the clocks are hashed too.
    pub clocks: bool,
}

impl Evaluator for Hashed {
    fn name(&self) -> &str {
        self.name
    }

    fn evaluate(&self, positions: &[Position], perspective: Color, scores: &mut [f64]) {
        let sign = if perspective == Color::White { 1.0 } else { -1.0 };
        for (score, position) in scores.iter_mut().zip(positions) {
            let clocks = u64::from(position.full_move()) << 8 | u64::from(position.half_move());
            let seen = position.key() ^ if self.clocks { clocks } else { 0 };
            let hash = seen.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
            *score = sign * self.step * ((hash % self.values) as f64 - (self.values / 2) as f64);
        }
    }

    fn reads_clocks(&self) -> bool {
        self.clocks
    }
}

pub const ROUGH: Hashed = Hashed { name: "rough", values: 3, step: 50.0, clocks: false };
pub const FINE: Hashed = Hashed { name: "fine", values: 20_001, step: 0.3, clocks: false };
pub const CLOCKED: Hashed = Hashed { name: "clocked", values: 201, step: 7.0, clocks: true };

/// Passes everything on and writes down each batch.
pub struct Recording<'a> {
    pub inner: &'a (dyn Evaluator + Sync),
    pub batches: Mutex<Vec<Vec<Position>>>,
}

impl<'a> Recording<'a> {
    pub fn new(inner: &'a (dyn Evaluator + Sync)) -> Self {
        Self { inner, batches: Mutex::new(Vec::new()) }
    }

    /// How many batches there were.
    pub fn calls(&self) -> usize {
        self.batches.lock().unwrap().len()
    }

    /// What was written down, which is forgotten.
    pub fn take(&self) -> Vec<Vec<Position>> {
        std::mem::take(&mut *self.batches.lock().unwrap())
    }
}

impl Evaluator for Recording<'_> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn evaluate(&self, positions: &[Position], perspective: Color, scores: &mut [f64]) {
        self.batches.lock().unwrap().push(positions.to_vec());
        self.inner.evaluate(positions, perspective, scores);
    }

    fn reads_clocks(&self) -> bool {
        self.inner.reads_clocks()
    }
}

/// The built-in evaluators and the hashed ones: what a search may know of an evaluator differs.
pub fn evaluators() -> [&'static (dyn Evaluator + Sync); 5] {
    [&BuiltIn::Material, &BuiltIn::Standard, &ROUGH, &FINE, &CLOCKED]
}

/// A position with both kings and up to `pieces` other pieces, read off bytes; odd ones are welcome: attacked kings, pawns
/// about to promote, en-passant targets, rights without rooks. When the bytes have run out, each is 0.
pub fn small_position(bytes: &[u8], pieces: usize) -> Position {
    let mut bytes = bytes.iter().copied();
    let mut below = |limit: usize| usize::from(bytes.next().unwrap_or(0)) % limit;
    let mut position = Position::empty();
    for _ in 0..below(pieces + 1) {
        let color = Color::ALL[below(2)];
        // Long-range pieces make positions large.
        let piece = [0, 0, 1, 2, 3, 4][below(6)];
        let at = square(below(64));
        position.set_piece(at, Some((color, PieceType::ALL[piece])));
        if piece == 0 && at.rank() == color.relative_rank(3) && below(2) == 0 {
            let behind = Square::from_coords(at.file(), color.relative_rank(2));
            position.set_en_passant(position.en_passant() | behind.bitboard());
        }
    }
    if below(3) == 0 {
        position.set_piece(Square::from_coords(7, 0), Some((Color::White, PieceType::Rook)));
        position.set_castling(CastlingRights::ALL);
    }
    for color in Color::ALL {
        let home = Square::from_coords(4, color.relative_rank(0));
        let mut king = if below(3) == 0 { home } else { square(below(64)) };
        if position.pieces(Color::ALL[0], PieceType::King).contains(king) {
            king = square((king.index() + 9) % 64);
        }
        position.set_piece(king, Some((color, PieceType::King)));
    }
    position.set_half_move(below(128) as u8);
    position.set_side_to_move(Color::ALL[below(2)]);
    position
}

/// A roll for the side to move, mostly of types it has.
pub fn small_roll(position: &Position, bytes: &[u8]) -> DicePool {
    let mut bytes = bytes.iter().copied();
    let mut below = |limit: usize| usize::from(bytes.next().unwrap_or(0)) % limit;
    let mover = position.side_to_move();
    let own: Vec<_> =
        PieceType::ALL.into_iter().filter(|&piece| position.pieces(mover, piece).any()).collect();
    let dice: Vec<_> = (0..1 + below(3))
        .map(|_| if below(4) == 0 { PieceType::ALL[below(6)] } else { own[below(own.len())] })
        .collect();
    DicePool::from_dice(&dice).expect("at most three dice")
}

fn square(index: usize) -> Square {
    Square::new(index as u8).expect("a square")
}
