package dicechess.engine.search;

/**
 * What a proof search did.
 *
 * @param legalTurns legal turns of the position
 * @param distinctTurns distinct positions that they lead to, 0 for a king capture
 * @param openRivals turns that could still be better than the chosen one, 0 when it is proven
 * @param horizon the horizon of the last completed search
 * @param chanceNodes positions before a roll that were looked at
 * @param workUsed units of the budget used, by earlier calls on it too; 0 without a budget
 */
public record ProofStats(
    long legalTurns,
    long distinctTurns,
    long openRivals,
    int horizon,
    long chanceNodes,
    long workUsed) {}
