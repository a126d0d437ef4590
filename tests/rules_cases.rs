//! Cases from public bug reports of programs like this one, by number and claim.

mod oracle;
mod texts;

use std::collections::BTreeSet;

use dicechess_native::board::{CastlingRights, Color, DfenError, DicePool, Position};
use dicechess_native::eval::{material, standard};
use dicechess_native::rules::{
    Budget, Finals, Identity, ReachSets, Roll, king_capture_path, king_capture_rolls, legal_turns,
    micro_moves, partition, turn_paths, visit_turn_states,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use texts::{after, assert_turns, micro_move_texts, play, position, state, turn_texts, without_dice};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn faces(faces: &[u8]) -> DicePool {
    DicePool::from_faces(faces).unwrap()
}

/// The legal turns of a DFEN with dice in the order given, on which engine and oracle agree.
fn turns_with(dfen: &str, dice: &[u8]) -> Vec<String> {
    let rolled = position(dfen).with_dice(faces(dice));
    let turns: Vec<String> = legal_turns(&rolled).iter().map(|turn| turn.to_string()).collect();
    assert_eq!(turns, state(dfen).with_dice(dice).turns().texts(), "engine and oracle on {dfen} {dice:?}");
    turns
}

fn contains(turns: &[String], turn: &str) -> bool {
    turns.iter().any(|other| other == turn)
}

#[track_caller]
fn error_of(dfen: &str) -> DfenError {
    let Err(error) = dfen.parse::<Position>() else { panic!("{dfen} must be refused") };
    let message = error.to_string();
    assert!(message.contains(error.field) && message.contains(&error.text), "{message}");
    error
}

#[track_caller]
fn assert_refused(dfen: &str, field: &str) {
    assert_eq!(error_of(dfen).field, field, "{dfen}");
}

#[test]
fn rul_01_en_passant_later_in_the_turn() {
    let dfen = "4k3/8/8/3pP3/8/8/8/N3K3 w - d6 0 1 PN";
    assert_turns(
        dfen,
        &[
            "a1b3 e5d6",
            "a1b3 e5e6",
            "a1c2 e5d6",
            "a1c2 e5e6",
            "e5d6 a1b3",
            "e5d6 a1c2",
            "e5e6 a1b3",
            "e5e6 a1c2",
        ],
    );
    for turn in ["a1b3 e5d6", "a1c2 e5d6", "e5d6 a1b3", "e5d6 a1c2"] {
        assert!(after(dfen, turn).starts_with("4k3/8/3P4/8/"), "the pawn on d5 is gone after {turn}");
    }
    let turns = turns_with("r2q2r1/ppp1nk1p/2B2p2/3p3b/1P1Pp2P/4P2N/PP3P2/RNB4K b - d3 0 7", &[1, 5, 5]);
    assert!(contains(&turns, "d8d6 d6c6 e4d3"));
    assert_eq!(turns.len(), 1066);
    let turns = turns_with("1rNk2nr/1ppp1ppp/4q3/2b5/1n1Pp3/5N2/PPPQPPPP/1RBK1B1R b - d3 2 4", &[1, 2, 4]);
    assert!(contains(&turns, "b8c8 e4d3 g8f6"));
    assert_eq!(turns.len(), 1943);
}

#[test]
fn rul_03_several_en_passant_squares_at_once() {
    let ended = play(position(&format!("{START} PPP")), "e2e4 a2a4 c2c4").end_turn();
    assert_eq!(ended.to_string(), "rnbqkbnr/pppppppp/8/8/P1P1P3/8/1P1P1PPP/RNBQKBNR b KQkq a3c3e3 0 1");
    let dfen = "4k3/8/8/8/PpPpP3/8/8/4K3 b - a3c3e3 0 1";
    assert_turns(&format!("{dfen} p"), &["b4a3", "b4b3", "b4c3", "d4c3", "d4d3", "d4e3"]);
    let two = format!("{dfen} pp");
    assert_eq!(turn_texts(&two).len(), 22);
    let mut finals = BTreeSet::new();
    visit_turn_states(&position(&two), &Budget::unlimited(), |after| {
        let text = without_dice(*after);
        let fields: Vec<&str> = text.split(' ').collect();
        finals.insert((fields[0].to_owned(), fields[4].to_owned()));
    })
    .unwrap();
    assert_eq!(finals.len(), 14, "boards with clocks");
}

#[test]
fn rul_05_own_pawn_is_not_captured_en_passant() {
    assert_turns(
        "4k3/8/8/8/8/8/4PP2/4K3 w - - 0 1 PP",
        &[
            "e2e3 e3e4",
            "e2e3 f2f3",
            "e2e3 f2f4",
            "e2e4 e4e5",
            "e2e4 f2f3",
            "e2e4 f2f4",
            "f2f3 e2e3",
            "f2f3 e2e4",
            "f2f3 f3f4",
            "f2f4 e2e3",
            "f2f4 e2e4",
            "f2f4 f4f5",
        ],
    );
}

#[test]
fn rul_07_castling_is_not_thrown_away_by_a_move_count_maximum() {
    assert_turns("4k3/8/8/8/8/8/3PPP1P/3QK2R w K - 0 1 RK", &["e1g1", "e1f1 h1g1", "h1g1 e1f1"]);
}

#[test]
fn rul_09_no_castling_without_the_rook_die() {
    let dfen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    assert_turns(&format!("{dfen} K"), &["e1d1", "e1d2", "e1e2", "e1f1", "e1f2"]);
    let kings = turn_texts(&format!("{dfen} KKK"));
    assert!(!kings.iter().any(|turn| turn.contains("e1g1") || turn.contains("e1c1")));
    let rooks = turn_texts(&format!("{dfen} R"));
    assert_eq!(rooks.len(), 19);
    assert!(rooks.iter().all(|turn| turn.starts_with("a1") || turn.starts_with("h1")));
}

#[test]
fn rul_10_castling_while_attacked() {
    for (dfen, castling, result) in [
        ("4r1k1/8/8/8/8/8/8/4K2R w K - 0 1 RK", "e1g1", "4r1k1/8/8/8/8/8/8/5RK1 w - - 1 1"),
        ("5rk1/8/8/8/8/8/8/4K2R w K - 0 1 RK", "e1g1", "5rk1/8/8/8/8/8/8/5RK1 w - - 1 1"),
        ("1r4k1/8/8/8/8/8/8/R3K3 w Q - 0 1 RK", "e1c1", "1r4k1/8/8/8/8/8/8/2KR4 w - - 1 1"),
    ] {
        assert!(contains(&turn_texts(dfen), castling), "{dfen}");
        assert_eq!(after(dfen, castling), result);
    }
}

#[test]
fn rul_12_captured_king_has_no_rights() {
    let dfen = "4k2r/8/8/8/8/8/4R3/4K3 w k - 0 1 R";
    let turns = turn_texts(dfen);
    assert_eq!((turns.len(), turns[0].as_str()), (13, "e2e8"));
    let over = play(position(dfen), "e2e8");
    assert_eq!(without_dice(over), "4R2r/8/8/8/8/8/8/4K3 w - - 0 1");
    assert!(over.has_king(Color::White) && !over.has_king(Color::Black));
}

#[test]
fn rul_14_first_moves_that_leave_the_rook_die_dead_are_refused() {
    assert_turns(
        &format!("{START} PR"),
        &["a2a3 a1a2", "a2a4 a1a2", "a2a4 a1a3", "h2h3 h1h2", "h2h4 h1h2", "h2h4 h1h3"],
    );
    let turns = legal_turns(&position(&format!("{START} PNR")));
    assert_eq!(turns.len(), 234);
    assert!(turns.iter().all(|turn| turn.len() == 3));
    assert_eq!(turn_texts(&format!("{START} PNR")).len(), 234);
}

#[test]
fn rul_16_king_capture_neither_cuts_the_maximum_short_nor_waits_for_it() {
    assert_turns(
        "8/8/P7/8/2k3K1/8/1P4P1/8 w - - 0 1 PPN",
        &["a6a7 a7a8n a8b6", "a6a7 a7a8n a8c7", "b2b3 b3c4"],
    );
}

#[test]
fn rul_18_forced_pass_is_not_a_loss_and_not_an_error() {
    let mut knights = turns_with(START, &[2, 3, 5]);
    knights.sort_unstable();
    assert_eq!(knights, ["b1a3", "b1c3", "g1f3", "g1h3"]);
    for dice in [[3, 3, 5], [4, 5, 6]] {
        assert_eq!(turns_with(START, &dice), Vec::<String>::new());
        let rolled = position(START).with_dice(faces(&dice));
        assert!(Color::ALL.iter().all(|&color| rolled.has_king(color)), "nobody has won");
        assert_eq!(
            visit_turn_states(&rolled, &Budget::unlimited(), |_| panic!("no final position")),
            Ok(false)
        );
    }
    let dfen = "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1 qqq";
    assert_turns(dfen, &[]);
    assert_eq!(position(dfen).end_turn().to_string(), "4k3/8/8/8/4P3/8/8/4K3 w - - 0 2");
}

#[test]
fn rul_18_the_start_passes_with_64_of_216_rolls() {
    let mut sets = ReachSets::new(Identity::AfterTurnEnd);
    sets.reset(&Position::start());
    let passes: u32 = Roll::all_full()
        .filter(|&roll| sets.finals(roll, &Budget::unlimited()) == Ok(Finals::ForcedPass))
        .map(Roll::weight)
        .sum();
    assert_eq!(passes, 64);
}

#[test]
fn rul_21_half_move_clock_does_not_wrap_at_127() {
    let dfen = "4k3/8/8/8/8/8/8/4K2R w - - 126 200 RRR";
    assert_eq!(after(dfen, "h1h2 h2h3 h3h4"), "4k3/8/8/8/7R/8/8/4K3 w - - 127 200");
    let root = position(dfen);
    let turns = legal_turns(&root);
    assert!(turns.quiet().iter().all(|&turn| root.play_turn(turn).half_move() == 127));
    assert!(turns.captures().iter().all(|&turn| root.play_turn(turn).half_move() == 0));
    assert!(!turns.quiet().is_empty() && !turns.captures().is_empty());
}

#[test]
fn dfn_01_too_many_dice() {
    for dice in ["PPPP", "PPPPPPPPPP", "PNX", "P!B"] {
        assert_refused(&format!("{START} {dice}"), "dice");
    }
    for (dice, len) in [("P", 1), ("PN", 2), ("PNB", 3), ("-", 0)] {
        assert_eq!(position(&format!("{START} {dice}")).dice().len(), len);
    }
    assert!(position(START).dice().is_empty());
}

#[test]
fn dfn_03_counters_out_of_range() {
    let half = |text: &str| format!("4k3/8/8/8/8/8/8/4K3 w - - {text} 1");
    let full = |text: &str| format!("4k3/8/8/8/8/8/8/4K3 w - - 0 {text}");
    assert_eq!(position(&half("127")).half_move(), 127);
    for text in ["128", "200", "-1", "4294967296", "99999999999", "1e2", "+1", "0x1"] {
        assert_refused(&half(text), "half-move");
    }
    assert_eq!(position(&full("1")).full_move(), 1);
    assert_eq!(position(&full("2147483647")).full_move(), 2_147_483_647);
    for text in ["0", "-5", "2147483648", "99999999999999999999", "+1", "00"] {
        assert_refused(&full(text), "full-move");
    }
    // An empty counter makes two spaces.
    assert_refused(&half(""), "fields");
}

#[test]
fn dfn_05_an_eighth_field() {
    assert_refused("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNB junk", "fields");
    assert_refused("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq", "fields");
}

#[test]
fn dfn_07_repeated_castling_letters() {
    let with = |rights: &str| format!("r3k2r/8/8/8/8/8/8/R3K2R w {rights} - 0 1");
    for rights in ["KKqq", "KQkqK", "KQxq", "K-", "--"] {
        assert_refused(&with(rights), "castling");
    }
    assert_refused(&with(""), "fields");
    assert_eq!(position(&with("qkQK")).to_string(), with("KQkq"));
    assert_eq!(position(&with("qkQK")).castling(), CastlingRights::ALL);
}

#[test]
fn dfn_09_rank_width_and_piece_letters() {
    for rank in ["9", "7", "44p", "ppppppppp", "8p", "pppp5", "x7", "0p7", ""] {
        let error = error_of(&format!("4k3/8/8/{rank}/8/8/8/4K3 w - - 0 1"));
        assert_eq!(error.field, "placement");
        let letter_or_rank = ["rank 5", "'x'", "'9'"].iter().any(|name| error.reason.contains(name));
        assert!(letter_or_rank, "{rank}: {error}");
    }
    assert_refused("4k3/8/8/8/8/8/4K3 w - - 0 1", "placement");
    assert_refused("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "placement");
    assert_eq!(position("4k3/44/8/8/8/8/8/4K3 w - - 0 1").to_string(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
}

#[test]
fn dfn_11_malformed_en_passant_field() {
    for targets in ["d", "d6e", "d6d6", "i6", "d9", "D6", "--", "d6,e6", "d0", "6d", "-d6"] {
        assert_refused(&format!("4k3/8/8/8/8/8/8/4K3 w - {targets} 0 1"), "en-passant");
    }
    let unsorted = position("4k3/8/8/8/8/8/8/4K3 b - e3a3c3 0 1");
    assert_eq!(unsorted.to_string(), "4k3/8/8/8/8/8/8/4K3 b - a3c3e3 0 1");
}

#[test]
fn dfn_13_rights_that_the_board_contradicts() {
    let king_moves = ["e1d1", "e1d2", "e1e2", "e1f1", "e1f2"];
    assert_turns("4k3/8/8/8/8/8/8/4K2r w K - 0 1 RK", &king_moves);
    assert_turns("4k3/8/8/8/8/8/8/4K2B w K - 0 1 RK", &king_moves);
    let turns = turn_texts("4k3/8/8/8/8/8/8/3K3R w K - 0 1 RK");
    assert_eq!(turns.len(), 111);
    assert!(turns.iter().all(|turn| turn.split(' ').count() == 2), "castling would be one micro-move");
}

#[test]
fn dfn_15_no_king_or_one_king() {
    for (dfen, kings, turn_count) in [
        ("8/8/8/8/8/8/8/4K3 w - - 0 1 K", [true, false], 5),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1 PPP", [false, true], 0),
        ("8/8/8/8/8/8/8/8 w - - 0 1", [false, false], 0),
    ] {
        let root = position(dfen);
        assert_eq!(Color::ALL.map(|color| root.has_king(color)), kings);
        assert_eq!(turn_texts(dfen).len(), turn_count);
        assert_eq!(root.end_turn().side_to_move(), Color::Black);
        let unlimited = Budget::unlimited();
        assert_eq!(king_capture_path(&root, &unlimited), Ok(None));
        assert_eq!(visit_turn_states(&root, &unlimited, |_| ()), Ok(false));
        for color in Color::ALL {
            assert_eq!(king_capture_rolls(&root, color, &unlimited), Ok(0));
            assert_eq!(material(&root, color), standard(&root, color));
        }
        assert_eq!(partition(&root).iter().map(|class| class.weight).sum::<u32>(), 216);
    }
}

#[test]
fn dfn_17_pawns_on_the_first_and_last_rank() {
    assert_turns("P3k3/8/8/8/8/8/8/P3K3 w - - 0 1 PPP", &["a1a2 a2a3 a3a4", "a1a2 a2a4 a4a5"]);
    assert_turns("p3k3/8/8/8/8/8/8/p3K3 b - - 0 1 ppp", &["a8a7 a7a6 a6a5", "a8a7 a7a5 a5a4"]);
    assert_eq!(micro_move_texts("P3k3/8/8/8/8/8/8/4K3 w - - 0 1 P"), Vec::<String>::new());
}

#[test]
fn dfn_20_dice_are_written_sorted() {
    let rolled = Position::start().with_dice(faces(&[6, 1, 4]));
    assert_eq!(rolled.to_string(), format!("{START} PRK"));
    assert_eq!(Position::start().to_string(), START, "an empty pool writes six fields");
    let black = position("4k3/8/8/8/8/8/8/4K3 b - - 0 1").with_dice(faces(&[5, 2]));
    assert_eq!(black.to_string(), "4k3/8/8/8/8/8/8/4K3 b - - 0 1 nq");
}

#[test]
fn dfn_20_round_trip_of_10_000_play_states() {
    let mut random = ChaCha8Rng::seed_from_u64(20);
    let mut below = |limit: usize| (random.next_u32() as usize) % limit;
    let mut current = Position::start();
    for _ in 0..10_000 {
        let text = current.to_string();
        let parsed = position(&text);
        assert_eq!(parsed.to_string(), text);
        assert_eq!(parsed, current.with_dice(current.dice().sorted()));
        let moves = micro_moves(&current);
        current = if !moves.is_empty() {
            current.play(moves[below(moves.len())])
        } else {
            let next = current.end_turn();
            let is_over = Color::ALL.iter().any(|&color| !next.has_king(color));
            let next = if is_over { Position::start() } else { next };
            next.with_dice(faces(&[0; 3].map(|_| below(6) as u8 + 1)))
        };
    }
}

#[test]
fn sea_05_forced_pass_mass_is_kept() {
    let classes: Vec<(String, u32)> = partition(&position("4k3/8/8/8/8/8/8/4K3 b - - 0 1"))
        .iter()
        .map(|class| (class.roll.to_string(), class.weight))
        .collect();
    let expected = [("", 125), ("K", 75), ("KK", 15), ("KKK", 1)];
    assert_eq!(classes, expected.map(|(roll, weight)| (roll.to_owned(), weight)));
}

#[test]
fn sea_07_en_passant_and_castling_change_the_answer_and_the_key() {
    let with_target = position("8/2k5/8/3pP3/8/8/8/4K3 w - d6 0 1");
    let without_target = position("8/2k5/8/3pP3/8/8/8/4K3 w - - 0 1");
    for (root, rolls) in [(with_target, 16), (without_target, 0), (with_target, 16)] {
        assert_eq!(king_capture_rolls(&root, Color::Black, &Budget::unlimited()), Ok(rolls));
    }
    assert_ne!(with_target.key(), without_target.key());
    assert_eq!(turn_texts("4k3/8/8/8/8/8/8/4K2R w K - 0 1 RK").len(), 105);
    assert_eq!(turn_texts("4k3/8/8/8/8/8/8/4K2R w - - 0 1 RK").len(), 104);
}

#[test]
fn sea_18_mirrored_positions_are_worth_the_same_to_the_other_side() {
    for dfen in [
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 3 NBP",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "4r1k1/8/8/8/8/8/8/4K2R w K - 0 1 RK",
        "8/2k5/8/3pP3/8/8/8/4K3 w - d6 0 1",
    ] {
        let (root, mirrored) = (position(dfen), position(dfen).flipped());
        assert_eq!(mirrored.to_string(), state(dfen).mirrored().to_dfen());
        for color in Color::ALL {
            assert_eq!(material(&root, color), material(&mirrored, !color));
            assert_eq!(standard(&root, color), standard(&mirrored, !color));
            assert_eq!(material(&root, color), -material(&root, !color));
        }
    }
}

/// Turns, and distinct values of `view` over the positions after them.
fn turns_and_distinct<T: Ord>(root: Position, view: impl Fn(&[&str]) -> T) -> (usize, usize) {
    let turns = legal_turns(&root);
    let distinct: BTreeSet<T> = turns
        .iter()
        .map(|turn| view(&without_dice(root.play_turn(turn)).split(' ').collect::<Vec<_>>()))
        .collect();
    (turns.len(), distinct.len())
}

#[test]
fn prf_01_many_paths_few_positions() {
    let board_rights_target = |fields: &[&str]| [fields[0], fields[2], fields[3]].map(str::to_owned);
    let board = |fields: &[&str]| fields[0].to_owned();
    for (dice, turns, positions, boards) in [([1, 2, 2], 1082, 270, 254), ([1, 1, 1], 3376, 688, 660)] {
        let root = Position::start().with_dice(faces(&dice));
        assert_eq!(turns_and_distinct(root, board_rights_target), (turns, positions), "{dice:?}");
        assert_eq!(turns_and_distinct(root, board), (turns, boards), "{dice:?}");
    }
    let queen = position("k7/8/8/3Q4/8/8/8/K7 w - - 0 1 QQQ");
    assert_eq!(turns_and_distinct(queen, board), (13_613, 63));
}

#[test]
fn prf_01_a_host_sees_each_distinct_position_once() {
    let root = Position::start().with_dice(faces(&[1, 2, 2]));
    let mut seen = BTreeSet::new();
    visit_turn_states(&root, &Budget::unlimited(), |after| {
        assert!(seen.insert(without_dice(*after)), "{after} was handed out before");
    })
    .unwrap();
    // 270 when the half-move clock is left out.
    assert_eq!(seen.len(), 702);
}

#[test]
fn prf_03_king_capture_costs_less_than_a_hundredth_of_all_turns() {
    let root = position("3qk3/8/8/8/8/8/8/Q2QK2Q w - - 0 1 QQQ");
    let (listing, path, yes_or_no) = (Budget::unlimited(), Budget::unlimited(), Budget::unlimited());
    let turns = turn_paths(&root, &listing).unwrap();
    assert_eq!(turns.len(), 139_299);
    assert_eq!(king_capture_path(&root, &path), Ok(turns.captures().first().copied()));
    let mut sets = ReachSets::new(Identity::BeforeTurnEnd);
    sets.reset(&root);
    assert_eq!(sets.captures_king(Roll::of(root.dice()), &yes_or_no), Ok(true));
    for query in [&path, &yes_or_no] {
        assert!(query.used() * 100 < listing.used(), "{} of {}", query.used(), listing.used());
    }
}
