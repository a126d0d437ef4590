//! The seed's `ChanceNodeAllocationBenchmark`: what the mechanism of the chance node costs by itself, without replies and
//! evaluation. Decisions are constant, so what is left is laying out the node: rolled positions, ranges, probes.
//!
//! The set-up checks the outcome, the classes and the heap of every cell of the grid before it is measured, and prints what one
//! operation does. Creating the policy is part of an operation; the partitions of rolls are built beforehand.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use dicechess_native::board::{Color, Position};
use dicechess_native::rules::partition;
use dicechess_native::search::chance_node::{self, ChanceResult, MAX_CLASSES, Policy, Value};
use dicechess_native::search::{SearchControl, SearchError, SearchOutcome, UtilityBounds};

const INF: f64 = f64::INFINITY;
/// The range that the policy declares.
const LOWEST: f64 = -1000.0;
const HIGHEST: f64 = 1000.0;
/// What every decision is worth.
const VALUE: f64 = 7.0;

const POSITIONS: [(&str, &str, usize); 2] = [
    ("sparse", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", 4),
    ("all_piece_types", "r1bqkbnr/pppp1ppp/2n5/4N3/2B1P3/3P4/PPP2PPP/RNBQK2R b KQkq - 0 3", 56),
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Entry {
    Open,
    /// Finite on both sides, and never left.
    Full,
    /// Outside the declared range.
    InitialCut,
    Cancelled,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Probing {
    /// The callback is there and returns nothing.
    CallbackNone,
    OptOut,
    /// Every other class exactly, the rest by bounds that cut nothing.
    Active,
}

const ENTRIES: [(&str, Entry); 4] = [
    ("open", Entry::Open),
    ("full_window", Entry::Full),
    ("initial_cut", Entry::InitialCut),
    ("cancelled_entry", Entry::Cancelled),
];
const PROBINGS: [(&str, Probing); 3] = [
    ("callback_none", Probing::CallbackNone),
    ("opt_out", Probing::OptOut),
    ("active_probes", Probing::Active),
];

impl Entry {
    fn window(self) -> (f64, f64) {
        match self {
            Self::Open => (-INF, INF),
            Self::Full | Self::Cancelled => (LOWEST, HIGHEST),
            Self::InitialCut => (HIGHEST + 1.0, INF),
        }
    }

    fn control(self) -> SearchControl<'static> {
        let control = SearchControl::unbounded();
        if self == Self::Cancelled { control.with_deadline(i64::MIN) } else { control }
    }
}

struct Constant {
    probing: Probing,
    buffer: [Value; MAX_CLASSES],
    probes: usize,
    decisions: usize,
}

impl Constant {
    fn new(probing: Probing) -> Self {
        let unused = Value { outcome: SearchOutcome::Incomplete { work_used: 0 }, loss_tainted: false };
        Self { probing, buffer: [unused; MAX_CLASSES], probes: 0, decisions: 0 }
    }
}

impl Policy for Constant {
    fn lowest_value(&self) -> f64 {
        LOWEST
    }

    fn highest_value(&self) -> f64 {
        HIGHEST
    }

    fn probing_enabled(&self) -> bool {
        self.probing != Probing::OptOut
    }

    fn probe(
        &mut self,
        rolled: &[Position],
        control: &SearchControl<'_>,
    ) -> Result<Option<&[Value]>, SearchError> {
        self.probes += 1;
        if self.probing != Probing::Active {
            return Ok(None);
        }
        for (class, probe) in self.buffer.iter_mut().take(rolled.len()).enumerate() {
            *probe = if class % 2 == 0 {
                Value::exact(VALUE, control)
            } else {
                Value::upper_bound(HIGHEST - 1.0, control)
            };
        }
        Ok(Some(&self.buffer[..rolled.len()]))
    }

    fn decide(
        &mut self,
        rolled: &Position,
        _class: usize,
        _alpha: f64,
        _beta: f64,
        control: &SearchControl<'_>,
    ) -> Result<Value, SearchError> {
        black_box(rolled);
        self.decisions += 1;
        Ok(Value::exact(VALUE, control))
    }
}

/// One operation: a new policy and control, and one expansion.
fn expand(position: &Position, entry: Entry, probing: Probing) -> (ChanceResult, usize, usize) {
    let mut policy = Constant::new(probing);
    let control = entry.control();
    let bounds = UtilityBounds::expectimax(Color::White);
    let result = chance_node::expand(position, &bounds, &control, entry.window(), &mut policy)
        .expect("the policy keeps its contract");
    (result, policy.probes, policy.decisions)
}

fn check(position: &Position, classes: usize, entry: Entry, probing: Probing) {
    let mut found = None;
    let heap = allocation_counter::measure(|| found = Some(expand(position, entry, probing)));
    let (result, probes, decisions) = found.expect("measured");
    // White is the perspective and Black moves, so that probes need a finite alpha.
    let probes_wanted = matches!(entry, Entry::Full | Entry::InitialCut) && probing != Probing::OptOut;
    let settled_by_probes = if probes_wanted && probing == Probing::Active { classes.div_ceil(2) } else { 0 };
    let bound = |value: f64| SearchOutcome::UpperBound { value, work_used: 0 };
    let (outcome, resolved) = match entry {
        Entry::Open | Entry::Full => (SearchOutcome::Exact { value: VALUE, work_used: 0 }, classes),
        Entry::InitialCut if probing == Probing::Active => (bound(probe_sum(position)), settled_by_probes),
        Entry::InitialCut => (bound(HIGHEST), 0),
        Entry::Cancelled => (SearchOutcome::Incomplete { work_used: 0 }, 0),
    };
    assert_eq!((result.outcome, result.classes, result.classes_resolved), (outcome, classes, resolved));
    assert_eq!(result.probe_pruned, entry == Entry::InitialCut && probing == Probing::Active);
    assert_eq!(probes, usize::from(probes_wanted));
    let expands = matches!(entry, Entry::Open | Entry::Full);
    assert_eq!(decisions, if expands { classes - settled_by_probes } else { 0 });
    assert_eq!(heap.count_total, 0, "no heap");
    println!(
        "  rolled positions {}, resolved classes {resolved} of {classes}, probes {probes}, decisions {decisions}",
        result.construction.rolled_positions,
    );
}

fn probe_sum(position: &Position) -> f64 {
    let weighted = partition(position).iter().enumerate().map(|(class, weighted)| {
        f64::from(weighted.weight) * if class % 2 == 0 { VALUE } else { HIGHEST - 1.0 }
    });
    weighted.sum::<f64>() / 216.0
}

fn chance_node_allocation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("chance_node_allocation");
    for (name, dfen, classes) in POSITIONS {
        let position: Position = dfen.parse().expect("a valid DFEN");
        assert_eq!(partition(&position).len(), classes);
        for (entry_name, entry) in ENTRIES {
            for (probing_name, probing) in PROBINGS {
                println!("{name}, {entry_name}, {probing_name}:");
                check(&position, classes, entry, probing);
                group.bench_function(
                    BenchmarkId::new(format!("{name}/{entry_name}"), probing_name),
                    |bencher| {
                        bencher.iter(|| expand(black_box(&position), entry, probing));
                    },
                );
            }
        }
    }
}

criterion_group!(benches, chance_node_allocation);
criterion_main!(benches);
