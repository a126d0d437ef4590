//! How late a search returns after its deadline, or after it is cancelled, as its caller sees it: `cargo bench --bench
//! deadlines`, with words as filters on names; `-- --docs docs` puts the tables into `docs/performance.md`.
//!
//! What matters is the tail, not the mean. First on a machine that should be idle, then with every core kept busy by a thread
//! that spins: there the tail is that of the scheduler. The most work between two checks is the engine's own part.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dicechess_native::eval::{BuiltIn, Evaluator};
use dicechess_native::rules::{Budget, legal_turns};
use dicechess_native::search::{Expectimax, ExpectimaxConfig, SearchControl, SearchResult, monotonic_nanos};

mod common;
use common::markdown::{count, table};
use common::{Arguments, BNQ, CheapBatch, MIDDLEGAMES, position, search_as, time};

const SEARCHES: usize = 1000;

/// Searches that are stopped, of one kind.
struct Scenario {
    stop: Stop,
    evaluator: (&'static str, &'static dyn Evaluator),
    reply_probes: bool,
    threads: usize,
}

#[derive(Clone, Copy, Debug)]
enum Stop {
    Deadline,
    Cancel,
}

fn scenarios() -> Vec<Scenario> {
    let material: (_, &dyn Evaluator) = ("material", &BuiltIn::Material);
    let standard: (_, &dyn Evaluator) = ("standard", &BuiltIn::Standard);
    let batch: (_, &dyn Evaluator) = ("batch", &CheapBatch);
    let mut scenarios = Vec::new();
    for evaluator in [material, standard, batch] {
        for threads in [1, 2] {
            scenarios.push(Scenario { stop: Stop::Deadline, evaluator, reply_probes: false, threads });
        }
    }
    for evaluator in [material, batch] {
        for reply_probes in [false, true] {
            scenarios.push(Scenario { stop: Stop::Cancel, evaluator, reply_probes, threads: 1 });
        }
    }
    scenarios
}

impl Scenario {
    fn name(&self) -> String {
        let stop = match self.stop {
            Stop::Deadline => "deadline",
            Stop::Cancel => "cancel",
        };
        let probes = if self.reply_probes { ", reply probes" } else { "" };
        let threads = if self.threads > 1 { ", two threads" } else { "" };
        format!("{stop}, {}{probes}{threads}", self.evaluator.0)
    }

    fn search(&self) -> Expectimax<'static> {
        let config = ExpectimaxConfig {
            search_depth: 3,
            reply_probes: self.reply_probes,
            threads: self.threads,
            ..ExpectimaxConfig::default()
        };
        search_as(config, self.evaluator.1)
    }

    /// How late the searches return that do not end by themselves, shortest first.
    fn overshoots(&self, searches: usize) -> Vec<Duration> {
        let search = self.search();
        let mut overshoots = Vec::with_capacity(searches);
        for i in 0..2 * searches {
            // Anywhere in the tree: from 1 to 16 ms, in no step with the work.
            let limit = Duration::from_micros(1000 + (i as u64 * 7919) % 15_000);
            let dfen = MIDDLEGAMES[i % MIDDLEGAMES.len()];
            overshoots.extend(match self.stop {
                Stop::Deadline => after_deadline(&search, dfen, limit),
                Stop::Cancel => after_cancel(&search, dfen, limit),
            });
            if overshoots.len() == searches {
                break;
            }
        }
        overshoots.sort();
        overshoots
    }

    /// In units of a budget, which searches on several threads cannot have.
    fn most_work_between_checks(&self, budget: u64) -> Option<u64> {
        if self.threads > 1 {
            return None;
        }
        let (search, most) = (self.search(), Cell::new(0));
        for dfen in MIDDLEGAMES {
            let (budget, before) = (Budget::new(budget), Cell::new(0));
            // Asked at every check, and never late.
            let clock = || {
                most.set(most.get().max(budget.used() - before.replace(budget.used())));
                i64::MIN
            };
            let control = SearchControl::unbounded().with_budget(&budget).with_deadline(0).with_clock(&clock);
            search.find_best_move(&position(dfen), &control, 1).expect("both kings");
        }
        Some(most.get())
    }
}

fn after_deadline(search: &Expectimax<'_>, dfen: &str, limit: Duration) -> Option<Duration> {
    let root = position(dfen);
    let deadline = monotonic_nanos() + limit.as_nanos() as i64;
    let control = SearchControl::unbounded().with_deadline(deadline);
    let result = search.find_best_move(&root, &control, 1).expect("both kings");
    let late = monotonic_nanos() - deadline;
    was_stopped(dfen, &result).then(|| Duration::from_nanos(late.max(0) as u64))
}

