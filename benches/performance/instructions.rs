//! Instructions of the headline figures, counted by callgrind: each in a process of its own, after a run to warm up.

use std::process::Command;

use crate::common::Arguments;
use crate::common::markdown::{count, table};
use crate::figures::{Figure, ON_TWO_THREADS, figures};

/// Has this program run the figure that is named next.
pub(crate) const CHILD: &str = "--counted";

pub(crate) fn run_under_callgrind(name: &str) {
    let mut figures = figures();
    let figure = figures.iter_mut().find(|figure| figure.name == name).expect("a figure");
    (figure.work)();
    run_counted(&mut figure.work);
}

/// Callgrind counts while this runs.
#[inline(never)]
fn run_counted(work: &mut dyn FnMut()) {
    work();
}

pub(crate) fn run(arguments: &Arguments) {
    if !arguments.measuring {
        return;
    }
    let mut rows = Vec::new();
    println!("figure\tinstructions");
    for figure in figures() {
        // What several threads do is not counted by what one of them runs.
        if !arguments.wants(figure.name) || figure.name.ends_with(ON_TWO_THREADS) {
            continue;
        }
        let instructions = counted(&figure).div_ceil(figure.units);
        println!("{}\t{instructions}", figure.name);
        rows.push(vec![figure.what.to_owned(), count(instructions)]);
    }
    arguments.write(&[("instructions", table(&["what", "instructions"], rows.into_iter()))]);
}

fn counted(figure: &Figure) -> usize {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--collect-atstart=no", "--toggle-collect=*run_counted*"])
        .arg("--callgrind-out-file=/dev/null")
        .arg(std::env::current_exe().expect("this program"))
        .args([CHILD, figure.name])
        .output()
        .expect("valgrind is installed");
    let log = String::from_utf8_lossy(&output.stderr);
    let collected = log.split("Collected :").nth(1).and_then(|rest| rest.split_whitespace().next());
    collected.and_then(|digits| digits.parse().ok()).unwrap_or_else(|| panic!("callgrind says: {log}"))
}
