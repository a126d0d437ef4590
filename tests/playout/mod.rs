//! Engine and oracle side by side, driven by bytes: property tests and fuzz targets run the same comparison.

// Each target uses its own part of this.
#![allow(dead_code, unreachable_pub)]

use std::collections::BTreeSet;

use dicechess_native::board::{Color, DfenError, DicePool, PieceType, Position};
use dicechess_native::rules::{
    Budget, Finals, Identity, MicroMove, ReachSets, Roll, Turns, king_capture_path, king_capture_rolls,
    legal_turns, micro_moves, partition, visit_turn_states,
};

use crate::oracle::{self, Kind, State, offset, square};

/// How much plain enumeration the oracle may do; what would cost more is not compared.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Sequences of micro-moves of one roll, by an estimate.
    pub sequences_per_roll: usize,
    /// Sequences of all 216 rolls together, by an estimate.
    pub sequences_of_all_rolls: usize,
    /// Micro-moves of the whole playout.
    pub plies: usize,
}

impl Effort {
    /// For fuzzing, where many short playouts find more than few long ones.
    pub const TINY: Self = Self { sequences_per_roll: 400, sequences_of_all_rolls: 2_500, plies: 8 };
    /// A few milliseconds a playout.
    pub const SMALL: Self = Self { sequences_per_roll: 2_000, sequences_of_all_rolls: 8_000, plies: 12 };
    /// A fifth of a second a playout where there are many pieces.
    pub const LARGE: Self = Self { sequences_per_roll: 30_000, sequences_of_all_rolls: 60_000, plies: 40 };
}

/// Positions that playouts may start from, beside random ones.
pub const KNOWN: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 3",
    "r1bqkbnr/pppp1ppp/2n5/4N3/2B1P3/3P4/PPP2PPP/RNBQK2R b KQkq - 0 3",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "4k3/8/8/8/PpPpP3/8/8/4K3 b - a3c3e3 0 1",
    "8/P5k1/8/2pP4/4pP2/8/p5K1/8 w - c6 0 1",
    "k7/8/8/8/8/8/8/R3K3 w - - 0 1",
];

/// Decisions read off a string of bytes; when the bytes have run out, each is 0.
#[derive(Clone, Debug)]
pub struct Choices<'a>(&'a [u8]);

impl<'a> Choices<'a> {
    /// All bytes are still to be read.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Whether the bytes have run out.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn byte(&mut self) -> usize {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(first)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        if limit <= 256 { self.byte() % limit } else { (self.byte() << 8 | self.byte()) % limit }
    }

    /// True for one in `n` bytes, false when they have run out.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

fn sides() -> [oracle::Color; 2] {
    [oracle::Color::White, oracle::Color::Black]
}

/// A position without dice, few pieces, and as odd as the rules allow: any number of kings, pawns on any rank, targets
/// and rights that the board contradicts. What the rules treat specially is common.
pub fn random_state(choices: &mut Choices<'_>) -> State {
    let mut state = State::parse("8/8/8/8/8/8/8/8 w - - 0 1").expect("the empty board");
    state.mover = choices.one_of(&sides());
    for side in sides() {
        if !choices.one_in(8) {
            let home = square(4, side.rank(1));
            let at = if choices.one_in(2) { home } else { choices.below(64) };
            state.board[at] = Some((side, Kind::King));
        }
    }
    if choices.one_in(3) {
        put_castling_pieces(&mut state, choices);
    }
    if choices.one_in(2) {
        put_double_steps(&mut state, choices);
    }
    if choices.one_in(4) {
        let side = choices.one_of(&sides());
        let at = square(choices.below(8), side.rank(6 + choices.below(2)));
        state.board[at] = Some((side, Kind::Pawn));
    }
    for _ in 0..choices.below(6) {
        let piece = (choices.one_of(&sides()), choices.one_of(&Kind::ALL));
        state.board[choices.below(64)] = Some(piece);
    }
    if choices.one_in(6) {
        state.targets.insert(choices.below(64));
    }
    if choices.one_in(4) {
        let rights = choices.below(16);
        state.rights = std::array::from_fn(|i| rights >> i & 1 == 1);
    }
    state.half_moves = choices.one_of(&[0, 3, 125, 126, 127]);
    state.full_moves = choices.one_of(&[1, 40, i32::MAX as u32 - 1, i32::MAX as u32]);
    state
}

