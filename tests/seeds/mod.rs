//! Long runs: how many cases are tried, and seeds by which each can be tried again.

// Each test file uses its own part of this.
#![allow(dead_code, unreachable_pub)]

use std::ops::Range;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}: {text}")))
}

/// The seeds of a run: from `DICECHESS_SEED` on, as many as the environment variable `count` says.
pub fn seeds(count: &str, default: u64) -> Range<u64> {
    let first = setting("DICECHESS_SEED", 1);
    first..first + setting(count, default)
}

/// A case that tells its seed when it fails. Run alone, from that seed on, it fails again.
pub struct Case(pub u64);

impl Drop for Case {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("seed {}", self.0);
        }
    }
}

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    /// Any number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}
