//! The measurements as tables that read well in a terminal and in Markdown.

use dicechess_native::domineering::{Player, Profile, Stops, WINDOWS};
use dicechess_native::stopping::{CutSearch, Game, Guess, Horizon, Window};

use super::markdown::{count, table};
use super::study::{Combined, Study};

/// Averages that the source took over positions drawn from the 4 × 5 board: what, how many were drawn, sample.
pub(crate) const SAMPLES: [(&str, u32, f64); 7] = [
    ("deepening to agreement", 1000, 20.8),
    ("finishing", 1000, 6.8),
    ("within one, depth 2", 5000, 5.59),
    ("plain, depth 2", 5000, 4.46),
    ("plain, depth 5", 5000, 7.16),
    ("within one, depth 3", 5000, 6.46),
    ("plain, depth 6", 5000, 7.27),
];

/// The averages of [`SAMPLES`] over all positions.
pub(crate) fn exact_averages(study: &Study) -> [f64; 7] {
    let deepening = Stops::of(&study.plain[0].runs);
    let (placements, within_one) = (&study.plain[1], &study.windows[2]);
    [
        deepening.mean_cost(),
        deepening.finishing as f64 / deepening.positions as f64,
        within_one.mean_cost(2),
        placements.mean_cost(2),
        placements.mean_cost(5),
        within_one.mean_cost(3),
        placements.mean_cost(6),
    ]
}

/// Where deepening to agreement stops, by board.
pub(crate) fn stops(studies: &[Study]) -> String {
    let row = |study: &Study| {
        let runs = &study.plain[0].runs;
        let saving = |moves| runs.iter().filter(|run| run.saved == moves).count();
        let stops = Stops::of(runs);
        let mut row = vec![study.census.board().to_string(), count(stops.positions), count(stops.early)];
        row.push(percent(stops.early_share()));
        row.extend((1..=4).map(|moves| count(saving(moves))));
        row.extend([stops.wrong, study.late_agreements].map(count));
        row
    };
    let header = ["board", "positions", "early", "share", "1 move", "2", "3", "4", "wrong", "late"];
    table(&header, studies.iter().map(row))
}

/// What deepening to agreement costs, by board.
pub(crate) fn costs(studies: &[Study]) -> String {
    let row = |study: &Study| {
        let stops = Stops::of(&study.plain[0].runs);
        let finishing = stops.finishing as f64 / stops.positions as f64;
        vec![
            study.census.board().to_string(),
            format!("{:.2}", stops.mean_cost()),
            format!("{finishing:.2}"),
            format!("{:.2}", stops.cost_ratio()),
            percent(stops.dearer as f64 / stops.positions as f64),
        ]
    };
    table(&["board", "deepening", "finishing", "ratio", "dearer on"], studies.iter().map(row))
}

/// What it costs from the empty board.
pub(crate) fn openings(study: &Study) -> String {
    let rows = study.openings.iter().flat_map(|(order, runs)| {
        ["Left", "Right"].into_iter().zip(runs).map(|(mover, run)| {
            vec![
                (*order).to_owned(),
                mover.to_owned(),
                count(run.finishing),
                count(run.cost),
                run.depth.to_string(),
            ]
        })
    });
    table(&["order of moves", "to move", "finishing", "deepening", "stops at depth"], rows)
}

/// Averages over all positions beside the samples of the source.
pub(crate) fn samples(study: &Study) -> String {
    let rows = SAMPLES.into_iter().zip(exact_averages(study)).map(|((what, drawn, sample), exact)| {
        vec![what.to_owned(), format!("{exact:.2}"), sample.to_string(), drawn.to_string()]
    });
    table(&["entries looked at", "all positions", "sample", "drawn"], rows)
}

/// How often the count of placements and the know-nothing guess are wrong, by margin.
pub(crate) fn margins(study: &Study) -> String {
    let rows = study.margins.iter().map(|(&margin, positions)| {
        let name = if margin == 0 { "0".to_owned() } else { format!("{margin:+}") };
        let guesses = [margin > 0, true].map(|guess| positions.wrong(guess));
        let cells = guesses.map(|wrong| [count(wrong), percent(wrong as f64 / positions.positions as f64)]);
        [name, count(positions.positions)].into_iter().chain(cells.into_iter().flatten()).collect()
    });
    table(&["margin", "positions", "placements wrong", "share", "know-nothing wrong", "share"], rows)
}

/// Wrong verdicts by depth.
pub(crate) fn errors(study: &Study) -> String {
    let names = ["know-nothing", "placements", "ties to the mover"];
    let windows = WINDOWS.iter().map(|(name, _)| *name).zip(&study.windows);
    let rows = names.into_iter().zip(&study.plain).chain(windows);
    let header = depths("guess or window", study.plain[0].accuracy.len());
    table(&header, rows.map(|(name, profile)| errors_of(name, profile)))
}

fn errors_of(name: &str, profile: &Profile) -> Vec<String> {
    let errors = profile.accuracy.iter().map(|accuracy| count(accuracy.wrong()));
    std::iter::once(name.to_owned()).chain(errors).collect()
}

/// What a cap leaves of the widest window: wrong verdicts by depth, with the mean cost.
pub(crate) fn caps(study: &Study) -> String {
    let names = ["cap 1", "cap 2", "cap 3", "no cap"];
    let rows =
        names.into_iter().zip(study.capped.iter().chain(&study.windows[2..])).map(|(name, profile)| {
            let depths = profile.accuracy.iter().enumerate().take(6);
            let cells = depths.map(|(depth, accuracy)| {
                format!("{} ({:.2})", count(accuracy.wrong()), profile.mean_cost(depth))
            });
            std::iter::once(name.to_owned()).chain(cells).collect()
        });
    table(&depths("within one", study.plain[0].accuracy.len().min(6)), rows)
}

