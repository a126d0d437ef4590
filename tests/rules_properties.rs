//! Properties of the rules layer on random positions, engine against oracle.
//!
//! Each property has its own number of cases, in all for less than a minute; `PROPTEST_CASES=2560` makes them tenfold.

mod oracle;
mod playout;

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

use dicechess_native::board::{CastlingRights, Color, DicePool, PieceType, Position, Square};
use dicechess_native::eval::{material, standard};
use dicechess_native::rules::{
    Budget, Exhausted, Finals, Identity, ReachSets, Roll, Turns, divide, king_capture_path,
    king_capture_rolls, legal_turns, micro_moves, partition, perft, turn_paths, visit_turn_states,
};
use oracle::{Kind, Reply, State, weighted_rolls};
use playout::{
    Choices, Effort, KNOWN, canonical_dfen, compare_dfen, compare_playout, compare_playout_from,
    compare_position, engine_position, estimated_sequences_of_all_rolls, random_pool, random_state,
    without_dice,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::FileFailurePersistence;

/// `of_256` cases for each 256 of `PROPTEST_CASES`, which are its default.
fn cases(of_256: u64) -> ProptestConfig {
    let default = ProptestConfig::default();
    let cases = (u64::from(default.cases) * of_256).div_ceil(256);
    ProptestConfig {
        cases: u32::try_from(cases).unwrap_or(u32::MAX),
        // Bytes shrink well but slowly.
        max_shrink_iters: 100_000,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(
            "proptest-regressions/rules_properties.txt",
        ))),
        ..default
    }
}

fn bytes(most: usize) -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..most)
}

const IDENTITIES: [Identity; 3] =
    [Identity::BeforeTurnEnd, Identity::AfterTurnEnd, Identity::AfterTurnEndIgnoringClock];

/// A position that failures show as text.
#[derive(Clone)]
struct Sample(State);

impl fmt::Debug for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.to_dfen())
    }
}

/// An odd position with few pieces, without dice.
fn states() -> impl Strategy<Value = Sample> {
    bytes(48).prop_map(|bytes| Sample(random_state(&mut Choices::new(&bytes))))
}

/// An odd position with few pieces, and a roll in any order.
fn rolled_states() -> impl Strategy<Value = Sample> {
    (states(), bytes(8)).prop_map(|(Sample(state), bytes)| {
        let pool = random_pool(&state, &mut Choices::new(&bytes));
        Sample(state.with_pool(&pool))
    })
}

/// A rolled position as the engine has it.
fn rolled_positions() -> impl Strategy<Value = Position> {
    rolled_states().prop_map(|Sample(state)| engine_position(&state))
}

mod playouts {
    use super::*;

    proptest! {
        #![proptest_config(cases(8192))]

        #[test]
        fn random_playouts_agree_with_the_oracle(bytes in bytes(90)) {
            compare_playout(&bytes, Effort::SMALL);
        }
    }

    proptest! {
        #![proptest_config(cases(192))]

        #[test]
        fn long_playouts_from_known_positions_agree_with_the_oracle(
            start in select(&KNOWN[..]),
            bytes in bytes(80),
        ) {
            let start = State::parse(start).unwrap();
            compare_playout_from(&start, &mut Choices::new(&bytes), Effort::LARGE);
        }
    }
}

mod keys {
    use super::*;

    proptest! {
        #![proptest_config(cases(4096))]

        #[test]
        fn key_kept_through_setters_is_the_key_from_scratch(Sample(state) in states(), bytes in bytes(60)) {
            let mut position = engine_position(&state);
            let mut choices = Choices::new(&bytes);
            while !choices.is_empty() {
                change(&mut position, &mut choices);
                prop_assert_eq!(position.key(), position.key_from_scratch());
            }
            let read: Position = position.to_string().parse().unwrap();
            prop_assert_eq!(read.key(), position.key());
        }

        #[test]
        fn key_ignores_dice_and_clocks(Sample(state) in rolled_states()) {
            let position = engine_position(&state);
            let mut other = position.with_dice(DicePool::EMPTY);
            other.set_half_move(9);
            other.set_full_move(99);
            prop_assert_eq!(other.key(), position.key());
        }
    }

