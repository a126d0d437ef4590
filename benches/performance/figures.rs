//! What the targets are about.

use std::hint::black_box;

use dicechess_native::board::Color;
use dicechess_native::eval::{BuiltIn, Evaluator};
use dicechess_native::rules::{Budget, Turns};
use dicechess_native::search::{ExpectimaxConfig, SearchControl};

use crate::common::{self, AFTER_TURN, EVALUATORS, F10, KIWIPETE_PNB, KIWIPETE_QQQ};

/// A headline figure.
pub(crate) struct Figure {
    pub(crate) name: &'static str,
    /// In words.
    pub(crate) what: &'static str,
    /// The first bar and the next.
    pub(crate) bars: [&'static str; 2],
    /// Of what there are this many in one run, the figure is about one.
    pub(crate) units: usize,
    pub(crate) work: Box<dyn FnMut()>,
}

/// The ending of the names of searches on two threads; without it they are those of one thread.
pub(crate) const ON_TWO_THREADS: &str = "/threads_2";

/// All of them; those on one thread come right before those on two.
pub(crate) fn figures() -> Vec<Figure> {
    let [(_, material), (_, batch)] = EVALUATORS;
    let figure = |name, what, bars, work| Figure { name, what, bars, units: 1, work };
    vec![
        figure(
            "chance_node/material",
            "one chance node on F10 after a quiet turn, material",
            ["20 µs", "7 µs"],
            chance_node(material),
        ),
        figure("chance_node/batch", "the same, batch evaluator", ["120 µs", "60 µs"], chance_node(batch)),
        figure(
            "f10/depth_2/material",
            "F10, depth 2, candidate limit 8, material",
            ["150 µs", "60 µs"],
            f10(2, material, 1),
        ),
        figure("f10/depth_2/batch", "the same, batch evaluator", ["800 µs", "350 µs"], f10(2, batch, 1)),
        figure(
            "f10/depth_2/standard",
            "the same, standard evaluator",
            ["", ""],
            f10(2, &BuiltIn::Standard, 1),
        ),
        figure(
            "f10/depth_3/material",
            "F10, depth 3, candidate limit 8, material",
            ["150 ms", "40 ms"],
            f10(3, material, 1),
        ),
        figure("f10/depth_3/material/threads_2", "the same, two threads", ["", ""], f10(3, material, 2)),
        figure(
            "f10/depth_3/batch",
            "F10, depth 3, candidate limit 8, batch evaluator",
            ["1 s", "200 ms"],
            f10(3, batch, 1),
        ),
        figure("f10/depth_3/batch/threads_2", "the same, two threads", ["", ""], f10(3, batch, 2)),
        figure(
            "f10/depth_3/standard",
            "F10, depth 3, candidate limit 8, standard evaluator",
            ["", ""],
            f10(3, &BuiltIn::Standard, 1),
        ),
        figure(
            "f10/depth_3/standard/threads_2",
            "the same, two threads",
            ["", ""],
            f10(3, &BuiltIn::Standard, 2),
        ),
        leaf(),
        legal_turns("legal_turns/f10", "`legal_turns` of F10, a turn", F10),
        legal_turns("legal_turns/kiwipete_pnb", "`legal_turns` of kiwipete with PNB, a turn", KIWIPETE_PNB),
        legal_turns("legal_turns/kiwipete_qqq", "`legal_turns` of kiwipete with QQQ, a turn", KIWIPETE_QQQ),
    ]
}

fn chance_node(evaluator: &'static dyn Evaluator) -> Box<dyn FnMut()> {
    let (after_turn, search) = (common::position(AFTER_TURN), common::search(2, 8, evaluator));
    Box::new(move || {
        let control = SearchControl::unbounded();
        black_box(search.chance_value(black_box(&after_turn), Color::White, &control)).expect("both kings");
    })
}

fn f10(search_depth: u32, evaluator: &'static dyn Evaluator, threads: usize) -> Box<dyn FnMut()> {
    let config = ExpectimaxConfig { search_depth, threads, ..ExpectimaxConfig::default() };
    let (root, search) = (common::position(F10), common::search_as(config, evaluator));
    Box::new(move || {
        black_box(search.find_best_move(black_box(&root), &SearchControl::unbounded(), 1))
            .expect("both kings");
    })
}

/// From its generation to its score by a cheap batch evaluator.
fn leaf() -> Figure {
    let mut score_all = common::scoring_of_all_leaves(common::position(AFTER_TURN));
    Figure {
        name: "leaf/batch",
        what: "a distinct leaf, generated and scored by a batch evaluator",
        bars: ["15 ns", "6 ns"],
        units: score_all(),
        work: Box::new(move || {
            score_all();
        }),
    }
}

fn legal_turns(name: &'static str, what: &'static str, dfen: &str) -> Figure {
    let position = common::position(dfen);
    let mut turns = Turns::new();
    let mut generate = move || {
        turns.generate(black_box(&position), &Budget::unlimited()).expect("not too many");
        turns.len()
    };
    Figure {
        name,
        what,
        bars: ["6 ns", "2.5 ns"],
        units: generate(),
        work: Box::new(move || {
            generate();
        }),
    }
}
