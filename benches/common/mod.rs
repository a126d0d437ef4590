//! What benchmarks share: positions, evaluators, searches, and the way figures get into the documents.

// Each benchmark uses its own part of this.
#![allow(dead_code, unreachable_pub)]

use std::hint::black_box;
use std::path::Path;

use dicechess_native::board::{Color, Position};
use dicechess_native::eval::{BuiltIn, Evaluator};
use dicechess_native::rules::{Budget, Finals, Identity, ReachSets, Roll};
use dicechess_native::search::{Expectimax, ExpectimaxConfig};

#[path = "../../examples/domineering/markdown.rs"]
pub mod markdown;
#[path = "../../examples/domineering/svg.rs"]
pub mod svg;

pub const F10: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 3 NBP";
/// F10 after a quiet turn.
pub const AFTER_TURN: &str = "r1bqkbnr/pppp1ppp/2n5/4N3/2B1P3/3P4/PPP2PPP/RNBQK2R b KQkq - 0 3";
pub const KIWIPETE_PNB: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 PNB";
pub const KIWIPETE_QQQ: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 QQQ";
pub const START_PPP: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PPP";
pub const START_PNB: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNB";
pub const ROOK_ENDING: &str = "k7/8/8/8/8/8/8/R3K3 w - - 0 1 NBK";

/// Full boards, which take longer to search three deep than until a search is stopped.
pub const MIDDLEGAMES: [&str; 6] = [
    F10,
    BNQ,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 PNQ",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10 NBR",
    "r2q1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 0 9 NRQ",
    "2rq1rk1/1b2bppp/p2ppn2/1p6/3BP3/1BN2P2/PPPQ2PP/2KR3R b - - 2 14 pbq",
];
/// The middlegame of the case CAN-01.
pub const BNQ: &str = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 6 5 BNQ";

/// A host's evaluator: as cheap as can be, but nothing may be assumed of it.
pub struct CheapBatch;

impl Evaluator for CheapBatch {
    fn name(&self) -> &str {
        "cheap batch"
    }

    fn evaluate(&self, positions: &[Position], _perspective: Color, scores: &mut [f64]) {
        for (score, position) in scores.iter_mut().zip(positions) {
            *score = (position.key() >> 54) as f64;
        }
    }

    fn reads_clocks(&self) -> bool {
        false
    }
}

pub const EVALUATORS: [(&str, &dyn Evaluator); 2] =
    [("material", &BuiltIn::Material), ("batch", &CheapBatch)];

/// On one thread.
pub fn search(depth: u32, candidate_limit: usize, evaluator: &dyn Evaluator) -> Expectimax<'_> {
    let config = ExpectimaxConfig { search_depth: depth, candidate_limit, ..ExpectimaxConfig::default() };
    search_as(config, evaluator)
}

pub fn search_as(config: ExpectimaxConfig, evaluator: &dyn Evaluator) -> Expectimax<'_> {
    Expectimax::new(config, evaluator).expect("a valid configuration")
}

/// Generates and scores the distinct leaves of all rolls, as a cheap batch evaluator does; how many there are.
pub fn scoring_of_all_leaves(position: Position) -> impl FnMut() -> usize {
    let mut sets = ReachSets::new(Identity::AfterTurnEndIgnoringClock);
    let mut scores = Vec::new();
    move || {
        sets.reset(black_box(&position));
        let mut leaves = 0;
        for roll in Roll::all_full() {
            if let Finals::Positions(finals) = sets.finals(roll, &Budget::unlimited()).expect("unlimited") {
                scores.clear();
                scores.extend(finals.iter().map(|leaf| (leaf.key() >> 54) as f64));
                leaves += black_box(&scores).len();
            }
        }
        leaves
    }
}

pub fn position(dfen: &str) -> Position {
    dfen.parse().expect("a valid DFEN")
}

/// Three digits and a unit.
pub fn time(nanos: f64) -> String {
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns")];
    let (unit, name) = units.into_iter().find(|(unit, _)| nanos >= *unit).unwrap_or(units[3]);
    let value = nanos / unit;
    let decimals = if value >= 100.0 {
        0
    } else if value >= 10.0 {
        1
    } else {
        2
    };
    format!("{value:.decimals$} {name}")
}

/// How a benchmark was asked to run.
#[derive(Default)]
pub struct Arguments {
    /// Measure; criterion's other modes only try everything once.
    pub measuring: bool,
    /// The folder whose `performance.md` gets the figures.
    pub docs: Option<String>,
    /// What is left: names of parts, and filters.
    pub words: Vec<String>,
}

impl Arguments {
    pub fn read() -> Self {
        let (mut read, mut test) = (Self::default(), false);
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--bench" => read.measuring = true,
                "--test" => test = true,
                "--docs" => read.docs = arguments.next(),
                _ => read.words.push(argument),
            }
        }
        read.measuring &= !test;
        read
    }

    /// Whether the filters let this name pass.
    pub fn wants(&self, name: &str) -> bool {
        self.words.is_empty() || self.words.iter().any(|word| name.contains(word.as_str()))
    }

    /// Puts tables into the document, each in the place with its name.
    pub fn write(&self, tables: &[(&str, String)]) {
        let Some(folder) = &self.docs else { return };
        let path = Path::new(folder).join("performance.md");
        let page = std::fs::read_to_string(&path).expect("the document");
        let page = tables
            .iter()
            .try_fold(page, |page, (name, table)| markdown::replace(&page, name, table))
            .expect("a place for every table");
        std::fs::write(path, page).expect("a document to write to");
    }
}
