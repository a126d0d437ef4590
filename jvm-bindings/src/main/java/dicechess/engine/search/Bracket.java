package dicechess.engine.search;

/**
 * Proven bounds of the probability that a side captures the king first when both play their best.
 *
 * @param lower at most the true probability: every line that is undecided at the horizon counts as
 *     lost
 * @param upper at least the true probability: every such line counts as won
 * @param horizon turns that the last completed search looked ahead, 0 for none. A turn that was cut
 *     against a better one may have the bounds of an earlier horizon
 */
public record Bracket(double lower, double upper, int horizon) {}