fn after_cancel(search: &Expectimax<'_>, dfen: &str, limit: Duration) -> Option<Duration> {
    let (root, flag) = (position(dfen), AtomicBool::new(false));
    let (result, returned, cancelled) = std::thread::scope(|scope| {
        let canceller = scope.spawn(|| {
            std::thread::sleep(limit);
            let cancelled = Instant::now();
            flag.store(true, Ordering::Relaxed);
            cancelled
        });
        let control = SearchControl::unbounded().with_cancel_flag(&flag);
        let result = search.find_best_move(&root, &control, 1).expect("both kings");
        let returned = Instant::now();
        (result, returned, canceller.join().expect("no panic"))
    });
    was_stopped(dfen, &result).then(|| returned.saturating_duration_since(cancelled))
}

/// A search that ended by itself tells nothing; each owes a legal turn.
fn was_stopped(dfen: &str, result: &SearchResult) -> bool {
    let best = result.best.expect("a turn");
    assert!(legal_turns(&position(dfen)).iter().any(|turn| turn == best.turn), "a legal turn");
    result.stats.deadline_truncated
}

/// The case CAN-01: one middlegame, four deadlines.
const CASE_DEADLINES_MS: [u64; 4] = [20, 50, 200, 1000];
const CASE_RUNS: usize = 50;

/// Deeper than a second lasts.
fn case_overshoots(limit_ms: u64, runs: usize) -> Vec<Duration> {
    let config = ExpectimaxConfig { search_depth: 4, ..ExpectimaxConfig::default() };
    let search = search_as(config, &CheapBatch);
    let limit = Duration::from_millis(limit_ms);
    let mut overshoots: Vec<Duration> =
        (0..runs).filter_map(|_| after_deadline(&search, BNQ, limit)).collect();
    overshoots.sort();
    overshoots
}

/// What is measured while every core is kept busy.
fn beside_spinning_threads<T>(measure: impl FnOnce() -> T) -> T {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let _stopped = Stopped(&done);
        measure()
    })
}

/// Stops the spinning threads, also when what is measured panics.
struct Stopped<'a>(&'a AtomicBool);

impl Drop for Stopped<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// How many there are, and those that so many percent do not exceed.
fn row<const N: usize>(first: [String; 3], sorted: &[Duration], percents: [usize; N]) -> Vec<String> {
    assert!(!sorted.is_empty(), "some search is stopped");
    let last = sorted.len() - 1;
    let tail =
        percents.map(|percent| time(sorted[(sorted.len() * percent / 100).min(last)].as_nanos() as f64));
    first.into_iter().chain([count(sorted.len())]).chain(tail).collect()
}

fn rows(arguments: &Arguments, load: &str) -> [Vec<Vec<String>>; 2] {
    let (searches, runs, budget) =
        if arguments.measuring { (SEARCHES, CASE_RUNS, 5_000_000) } else { (5, 1, 5000) };
    let wanted = |name: &str| arguments.wants(&format!("{name}, {load}"));
    let scenarios = scenarios().into_iter().filter(|scenario| wanted(&scenario.name())).map(|scenario| {
        let work = scenario.most_work_between_checks(budget).map_or("-".into(), |work| count(work as usize));
        row([scenario.name(), load.into(), work], &scenario.overshoots(searches), [50, 99, 100])
    });
    let limits = CASE_DEADLINES_MS.into_iter().take(if arguments.measuring { usize::MAX } else { 1 });
    let case = limits.filter(|limit| wanted(&format!("CAN-01, {limit} ms"))).map(|limit| {
        row(["CAN-01".into(), format!("{limit} ms"), load.into()], &case_overshoots(limit, runs), [50, 100])
    });
    [scenarios.collect(), case.collect()]
}

fn main() {
    let arguments = Arguments::read();
    assert!(arguments.docs.is_none() || arguments.words.is_empty(), "a page of some of the figures is none");
    let [mut stops, mut case] = rows(&arguments, "idle");
    let [busy_stops, busy_case] = beside_spinning_threads(|| rows(&arguments, "busy"));
    stops.extend(busy_stops);
    case.extend(busy_case);
    let header = ["stop", "cores", "work between checks", "searches", "median", "99 %", "worst"];
    let stops = table(&header, stops.into_iter());
    let case = table(&["case", "deadline", "cores", "searches", "median", "worst"], case.into_iter());
    println!("{stops}\n{case}");
    arguments.write(&[("deadlines", stops), ("CAN-01", case)]);
}
