package dicechess.engine.search;

/**
 * What one search did. Of the counts from {@code candidatesSelected} to {@code ttCutoffs}, {@code
 * rollsSaved} is of classes of rolls; the others are of candidates at the root, that is turns.
 *
 * @param legalTurns legal turns of the roll
 * @param candidatesSelected turns kept by the pre-ranker
 * @param candidatesCompleted candidates whose exact value was searched
 * @param candidatesAbandoned candidates cut off by a limit while being searched, 0 or 1
 * @param cutoffs candidates dismissed because a bound proved that they cannot be best
 * @param rollsSaved classes of rolls left unexpanded by cuts
 * @param probeCutoffs candidates among the cutoffs that a probe alone dismissed
 * @param ttProbes look-ups in the transposition table
 * @param ttHits candidates whose exact value the table knew
 * @param ttCutoffs candidates that a bound in the table dismissed
 * @param deadlineTruncated whether a limit, of time or of work, left candidates untouched
 * @param fellBackToPreRank whether no candidate was finished, so that the pre-ranker decided alone
 * @param chanceNodes chance nodes expanded in the whole tree
 * @param leaves positions evaluated in the whole tree, by probes too
 * @param workUsed units of the budget used, by earlier calls on it too; 0 without a budget, and
 *     where nothing had to be searched
 */
public record RootSearchStats(
    long legalTurns,
    long candidatesSelected,
    long candidatesCompleted,
    long candidatesAbandoned,
    long cutoffs,
    long rollsSaved,
    long probeCutoffs,
    long ttProbes,
    long ttHits,
    long ttCutoffs,
    boolean deadlineTruncated,
    boolean fellBackToPreRank,
    long chanceNodes,
    long leaves,
    long workUsed) {

  /** Nothing was searched: the statistics of a forced pass. */
  public static final RootSearchStats ZERO =
      new RootSearchStats(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, false, 0, 0, 0);
}