/// Every window at every depth against the plain search that is as often right.
pub(crate) fn contests(study: &Study) -> String {
    let rows = WINDOWS.iter().zip(&study.contests).flat_map(|((window, _), contests)| {
        contests.iter().map(move |contest| {
            vec![
                (*window).to_owned(),
                contest.depth.to_string(),
                count(contest.wrong),
                format!("{:.2}", contest.cost),
                contest.plain_depth.to_string(),
                count(contest.plain_wrong),
                format!("{:.2}", contest.plain_cost),
                if contest.window_wins() { "window" } else { "plain" }.to_owned(),
            ]
        })
    });
    table(&["window", "depth", "wrong", "cost", "plain depth", "wrong", "cost", "cheaper"], rows)
}

/// How many contests the windows win, by board.
pub(crate) fn contest_results(studies: &[Study]) -> String {
    let rows = studies.iter().map(|study| {
        let all = || study.contests.iter().flatten();
        let won = all().filter(|contest| contest.window_wins()).count();
        vec![study.census.board().to_string(), count(won), count(all().count())]
    });
    table(&["board", "window cheaper", "contests"], rows)
}

/// The position that deepening stops earliest, among agreements at depth 3 or later, with the verdicts on the way.
pub(crate) fn example(study: &Study) -> Option<String> {
    let run = study.plain[0].best_saving(3)?;
    let (census, board) = (&study.census, study.census.board());
    let position = census.position(run.root);
    let [left, right] = Player::BOTH.map(|player| board.placements(position.covered, player).count_ones());
    let mut search = CutSearch::new(census, Horizon::plain(Guess::Mover));
    let verdict = |depth| if search.verdict(run.root, depth).value { "win" } else { "loss" };
    let verdicts: Vec<&str> = (0..=run.depth).map(verdict).collect();
    Some(format!(
        "{}\n\n{:?} to move; placements: Left {left}, Right {right} (margin {:+})\nlongest line {}; stops at depth {}: {}\n",
        board.draw(position),
        position.mover,
        census.margin(run.root),
        census.longest_line(run.root),
        run.depth,
        verdicts.join(", "),
    ))
}

/// Both rules together on one board.
pub(crate) fn combinations(study: &Study) -> String {
    let plain = &study.plain[0];
    let alone = Combined {
        window: "none",
        method: "deepening alone",
        keeps_bracket: true,
        accuracy: plain.accuracy.clone(),
        stops: Stops::of(&plain.runs),
    };
    let deepening = alone.stops.cost;
    let row = |combined: &Combined| {
        let stops = combined.stops;
        vec![
            combined.window.to_owned(),
            combined.method.to_owned(),
            if combined.keeps_bracket { "yes" } else { "no" }.to_owned(),
            count(combined.errors_outside_bracket()),
            count(stops.wrong),
            percent(stops.early_share()),
            format!("{:.2}", stops.cost_ratio()),
            format!("{:.2}", stops.cost as f64 / deepening as f64),
            percent(stops.dearer as f64 / stops.positions as f64),
        ]
    };
    let header = [
        "window",
        "inside",
        "bracket",
        "outside it",
        "wrong",
        "early",
        "÷ finishing",
        "÷ deepening",
        "dearer on",
    ];
    table(&header, std::iter::once(&alone).chain(&study.combinations).map(row))
}

/// Wrong verdicts of the combinations with one window by depth, false wins and false losses.
pub(crate) fn sides(study: &Study, window: &str) -> String {
    let shown = |combined: &&Combined| combined.window == window && !combined.accuracy.is_empty();
    let rows = study.combinations.iter().filter(shown).map(|combined| {
        let sides = combined.accuracy.iter();
        let sides = sides.map(|accuracy| format!("{}/{}", accuracy.false_wins, accuracy.false_losses));
        std::iter::once(combined.method.to_owned()).chain(sides).collect()
    });
    table(&depths("inside", study.plain[0].accuracy.len()), rows)
}

/// Combinations with these windows that may leave the bracket: wrong stops and cost, by board.
pub(crate) fn wrong_by_board(studies: &[Study], windows: &[(&str, Window)]) -> String {
    by_board(studies, windows, false, |stops| format!("{} ({})", count(stops.wrong), ratio(stops)))
}

/// Combinations with these windows that keep the bracket: share of early stops and cost, by board.
pub(crate) fn early_by_board(studies: &[Study], windows: &[(&str, Window)]) -> String {
    by_board(studies, windows, true, |stops| format!("{} ({})", percent(stops.early_share()), ratio(stops)))
}

fn by_board(
    studies: &[Study],
    windows: &[(&str, Window)],
    keeps_bracket: bool,
    cell: impl Fn(Stops) -> String,
) -> String {
    let boards: Vec<String> = studies.iter().map(|study| study.census.board().to_string()).collect();
    let header: Vec<&str> =
        ["window", "inside"].into_iter().chain(boards.iter().map(String::as_str)).collect();
    let is_shown = |combined: &Combined| {
        combined.keeps_bracket == keeps_bracket && windows.iter().any(|(name, _)| *name == combined.window)
    };
    let rows = studies[0].combinations.iter().enumerate().filter(|(_, combined)| is_shown(combined));
    let rows = rows.map(|(i, combined)| {
        let cells = studies.iter().map(|study| cell(study.combinations[i].stops));
        [combined.window.to_owned(), combined.method.to_owned()].into_iter().chain(cells).collect()
    });
    table(&header, rows)
}

fn ratio(stops: Stops) -> String {
    format!("{:.2}", stops.cost_ratio())
}

fn depths(first: &str, count: usize) -> Vec<String> {
    std::iter::once(first.to_owned()).chain((0..count).map(|depth| depth.to_string())).collect()
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}