fn put_castling_pieces(state: &mut State, choices: &mut Choices<'_>) {
    for (i, side) in sides().into_iter().enumerate() {
        state.board[square(4, side.rank(1))] = Some((side, Kind::King));
        for (j, file) in [7, 0].into_iter().enumerate() {
            if !choices.one_in(3) {
                state.board[square(file, side.rank(1))] = Some((side, Kind::Rook));
                state.rights[2 * i + j] = !choices.one_in(8);
            }
        }
    }
}

/// Pawns that have just made a double step, and enemy pawns beside them.
fn put_double_steps(state: &mut State, choices: &mut Choices<'_>) {
    let jumper = if choices.one_in(4) { state.mover } else { state.mover.other() };
    for _ in 0..=choices.below(3) {
        let at = square(choices.below(8), jumper.rank(4));
        state.board[at] = Some((jumper, Kind::Pawn));
        let target = offset(at, 0, -jumper.forward()).expect("rank 3");
        if !choices.one_in(6) {
            state.targets.insert(target);
        }
        let beside = if choices.one_in(2) { 1 } else { -1 };
        if let Some(beside) = offset(at, beside, 0) {
            state.board[beside] = Some((jumper.other(), Kind::Pawn));
        }
    }
}

/// One to three dice in any order, mostly of types that the side to move has.
pub fn random_pool(state: &State, choices: &mut Choices<'_>) -> Vec<Kind> {
    let useful: Vec<Kind> = Kind::ALL.into_iter().filter(|&die| state.has((state.mover, die))).collect();
    let count = 3 - choices.one_of(&[0, 0, 1, 2]);
    let mut die = || match choices.one_in(5) || useful.is_empty() {
        true => choices.one_of(&Kind::ALL),
        false => choices.one_of(&useful),
    };
    (0..count).map(|_| die()).collect()
}

/// The engine's position for the oracle's: by text, and the dice in the same order.
pub fn engine_position(state: &State) -> Position {
    let text = state.with_pool(&[]).to_dfen();
    let position: Position = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    position.with_dice(engine_dice(&state.pool))
}

/// The engine's dice for the oracle's, in the same order.
pub fn engine_dice(pool: &[Kind]) -> DicePool {
    let dice: Vec<PieceType> = pool.iter().map(|&die| PieceType::ALL[die as usize]).collect();
    DicePool::from_dice(&dice).expect("at most three dice")
}

/// The oracle's canonical DFEN: its own text keeps the order of the pool.
pub fn canonical_dfen(state: &State) -> String {
    let mut pool = state.pool.clone();
    pool.sort();
    state.with_pool(&pool).to_dfen()
}

/// The DFEN of the position without its dice.
pub fn without_dice(position: Position) -> String {
    position.with_dice(DicePool::EMPTY).to_string()
}

/// An estimate of the oracle's sequences with the dice of the pool, from the moves that each die has now.
pub fn estimated_sequences(state: &State) -> usize {
    let orders = match state.pool.iter().collect::<BTreeSet<_>>().len() {
        3 => 6,
        2 => 3,
        _ => 1,
    };
    state.pool.iter().map(|&die| state.with_pool(&[die]).steps().len() + 3).product::<usize>() * orders
}

/// An estimate of the oracle's sequences for all 216 rolls of both sides.
pub fn estimated_sequences_of_all_rolls(state: &State) -> usize {
    let mobility = |mover| {
        let state = State { mover, ..state.clone() };
        Kind::ALL.iter().map(|&die| state.with_pool(&[die]).steps().len()).sum::<usize>() + 6
    };
    sides().into_iter().map(|side| mobility(side).pow(3)).sum()
}