    fn change(position: &mut Position, choices: &mut Choices<'_>) {
        let square = Square::new(choices.below(64) as u8).unwrap();
        match choices.below(5) {
            0 => position.set_side_to_move(Color::ALL[choices.below(2)]),
            1 => position.set_en_passant(position.en_passant() ^ square.bitboard()),
            2 => {
                let rights = Color::ALL[choices.below(2)];
                let held = position.castling();
                position.set_castling(match choices.below(3) {
                    0 => held.without(CastlingRights::king_side(rights)),
                    1 => held.with(CastlingRights::queen_side(rights)),
                    _ => held.with(CastlingRights::of(rights)),
                });
            }
            3 => position.set_piece(square, None),
            _ => {
                let piece = (Color::ALL[choices.below(2)], PieceType::ALL[choices.below(6)]);
                position.set_piece(square, Some(piece));
            }
        }
    }

    /// Placement, side, rights and targets: what the key tells apart.
    fn identity(position: &Position) -> String {
        position.to_string().split(' ').take(4).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn equal_keys_are_equal_positions_among_all_that_playouts_meet() {
        let mut seen = HashMap::new();
        let mut meet = |position: &Position| {
            let identity = identity(position);
            let known = seen.entry(position.key()).or_insert_with(|| identity.clone());
            assert_eq!(*known, identity, "two positions with the key of {position}");
        };
        let mut word = 1_u64;
        let mut random_byte = || {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (word >> 56) as u8
        };
        for game in 0..cases(512).cases as usize {
            let bytes: Vec<u8> = (0..120).map(|_| random_byte()).collect();
            let mut choices = Choices::new(&bytes);
            let start = match game % 2 {
                0 => State::parse(KNOWN[game / 2 % KNOWN.len()]).unwrap(),
                _ => random_state(&mut choices),
            };
            let mut position = engine_position(&start);
            while !choices.is_empty() {
                let faces = [0; 3].map(|_| choices.below(6) as u8 + 1);
                position.set_dice(DicePool::from_faces(&faces).unwrap());
                visit_turn_states(&position, &Budget::unlimited(), &mut meet).unwrap();
                while let moves @ [_, ..] = &micro_moves(&position)[..] {
                    moves.iter().for_each(|&micro_move| meet(&position.play(micro_move)));
                    position = position.play(moves[choices.below(moves.len())]);
                }
                position = position.end_turn();
                meet(&position);
            }
        }
        assert!(seen.len() > 10_000, "only {} positions", seen.len());
    }
}

mod symmetry {
    use super::*;

    /// The UCI text seen from the other side of the board.
    fn flipped_text(text: &str) -> String {
        let flip = |letter: char| match letter.to_digit(10) {
            Some(rank) => char::from_digit(9 - rank, 10).unwrap(),
            None => letter,
        };
        text.chars().map(flip).collect()
    }

    fn sorted<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
        let mut items: Vec<T> = items.into_iter().collect();
        items.sort_unstable();
        items
    }

    /// The outcome of a roll, with the final positions as text, seen by `view`.
    fn outcome(
        position: &Position,
        identity: Identity,
        view: impl Fn(&Position) -> Position,
    ) -> (&'static str, Vec<String>) {
        let mut sets = ReachSets::new(identity);
        sets.reset(position);
        match sets.finals(Roll::of(position.dice()), &Budget::unlimited()).unwrap() {
            Finals::KingCapture => ("king capture", vec![]),
            Finals::ForcedPass => ("forced pass", vec![]),
            // The full-move number grows after Black, so it is the one thing that does not flip.
            Finals::Positions(finals) => {
                ("quiet", sorted(finals.iter().map(|after| numbered_1(view(after)).to_string())))
            }
        }
    }

    fn numbered_1(mut position: Position) -> Position {
        position.set_full_move(1);
        position
    }

