//! Time and allocations of the headline figures.

use crate::common::markdown::table;
use crate::common::{Arguments, time};
use crate::figures::{Figure, ON_TWO_THREADS, figures};
use crate::sample::{Sample, median, sample};

/// How often all figures of the page are measured; a build that is compared is run again by the script.
const ROUNDS: usize = 5;

struct Row {
    figure: Figure,
    /// One a round.
    samples: Vec<Sample>,
}

impl Row {
    fn nanos(&self) -> Vec<f64> {
        self.samples.iter().map(|sample| sample.nanos / self.figure.units as f64).collect()
    }

    fn allocations(&self) -> f64 {
        median(self.samples.iter().map(|sample| sample.allocations).collect())
    }
}

pub(crate) fn run(arguments: &Arguments) {
    let mut figures = figures();
    figures.retain(|figure| arguments.wants(figure.name));
    let mut rows: Vec<Row> = figures.into_iter().map(|figure| Row { figure, samples: Vec::new() }).collect();
    if !arguments.measuring {
        rows.iter_mut().for_each(|row| (row.figure.work)());
        return;
    }
    for _ in 0..if arguments.docs.is_some() { ROUNDS } else { 1 } {
        rows.iter_mut().for_each(|row| row.samples.push(sample(&mut row.figure.work)));
    }
    println!("figure\tns\tallocations");
    for row in &rows {
        println!("{}\t{:.2}\t{}", row.figure.name, median(row.nanos()), row.allocations());
    }
    arguments.write(&[("headline", headline(&rows)), ("threads", threads(&rows))]);
}

fn headline(rows: &[Row]) -> String {
    let shown = rows.iter().filter(|row| !row.figure.name.ends_with(ON_TWO_THREADS)).map(|row| {
        let (figure, nanos) = (&row.figure, row.nanos());
        let best = nanos.iter().copied().fold(f64::INFINITY, f64::min);
        let [first, then] = figure.bars.map(str::to_owned);
        vec![
            figure.what.to_owned(),
            first,
            then,
            time(median(nanos)),
            time(best),
            row.allocations().to_string(),
        ]
    });
    table(&["what", "first bar", "then", "median", "best", "allocations"], shown)
}

/// The gain is that within a round, where both were measured right after each other.
fn threads(rows: &[Row]) -> String {
    let pairs = rows.windows(2).filter(|pair| pair[1].figure.name.ends_with(ON_TWO_THREADS)).map(|pair| {
        let [one, two] = [pair[0].nanos(), pair[1].nanos()];
        let gains: Vec<f64> = one.iter().zip(&two).map(|(one, two)| one / two).collect();
        let best = gains.iter().copied().fold(0.0, f64::max);
        let what = pair[0].figure.what.to_owned();
        let times = [one, two].map(|nanos| time(median(nanos)));
        let gains = [median(gains), best].map(|gain| format!("{gain:.2} ×"));
        [what].into_iter().chain(times).chain(["1.6 ×".into(), "1.9 ×".into()]).chain(gains).collect()
    });
    table(&["search", "one thread", "two threads", "first bar", "then", "median", "best"], pairs)
}
