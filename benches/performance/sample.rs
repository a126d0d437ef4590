//! How long some work takes and how often it allocates.

use std::time::{Duration, Instant};

/// Of one run of the work.
#[derive(Clone, Copy)]
pub(crate) struct Sample {
    pub(crate) nanos: f64,
    /// On the calling thread, after a run to warm up.
    pub(crate) allocations: f64,
}

/// A batch of runs is at least this long, and all batches together, unless one run is longer.
const BATCH: Duration = Duration::from_millis(5);
const ALL: Duration = Duration::from_millis(300);

/// The median of batches of runs.
pub(crate) fn sample(mut work: impl FnMut()) -> Sample {
    work();
    let mut runs = 1;
    let mut batch = || loop {
        let start = Instant::now();
        let heap = allocation_counter::measure(|| (0..runs).for_each(|_| work()));
        let time = start.elapsed();
        if time >= BATCH {
            let runs = f64::from(runs);
            return Sample {
                nanos: time.as_nanos() as f64 / runs,
                allocations: heap.count_total as f64 / runs,
            };
        }
        runs *= 2;
    };
    let start = Instant::now();
    let mut samples = vec![batch()];
    while start.elapsed() < ALL {
        samples.push(batch());
    }
    samples.sort_by(|a, b| a.nanos.total_cmp(&b.nanos));
    samples[samples.len() / 2]
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
