//! Mutated and random texts, boards, limits, configurations and sequences of calls: nothing panics, what is refused is refused
//! by name, what is answered is sound, and the oracle accepts what the engine accepts.
//!
//! `DICECHESS_HOSTILE_CASES` is how many cases each test tries, `DICECHESS_SEED` where they start.

mod oracle;
mod playout;
mod seeds;

use std::array::from_fn;
use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use dicechess_native::board::{Color, DicePool, Position};
use dicechess_native::eval::{BuiltIn, Evaluator};
use dicechess_native::rules::{
    Budget, Exhausted, Turn, Turns, king_capture_path, king_capture_rolls, turn_paths,
};
use dicechess_native::search::bots::Bot;
use dicechess_native::search::{
    BracketedTurn, Candidate, Expectimax, ExpectimaxConfig, ProofVerdict, RootRescore, ScoreSource,
    SearchControl, SearchError, SearchOutcome, TranspositionTable, WinProof, WinProofConfig,
};
use playout::{Choices, KNOWN, canonical_dfen, compare_dfen, random_pool, random_state};
use seeds::{Case, Random};

fn cases() -> Range<u64> {
    seeds::seeds("DICECHESS_HOSTILE_CASES", 500)
}

/// A run of more than a few cases has seen all kinds of answers.
fn assert_all_seen(answers: &[u64]) {
    assert!(cases().count() < 100 || !answers.contains(&0), "{answers:?}");
}

fn bytes(random: &mut Random) -> [u8; 128] {
    from_fn(|_| random.below(256) as u8)
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
    let (mut accepted, mut refused) = (0, 0);
    for seed in cases() {
        let _case = Case(seed);
        let text = mutated_text(&mut Choices::new(&bytes(&mut Random(seed))));
        compare_dfen(&text);
        match text.parse::<Position>() {
            Ok(_) => accepted += 1,
            Err(_) => refused += 1,
        }
    }
    assert_all_seen(&[accepted, refused]);
}

/// A count that is often at or beyond what is allowed.
fn count(choices: &mut Choices<'_>) -> usize {
    [0, 1, 2, 3, 8, 9, 256, 257, usize::MAX][choices.below(9)]
}

