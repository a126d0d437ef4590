//! The few shapes that the plots of the documents are made of, as SVG.

/// Opens a picture of this size on white; the caller closes it by `</svg>`.
pub(crate) fn header(width: u32, height: u32) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    )
}

pub(crate) fn circle((x, y): (f64, f64), colour: &str, filled: bool) -> String {
    let fill = if filled { colour } else { "white" };
    format!(
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" stroke=\"{colour}\" stroke-width=\"1.5\" fill=\"{fill}\"/>\n"
    )
}

pub(crate) fn line((x1, y1): (f64, f64), (x2, y2): (f64, f64), colour: &str) -> String {
    format!("<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\"/>\n")
}

pub(crate) fn text(x: f64, y: f64, anchor: &str, content: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{content}</text>\n")
}
