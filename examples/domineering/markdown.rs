//! Tables in Markdown that read well in a terminal too, and their places in a document.

/// The document with another table between the two comments that name it.
///
/// # Errors
/// When the document does not have that table.
pub(crate) fn replace(document: &str, name: &str, table: &str) -> Result<String, String> {
    let begin = format!("<!-- measured: {name} -->\n");
    let end = "<!-- end -->";
    let missing = || format!("the document has no table '{name}'");
    let (before, rest) = document.split_once(&begin).ok_or_else(missing)?;
    let (_, after) = rest.split_once(end).ok_or_else(missing)?;
    Ok(format!("{before}{begin}\n{table}\n{end}{after}"))
}

/// With a comma at each thousand.
pub(crate) fn count(number: usize) -> String {
    let digits = number.to_string();
    let grouped: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap_or("")).collect();
    grouped.join(",")
}

/// Columns padded to the widest cell; words to the left, figures to the right.
pub(crate) fn table<H: AsRef<str>>(header: &[H], rows: impl Iterator<Item = Vec<String>>) -> String {
    let header: Vec<String> = header.iter().map(|cell| cell.as_ref().to_owned()).collect();
    let rows: Vec<Vec<String>> = rows.collect();
    let width = |column: usize| {
        let cells = std::iter::once(&header).chain(&rows).map(|row| row[column].chars().count());
        cells.max().unwrap_or(0).max(3)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let is_figure =
        |cell: &str| cell.starts_with(|first: char| first.is_ascii_digit() || "+-".contains(first));
    let right: Vec<bool> = (0..header.len())
        .map(|column| column > 0 && rows.iter().all(|row| is_figure(&row[column])))
        .collect();
    let line = |cells: &[String]| {
        let cell = |(column, cell): (usize, &String)| {
            let width = widths[column];
            if right[column] { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        };
        format!("| {} |\n", cells.iter().enumerate().map(cell).collect::<Vec<_>>().join(" | "))
    };
    let rule = widths.iter().zip(&right).map(|(&width, &right)| {
        if right { format!("{}:", "-".repeat(width - 1)) } else { "-".repeat(width) }
    });
    let rule = line(&rule.collect::<Vec<_>>());
    std::iter::once(line(&header)).chain([rule]).chain(rows.iter().map(|row| line(row))).collect()
}
