//! The bytes choose a position, rolls and micro-moves; engine and oracle agree after each of them.

#![no_main]

#[path = "../../tests/oracle/mod.rs"]
mod oracle;
#[path = "../../tests/playout/mod.rs"]
mod playout;

use libfuzzer_sys::fuzz_target;
use playout::Effort;

fuzz_target!(|bytes: &[u8]| playout::compare_playout(bytes, Effort::TINY));
