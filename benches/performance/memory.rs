//! The most memory that a process has in RAM, each search in a process of its own. Linux only.

use std::hint::black_box;
use std::process::Command;

use dicechess_native::eval::BuiltIn;
use dicechess_native::rules::legal_turns;
use dicechess_native::search::{
    Expectimax, ExpectimaxConfig, SearchControl, TranspositionTable, WinProof, WinProofConfig,
};

use crate::common::markdown::table;
use crate::common::{self, Arguments, CheapBatch, F10, ROOK_ENDING, search, search_as};

/// Has this program do the work that is named next.
pub(crate) const CHILD: &str = "--resident";

type Case = (&'static str, fn());

/// The first is what the others are compared with.
const CASES: [Case; 12] = [
    ("library idle", || ()),
    ("turns of F10", || drop(black_box(legal_turns(&common::position(F10))))),
    ("F10, depth 2, material", || find(F10, &search(2, 8, &BuiltIn::Material))),
    ("F10, depth 2, batch", || find(F10, &search(2, 8, &CheapBatch))),
    ("F10, depth 3, material", || find(F10, &search(3, 8, &BuiltIn::Material))),
    ("F10, depth 3, batch", || find(F10, &search(3, 8, &CheapBatch))),
    ("F10, depth 3, material, two threads", || {
        let config = ExpectimaxConfig { search_depth: 3, threads: 2, ..ExpectimaxConfig::default() };
        find(F10, &search_as(config, &BuiltIn::Material));
    }),
    ("F10, depth 3, material, table of the default size", || {
        let table = TranspositionTable::default();
        find(F10, &search(3, 8, &BuiltIn::Material).with_table(&table).expect("a new table"));
    }),
    ("rook ending, depth 2, material", || find(ROOK_ENDING, &search(2, 8, &BuiltIn::Material))),
    ("rook ending, depth 3, material", || find(ROOK_ENDING, &search(3, 8, &BuiltIn::Material))),
    ("rook ending, depth 4, material", || find(ROOK_ENDING, &search(4, 8, &BuiltIn::Material))),
    ("win proof of the rook ending, horizon 2", || {
        let config = WinProofConfig { max_horizon: 2, ..WinProofConfig::default() };
        let proof = WinProof::new(config).expect("a valid configuration");
        black_box(proof.find_proven_move(&common::position(ROOK_ENDING), &SearchControl::unbounded(), 1))
            .expect("both kings");
    }),
];

fn find(dfen: &str, search: &Expectimax<'_>) {
    let root = common::position(dfen);
    black_box(search.find_best_move(&root, &SearchControl::unbounded(), 1)).expect("both kings");
}

pub(crate) fn print_peak(name: &str) {
    let (_, work) = CASES.iter().find(|(case, _)| *case == name).expect("a case");
    work();
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    print!("{}", peak.trim().trim_end_matches(" kB"));
}

pub(crate) fn run(arguments: &Arguments) {
    if !arguments.measuring {
        return;
    }
    println!("work\tKiB\tKiB beyond idle");
    let idle = peak_kib(CASES[0].0);
    let mut rows = Vec::new();
    for (name, _) in CASES.iter().filter(|(name, _)| arguments.wants(name)) {
        let peak = peak_kib(name);
        println!("{name}\t{peak}\t{}", peak.saturating_sub(idle));
        let megabytes = [peak, peak.saturating_sub(idle)].map(|kib| format!("{:.1} MB", kib as f64 / 1024.0));
        rows.push([(*name).to_owned()].into_iter().chain(megabytes).collect());
    }
    arguments.write(&[("memory", table(&["work", "peak", "beyond idle"], rows.into_iter()))]);
}

fn peak_kib(name: &str) -> u64 {
    let program = std::env::current_exe().expect("this program");
    let output = Command::new(program).args([CHILD, name]).output().expect("a process");
    String::from_utf8_lossy(&output.stdout).parse().unwrap_or_else(|_| panic!("{name}: {output:?}"))
}
