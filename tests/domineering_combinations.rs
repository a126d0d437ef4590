//! Both rules together: which combinations keep the bracket, how soon they stop, what they cost, and that
//! `docs/stopping.md` says what is measured ("Where a search may stop", *Still open: the two rules together*).

use std::sync::LazyLock;

use dicechess_native::domineering::{Board, Profile, Stops, WIDE_WINDOWS, WINDOWS, combinations};
use dicechess_native::stopping::{Extension, Guess, Horizon, Step, Window};
use study::{Combined, Study};

#[path = "../examples/domineering/document.rs"]
mod document;
#[path = "../examples/domineering/markdown.rs"]
mod markdown;
#[path = "../examples/domineering/plot.rs"]
mod plot;
#[path = "../examples/domineering/report.rs"]
mod report;
#[path = "../examples/domineering/study.rs"]
mod study;
#[path = "../examples/domineering/svg.rs"]
mod svg;
#[path = "../examples/domineering/tables.rs"]
mod tables;

static STUDIES: LazyLock<Vec<Study>> = LazyLock::new(|| {
    let ticks = std::cell::Cell::new(0);
    let studies = Board::MEASURED.map(|board| Study::measure(board, &|| ticks.set(ticks.get() + 1)));
    assert_eq!(ticks.get(), 4 * study::steps(), "as many as the progress bar expects");
    studies.into()
});

