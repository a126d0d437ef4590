//! What the facade asks beyond the rules: evaluations, feature vectors, bots, and the defaults it relies on.

/// What the library does when it is not told otherwise, a `name=value` on each line, as the facade's own constants are
/// compared with it.
pub(super) fn serving_defaults() -> String {
    String::new()
}
