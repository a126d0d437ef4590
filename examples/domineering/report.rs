//! Everything that was measured, for a person to read.

use dicechess_native::domineering::{WIDE_WINDOWS, WINDOWS};

use super::study::Study;
use super::tables;

/// All tables of all boards.
pub(crate) fn report(studies: &[Study]) -> String {
    let mut parts = vec![
        part("Deepening to agreement: stops before the longest line, by moves saved", tables::stops(studies)),
        part("Its cost: entries looked at from a position, on average", tables::costs(studies)),
        part("Windows against plain searches that are as often right", tables::contest_results(studies)),
    ];
    parts.extend(studies.iter().map(of_board));
    let windows: Vec<_> = WINDOWS.into_iter().chain(WIDE_WINDOWS).collect();
    parts.push(part(
        "Both rules together where the bracket may fail: wrong stops (cost ÷ finishing)",
        tables::wrong_by_board(studies, &windows),
    ));
    parts.push(part(
        "Both rules together where the bracket holds: early stops (cost ÷ finishing)",
        tables::early_by_board(studies, &windows),
    ));
    if let Some(largest) = studies.last() {
        parts.push(part("Averages over all positions, and the published samples", tables::samples(largest)));
    }
    parts.join("\n")
}

fn of_board(study: &Study) -> String {
    let mut parts = vec![format!("═══ {}\n", study.census.board())];
    parts.extend(
        tables::example(study)
            .map(|example| part("The earliest proof among agreements at depth 3 or later", example)),
    );
    parts.extend([
        part("Cost from the empty board", tables::openings(study)),
        part("How often the guesses are wrong, by margin", tables::margins(study)),
        part("Wrong verdicts by depth", tables::errors(study)),
        part("The widest window with a cap: wrong verdicts by depth (mean cost)", tables::caps(study)),
        part("Each window against the plain search that is as often right", tables::contests(study)),
        part("Both rules together", tables::combinations(study)),
    ]);
    for (window, _) in WINDOWS.iter().chain(&WIDE_WINDOWS) {
        let caption = format!("Wrong verdicts by depth with window \"{window}\", false wins/false losses");
        parts.push(part(&caption, tables::sides(study, window)));
    }
    parts.join("\n")
}

fn part(caption: &str, table: String) -> String {
    format!("{caption}\n\n{table}")
}