    proptest! {
        #![proptest_config(cases(4096))]

        #[test]
        fn flipping_twice_is_nothing_and_flipping_once_is_the_mirror(Sample(state) in rolled_states()) {
            let position = engine_position(&state);
            let flipped = position.flipped();
            compare_position(&flipped, &state.mirrored());
            prop_assert_eq!(flipped.flipped(), position);
        }

        #[test]
        fn turns_flip(position in rolled_positions()) {
            let (turns, flipped) = (legal_turns(&position), legal_turns(&position.flipped()));
            let texts = |list: &[dicechess_native::rules::Turn]| {
                sorted(list.iter().map(|turn| turn.to_string()))
            };
            let mirrored = |list| sorted(texts(list).iter().map(|text| flipped_text(text)));
            prop_assert_eq!(mirrored(flipped.captures()), texts(turns.captures()));
            prop_assert_eq!(mirrored(flipped.quiet()), texts(turns.quiet()));
            let first = king_capture_path(&position, &Budget::unlimited()).unwrap();
            let first_flipped = king_capture_path(&position.flipped(), &Budget::unlimited()).unwrap();
            prop_assert_eq!(first.is_some(), first_flipped.is_some());
        }

        #[test]
        fn final_positions_flip(position in rolled_positions()) {
            for identity in IDENTITIES {
                let found = outcome(&position, identity, |after| *after);
                prop_assert_eq!(outcome(&position.flipped(), identity, Position::flipped), found);
            }
        }

        #[test]
        fn classes_king_capture_rolls_and_perft_flip(position in rolled_positions()) {
            let flipped = position.flipped();
            prop_assert_eq!(partition(&flipped), partition(&position));
            for color in Color::ALL {
                let unlimited = Budget::unlimited();
                let rolls = king_capture_rolls(&position, color, &unlimited);
                prop_assert_eq!(king_capture_rolls(&flipped, !color, &unlimited), rolls);
            }
            for die in PieceType::ALL {
                prop_assert_eq!(perft(&flipped, die, 2), perft(&position, die, 2));
            }
        }

        #[test]
        fn evaluators_flip(position in rolled_positions()) {
            let flipped = position.flipped();
            for color in Color::ALL {
                prop_assert_eq!(material(&flipped, !color), material(&position, color));
                prop_assert_eq!(standard(&flipped, !color), standard(&position, color));
                prop_assert_eq!(material(&position, color), -material(&position, !color));
            }
        }
    }
}

mod dfen {
    use super::*;

    /// What DFEN is made of, what it nearly is made of, and what it is not.
    const LETTERS: &[char] = &[
        'p', 'n', 'b', 'r', 'q', 'k', 'P', 'N', 'B', 'R', 'Q', 'K', 'w', 'a', 'c', 'e', 'h', '0', '1', '2',
        '3', '6', '7', '8', '9', '/', '-', '+', ' ', '\t', '\n', '\u{b}', '\u{c}', '\r', '\0', '.', 'x', 'é',
        '\u{a0}', '♔',
    ];

    #[derive(Clone, Debug)]
    enum Edit {
        Insert(char),
        Replace(char),
        Delete,
        /// The rest of the text up to its next space once more.
        Repeat,
        Truncate,
    }

    fn edits() -> impl Strategy<Value = Vec<(Index, Edit)>> {
        let edit = prop_oneof![
            4 => select(LETTERS).prop_map(Edit::Insert),
            4 => select(LETTERS).prop_map(Edit::Replace),
            3 => Just(Edit::Delete),
            1 => Just(Edit::Repeat),
            1 => Just(Edit::Truncate),
        ];
        vec((any::<Index>(), edit), 0..4)
    }

    fn edited(text: &str, edits: &[(Index, Edit)]) -> String {
        let mut letters: Vec<char> = text.chars().collect();
        for (index, edit) in edits {
            let at = index.index(letters.len() + 1);
            match edit {
                Edit::Insert(letter) => letters.insert(at, *letter),
                Edit::Replace(letter) => {
                    if let Some(place) = letters.get_mut(at) {
                        *place = *letter;
                    }
                }
                Edit::Delete => drop(letters.drain(at..(at + 1).min(letters.len()))),
                Edit::Repeat => {
                    let part: Vec<char> =
                        letters[at..].iter().take_while(|&&letter| letter != ' ').copied().collect();
                    letters.splice(at..at, part);
                }
                Edit::Truncate => letters.truncate(at),
            }
        }
        letters.into_iter().collect()
    }

