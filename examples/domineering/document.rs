//! The tables of `docs/stopping.md`, each between two comments that name it.

use dicechess_native::domineering::{WIDE_WINDOWS, WINDOWS};

use super::markdown::replace;
use super::study::Study;
use super::tables;

/// The document with every table as measured.
///
/// # Errors
/// The name of a table that the document does not have.
pub(crate) fn refresh(document: &str, studies: &[Study]) -> Result<String, String> {
    let largest = studies.last().ok_or("no board was measured")?;
    let example = tables::example(largest).ok_or("no position is stopped early")?;
    let tables = [
        ("stops", tables::stops(studies)),
        ("example", format!("```text\n{example}```\n")),
        ("costs", tables::costs(studies)),
        ("openings", tables::openings(largest)),
        ("samples", tables::samples(largest)),
        ("margins", tables::margins(largest)),
        ("errors", tables::errors(largest)),
        ("caps", tables::caps(largest)),
        ("contests", tables::contest_results(studies)),
        ("sides", tables::sides(largest, WINDOWS[2].0)),
        ("wrong", tables::wrong_by_board(studies, &WINDOWS)),
        ("early", tables::early_by_board(studies, &WINDOWS)),
        ("wide", tables::early_by_board(studies, &WIDE_WINDOWS)),
    ];
    tables.iter().try_fold(document.to_owned(), |document, (name, table)| replace(&document, name, table))
}
