//! The plot of `docs/stopping.md`: cost against errors and early stops of both rules together, as SVG.

use dicechess_native::domineering::{Stops, WIDE_WINDOWS, WINDOWS};

use super::study::{Combined, Study};
use super::svg::{circle, header, line, text};

/// Colours that stay apart for colour-blind readers, one a window.
const COLOURS: [&str; 5] = ["#0072b2", "#009e73", "#d55e00", "#cc79a7", "#e69f00"];
/// Cost in units of finishing, from the left edge of a panel to its right one.
const COSTS: (f64, f64) = (0.5, 4.5);
const PANEL: (f64, f64) = (330.0, 250.0);
const TOP: f64 = 40.0;
const LEFT: [f64; 2] = [60.0, 480.0];

/// Draws the combinations of one board; two searches at each depth cost too much to be in the picture.
pub(crate) fn plot(study: &Study) -> String {
    let alone = Stops::of(&study.plain[0].runs);
    let shown = study.combinations.iter().filter(|combined| combined.stops.cost_ratio() <= COSTS.1);
    let shown: Vec<&Combined> = shown.collect();
    let early = |stops: Stops| stops.early_share();
    let wrong = |stops: Stops| 10.0 * stops.wrong as f64 / stops.positions as f64;
    let mut parts = vec![header(830, 400), legend()];
    for (panel, title, unit, value) in [
        (0, "Early stops, share of positions", 100.0, &early as &dyn Fn(Stops) -> f64),
        (1, "Wrong stops, share of positions", 10.0, &wrong),
    ] {
        parts.push(axes(LEFT[panel], title, unit));
        parts.extend(shown.iter().map(|combined| point(LEFT[panel], combined, value(combined.stops))));
        let (x, y) = place(LEFT[panel], alone.cost_ratio(), value(alone));
        parts.push(format!("<rect x=\"{:.1}\" y=\"{:.1}\" width=\"9\" height=\"9\"/>\n", x - 4.5, y - 4.5));
    }
    parts.push("</svg>\n".to_owned());
    parts.concat()
}

/// Where a cost ratio and a height from 0 to 1 lie.
fn place(left: f64, ratio: f64, height: f64) -> (f64, f64) {
    (left + (ratio - COSTS.0) / (COSTS.1 - COSTS.0) * PANEL.0, TOP + (1.0 - height) * PANEL.1)
}

fn axes(left: f64, title: &str, percent: f64) -> String {
    let mut axes = text(left, TOP - 14.0, "start", title);
    for tick in 0..=5 {
        let (x, y) = place(left, COSTS.0, f64::from(tick) / 5.0);
        axes += &line((x, y), (x + PANEL.0, y), "#dddddd");
        axes += &text(x - 6.0, y + 4.0, "end", &format!("{} %", f64::from(tick) * percent / 5.0));
    }
    for ratio in 1..=4 {
        let (x, y) = place(left, f64::from(ratio), 0.0);
        axes += &line((x, y), (x, TOP), if ratio == 1 { "black" } else { "#dddddd" });
        axes += &text(x, y + 17.0, "middle", &ratio.to_string());
    }
    let (x, y) = place(left, COSTS.0, 0.0);
    axes + &text(x + PANEL.0 / 2.0, y + 36.0, "middle", "cost in units of finishing")
}

/// Filled where the bracket holds, hollow where it may fail.
fn point(left: f64, combined: &Combined, height: f64) -> String {
    let (x, y) = place(left, combined.stops.cost_ratio(), height);
    let windows = || WINDOWS.iter().chain(&WIDE_WINDOWS).map(|(name, _)| *name).zip(COLOURS);
    let colour = windows().find(|(name, _)| *name == combined.window).map_or("black", |(_, colour)| colour);
    circle((x, y), colour, combined.keeps_bracket)
}

fn legend() -> String {
    let windows = WINDOWS.iter().chain(&WIDE_WINDOWS).map(|(name, _)| *name).zip(COLOURS);
    let places = [60.0, 125.0, 265.0, 355.0, 445.0];
    let windows = windows
        .zip(places)
        .map(|((name, colour), x)| circle((x, 358.0), colour, true) + &text(x + 9.0, 362.0, "start", name));
    let kinds = [(60.0, true, "bracket proven"), (180.0, false, "no bracket")]
        .map(|(x, kept, name)| circle((x, 382.0), "black", kept) + &text(x + 9.0, 386.0, "start", name));
    let alone = "<rect x=\"284\" y=\"377.5\" width=\"9\" height=\"9\"/>\n".to_owned();
    let alone = alone + &text(298.0, 386.0, "start", "deepening alone");
    windows.chain(kinds).chain([alone]).collect()
}
