//! The plot of `docs/performance.md`: cost against candidate limit, depth and legal turns, as SVG.

use crate::common::EVALUATORS;
use crate::common::svg::{circle, header, line, text};
use crate::common::time;
use crate::growth::{Growing, Line};

/// Colours that stay apart for colour-blind readers, one an evaluator.
const COLOURS: [&str; 2] = ["#0072b2", "#d55e00"];
const PANEL: (f64, f64) = (230.0, 280.0);
const TOP: f64 = 40.0;
/// Powers of ten of nanoseconds, from the bottom edge to the top one.
const DECADES: (i32, i32) = (3, 10);

/// One of three plots beside each other.
struct Panel {
    growing: Growing,
    title: &'static str,
    left: f64,
    /// Labels of the axis; the first and the last are at its ends.
    ticks: &'static [u64],
    /// Whether the axis is logarithmic.
    logarithmic: bool,
}

const PANELS: [Panel; 3] = [
    Panel {
        growing: Growing::CandidateLimit,
        title: "candidate limit (F10, depth 2)",
        left: 60.0,
        ticks: &[1, 2, 4, 8, 16, 32],
        logarithmic: true,
    },
    Panel {
        growing: Growing::Depth,
        title: "depth (candidate limit 8)",
        left: 360.0,
        ticks: &[2, 3, 4],
        logarithmic: false,
    },
    Panel {
        growing: Growing::LegalTurns,
        title: "legal turns (depth 2, candidate limit 8)",
        left: 660.0,
        ticks: &[1, 10, 100, 1000, 10_000],
        logarithmic: true,
    },
];

pub(crate) fn plot(lines: &[Line]) -> String {
    let mut parts = vec![header(920, 410), legend()];
    for panel in &PANELS {
        parts.push(panel.axes());
        parts.extend(lines.iter().filter(|line| line.growing == panel.growing).map(|line| panel.curve(line)));
    }
    parts.push("</svg>\n".to_owned());
    parts.concat()
}

impl Panel {
    fn place(&self, x: f64, nanos: f64) -> (f64, f64) {
        let scale = |x: f64| if self.logarithmic { x.ln() } else { x };
        let ends = [self.ticks[0], self.ticks[self.ticks.len() - 1]].map(|tick| scale(tick as f64));
        let (bottom, top) = (f64::from(DECADES.0), f64::from(DECADES.1));
        let (right, up) =
            ((scale(x) - ends[0]) / (ends[1] - ends[0]), (nanos.log10() - bottom) / (top - bottom));
        (self.left + right * PANEL.0, TOP + (1.0 - up) * PANEL.1)
    }

    fn axes(&self) -> String {
        let mut axes = text(self.left, TOP - 14.0, "start", self.title);
        for decade in DECADES.0..=DECADES.1 {
            let nanos = 10_f64.powi(decade);
            let (x, y) = self.place(self.ticks[0] as f64, nanos);
            axes += &line((x, y), (x + PANEL.0, y), "#dddddd");
            axes += &text(x - 6.0, y + 4.0, "end", &time(nanos).replace(".00", "").replace(".0", ""));
        }
        for &tick in self.ticks {
            let (x, y) = self.place(tick as f64, 10_f64.powi(DECADES.0));
            axes += &line((x, y), (x, TOP), "#dddddd");
            axes += &text(x, y + 17.0, "middle", &tick.to_string());
        }
        axes
    }

    /// Points of one position are joined; those of a sparse one are hollow.
    fn curve(&self, curve: &Line) -> String {
        let colour = colour(curve.evaluator);
        let places: Vec<_> =
            curve.points.iter().map(|point| self.place(point.x as f64, point.nanos)).collect();
        let joined = places.windows(2).filter(|_| self.growing != Growing::LegalTurns);
        let joined = joined.map(|pair| line(pair[0], pair[1], colour));
        let filled = curve.position != "rook ending";
        joined.chain(places.iter().map(|&place| circle(place, colour, filled))).collect()
    }
}

fn colour(evaluator: &str) -> &'static str {
    let colours = EVALUATORS.iter().zip(COLOURS);
    colours.into_iter().find(|((name, _), _)| *name == evaluator).map_or("black", |(_, colour)| colour)
}

fn legend() -> String {
    let entries = [
        (60.0, COLOURS[0], true, "material"),
        (150.0, COLOURS[1], true, "batch evaluator"),
        (290.0, "black", false, "rook ending"),
    ];
    let entries = entries.map(|(x, colour, filled, name)| {
        circle((x, 378.0), colour, filled) + &text(x + 9.0, 382.0, "start", name)
    });
    entries.concat()
}
