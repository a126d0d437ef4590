//! Measures where a search of Domineering may stop, on four boards small enough to check every stop:
//! `cargo run --release --example domineering`.
//!
//! With `-- --docs docs` it writes the tables of `docs/stopping.md` and its plot instead of printing.

mod document;
mod markdown;
mod plot;
mod report;
mod study;
mod svg;
mod tables;

use std::path::Path;

use dicechess_native::domineering::Board;
use indicatif::{ProgressBar, ProgressStyle};
use study::Study;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [] => print!("{}", report::report(&measure()?)),
        ["--docs", folder] => write(Path::new(folder), &measure()?)?,
        _ => return Err("usage: domineering [--docs FOLDER]".into()),
    }
    Ok(())
}

/// Shows a bar meanwhile, if a person is looking.
fn measure() -> Result<Vec<Study>, Box<dyn std::error::Error>> {
    let bar = ProgressBar::new(Board::MEASURED.len() as u64 * study::steps());
    bar.set_style(ProgressStyle::with_template("{msg:5} {bar:40} {pos}/{len} kinds of search")?);
    let studies = Board::MEASURED.map(|board| {
        bar.set_message(board.to_string());
        Study::measure(board, &|| bar.inc(1))
    });
    bar.finish_and_clear();
    Ok(studies.into())
}

fn write(folder: &Path, studies: &[Study]) -> Result<(), Box<dyn std::error::Error>> {
    let page = folder.join("stopping.md");
    let refreshed = document::refresh(&std::fs::read_to_string(&page)?, studies)?;
    std::fs::write(page, refreshed)?;
    let largest = studies.last().ok_or("no board was measured")?;
    std::fs::write(folder.join("stopping.svg"), plot::plot(largest))?;
    Ok(())
}
