//! Boards with more turns than are listed, or than memory holds: an error or a panic that says so, never an abort.

mod reference;

use dicechess_native::board::Color;
use dicechess_native::eval::BuiltIn;
use dicechess_native::rules::{Budget, Turns, Unlisted, legal_turns, turn_paths};
use dicechess_native::search::bots::Bot;
use dicechess_native::search::{
    Candidate, Expectimax, SearchControl, SearchError, TranspositionTable, WinProof, WinProofConfig,
};
use reference::{config, position};

/// Queens all around the board.
const QUEENS: &str = "QQQQQQQQ/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/QQQQQQQQ w - - 0 1 QQQ";

/// Fewer, before a king that they cannot get at, so that all of their turns may be listed.
const FEWER_QUEENS: &str = "kPQQ1QQQ/PP5Q/Q7/Q6Q/7Q/Q6Q/Q7/1QQQ1QQK w - - 0 1";

/// What the panic of `work` says.
fn panic_of(work: impl FnOnce() + std::panic::UnwindSafe) -> String {
    *std::panic::catch_unwind(work).expect_err("a panic").downcast::<String>().expect("a text")
}

#[test]
fn a_board_with_too_many_turns_is_refused_by_name() {
    let root = position(QUEENS);
    let mut turns = Turns::new();
    let Err(Unlisted::TooMany { turns: listed }) = turns.generate(&root, &Budget::unlimited()) else {
        panic!("all {} turns are listed", turns.len());
    };
    assert!(turns.is_empty() && (Turns::MAX - 4096..=Turns::MAX).contains(&listed), "{listed}");
    let message = format!(
        "more than {listed} legal turns: the limit is 16777216, and memory must hold 8 bytes for each"
    );
    assert_eq!(Unlisted::TooMany { turns: listed }.to_string(), message);
    assert_eq!(panic_of(move || drop(legal_turns(&root))), message);
    assert_eq!(panic_of(move || drop(turn_paths(&root, &Budget::unlimited()))), message);

    let error = SearchError::TooManyTurns { turns: listed };
    for bot in [Bot::Random, Bot::CheckmateAware, Bot::Greedy, Bot::GreedyV2, Bot::Aggressive] {
        assert_eq!(bot.best_turn(&root, &SearchControl::unbounded(), 1), Err(error.clone()), "{bot}");
    }
    let message = format!(
        "a root of {listed} legal turns or more: the limit is 16777216, and memory must hold them and what their search \
         needs"
    );
    assert_eq!(error.to_string(), message);
}

/// In the environment of a child: the test is to run the searches itself.
#[cfg(target_os = "linux")]
const IN_CHILD: &str = "DICECHESS_TEST_LITTLE_MEMORY";

#[cfg(target_os = "linux")]
#[test]
fn where_memory_is_short_a_hostile_board_never_aborts_the_process() {
    if std::env::var_os(IN_CHILD).is_some() {
        return search_with_little_memory();
    }
    let program = std::env::current_exe().unwrap();
    let test = "where_memory_is_short_a_hostile_board_never_aborts_the_process";
    let mut outputs = String::new();
    for megabytes in [100, 200] {
        let child = std::process::Command::new("sh")
            .args(["-c", "ulimit -v $0 && exec \"$@\"", &(megabytes << 10).to_string()])
            .arg(&program)
            .args(["--exact", test, "--nocapture", "--test-threads=1"])
            .env(IN_CHILD, "1")
            .env("RUST_BACKTRACE", "0")
            .output()
            .unwrap();
        let output =
            String::from_utf8_lossy(&child.stdout).into_owned() + &String::from_utf8_lossy(&child.stderr);
        assert!(child.status.success(), "{megabytes} MB, {}: {output}", child.status);
        outputs += &output;
    }
    for told in [
        "root: TooManyTurns",
        "table: no memory for a table of 16777216 entries of 24 bytes",
        "proof: TooManyTurns",
        "greedy: TooManyTurns",
        "monte-carlo: TooManyTurns",
        "candidates: TooManyTurns",
        "replies: no memory for more than",
    ] {
        assert!(outputs.contains(told), "{told} is not in {outputs}");
    }
}

#[cfg(target_os = "linux")]
fn search_with_little_memory() {
    let before_roll = position(FEWER_QUEENS);
    let root = position(&format!("{before_roll} QQQ"));
    let late = || SearchControl::unbounded().with_deadline(i64::MIN);
    for (what, limit) in [("root", 1), ("candidates", usize::MAX)] {
        let search = Expectimax::new(config(2, limit), &BuiltIn::Material).unwrap();
        let mut candidates: Vec<Candidate> = Vec::new();
        match search.rank_moves(&root, &late(), 1, &mut candidates) {
            Ok(result) => assert!(result.best.is_some()),
            Err(error) => println!("{what}: {error:?}"),
        }
    }
    // Not optimised away: nobody looks at the table.
    if let Err(error) = std::hint::black_box(TranspositionTable::try_new(1 << 24)) {
        println!("table: {error}");
    }
    let proof = WinProof::new(WinProofConfig { table_capacity: 16, ..WinProofConfig::default() }).unwrap();
    if let Err(error) = proof.find_proven_move(&root, &late(), 1) {
        println!("proof: {error:?}");
    }
    let search = Expectimax::new(config(2, 1), &BuiltIn::Standard).unwrap();
    let value = || search.chance_value(&before_roll, Color::White, &SearchControl::unbounded()).map(drop);
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(value)) {
        Ok(result) => result.unwrap(),
        Err(panic) => println!("replies: {}", panic.downcast::<String>().unwrap()),
    }
    for bot in Bot::ALL {
        if let Err(error) = bot.best_turn(&root, &late(), 1) {
            println!("{bot}: {error:?}");
        }
    }
    // The process goes on, and small searches have what they need.
    assert!(search.find_best_move(&position(reference::ROOK_ENDING), &late(), 1).unwrap().best.is_some());
}