    /// Fields that are right, wrong and nearly right, put together.
    fn assembled() -> impl Strategy<Value = String> {
        let placement = select(vec![
            "4k3/8/8/8/8/8/8/4K3",
            "8/8/8/8/8/8/8/8",
            "44/8/8/8/8/8/8/11111111",
            "8/8/8/8/8/8/8",
            "8/8/8/8/8/8/8/8/8",
            "9/8/8/8/8/8/8/8",
            "8/8/8/7/8/8/8/8",
            "8/8/8/8p/8/8/8/8",
            "8/8/8/80/8/8/8/8",
            "/8/8/8/8/8/8/8",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        ]);
        let side = select(vec!["w", "b", "W", "-", "wb"]);
        let rights = select(vec!["-", "K", "KQkq", "qkQK", "kK", "KK", "KQkqK", "x", "K-", "--"]);
        let targets =
            select(vec!["-", "e3", "a3c3e3", "e3c3", "e3e3", "e", "e3c", "i3", "e9", "E3", "--", "e0"]);
        let half = select(vec![
            "0",
            "00",
            "127",
            "0000000000000000000127",
            "128",
            "-1",
            "+1",
            "1e2",
            "x",
            "99999999999",
        ]);
        let full =
            select(vec!["1", "0", "000", "0001", "2147483647", "2147483648", "00002147483647", "-1", "+1"]);
        let dice = select(vec!["-", "P", "pN", "KBR", "PPPP", "X", "P!B", "--"]);
        let count = 0_usize..9;
        (placement, side, rights, targets, half, full, dice, count, edits()).prop_map(
            |(placement, side, rights, targets, half, full, dice, count, edits)| {
                let mut fields = vec![placement, side, rights, targets, half, full, dice, "more"];
                // Seven fields are the most common number.
                fields.truncate(if count == 0 { 7 } else { count });
                edited(&fields.join(" "), &edits[..edits.len().saturating_sub(2)])
            },
        )
    }

    proptest! {
        #![proptest_config(cases(4096))]

        #[test]
        fn any_text_is_refused_by_both_or_read_alike(text in any::<String>()) {
            compare_dfen(&text);
        }

        #[test]
        fn text_of_dfen_letters_is_refused_by_both_or_read_alike(letters in vec(select(LETTERS), 0..80)) {
            compare_dfen(&letters.into_iter().collect::<String>());
        }

        #[test]
        fn mutated_dfen_is_refused_by_both_or_read_alike(Sample(state) in rolled_states(), edits in edits()) {
            compare_dfen(&edited(&canonical_dfen(&state), &edits));
        }

        #[test]
        fn assembled_fields_are_refused_by_both_or_read_alike(text in assembled()) {
            compare_dfen(&text);
        }

        #[test]
        fn surrounding_white_space_is_ignored_up_to_the_length_limit(
            Sample(state) in states(),
            before in "[ \t\n\r\u{b}\u{c}]{0,300}",
            after in "[ \t\n\r\u{b}\u{c}]{0,300}",
        ) {
            let text = format!("{before}{}{after}", state.to_dfen());
            prop_assert_eq!(text.parse::<Position>().is_ok(), text.len() <= 512);
            compare_dfen(&text);
        }

        #[test]
        fn round_trip_restores_the_position_up_to_the_order_of_dice(Sample(state) in rolled_states()) {
            compare_position(&engine_position(&state), &state);
        }

        #[test]
        fn round_trip_works_in_the_middle_of_a_turn(
            Sample(state) in rolled_states(),
            picks in vec(any::<Index>(), 1..3),
        ) {
            let (mut state, mut position) = (state.clone(), engine_position(&state));
            for pick in picks {
                let moves = state.micro_moves();
                if !moves.is_empty() {
                    position = position.play(*pick.get(&micro_moves(&position)));
                    state = pick.get(&moves).after.clone();
                }
                compare_position(&position, &state);
            }
        }
    }
}

mod budgets {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Query {
        TurnPaths,
        VisitTurnStates,
        KingCapturePath,
        KingCaptureRolls(Color),
    }

    const QUERIES: [Query; 5] = [
        Query::TurnPaths,
        Query::VisitTurnStates,
        Query::KingCapturePath,
        Query::KingCaptureRolls(Color::White),
        Query::KingCaptureRolls(Color::Black),
    ];

