package dicechess.engine.search;

/**
 * What a position before the roll is worth.
 *
 * @param outcome the expected value over the 216 rolls, or what a limit left of it
 * @param lossTainted whether the perspective's king is lost on some roll that the outcome stands
 *     for
 * @param classes classes of rolls that differ for the side to roll, 1 to 56
 * @param classesResolved how many of them are settled: decided, or valued exactly by a probe
 */
public record ChanceValue(
    SearchOutcome outcome, boolean lossTainted, int classes, int classesResolved) {}
