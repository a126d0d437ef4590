//! Engine and oracle accept the same texts, read the same positions from them and write them alike.

#![no_main]

#[path = "../../tests/oracle/mod.rs"]
mod oracle;
#[path = "../../tests/playout/mod.rs"]
mod playout;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| playout::compare_dfen(text));
