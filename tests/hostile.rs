//! Mutated and random texts, boards, limits and configurations: nothing panics, what is refused is refused by name, and the
//! oracle accepts what the engine accepts.
//!
//! `DICECHESS_HOSTILE_CASES` is how many cases are tried, `DICECHESS_SEED` where they start.

mod oracle;
mod playout;

use std::sync::atomic::AtomicBool;

use dicechess_native::board::Position;
use dicechess_native::eval::BuiltIn;
use dicechess_native::rules::{Budget, Turns};
use dicechess_native::search::{
    Expectimax, ExpectimaxConfig, RootRescore, SearchControl, SearchError, TranspositionTable,
};
use playout::{Choices, KNOWN, canonical_dfen, compare_dfen, random_pool, random_state};

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}: {text}")))
}

/// The bytes of each case, and its seed, to be reported when it fails.
fn cases() -> impl Iterator<Item = (u64, Vec<u8>)> {
    let first = setting("DICECHESS_SEED", 1);
    (first..first + setting("DICECHESS_HOSTILE_CASES", 500)).map(|seed| {
        // SplitMix64.
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let byte = || {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mixed = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            ((mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB) >> 56) as u8
        };
        (seed, std::iter::repeat_with(byte).take(256).collect())
    })
}

/// A valid DFEN with a few characters changed, dropped, doubled or moved.
fn mutated_text(choices: &mut Choices<'_>) -> String {
    const LETTERS: &[u8] = b"pnbrqkPNBRQKwb-/ 0123456789abcdefgh\t\x00\xC3\xA9";
    let mut text = KNOWN[choices.below(KNOWN.len())].as_bytes().to_vec();
    text.extend_from_slice([&b""[..], b" ", b" PNB", b" qqq", b" K extra"][choices.below(5)]);
    for _ in 0..choices.below(4) {
        let at = choices.below(text.len());
        let letter = LETTERS[choices.below(LETTERS.len())];
        match choices.below(5) {
            0 => drop(text.remove(at)),
            1 => text.insert(at, letter),
            2 => text[at] = letter,
            3 => text.swap(at, 0),
            _ => text.extend(std::iter::repeat_n(letter, choices.below(600))),
        }
        if text.is_empty() {
            break;
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[test]
fn mutated_texts_are_read_as_the_oracle_reads_them_or_refused_by_field() {
    let mut refused = 0;
    for (seed, bytes) in cases() {
        let text = mutated_text(&mut Choices::new(&bytes));
        println!("seed {seed}: {text:?}");
        compare_dfen(&text);
        refused += usize::from(text.parse::<Position>().is_err());
    }
    assert!(refused > 0, "some texts are refused");
}

/// A count that is often at or beyond what is allowed.
fn count(choices: &mut Choices<'_>) -> usize {
    [0, 1, 2, 3, 8, 9, 256, 257, usize::MAX][choices.below(9)]
}

#[test]
fn any_configuration_and_limits_give_a_legal_turn_or_an_error_that_names_the_value() {
    let (mut found, mut refused) = (0, 0);
    for (seed, bytes) in cases() {
        let mut choices = Choices::new(&bytes);
        let state = random_state(&mut choices);
        let state = state.with_pool(&random_pool(&state, &mut choices));
        let root: Position = canonical_dfen(&state).parse().unwrap();
        let config = ExpectimaxConfig {
            candidate_limit: count(&mut choices),
            search_depth: count(&mut choices) as u32,
            threads: [1, 1, 1, 0, 2, 257][choices.below(6)],
            exact_only: choices.one_in(2),
            distinct_candidates: choices.one_in(2),
            reply_probes: choices.one_in(2),
        };
        println!("seed {seed}: {root} {config:?}");
        let weight = [0.0, 0.5, 1.0, -0.1, f64::NAN, f64::INFINITY][choices.below(6)];
        let table = TranspositionTable::new(choices.below(300));
        let flag = AtomicBool::new(choices.one_in(4));
        let budget = Budget::new([0, 1, 500, 20_000][choices.below(4)]);
        let search = Expectimax::new(config, &BuiltIn::Standard)
            .and_then(|search| search.with_table(&table))
            .and_then(|search| {
                search.with_root_rescore(RootRescore { evaluator: &BuiltIn::Material, weight })
            });
        let clock = || 1;
        let mut control = SearchControl::unbounded().with_cancel_flag(&flag).with_clock(&clock);
        if config.threads == 1 || choices.one_in(2) {
            control = control.with_budget(&budget);
        } else {
            control = control.with_deadline([0, i64::MIN][choices.below(2)]);
        }
        match search.and_then(|search| search.find_best_move(&root, &control, seed)) {
            Ok(result) => {
                let mut turns = Turns::new();
                turns.generate(&root, &Budget::unlimited()).unwrap();
                assert_eq!(result.best.is_none(), turns.is_empty());
                assert!(result.best.is_none_or(|best| turns.iter().any(|turn| turn == best.turn)));
                found += 1;
            }
            Err(error) => {
                assert_names_its_value(&error, &config);
                refused += 1;
            }
        }
    }
    assert!(found > 0 && refused > 0, "{found} {refused}");
}

fn assert_names_its_value(error: &SearchError, config: &ExpectimaxConfig) {
    let value = match error {
        SearchError::CandidateLimit(limit) => (*limit == config.candidate_limit).then(|| limit.to_string()),
        SearchError::SearchDepth(depth) => (*depth == config.search_depth).then(|| depth.to_string()),
        SearchError::Threads(threads) | SearchError::ThreadsWithBudget(threads) => {
            (*threads == config.threads).then(|| threads.to_string())
        }
        SearchError::RescoreWeight(weight) => Some(weight.to_string()),
        SearchError::MissingKing(color) => Some(format!("{color:?}")),
        SearchError::EmptyPool => Some("pool".into()),
        other => panic!("{other}"),
    };
    assert!(error.to_string().contains(&value.expect("the value of the configuration")), "{error}");
}
