//! The figures of `docs/performance.md`: `cargo bench --bench performance`, with `-- PART` for one of the parts `headline`,
//! `growth`, `switches`, `memory` and `instructions`, and with other words as filters on names; growth and switches are not
//! filtered but left out. Prints tables with tabs between columns.
//!
//! With `-- --docs docs` it also puts the figures of these parts into the page, and draws its plot. `benches/compare` runs
//! the headline figures of two builds.

#[path = "../common/mod.rs"]
mod common;
mod figures;
mod growth;
mod headline;
mod instructions;
mod memory;
mod plot;
mod sample;
mod switches;

use common::Arguments;

type Part = (&'static str, fn(&Arguments));

const PARTS: [Part; 5] = [
    ("headline", headline::run),
    ("growth", growth::run),
    ("switches", switches::run),
    ("memory", memory::run),
    ("instructions", instructions::run),
];

fn main() {
    let mut arguments = Arguments::read();
    // The last two parts run this program again.
    match &arguments.words[..] {
        [word, name] if word == memory::CHILD => return memory::print_peak(name),
        [word, name] if word == instructions::CHILD => return instructions::run_under_callgrind(name),
        _ => {}
    }
    let is_part = |word: &String| PARTS.iter().any(|(name, _)| name == word);
    let (parts, filters) = std::mem::take(&mut arguments.words).into_iter().partition::<Vec<_>, _>(is_part);
    assert!(arguments.docs.is_none() || filters.is_empty(), "a page of some of the figures is none");
    arguments.words = filters;
    for (name, run) in PARTS {
        if parts.is_empty() || parts.iter().any(|part| part == name) {
            run(&arguments);
        }
    }
}
