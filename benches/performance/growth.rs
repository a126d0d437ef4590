//! How the cost of a search grows with the candidate limit, with the depth, and with the number of turns.

use dicechess_native::eval::Evaluator;
use dicechess_native::search::{RootSearchStats, SearchControl};

use crate::common::markdown::{count, table};
use crate::common::{
    self, Arguments, EVALUATORS, F10, KIWIPETE_PNB, MIDDLEGAMES, ROOK_ENDING, START_PNB, START_PPP, time,
};
use crate::plot;
use crate::sample::sample;

/// Cost along one line of a plot.
pub(crate) struct Line {
    pub(crate) growing: Growing,
    pub(crate) position: &'static str,
    pub(crate) evaluator: &'static str,
    pub(crate) points: Vec<Point>,
}

/// What the cost grows with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Growing {
    CandidateLimit,
    Depth,
    LegalTurns,
}

/// A search.
pub(crate) struct Point {
    pub(crate) x: u64,
    pub(crate) nanos: f64,
    chance_nodes: u64,
    leaves: u64,
}

const CANDIDATE_LIMITS: [usize; 7] = [1, 2, 4, 8, 16, 24, 32];

const DEPTHS: [(&str, &str, &[u32]); 2] = [("F10", F10, &[2, 3]), ("rook ending", ROOK_ENDING, &[2, 3, 4])];

/// Few turns and many, none of which captures the king.
const OTHERS: [&str; 6] = [
    "4k3/8/8/8/8/p7/P7/R3K3 w - - 0 1 RK",
    "7k/8/8/8/8/8/r2P4/3K4 w - - 0 1 K",
    ROOK_ENDING,
    START_PPP,
    START_PNB,
    KIWIPETE_PNB,
];

pub(crate) fn run(arguments: &Arguments) {
    // A line with some of its points is none.
    if !arguments.measuring || !arguments.words.is_empty() {
        return;
    }
    let mut lines = Vec::new();
    for (name, evaluator) in EVALUATORS {
        let line =
            |growing, position, points: Vec<Point>| Line { growing, position, evaluator: name, points };
        let at = |dfen: &str, depth, limit| point(dfen, depth, limit, evaluator);
        let limits = CANDIDATE_LIMITS.map(|limit| Point { x: limit as u64, ..at(F10, 2, limit) });
        lines.push(line(Growing::CandidateLimit, "F10", limits.into()));
        for (position, dfen, depths) in DEPTHS {
            let depths = depths.iter().map(|&depth| Point { x: depth.into(), ..at(dfen, depth, 8) });
            lines.push(line(Growing::Depth, position, depths.collect()));
        }
        let mut turns: Vec<Point> = OTHERS.iter().chain(&MIDDLEGAMES).map(|dfen| at(dfen, 2, 8)).collect();
        turns.sort_by_key(|point| point.x);
        lines.push(line(Growing::LegalTurns, "various", turns));
    }
    println!("growing\tposition\tevaluator\tx\tns\tchance nodes\tleaves");
    for Line { growing, position, evaluator, points } in &lines {
        for Point { x, nanos, chance_nodes, leaves } in points {
            println!("{growing:?}\t{position}\t{evaluator}\t{x}\t{nanos:.0}\t{chance_nodes}\t{leaves}");
        }
    }
    arguments.write(&[
        ("candidate limit", tabulate(&lines, Growing::CandidateLimit)),
        ("depth", tabulate(&lines, Growing::Depth)),
        ("legal turns", tabulate(&lines, Growing::LegalTurns)),
    ]);
    if let Some(folder) = &arguments.docs {
        let path = std::path::Path::new(folder).join("performance.svg");
        std::fs::write(path, plot::plot(&lines)).expect("a plot to write to");
    }
}

/// A search without a table, at its number of legal turns.
fn point(dfen: &str, depth: u32, candidate_limit: usize, evaluator: &dyn Evaluator) -> Point {
    let (root, search) = (common::position(dfen), common::search(depth, candidate_limit, evaluator));
    let mut stats = RootSearchStats::default();
    let find =
        || stats = search.find_best_move(&root, &SearchControl::unbounded(), 1).expect("both kings").stats;
    let nanos = sample(find).nanos;
    Point { x: stats.legal_turns, nanos, chance_nodes: stats.chance_nodes, leaves: stats.leaves }
}

/// Both evaluators beside each other: their lines have the same points.
fn tabulate(lines: &[Line], growing: Growing) -> String {
    let [material, batch] = EVALUATORS.map(|(evaluator, _)| {
        lines.iter().filter(move |line| (line.growing, line.evaluator) == (growing, evaluator))
    });
    let rows = material.zip(batch).flat_map(|(material, batch)| {
        material.points.iter().zip(&batch.points).map(|(cell, other)| {
            let mut row = vec![material.position.to_owned(), count(cell.x as usize)];
            for point in [cell, other] {
                row.push(time(point.nanos));
                row.extend([point.chance_nodes, point.leaves].map(|number| count(number as usize)));
            }
            row
        })
    });
    let x = match growing {
        Growing::CandidateLimit => "limit",
        Growing::Depth => "depth",
        Growing::LegalTurns => "turns",
    };
    table(&["position", x, "material", "nodes", "leaves", "batch", "nodes", "leaves"], rows)
}
