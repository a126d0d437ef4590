//! Random games of all bots, with searches of every kind of limit at each turn, against the oracle.
//!
//! `DICECHESS_SOAK_GAMES` is how many games are played, `DICECHESS_SEED` where they start.

mod oracle;
mod playout;
mod seeds;

use std::cell::Cell;
use std::collections::HashMap;

use dicechess_native::board::Position;
use dicechess_native::eval::BuiltIn;
use dicechess_native::rules::Budget;
use dicechess_native::search::bots::Bot;
use dicechess_native::search::{
    Candidate, Expectimax, ExpectimaxConfig, SearchControl, SearchOutcome, TranspositionTable,
};
use oracle::{Color, Kind, State, chance_numerator_weighted, saturated};
use playout::{KNOWN, canonical_dfen, estimated_sequences, estimated_sequences_of_all_rolls};
use seeds::{Case, Random};

const TURNS_PER_GAME: usize = 30;

/// What plain enumeration can afford, in sequences of micro-moves by an estimate.
const AFFORDABLE: usize = 20_000;

/// An evaluator of the oracle.
type Leaf = fn(&State, Color) -> i64;

/// The engine's evaluators and the oracle's.
const LEAVES: [(BuiltIn, Leaf); 3] = [
    (BuiltIn::Material, oracle::material),
    (BuiltIn::Standard, oracle::evaluate),
    (BuiltIn::Aggressive, oracle::aggressive),
];

/// What has been compared with the oracle: turns of bots, and what searches claim of candidates.
#[derive(Debug, Default)]
struct Compared {
    turns: u64,
    exact: u64,
    bounds: u64,
}

#[test]
fn random_games_of_all_bots_agree_with_the_oracle_under_any_limits() {
    let mut compared = Compared::default();
    let games = seeds::seeds("DICECHESS_SOAK_GAMES", 6);
    for seed in games.clone() {
        let _case = Case(seed);
        play(Random(seed), &mut compared);
    }
    println!("{compared:?}");
    // A game that is tried again may have none.
    assert!(compared.exact > 0 || games.count() == 1, "some values were proven");
}

fn play(mut random: Random, compared: &mut Compared) {
    let mut state = State::parse(KNOWN[random.below(KNOWN.len())]).expect("a position");
    let leaf = random.below(LEAVES.len());
    let table = TranspositionTable::new(1 << 12);
    for _ in 0..TURNS_PER_GAME {
        let Some(root) = affordable_roll(&state, &mut random) else { return };
        compare_search(&root, leaf, &table, &mut random, compared);
        let bot = Bot::ALL[random.below(Bot::ALL.len())];
        let budget = Budget::new(random.below(20_000) as u64);
        let control = SearchControl::unbounded().with_budget(&budget);
        let played = bot.best_turn(&engine(&root), &control, random.next()).expect("a bot plays");
        state = match (played, root.turns().all().next()) {
            (None, None) => root.end_turn(),
            (Some(chosen), Some(_)) => after(&root, &chosen.turn.to_string()).end_turn(),
            (played, first) => panic!("{bot} has {played:?}, the oracle {first:?}"),
        };
        compared.turns += 1;
        if !state.has((state.mover, Kind::King)) {
            return;
        }
    }
}

/// The position with a roll whose turns can be enumerated, if one comes soon.
fn affordable_roll(state: &State, random: &mut Random) -> Option<State> {
    let rolls = (0..8).map(|_| state.with_pool(&[(); 3].map(|()| Kind::ALL[random.below(6)])));
    rolls.into_iter().find(|root| estimated_sequences(root) <= AFFORDABLE)
}

/// The engine's position; its dice come sorted, as in the text.
fn engine(root: &State) -> Position {
    canonical_dfen(root).parse().expect("a position")
}

/// The oracle's position after one of its legal turns, before the end of it.
fn after(root: &State, text: &str) -> State {
    let turns = root.turns();
    let found = turns.all().find(|(moves, _)| moves.join(" ") == text);
    found.unwrap_or_else(|| panic!("{text} is no legal turn of {}", canonical_dfen(root))).1.clone()
}

/// Searches two deep under random limits. Whatever is claimed of a candidate must hold.
fn compare_search(
    root: &State,
    leaf: usize,
    table: &TranspositionTable,
    random: &mut Random,
    compared: &mut Compared,
) {
    let config = ExpectimaxConfig {
        candidate_limit: 1 + random.below(3),
        exact_only: random.below(2) == 0,
        reply_probes: random.below(2) == 0,
        distinct_candidates: random.below(2) == 0,
        ..ExpectimaxConfig::default()
    };
    let mut search = Expectimax::new(config, &LEAVES[leaf].0).expect("a configuration");
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
    let result =
        search.rank_moves(&engine(root), &control, random.next(), &mut candidates).expect("a search");
    assert_eq!(result.best.is_none(), root.turns().all().next().is_none());
    let Some(best) = result.best else { return };
    let chosen = after(root, &best.turn.to_string());
    if best.score == i32::MAX {
        assert!(!chosen.has((root.mover.other(), Kind::King)), "{} captures no king", best.turn);
    }
    confirm(root, leaf, &candidates, best.outcome, compared);
}

/// Compares what was found of candidates, and of the root, with plain enumeration.
fn confirm(
    root: &State,
    leaf: usize,
    candidates: &[Candidate],
    of_root: SearchOutcome<f64>,
    compared: &mut Compared,
) {
    let mut known: HashMap<State, f64> = HashMap::new();
    let mut best = f64::NEG_INFINITY;
    for candidate in candidates {
        let node = after(root, &candidate.turn.to_string()).end_turn();
        if estimated_sequences_of_all_rolls(&node) > 2 * AFFORDABLE {
            return;
        }
        let truth = *known.entry(node).or_insert_with_key(|node| {
            let leaf = |state: &State, view| saturated(LEAVES[leaf].1(state, view));
            chance_numerator_weighted(node, 1, root.mover, &leaf) as f64 / 216.0
        });
        best = best.max(truth);
        compare(candidate.outcome, truth, root, compared);
    }
    if !candidates.is_empty() {
        compare(of_root, best, root, compared);
    }
}

fn compare(claim: SearchOutcome<f64>, truth: f64, root: &State, compared: &mut Compared) {
    let dfen = || canonical_dfen(root);
    match claim {
        SearchOutcome::Exact { value, .. } => {
            assert_eq!(value, truth, "{}", dfen());
            compared.exact += 1;
        }
        SearchOutcome::LowerBound { value, .. } => {
            assert!(value <= truth, "{value} of {truth}, {}", dfen());
            compared.bounds += 1;
        }
        SearchOutcome::UpperBound { value, .. } => {
            assert!(value >= truth, "{value} of {truth}, {}", dfen());
            compared.bounds += 1;
        }
        SearchOutcome::Incomplete { .. } => {}
    }
}
