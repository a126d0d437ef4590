//! Random games of all bots, with searches of every kind of limit at each turn, against the oracle.
//!
//! `DICECHESS_SOAK_GAMES` is how many games are played, `DICECHESS_SEED` where they start.

mod oracle;
mod playout;

use std::cell::Cell;
use std::collections::HashMap;

use dicechess_native::board::Position;
use dicechess_native::eval::BuiltIn;
use dicechess_native::rules::Budget;
use dicechess_native::search::bots::Bot;
use dicechess_native::search::{
    Candidate, Expectimax, ExpectimaxConfig, SearchControl, SearchOutcome, TranspositionTable,
};
use oracle::{Kind, State, chance_numerator_weighted, material, saturated};
use playout::{KNOWN, canonical_dfen, estimated_sequences, estimated_sequences_of_all_rolls};

const TURNS_PER_GAME: usize = 30;

/// What plain enumeration can afford, in sequences of micro-moves by an estimate.
const AFFORDABLE: usize = 20_000;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}: {text}")))
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ mixed >> 31) % limit as u64) as usize
    }
}

#[test]
fn random_games_of_all_bots_agree_with_the_oracle_under_any_limits() {
    let first = setting("DICECHESS_SEED", 1);
    let mut exact = 0;
    for game in first..first + setting("DICECHESS_SOAK_GAMES", 6) {
        exact += play(game, &TranspositionTable::new(1 << 12));
    }
    assert!(exact > 0, "some values were proven");
}

/// Plays a game; tells how many exact values the oracle has confirmed.
fn play(game: u64, table: &TranspositionTable) -> usize {
    let mut random = Random(game);
    let mut state = State::parse(KNOWN[random.below(KNOWN.len())]).expect("a position");
    let mut exact = 0;
    for turn in 0..TURNS_PER_GAME {
        let dice: Vec<Kind> = (0..3).map(|_| Kind::ALL[random.below(6)]).collect();
        let root = state.with_pool(&dice);
        if estimated_sequences(&root) > AFFORDABLE {
            break;
        }
        let bot = Bot::ALL[random.below(Bot::ALL.len())];
        println!("game {game}, turn {turn}: {} {}", canonical_dfen(&root), bot.id());
        exact += compare_search(&root, table, &mut random);
        let budget = Budget::new(random.below(20_000) as u64);
        let control = SearchControl::unbounded().with_budget(&budget);
        let played = bot.best_turn(&engine(&root), &control, random.0).expect("a bot plays");
        state = match (played, root.turns().all().next()) {
            (None, None) => root.end_turn(),
            (Some(chosen), Some(_)) => after(&root, &chosen.turn.to_string()).end_turn(),
            (played, first) => panic!("the bot has {played:?}, the oracle {first:?}"),
        };
        if !state.has((state.mover, Kind::King)) {
            break;
        }
    }
    exact
}

/// The engine's position; its dice come sorted, as in the text.
fn engine(root: &State) -> Position {
    canonical_dfen(root).parse().expect("a position")
}

/// The oracle's position after one of its legal turns, before the end of it.
fn after(root: &State, text: &str) -> State {
    let turns = root.turns();
    let found = turns.all().find(|(moves, _)| moves.join(" ") == text);
    found.unwrap_or_else(|| panic!("{text} is no legal turn")).1.clone()
}

/// Searches two deep under random limits. Whatever is claimed of a candidate must hold.
fn compare_search(root: &State, table: &TranspositionTable, random: &mut Random) -> usize {
    let config = ExpectimaxConfig {
        candidate_limit: 1 + random.below(3),
        exact_only: random.below(2) == 0,
        reply_probes: random.below(2) == 0,
        distinct_candidates: random.below(2) == 0,
        ..ExpectimaxConfig::default()
    };
    let mut search = Expectimax::new(config, &BuiltIn::Material).expect("a configuration");
    if random.below(2) == 0 {
        search = search.with_table(table).expect("the table of this evaluator");
    }
    let budget = Budget::new([u64::MAX, 100_000, random.below(5_000) as u64][random.below(3)]);
    let reads = Cell::new(0);
    let clock = || {
        reads.set(reads.get() + 1);
        reads.get()
    };
    let deadline = [SearchControl::NO_DEADLINE, 1 + random.below(200) as i64][random.below(2)];
    let control = SearchControl::unbounded().with_budget(&budget).with_clock(&clock).with_deadline(deadline);
    let mut candidates = Vec::new();
    let result = search.rank_moves(&engine(root), &control, random.0, &mut candidates).expect("a search");
    assert_eq!(result.best.is_none(), root.turns().all().next().is_none());
    let Some(best) = result.best else { return 0 };
    let chosen = after(root, &best.turn.to_string());
    if best.score == i32::MAX {
        assert!(!chosen.has((root.mover.other(), Kind::King)), "{} captures no king", best.turn);
    }
    confirm(root, &candidates, best.outcome)
}

/// Compares what was found of candidates, and of the root, with plain enumeration; tells how many values were exact.
fn confirm(root: &State, candidates: &[Candidate], of_root: SearchOutcome<f64>) -> usize {
    let mut known: HashMap<State, f64> = HashMap::new();
    let (mut exact, mut best) = (0, f64::NEG_INFINITY);
    let mut all_known = true;
    for candidate in candidates {
        let node = after(root, &candidate.turn.to_string()).end_turn();
        if estimated_sequences_of_all_rolls(&node) > 2 * AFFORDABLE {
            all_known = false;
            continue;
        }
        let truth = *known.entry(node).or_insert_with_key(|node| {
            let leaf = |state: &State, view| saturated(material(state, view));
            chance_numerator_weighted(node, 1, root.mover, &leaf) as f64 / 216.0
        });
        best = best.max(truth);
        match candidate.outcome {
            SearchOutcome::Exact { value, .. } => {
                assert_eq!(value, truth, "{}", candidate.turn);
                exact += 1;
            }
            SearchOutcome::LowerBound { value, .. } => assert!(value <= truth, "{}", candidate.turn),
            SearchOutcome::UpperBound { value, .. } => assert!(value >= truth, "{}", candidate.turn),
            SearchOutcome::Incomplete { .. } => {}
        }
    }
    if let (true, false, SearchOutcome::Exact { value, .. }) = (all_known, candidates.is_empty(), of_root) {
        assert_eq!(value, best, "the root");
    }
    exact
}