fn combined(study: &'static Study, window: &str, method: &str) -> &'static Combined {
    let found =
        study.combinations.iter().find(|combined| (combined.window, combined.method) == (window, method));
    found.unwrap_or_else(|| panic!("no combination {window}: {method}"))
}

fn all(keeps_bracket: bool) -> impl Iterator<Item = (&'static Study, &'static Combined)> {
    let combinations =
        STUDIES.iter().flat_map(|study| study.combinations.iter().map(move |combined| (study, combined)));
    combinations.filter(move |(_, combined)| combined.keeps_bracket == keeps_bracket)
}

/// Window, method, and two counts for each board, smallest first.
type Row = (&'static str, &'static str, [(usize, usize); 4]);

/// Wrong stops, and wrong verdicts on the side where a bracket has none.
const BROKEN: [Row; 25] = [
    ("level", "one move", [(16, 16), (286, 286), (656, 656), (3633, 3661)]),
    ("level", "one move, cap 1", [(18, 26), (300, 658), (1066, 2516), (4600, 8785)]),
    ("level", "one move, cap 2", [(16, 16), (224, 224), (538, 538), (2790, 2794)]),
    ("level", "one move, placements", [(6, 55), (220, 782), (586, 2055), (2254, 8488)]),
    ("level", "pairs, cap 3", [(0, 0), (0, 0), (8, 32), (115, 147)]),
    ("level or one behind", "one move", [(17, 17), (200, 200), (436, 448), (3223, 3316)]),
    ("level or one behind", "one move, cap 1", [(14, 47), (208, 1026), (626, 3576), (2924, 13341)]),
    ("level or one behind", "one move, cap 2", [(12, 12), (136, 136), (214, 214), (1375, 1383)]),
    ("level or one behind", "one move, placements", [(10, 14), (224, 400), (590, 999), (2124, 3921)]),
    ("level or one behind", "pairs, cap 3", [(0, 0), (16, 24), (34, 154), (241, 600)]),
    ("within one", "one move", [(16, 16), (156, 156), (386, 386), (3231, 3291)]),
    ("within one", "one move, cap 1", [(16, 68), (208, 2090), (695, 6676), (2797, 22075)]),
    ("within one", "one move, cap 2", [(16, 16), (16, 16), (44, 44), (658, 658)]),
    ("within one", "one move, placements", [(6, 14), (56, 240), (226, 741), (844, 2616)]),
    ("within one", "pairs, cap 3", [(0, 0), (60, 230), (118, 784), (433, 2003)]),
    ("not ahead", "one move", [(6, 6), (232, 280), (462, 518), (1611, 2055)]),
    ("not ahead", "one move, cap 1", [(6, 55), (218, 1238), (498, 4107), (1900, 15361)]),
    ("not ahead", "one move, cap 2", [(6, 6), (216, 216), (438, 450), (1575, 1783)]),
    ("not ahead", "one move, placements", [(6, 6), (232, 280), (462, 518), (1611, 2055)]),
    ("not ahead", "pairs, cap 3", [(0, 0), (40, 82), (78, 264), (588, 1260)]),
    ("at most one ahead", "one move", [(0, 0), (0, 0), (0, 0), (41, 50)]),
    ("at most one ahead", "one move, cap 1", [(0, 76), (0, 2290), (22, 7235), (147, 24295)]),
    ("at most one ahead", "one move, cap 2", [(0, 0), (0, 0), (0, 0), (41, 41)]),
    ("at most one ahead", "one move, placements", [(0, 0), (0, 0), (0, 0), (41, 50)]),
    ("at most one ahead", "pairs, cap 3", [(0, 0), (0, 348), (0, 965), (95, 3072)]),
];

/// Stops before the longest line, and entries looked at from all positions.
const KEPT: [Row; 30] = [
    ("level", "pairs", [(169, 3204), (3352, 62749), (9562, 227522), (30424, 1131232)]),
    ("level", "pairs, cap 2", [(169, 3204), (3352, 63508), (9562, 234475), (30424, 1106465)]),
    ("level", "for the cut", [(131, 3377), (2180, 80230), (4730, 316991), (19759, 1247445)]),
    ("level", "to the end", [(183, 2904), (3424, 50282), (9852, 195863), (32674, 907344)]),
    ("level", "to the end, cap 4", [(183, 2904), (3424, 57969), (9820, 209275), (32441, 1035016)]),
    ("level or one behind", "pairs", [(241, 2734), (3876, 53377), (11567, 172007), (38516, 958801)]),
    ("level or one behind", "pairs, cap 2", [(241, 2773), (3876, 57021), (11567, 205687), (38516, 960677)]),
    ("level or one behind", "for the cut", [(137, 3633), (2188, 85266), (4746, 340349), (19931, 1362837)]),
    ("level or one behind", "to the end", [(255, 2196), (3924, 37452), (11639, 139720), (39725, 653493)]),
    (
        "level or one behind",
        "to the end, cap 4",
        [(255, 2196), (3924, 49391), (11635, 158338), (39660, 842498)],
    ),
    ("within one", "pairs", [(283, 2690), (4204, 53595), (12299, 168492), (40986, 955434)]),
    ("within one", "pairs, cap 2", [(283, 2753), (4204, 56557), (12299, 216474), (40986, 993603)]),
    ("within one", "for the cut", [(210, 3431), (4156, 57519), (10743, 267067), (32362, 1319805)]),
    ("within one", "to the end", [(299, 1899), (4212, 33271), (12327, 128050), (41493, 565852)]),
    ("within one", "to the end, cap 4", [(299, 1925), (4212, 47356), (12327, 156087), (41493, 826792)]),
    ("not ahead", "pairs", [(313, 1987), (4100, 41880), (12137, 128830), (42740, 539407)]),
    ("not ahead", "pairs, cap 2", [(313, 2181), (4100, 53999), (12137, 205530), (42740, 823539)]),
    ("not ahead", "for the cut", [(137, 3888), (2188, 90330), (4746, 356896), (19945, 1462403)]),
    ("not ahead", "to the end", [(319, 1719), (4172, 27213), (12347, 100752), (44061, 402378)]),
    ("not ahead", "to the end, cap 4", [(319, 1719), (4172, 35134), (12339, 132859), (43878, 561812)]),
    ("at most one ahead", "pairs", [(351, 1830), (4372, 30560), (12810, 110474), (45032, 458530)]),
    ("at most one ahead", "pairs, cap 2", [(351, 2124), (4372, 53373), (12810, 214801), (45032, 843959)]),
    ("at most one ahead", "for the cut", [(210, 3564), (4156, 65232), (10746, 293031), (32380, 1492455)]),
    ("at most one ahead", "to the end", [(351, 1634), (4372, 26169), (12810, 96501), (45032, 377993)]),
    (
        "at most one ahead",
        "to the end, cap 4",
        [(351, 1647), (4372, 34289), (12810, 133121), (45032, 549977)],
    ),
    ("level", "two sides", [(131, 6858), (2180, 165315), (4730, 648087), (19777, 2583745)]),
    ("level or one behind", "two sides", [(137, 7418), (2188, 176833), (4746, 698064), (19953, 2833143)]),
    ("within one", "two sides", [(210, 6920), (4156, 119214), (10746, 542016), (32380, 2735732)]),
    ("not ahead", "two sides", [(137, 7973), (2188, 188118), (4746, 733532), (19953, 3053847)]),
    ("at most one ahead", "two sides", [(210, 7254), (4156, 133644), (10746, 587397), (32380, 3081133)]),
];

#[test]
fn combinations_that_may_leave_the_bracket_leave_it_and_stop_wrongly() {
    for (window, method, expected) in BROKEN {
        for (study, expected) in STUDIES.iter().zip(expected) {
            let combined = combined(study, window, method);
            let found = (combined.stops.wrong, combined.errors_outside_bracket());
            assert_eq!((found, combined.keeps_bracket), (expected, false), "{window}: {method}");
        }
        assert!(expected[3].0 > 0, "every one is wrong somewhere on the largest board");
    }
    assert_eq!(all(false).count(), 4 * BROKEN.len());
}

#[test]
fn combinations_that_keep_the_bracket_never_leave_it_and_never_stop_wrongly() {
    for (study, combined) in all(true) {
        let name = (study.census.board(), combined.window, combined.method);
        assert_eq!((combined.stops.wrong, combined.errors_outside_bracket()), (0, 0), "{name:?}");
    }
    assert_eq!(all(true).count(), 4 * KEPT.len());
}

#[test]
fn early_stops_and_cost_where_the_bracket_holds() {
    for (window, method, expected) in KEPT {
        for (study, expected) in STUDIES.iter().zip(expected) {
            let stops = combined(study, window, method).stops;
            assert_eq!((stops.early, stops.cost), expected, "{window}: {method}");
        }
    }
}

#[test]
fn errors_by_depth_within_one() {
    let sides = |method| -> Vec<(usize, usize)> {
        let accuracy = &combined(&STUDIES[3], "within one", method).accuracy;
        accuracy[..6].iter().map(|accuracy| (accuracy.false_wins, accuracy.false_losses)).collect()
    };
    assert_eq!(sides("one move"), [(8533, 2340), (891, 3955), (1680, 60), (0, 342), (66, 0), (0, 8)]);
    assert_eq!(sides("pairs"), [(8722, 0), (0, 5151), (1865, 0), (0, 390), (66, 0), (0, 8)]);
    assert_eq!(sides("for the cut"), [(13586, 0), (0, 13184), (4783, 0), (0, 2433), (622, 0), (0, 87)]);
    assert_eq!(sides("to the end"), [(8028, 0), (0, 4845), (1849, 0), (0, 386), (66, 0), (0, 8)]);
}

#[test]
fn where_the_bracket_holds_no_position_is_stopped_later_than_by_deepening_alone() {
    for study in STUDIES.iter() {
        for combination in combinations().filter(|combination| combination.horizon.keeps_bracket()) {
            let runs = Profile::measure(&study.census, combination.horizon).runs;
            let pairs = runs.iter().zip(&study.plain[0].runs);
            assert!(pairs.clone().all(|(run, alone)| run.depth <= alone.depth), "{combination:?}");
            assert!(pairs.clone().any(|(run, alone)| run.depth < alone.depth), "{combination:?}");
        }
    }
}

#[test]
fn searches_for_one_side_err_on_that_side_only_at_every_depth() {
    for (study, (_, window)) in STUDIES.iter().flat_map(|study| WINDOWS.map(|window| (study, window))) {
        let extension = Some(Extension { window, step: Step::One, cap: None });
        let [above, below] = [Guess::Root, Guess::RootOpponent]
            .map(|guess| Profile::measure(&study.census, Horizon { extension, guess }).accuracy);
        assert!(above.iter().all(|accuracy| accuracy.false_losses == 0) && above[0].false_wins > 0);
        assert!(below.iter().all(|accuracy| accuracy.false_wins == 0) && below[0].false_losses > 0);
    }
}

#[test]
fn a_proof_never_becomes_cheaper_than_finishing_on_average() {
    for (study, combined) in all(true) {
        let stops = combined.stops;
        assert!(
            stops.cost > stops.finishing,
            "{} {} {}",
            study.census.board(),
            combined.window,
            combined.method
        );
    }
    // Not so for guesses without a bracket, which prove nothing.
    let placements = combined(&STUDIES[3], "level", "one move, placements").stops;
    assert!(placements.cost_ratio() < 0.7 && placements.wrong > 2_000);
}

#[test]
fn going_on_to_the_end_and_in_pairs_stops_sooner_and_costs_less_than_deepening_alone() {
    for (study, combined) in all(true) {
        let alone = Stops::of(&study.plain[0].runs);
        let name = (study.census.board(), combined.window, combined.method);
        match combined.method {
            "to the end" | "to the end, cap 4" | "pairs" | "pairs, cap 2" => {
                assert!(combined.stops.cost < alone.cost, "{name:?}");
                assert!(combined.stops.early as f64 > 1.7 * alone.early as f64, "{name:?}");
            }
            "two sides" => assert!(combined.stops.cost > alone.cost, "{name:?}"),
            _ => {}
        }
    }
}

#[test]
fn the_wider_the_window_that_is_finished_the_closer_the_cost_comes_to_finishing() {
    for study in STUDIES.iter() {
        let stops = (0..=8).map(|high| {
            let extension =
                Some(Extension { window: Window { low: i32::MIN, high }, step: Step::ToEnd, cap: None });
            Stops::of(&Profile::measure(&study.census, Horizon { extension, guess: Guess::Mover }).runs)
        });
        let costs: Vec<usize> = stops.map(|stops| stops.cost).collect();
        assert!(costs.is_sorted_by(|wide, wider| wide >= wider), "{costs:?}");
        // Where everything is finished, depth 0 is the finishing search.
        assert_eq!(costs[8], Stops::of(&study.plain[0].runs).finishing);
    }
}

#[test]
fn outside_a_window_of_all_who_are_not_ahead_both_guesses_say_the_same() {
    for (study, (window, _)) in STUDIES.iter().flat_map(|study| WIDE_WINDOWS.map(|window| (study, window))) {
        let [know_nothing, placements] =
            ["one move", "one move, placements"].map(|method| combined(study, window, method));
        assert_eq!((&know_nothing.accuracy, know_nothing.stops), (&placements.accuracy, placements.stops));
    }
}

fn file(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn the_tables_and_the_plot_of_the_document_are_what_is_measured() {
    let page = file("stopping.md");
    assert_eq!(document::refresh(&page, &STUDIES), Ok(page.clone()));
    assert_eq!(plot::plot(&STUDIES[3]), file("stopping.svg"));
    assert!(page.contains("](stopping.svg)"));
}

#[test]
fn a_document_without_a_table_is_refused_by_the_name_of_the_table() {
    let page = file("stopping.md").replace("<!-- measured: costs -->", "");
    assert_eq!(document::refresh(&page, &STUDIES), Err("the document has no table 'costs'".into()));
}

#[test]
fn the_report_has_every_board_and_every_table_in_straight_columns() {
    let report = report::report(&STUDIES);
    for study in STUDIES.iter() {
        assert!(report.contains(&format!("═══ {}\n", study.census.board())));
        assert!(report.contains(&tables::contests(study)) && report.contains(&tables::combinations(study)));
    }
    assert!(report.contains(&tables::example(&STUDIES[3]).unwrap()));
    assert_eq!(tables::example(&STUDIES[0]), None, "no agreement that deep on the smallest board");
    let width = |line: &str| line.chars().count();
    let lines: Vec<&str> = report.lines().collect();
    for pair in lines.windows(2).filter(|pair| pair.iter().all(|line| line.starts_with('|'))) {
        assert_eq!(width(pair[0]), width(pair[1]), "{pair:?}");
    }
}