    /// The answer as text, and how many positions were handed out on the way to it.
    fn ask(query: Query, position: &Position, budget: &Budget) -> (Result<Vec<String>, Exhausted>, usize) {
        let handed_out = Cell::new(0);
        let answer = match query {
            Query::TurnPaths => {
                turn_paths(position, budget).map(|turns| turns.iter().map(|turn| turn.to_string()).collect())
            }
            Query::VisitTurnStates => {
                let mut visited = vec![];
                let result = visit_turn_states(position, budget, |after| {
                    handed_out.set(handed_out.get() + 1);
                    visited.push(after.to_string());
                });
                result.map(|captures| {
                    visited.push(captures.to_string());
                    visited
                })
            }
            Query::KingCapturePath => {
                king_capture_path(position, budget).map(|turn| vec![format!("{turn:?}")])
            }
            Query::KingCaptureRolls(defender) => {
                king_capture_rolls(position, defender, budget).map(|rolls| vec![rolls.to_string()])
            }
        };
        (answer, handed_out.get())
    }

    /// The answer without a limit worth the name, and the units it takes.
    fn measured(query: Query, position: &Position) -> (Vec<String>, u64) {
        let large = Budget::new(1 << 40);
        let (answer, _) = ask(query, position, &large);
        assert!(!large.is_exhausted());
        (answer.unwrap(), large.used())
    }

