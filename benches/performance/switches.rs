//! What a search gains or loses by what can be switched: F10 with each switch alone.

use dicechess_native::eval::Evaluator;
use dicechess_native::search::{ExpectimaxConfig, RootSearchStats, SearchControl, TranspositionTable};

use crate::common::markdown::{count, table};
use crate::common::{Arguments, EVALUATORS, F10, position, search_as, time};
use crate::sample::sample;

type Switch = (&'static str, fn(&mut ExpectimaxConfig));

const SWITCHES: [Switch; 3] = [
    ("as by default", |_| ()),
    ("reply probes", |config| config.reply_probes = true),
    ("distinct candidates", |config| config.distinct_candidates = true),
];

pub(crate) fn run(arguments: &Arguments) {
    if !arguments.measuring || !arguments.words.is_empty() {
        return;
    }
    println!("switch\tdepth\tevaluator\tns\tchance nodes\tleaves");
    let mut rows = Vec::new();
    // Small at depth 2, where emptying a large one would be most of the time.
    for (search_depth, capacity) in [(2, 1 << 6), (3, TranspositionTable::DEFAULT_CAPACITY)] {
        for evaluator in EVALUATORS {
            let default = ExpectimaxConfig { search_depth, ..ExpectimaxConfig::default() };
            for (name, set) in SWITCHES {
                let mut config = default;
                set(&mut config);
                rows.push(row(name, config, evaluator, None));
            }
            rows.push(row("empty table", default, evaluator, Some(&TranspositionTable::new(capacity))));
        }
    }
    let header = ["switch", "depth", "evaluator", "time", "nodes", "leaves"];
    arguments.write(&[("switches", table(&header, rows.into_iter()))]);
}

fn row(
    switch: &str,
    config: ExpectimaxConfig,
    (evaluator, leaf): (&str, &dyn Evaluator),
    table: Option<&TranspositionTable>,
) -> Vec<String> {
    let mut search = search_as(config, leaf);
    if let Some(table) = table {
        search = search.with_table(table).expect("a new table");
    }
    let (root, mut stats) = (position(F10), RootSearchStats::default());
    let nanos = sample(|| {
        table.inspect(|table| table.clear());
        stats = search.find_best_move(&root, &SearchControl::unbounded(), 1).expect("both kings").stats;
    })
    .nanos;
    let [nodes, leaves] = [stats.chance_nodes, stats.leaves].map(|number| number as usize);
    println!("{switch}\t{}\t{evaluator}\t{nanos:.0}\t{nodes}\t{leaves}", config.search_depth);
    vec![
        switch.to_owned(),
        config.search_depth.to_string(),
        evaluator.to_owned(),
        time(nanos),
        count(nodes),
        count(leaves),
    ]
}