/// A playout from a position and with choices that the bytes give, compared after each micro-move.
pub fn compare_playout(bytes: &[u8], effort: Effort) {
    let mut choices = Choices::new(bytes);
    let start = match choices.one_in(4) {
        true => State::parse(choices.one_of(&KNOWN)).expect("a known position"),
        false => random_state(&mut choices),
    };
    compare_playout_from(&start, &mut choices, effort);
}

/// A playout from this position, compared after each micro-move.
pub fn compare_playout_from(start: &State, choices: &mut Choices<'_>, effort: Effort) {
    let (mut state, mut position) = (start.clone(), engine_position(start));
    let mut plies = 0;
    compare_position(&position, &state);
    while plies < effort.plies {
        plies += 1;
        compare_all_rolls(&position, &state, effort);
        let pool = random_pool(&state, choices);
        state = state.with_pool(&pool);
        position = position.with_dice(engine_dice(&pool));
        loop {
            compare_position(&position, &state);
            compare_turns(&position, &state, effort);
            let moves = compare_micro_moves(&position, &state);
            if moves.is_empty() || plies >= effort.plies {
                break;
            }
            let (micro_move, after) = &moves[choices.below(moves.len())];
            position = position.play(*micro_move);
            state = after.clone();
            plies += 1;
        }
        position = position.end_turn();
        state = state.end_turn();
        compare_position(&position, &state);
        if choices.is_empty() {
            break;
        }
    }
}

/// Text, dice, key, and the way back from the text.
pub fn compare_position(position: &Position, state: &State) {
    let text = canonical_dfen(state);
    assert_eq!(position.to_string(), text);
    assert_eq!(position.dice(), engine_dice(&state.pool), "order of the dice of {text}");
    assert_eq!(position.key(), position.key_from_scratch(), "key of {text}");
    let read: Position = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(read, position.with_dice(position.dice().sorted()), "reading {text}");
}

/// The micro-moves in order, each with the oracle's position after it.
pub fn compare_micro_moves(position: &Position, state: &State) -> Vec<(MicroMove, State)> {
    let moves = micro_moves(position);
    let expected = state.micro_moves();
    let texts: Vec<String> = moves.iter().map(|micro_move| micro_move.to_string()).collect();
    let expected_texts: Vec<&str> = expected.iter().map(|micro_move| micro_move.uci.as_str()).collect();
    assert_eq!(texts, expected_texts, "micro-moves of {} {:?}", position, position.dice());
    for (&micro_move, expected) in moves.iter().zip(&expected) {
        let spent = state.pool.len() - expected.after.pool.len();
        assert_eq!(micro_move.dice_spent(), spent, "dice for {micro_move} in {position}");
    }
    moves.into_iter().zip(expected.into_iter().map(|expected| expected.after)).collect()
}

/// Legal turns in order and their final positions, by every query that finds them.
pub fn compare_turns(position: &Position, state: &State, effort: Effort) {
    if estimated_sequences(state) > effort.sequences_per_roll {
        return;
    }
    let dfen = format!("{position} {:?}", position.dice());
    let expected = state.turns();
    let turns = legal_turns(position);
    let texts: Vec<String> = turns.iter().map(|turn| turn.to_string()).collect();
    assert_eq!(texts, expected.texts(), "turns of {dfen}");
    assert_eq!(turns.captures().len(), expected.captures.len(), "captures of {dfen}");
    let finals = |list: &[(Vec<String>, State)]| -> BTreeSet<String> {
        list.iter().map(|(_, after)| after.dfen_without_dice()).collect()
    };
    let ended: BTreeSet<String> =
        expected.quiet.iter().map(|(_, after)| after.end_turn().dfen_without_dice()).collect();
    let ended_ignoring_clock: BTreeSet<String> = expected
        .quiet
        .iter()
        .map(|(_, after)| State { half_moves: state.half_moves, ..after.end_turn() }.dfen_without_dice())
        .collect();
    let played = |list: &[dicechess_native::rules::Turn]| -> BTreeSet<String> {
        list.iter().map(|&turn| without_dice(position.play_turn(turn))).collect()
    };
    assert_eq!(played(turns.captures()), finals(&expected.captures), "capture finals of {dfen}");
    assert_eq!(played(turns.quiet()), finals(&expected.quiet), "quiet finals of {dfen}");

    let unlimited = Budget::unlimited();
    let first_capture = turns.captures().first().copied();
    assert_eq!(king_capture_path(position, &unlimited), Ok(first_capture), "first capture of {dfen}");
    assert_finals(position, Identity::BeforeTurnEnd, &turns, &finals(&expected.quiet));
    assert_finals(position, Identity::AfterTurnEnd, &turns, &ended);
    assert_finals(position, Identity::AfterTurnEndIgnoringClock, &turns, &ended_ignoring_clock);

    let mut visited = vec![];
    let captures = visit_turn_states(position, &unlimited, |after| visited.push(after.to_string()));
    assert_eq!(captures, Ok(first_capture.is_some()), "{dfen}");
    let distinct: BTreeSet<String> = visited.iter().cloned().collect();
    assert_eq!(distinct.len(), visited.len(), "positions of {dfen} handed out twice");
    let expected_visits = if first_capture.is_some() { BTreeSet::new() } else { finals(&expected.quiet) };
    assert_eq!(distinct, expected_visits, "positions of {dfen}");
}