#[test]
fn any_configuration_and_limits_give_a_legal_turn_or_an_error_that_names_the_value() {
    let (mut found, mut refused) = (0, 0);
    for seed in cases() {
        let _case = Case(seed);
        let bytes = bytes(&mut Random(seed));
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
    assert_all_seen(&[found, refused]);
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

/// Calls of a sequence.
const CALLS: usize = 8;

#[test]
fn any_sequence_of_calls_is_answered_soundly_or_refused_with_its_cause() {
    let mut answers = Answers::default();
    for seed in cases() {
        let _case = Case(seed);
        call_in_sequence(Random(seed), &mut answers);
    }
    let Answers { exact, bound, incomplete, refused } = answers;
    assert_all_seen(&[exact, bound, incomplete, refused]);
}

#[derive(Default)]
struct Answers {
    exact: u64,
    bound: u64,
    incomplete: u64,
    refused: u64,
}

/// Searches, proofs, bots and queries that share a table, budgets, a flag and buffers, along a game.
fn call_in_sequence(mut random: Random, answers: &mut Answers) {
    let leaves = [&BuiltIn::Material, &BuiltIn::Standard, &BuiltIn::Aggressive];
    let leaf = leaves[random.below(3)];
    let table = TranspositionTable::new(random.below(40));
    let configs: [_; 2] = from_fn(|_| ExpectimaxConfig {
        candidate_limit: 1 + random.below(3),
        exact_only: random.below(2) == 0,
        distinct_candidates: random.below(2) == 0,
        reply_probes: random.below(2) == 0,
        threads: if random.below(16) == 0 { 2 } else { 1 },
        ..ExpectimaxConfig::default()
    });
    let searches = configs.map(|config| {
        let search = Expectimax::new(config, leaf).unwrap();
        if random.below(3) == 0 { search } else { search.with_table(&table).unwrap() }
    });
    let budgets = [0, random.below(1_000), 3_000].map(|limit| Budget::new(limit as u64));
    let flag = AtomicBool::new(false);
    let now = Cell::new(0);
    let clock = || {
        now.set(now.get() + 1);
        now.get()
    };
    let kept = SearchControl::unbounded().with_budget(&budgets[1]).with_cancel_flag(&flag);
    let mut session = Session::new(&mut random, leaf);
    for _ in 0..CALLS {
        let used = budgets.each_ref().map(Budget::used);
        let budget = &budgets[random.below(3)];
        let mut control = SearchControl::unbounded().with_cancel_flag(&flag).with_clock(&clock);
        if random.below(3) == 0 {
            control = control.with_deadline(now.get() + random.below(40) as i64);
        }
        let budgeted = SearchControl::unbounded().with_cancel_flag(&flag).with_budget(budget);
        let control = [&control, &budgeted, &kept][random.below(3)];
        let i = random.below(2);
        match random.below(10) {
            0..3 => session.search(&searches[i], configs[i].threads, control, random.next(), answers),
            3 => session.chance_value(&searches[i], configs[i].threads, control, &mut random, answers),
            4 => session.prove(&budgeted, &mut random, answers),
            5 => session.ask_bot(Bot::ALL[random.below(7)], &budgeted, random.next()),
            6 => session.ask_rules(budget, random.below(2)),
            7 => session.play(&mut random),
            8 => flag.store(!flag.load(Ordering::Relaxed), Ordering::Relaxed),
            _ => match random.below(2) {
                0 => table.clear(),
                _ => assert_foreign(&table, leaf, leaves[random.below(3)]),
            },
        }
        for (budget, used) in budgets.iter().zip(used) {
            assert!(used <= budget.used() && budget.used() <= budget.limit());
            assert!(!budget.is_exhausted() || budget.used() == budget.limit());
        }
    }
}

/// The first evaluator keeps the table, whichever asks for it afterwards.
fn assert_foreign(table: &TranspositionTable, owner: &BuiltIn, other: &BuiltIn) {
    let claim =
        |evaluator| Expectimax::new(ExpectimaxConfig::default(), evaluator).unwrap().with_table(table);
    assert!(claim(owner).is_ok());
    let refused = SearchError::ForeignTable { evaluator: other.name().into() };
    let expected = (other.name() != owner.name()).then_some(refused);
    assert_eq!(claim(other).err(), expected);
}

/// A game, and what is known of its present position.
struct Session<'a> {
    root: Position,
    turns: Turns,
    /// A search without limits, cuts between candidates or a table: what it says is taken as true.
    plain: Expectimax<'a>,
    proof: WinProof,
    /// Reused by all calls.
    candidates: Vec<Candidate>,
    brackets: Vec<BracketedTurn>,
}

impl<'a> Session<'a> {
    fn new(random: &mut Random, leaf: &'a BuiltIn) -> Self {
        let bytes = bytes(random);
        let mut choices = Choices::new(&bytes);
        let state = random_state(&mut choices);
        let proof =
            WinProofConfig { max_horizon: 1 + random.below(3) as u32, table_capacity: random.below(40) };
        let mut session = Self {
            root: canonical_dfen(&state).parse().unwrap(),
            turns: Turns::new(),
            plain: Expectimax::new(ExpectimaxConfig::default(), leaf).unwrap(),
            proof: WinProof::new(proof).unwrap(),
            candidates: Vec::new(),
            brackets: Vec::new(),
        };
        session.roll(random);
        session
    }

    /// Rolls zero to three dice.
    fn roll(&mut self, random: &mut Random) {
        let faces: [u8; 3] = from_fn(|_| 1 + random.below(6) as u8);
        let count = [3, 3, 3, 2, 1, 0][random.below(6)];
        self.root = self.root.with_dice(DicePool::from_faces(&faces[..count]).unwrap());
        self.turns.generate(&self.root, &Budget::unlimited()).unwrap();
    }

    /// Plays any turn, and ends it.
    fn play(&mut self, random: &mut Random) {
        if !self.turns.is_empty() {
            let chosen = self.turns.iter().nth(random.below(self.turns.len())).unwrap();
            self.root = self.root.play_turn(chosen);
        }
        self.root = self.root.end_turn();
        self.roll(random);
    }

    fn captures(&self, turn: Turn) -> bool {
        assert!(self.turns.iter().any(|legal| legal == turn), "{turn} in {}", self.root);
        self.turns.captures().contains(&turn)
    }

    /// Why a root cannot be searched.
    fn refused(&self) -> Option<SearchError> {
        missing_king(&self.root).or(self.root.dice().is_empty().then_some(SearchError::EmptyPool))
    }

    fn truth(&self, before_roll: &Position, perspective: Color) -> f64 {
        let control = SearchControl::unbounded();
        let value = self.plain.chance_value(before_roll, perspective, &control).unwrap();
        value.outcome.exact().expect("no limit")
    }

    /// What is claimed of a value holds.
    fn assert_true(
        &self,
        claim: SearchOutcome<f64>,
        truth: impl FnOnce() -> f64,
        cancelled: bool,
        answers: &mut Answers,
    ) {
        assert!(!cancelled || claim.value().is_none(), "{claim:?} of a search that was cancelled");
        match claim {
            SearchOutcome::Exact { value, .. } => {
                assert_eq!(value, truth());
                answers.exact += 1;
            }
            SearchOutcome::LowerBound { value, .. } => {
                assert!(value <= truth());
                answers.bound += 1;
            }
            SearchOutcome::UpperBound { value, .. } => {
                assert!(value >= truth());
                answers.bound += 1;
            }
            SearchOutcome::Incomplete { .. } => answers.incomplete += 1,
        }
    }

    fn search(
        &mut self,
        search: &Expectimax<'_>,
        threads: usize,
        control: &SearchControl<'_>,
        seed: u64,
        answers: &mut Answers,
    ) {
        let cancelled = control.is_cancelled();
        let shared = threads > 1 && control.budget().is_some();
        let cause = self.refused().or(shared.then_some(SearchError::ThreadsWithBudget(threads)));
        let mut candidates = std::mem::take(&mut self.candidates);
        let found = search.rank_moves(&self.root, control, seed, &mut candidates);
        self.candidates = candidates;
        let best = match found {
            Ok(result) => result.best,
            Err(error) => {
                answers.refused += 1;
                return assert_eq!(Some(error), cause);
            }
        };
        assert_eq!((cause, best.is_none()), (None, self.turns.is_empty()));
        let Some(best) = best else { return };
        assert_eq!(self.captures(best.turn), best.source == ScoreSource::Capture);
        assert_eq!(self.captures(best.turn), best.score == i32::MAX);
        if best.score == i32::MAX {
            return assert!(self.candidates.is_empty());
        }
        let mut greatest = f64::NEG_INFINITY;
        for candidate in &self.candidates {
            assert!(!self.captures(candidate.turn));
            let after = self.root.play_turn(candidate.turn).end_turn();
            let truth = self.truth(&after, self.root.side_to_move());
            self.assert_true(candidate.outcome, || truth, cancelled, answers);
            greatest = greatest.max(truth);
        }
        self.assert_true(best.outcome, || greatest, cancelled, answers);
    }

    fn chance_value(
        &mut self,
        search: &Expectimax<'_>,
        threads: usize,
        control: &SearchControl<'_>,
        random: &mut Random,
        answers: &mut Answers,
    ) {
        let cancelled = control.is_cancelled();
        let node = self.before_roll(random);
        let perspective = Color::ALL[random.below(2)];
        let shared = threads > 1 && control.budget().is_some();
        let cause = shared.then_some(SearchError::ThreadsWithBudget(threads)).or(not_before_roll(&node));
        match search.chance_value(&node, perspective, control) {
            Ok(value) => {
                assert_eq!(cause, None);
                self.assert_true(value.outcome, || self.truth(&node, perspective), cancelled, answers);
            }
            Err(error) => {
                answers.refused += 1;
                assert_eq!(Some(error), cause);
            }
        }
    }

    /// Mostly a position before the roll.
    fn before_roll(&self, random: &mut Random) -> Position {
        if random.below(4) == 0 { self.root } else { self.root.end_turn() }
    }

    fn prove(&mut self, control: &SearchControl<'_>, random: &mut Random, answers: &mut Answers) {
        let cancelled = control.is_cancelled();
        match self.proof.bracket_moves(&self.root, control, random.next(), &mut self.brackets) {
            Ok(result) => {
                assert_eq!((self.refused(), result.best.is_none()), (None, self.turns.is_empty()));
                let Some(best) = result.best else { return };
                assert!(!self.captures(best.turn) || best.verdict == ProofVerdict::Proven);
                assert!(!cancelled || best.verdict != ProofVerdict::HorizonReached);
                for rival in self.brackets.iter().step_by(1 + self.brackets.len() / 3) {
                    assert!(!self.captures(rival.turn));
                    let after = self.root.play_turn(rival.turn).end_turn();
                    let free = SearchControl::unbounded();
                    let near = self.proof.win_bracket(&after, self.root.side_to_move(), 1, &free).unwrap();
                    // Both enclose the true probability.
                    let (lower, upper) = (rival.bracket.lower, rival.bracket.upper);
                    assert!(0.0 <= lower && lower <= upper && upper <= 1.0);
                    assert!(lower <= near.upper && near.lower <= upper);
                }
            }
            Err(error) => {
                answers.refused += 1;
                assert_eq!(Some(error), self.refused());
            }
        }
        let node = self.before_roll(random);
        let horizon = [0, 1, 2, 33][random.below(4)];
        let supported = (1..=32).contains(&horizon);
        let cause = (!supported).then_some(SearchError::ProofHorizon(horizon)).or(not_before_roll(&node));
        let bracket = self.proof.win_bracket(&node, Color::ALL[random.below(2)], horizon, control);
        assert_eq!(bracket.err(), cause);
    }

    fn ask_bot(&mut self, bot: Bot, control: &SearchControl<'_>, seed: u64) {
        let searches = matches!(bot, Bot::MonteCarlo | Bot::Expectimax);
        match bot.best_turn(&self.root, control, seed).unwrap() {
            Some(best) => assert_eq!(best.score == i32::MAX, self.captures(best.turn)),
            None => assert!(self.turns.is_empty() || searches && missing_king(&self.root).is_some()),
        }
    }

    fn ask_rules(&mut self, budget: &Budget, defender: usize) {
        let answered = |exhausted: &Exhausted| assert_eq!(exhausted.work_used, budget.limit());
        let defender = Color::ALL[defender];
        match king_capture_path(&self.root, budget) {
            Ok(path) => assert_eq!(path, self.turns.captures().first().copied()),
            Err(exhausted) => answered(&exhausted),
        }
        match king_capture_rolls(&self.root, defender, budget) {
            Ok(rolls) => {
                assert_eq!(Ok(rolls), king_capture_rolls(&self.root, defender, &Budget::unlimited()))
            }
            Err(exhausted) => answered(&exhausted),
        }
        match turn_paths(&self.root, budget) {
            Ok(turns) => assert!(turns.iter().eq(self.turns.iter())),
            Err(exhausted) => answered(&exhausted),
        }
    }
}

fn missing_king(position: &Position) -> Option<SearchError> {
    let missing = Color::ALL.into_iter().find(|&color| !position.has_king(color));
    missing.map(SearchError::MissingKing)
}

/// Why a position is none before a roll.
fn not_before_roll(position: &Position) -> Option<SearchError> {
    let left = (!position.dice().is_empty()).then(|| SearchError::PoolNotEmpty(position.dice().to_string()));
    left.or(missing_king(position))
}