    proptest! {
        #![proptest_config(cases(2048))]

        #[test]
        fn exact_need_completes_with_the_answer_of_no_limit(position in rolled_positions()) {
            for query in QUERIES {
                let (answer, need) = measured(query, &position);
                let exact = Budget::new(need);
                prop_assert_eq!(ask(query, &position, &exact).0, Ok(answer.clone()), "{:?}", query);
                prop_assert_eq!(exact.used(), need, "{:?}", query);
                prop_assert!(!exact.is_exhausted(), "{:?}", query);
                prop_assert_eq!(ask(query, &position, &Budget::unlimited()).0, Ok(answer), "{:?}", query);
            }
            let unbudgeted = legal_turns(&position);
            let unbudgeted: Vec<String> = unbudgeted.iter().map(|turn| turn.to_string()).collect();
            prop_assert_eq!(measured(Query::TurnPaths, &position).0, unbudgeted);
        }

        #[test]
        fn any_smaller_limit_gives_nothing_and_is_used_up(position in rolled_positions(), part in 0.0..1.0) {
            for query in QUERIES {
                let (_, need) = measured(query, &position);
                if need == 0 {
                    continue;
                }
                for limit in [need - 1, (need as f64 * part) as u64, 0] {
                    let budget = Budget::new(limit);
                    let (answer, handed_out) = ask(query, &position, &budget);
                    prop_assert_eq!(answer, Err(Exhausted { work_used: limit }), "{:?} {}", query, limit);
                    prop_assert_eq!(handed_out, 0, "{:?} {}", query, limit);
                    prop_assert_eq!(budget.used(), limit, "{:?}", query);
                    prop_assert!(budget.is_exhausted(), "{:?} {}", query, limit);
                }
            }
        }

        #[test]
        fn exhausted_budget_refuses_every_later_query_that_needs_work(
            position in rolled_positions(),
            later in rolled_positions(),
            first in select(&QUERIES[..]),
        ) {
            let (_, need) = measured(first, &position);
            prop_assume!(need > 0);
            let budget = Budget::new(need - 1);
            prop_assert!(ask(first, &position, &budget).0.is_err());
            for query in QUERIES {
                if measured(query, &later).1 > 0 {
                    let (answer, handed_out) = ask(query, &later, &budget);
                    prop_assert_eq!(answer, Err(Exhausted { work_used: need - 1 }), "{:?}", query);
                    prop_assert_eq!(handed_out, 0);
                }
            }
            prop_assert_eq!(budget.used(), need - 1);
        }

        #[test]
        fn one_budget_adds_up_over_its_queries(
            position in rolled_positions(),
            later in rolled_positions(),
            first in select(&QUERIES[..]),
            second in select(&QUERIES[..]),
        ) {
            let (first_answer, first_need) = measured(first, &position);
            let (second_answer, second_need) = measured(second, &later);
            prop_assume!(second_need > 0);
            let exact = Budget::new(first_need + second_need);
            prop_assert_eq!(ask(first, &position, &exact).0, Ok(first_answer.clone()));
            prop_assert_eq!(exact.used(), first_need);
            prop_assert_eq!(ask(second, &later, &exact).0, Ok(second_answer));
            prop_assert_eq!((exact.used(), exact.is_exhausted()), (first_need + second_need, false));

            let short = Budget::new(first_need + second_need - 1);
            prop_assert_eq!(ask(first, &position, &short).0, Ok(first_answer));
            let (answer, handed_out) = ask(second, &later, &short);
            prop_assert_eq!(answer, Err(Exhausted { work_used: first_need + second_need - 1 }));
            prop_assert_eq!((handed_out, short.is_exhausted()), (0, true));
        }

        #[test]
        fn counts_are_the_same_each_time(position in rolled_positions()) {
            for query in QUERIES {
                prop_assert_eq!(measured(query, &position), measured(query, &position));
            }
        }

        #[test]
        fn king_capture_queries_cost_nothing_without_an_enemy_king(Sample(mut state) in rolled_states()) {
            let enemy = state.mover.other();
            for cell in &mut state.board {
                if *cell == Some((enemy, Kind::King)) {
                    *cell = None;
                }
            }
            let position = engine_position(&state);
            let nothing = Budget::new(0);
            prop_assert_eq!(king_capture_path(&position, &nothing), Ok(None));
            prop_assert_eq!(king_capture_rolls(&position, !position.side_to_move(), &nothing), Ok(0));
            prop_assert!(!nothing.is_exhausted());
        }

        #[test]
        fn turn_buffer_is_empty_after_an_exhausted_budget_and_serves_again(
            position in rolled_positions(),
            part in 0.0..1.0,
        ) {
            let (expected, need) = measured(Query::TurnPaths, &position);
            prop_assume!(need > 0);
            let mut turns = Turns::new();
            turns.generate(&position, &Budget::unlimited()).unwrap();
            let limit = (need as f64 * part) as u64;
            prop_assert!(turns.generate(&position, &Budget::new(limit)).is_err());
            prop_assert!(turns.is_empty());
            turns.generate(&position, &Budget::new(need)).unwrap();
            let texts: Vec<String> = turns.iter().map(|turn| turn.to_string()).collect();
            prop_assert_eq!(texts, expected);
        }

        #[test]
        fn reach_sets_go_on_after_an_exhausted_budget(
            position in rolled_positions(),
            identity in select(&IDENTITIES[..]),
            rolls in vec(any::<Index>(), 1..6),
            parts in vec(0.0..1.0_f64, 6),
        ) {
            let full: Vec<Roll> = Roll::all_full().collect();
            let mut interrupted = ReachSets::new(identity);
            interrupted.reset(&position);
            for (pick, part) in rolls.iter().zip(&parts) {
                let roll = *pick.get(&full);
                let mut fresh = ReachSets::new(identity);
                fresh.reset(&position);
                let measured = Budget::new(1 << 40);
                let expected = described(fresh.finals(roll, &measured).unwrap());
                let short = Budget::new((measured.used() as f64 * part) as u64);
                let _ = interrupted.finals(roll, &short);
                let found = described(interrupted.finals(roll, &Budget::unlimited()).unwrap());
                prop_assert_eq!(found, expected, "{:?}", roll);
            }
        }
    }

    fn described(finals: Finals<'_>) -> Vec<String> {
        match finals {
            Finals::KingCapture => vec!["king capture".to_owned()],
            Finals::ForcedPass => vec!["forced pass".to_owned()],
            Finals::Positions(positions) => {
                let mut texts: Vec<String> = positions.iter().map(|after| after.to_string()).collect();
                texts.sort_unstable();
                texts
            }
        }
    }
}

mod rolls {
    use super::*;

    /// How much of 216 each outcome of a roll has; an outcome is the set of positions after the turn.
    type Outcomes = BTreeMap<Vec<String>, u32>;

    fn outcomes_of_all_rolls(state: &State) -> Outcomes {
        let mut outcomes = Outcomes::new();
        for (roll, weight) in weighted_rolls() {
            let mut finals = match state.reply(&roll) {
                Reply::TakesKing => vec!["king capture".to_owned()],
                Reply::Pass(after) => vec![after.dfen_without_dice()],
                Reply::Quiet(finals) => finals.iter().map(State::dfen_without_dice).collect(),
            };
            finals.sort_unstable();
            finals.dedup();
            *outcomes.entry(finals).or_default() += weight as u32;
        }
        outcomes
    }