fn assert_finals(position: &Position, identity: Identity, turns: &Turns, quiet: &BTreeSet<String>) {
    let mut sets = ReachSets::new(identity);
    sets.reset(position);
    let roll = Roll::of(position.dice());
    let finals = sets.finals(roll, &Budget::unlimited()).expect("no limit");
    match finals {
        Finals::KingCapture => assert!(!turns.captures().is_empty(), "{position} has no king capture"),
        Finals::ForcedPass => assert!(turns.is_empty(), "{position} is no forced pass"),
        Finals::Positions(positions) => {
            assert!(turns.captures().is_empty(), "{position} has a king capture");
            let texts: BTreeSet<String> = positions.iter().map(|after| after.to_string()).collect();
            assert_eq!(texts.len(), positions.len(), "finals of {position} found twice, {identity:?}");
            assert_eq!(&texts, quiet, "finals of {position}, {identity:?}");
        }
    }
}

/// The classes of the chance node, and the rolls with which each side could capture the other's king.
pub fn compare_all_rolls(position: &Position, state: &State, effort: Effort) {
    let classes: Vec<(String, u32)> =
        partition(position).iter().map(|class| (class.roll.to_string(), class.weight)).collect();
    assert_eq!(classes, state.classes(), "classes of {position}");
    if estimated_sequences_of_all_rolls(state) > effort.sequences_of_all_rolls {
        return;
    }
    for (defender, expected) in Color::ALL.into_iter().zip(sides()) {
        let rolls = king_capture_rolls(position, defender, &Budget::unlimited());
        assert_eq!(rolls, Ok(state.king_capture_rolls(expected)), "{defender:?} defends {position}");
    }
}

const FIELDS: [&str; 9] =
    ["placement", "side", "castling", "en-passant", "half-move", "full-move", "dice", "fields", "input"];

/// Engine and oracle accept the same texts and read the same from them; an error names its field and text.
pub fn compare_dfen(text: &str) {
    match (text.parse::<Position>(), State::parse(text)) {
        (Ok(position), Some(state)) => {
            compare_position(&position, &state);
            let written = position.to_string();
            assert_eq!(written.parse::<Position>().map(|read| read.to_string()), Ok(written));
        }
        (Err(error), None) => assert_names_its_field(&error, text),
        (Ok(position), None) => panic!("only the engine accepts {text:?}, as {position}"),
        (Err(error), Some(_)) => panic!("only the oracle accepts {text:?}: {error}"),
    }
}

fn assert_names_its_field(error: &DfenError, text: &str) {
    let message = error.to_string();
    assert!(FIELDS.contains(&error.field), "{text:?}: {message}");
    assert!(message.contains(error.field) && message.contains(&error.text), "{text:?}: {message}");
    assert!(!error.reason.is_empty() && message.contains(&error.reason), "{text:?}: {message}");
    let quoted = error.text.strip_suffix('…').unwrap_or(&error.text);
    assert!(text.contains(quoted), "{text:?}: {message}");
}