    fn outcomes_of_classes(position: &Position, sets: &mut ReachSets) -> Outcomes {
        let mut outcomes = Outcomes::new();
        sets.reset(position);
        for class in partition(position) {
            let mut finals = match sets.finals(class.roll, &Budget::unlimited()).unwrap() {
                Finals::KingCapture => vec!["king capture".to_owned()],
                Finals::ForcedPass => vec![without_dice(position.end_turn())],
                Finals::Positions(positions) => positions.iter().map(|after| after.to_string()).collect(),
            };
            finals.sort_unstable();
            *outcomes.entry(finals).or_default() += class.weight;
        }
        outcomes
    }

    #[test]
    fn classes_of_the_chance_node_fixtures_weigh_as_all_rolls() {
        let mut sets = ReachSets::new(Identity::AfterTurnEnd);
        for dfen in [
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "k7/4P3/8/8/8/8/8/4K3 w - - 0 1",
            "k7/8/4P3/8/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/P6P/4K3 w - - 0 1",
        ] {
            let state = State::parse(dfen).unwrap();
            let found = outcomes_of_classes(&engine_position(&state), &mut sets);
            assert_eq!(found, outcomes_of_all_rolls(&state), "{dfen}");
        }
    }

    proptest! {
        #![proptest_config(cases(2048))]

        #[test]
        fn classes_weigh_as_all_rolls(states in vec(states(), 1..4)) {
            // One buffer for position after position, as a search uses it.
            let mut sets = ReachSets::new(Identity::AfterTurnEnd);
            for Sample(state) in states {
                if estimated_sequences_of_all_rolls(&state) < 20_000 {
                    let found = outcomes_of_classes(&engine_position(&state), &mut sets);
                    prop_assert_eq!(found, outcomes_of_all_rolls(&state), "{}", state.to_dfen());
                }
            }
        }

        #[test]
        fn king_capture_rolls_are_the_rolls_of_the_oracle_that_capture(Sample(state) in states()) {
            let position = engine_position(&state);
            if estimated_sequences_of_all_rolls(&state) < 40_000 {
                let sides = [oracle::Color::White, oracle::Color::Black];
                for (defender, expected) in Color::ALL.into_iter().zip(sides) {
                    let rolls = king_capture_rolls(&position, defender, &Budget::unlimited()).unwrap();
                    prop_assert!(rolls <= 216);
                    prop_assert_eq!(rolls, state.king_capture_rolls(expected), "{}", state.to_dfen());
                }
            }
        }
    }

    proptest! {
        #![proptest_config(cases(4096))]

        #[test]
        fn class_weights_are_positive_and_sum_to_216(Sample(state) in states()) {
            let classes = partition(&engine_position(&state));
            prop_assert_eq!(classes.iter().map(|class| class.weight).sum::<u32>(), 216);
            prop_assert!(classes.iter().all(|class| class.weight > 0));
            let found: Vec<(String, u32)> =
                classes.iter().map(|class| (class.roll.to_string(), class.weight)).collect();
            prop_assert_eq!(found, state.classes());
        }

        #[test]
        fn perft_and_divide_agree_with_the_oracle(Sample(state) in states(), die in 0_usize..6) {
            let (position, kind, die) = (engine_position(&state), Kind::ALL[die], PieceType::ALL[die]);
            for depth in 0..3 {
                let nodes = state.perft(kind, depth);
                prop_assert_eq!(perft(&position, die, depth), nodes);
                let parts = divide(&position, die, depth);
                let sum: u64 = parts.iter().map(|(_, nodes)| nodes).sum();
                prop_assert_eq!(sum, if depth == 0 { 0 } else { nodes });
            }
            let firsts = divide(&position, die, 1);
            let firsts: Vec<String> = firsts.iter().map(|(first, _)| first.to_string()).collect();
            let steps: Vec<String> = state.with_pool(&[kind]).steps().iter().map(|step| step.uci()).collect();
            prop_assert_eq!(firsts, steps);
        }
    }
}
