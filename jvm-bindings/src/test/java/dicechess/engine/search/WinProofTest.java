package dicechess.engine.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.domain.GameState;
import dicechess.engine.jvmapi.JvmApi;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WinProofTest {
  private static final GameState PROVABLE =
      JvmApi.parseDfen("5r2/8/6k1/1B3K2/8/8/2P5/8 w - - 0 1 BRQ");
  private static final GameState ROOK_ENDING =
      JvmApi.parseDfen("k7/8/8/8/8/8/8/R3K3 w - - 0 1 NBK");

  private static ProofResult find(GameState state, int maxHorizon) {
    return WinProof.find(state, maxHorizon, SearchControl.unbounded(), 7);
  }

  @Test
  void turnIsProvenBestAsSoonAsNoOtherCanReachIt() {
    ProofResult result = find(PROVABLE, 8);
    ProofTurn best = result.best().orElseThrow();
    assertEquals(List.of("b5e8"), best.uci());
    assertEquals(ProofVerdict.PROVEN, best.verdict());
    assertEquals(3, result.stats().horizon());
    assertEquals(0, result.stats().openRivals());
    assertEquals(result.stats().distinctTurns(), result.turns().size());
    assertEquals(new BracketedTurn(best.uci(), best.bracket()), result.turns().get(0));
    for (BracketedTurn rival : result.turns().subList(1, result.turns().size())) {
      assertTrue(rival.bracket().upper() <= best.bracket().lower(), rival::toString);
    }
    GameState played =
        JvmApi.legalTurns(PROVABLE).stream()
            .filter(turn -> turn.uci().equals(best.uci()))
            .findFirst()
            .orElseThrow()
            .finalState();
    assertEquals(played, best.finalState());
  }

  @Test
  void withoutAProofTheHorizonIsSearched() {
    ProofResult result = find(ROOK_ENDING, 2);
    assertEquals(ProofVerdict.HORIZON_REACHED, result.best().orElseThrow().verdict());
    assertEquals(2, result.stats().horizon());
    assertTrue(result.stats().openRivals() > 0);
  }

  @Test
  void budgetThatEndsFirstLeavesTheBracketOfEveryTurn() {
    Budget budget = new Budget(5_000);
    ProofResult result = WinProof.find(ROOK_ENDING, 8, SearchControl.withBudget(budget), 7);
    assertEquals(ProofVerdict.CANCELLED, result.best().orElseThrow().verdict());
    assertTrue(budget.isExhausted());
    assertEquals(budget.used(), result.stats().workUsed());
    ProofResult deeper = find(ROOK_ENDING, 2);
    for (BracketedTurn turn : result.turns()) {
      assertTrue(0 <= turn.bracket().lower() && turn.bracket().upper() <= 1);
    }
    assertEquals(deeper.turns().size(), result.turns().size());
  }

  @Test
  void cancelledBeforeTheCallItStillHasALegalTurn() {
    SearchControl control = SearchControl.unbounded();
    control.cancel();
    ProofTurn best = WinProof.find(ROOK_ENDING, 8, control, 7).best().orElseThrow();
    assertEquals(new Bracket(0, 1, 0), best.bracket());
    assertEquals(ProofVerdict.CANCELLED, best.verdict());
    assertEquals(
        new Bracket(0, 1, 0), WinProof.bracket(JvmApi.endTurn(ROOK_ENDING), 0, 3, control));
  }

  @Test
  void kingCaptureIsAProofByItselfAndAForcedPassHasNoTurn() {
    ProofTurn capture =
        find(JvmApi.parseDfen("8/8/8/2k5/8/1N6/2P5/K7 w - - 0 1 NPP"), 3).best().orElseThrow();
    assertEquals(1.0, capture.bracket().lower());
    assertEquals(ProofVerdict.PROVEN, capture.verdict());
    ProofResult pass = find(JvmApi.parseDfen("4k3/8/8/8/8/p7/P7/R3K3 w - - 0 1 PPP"), 3);
    assertEquals(Optional.empty(), pass.best());
    assertEquals(List.of(), pass.turns());
  }

  @Test
  void deeperBracketLiesWithinAShallowerOneAndBothSidesAddUp() {
    GameState beforeRoll = JvmApi.endTurn(ROOK_ENDING);
    Bracket last = new Bracket(0, 1, 0);
    for (int horizon = 1; horizon <= 3; horizon++) {
      Bracket white = WinProof.bracket(beforeRoll, 0, horizon, SearchControl.unbounded());
      Bracket black = WinProof.bracket(beforeRoll, 1, horizon, SearchControl.unbounded());
      assertEquals(horizon, white.horizon());
      assertTrue(last.lower() <= white.lower() && white.upper() <= last.upper());
      assertEquals(1, white.lower() + black.upper(), 1e-9);
      assertEquals(1, white.upper() + black.lower(), 1e-9);
      last = white;
    }
  }

  private static void refused(String message, Runnable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call::run).getMessage());
  }

  @Test
  void badArgumentsAreRefusedByName() {
    SearchControl control = SearchControl.unbounded();
    GameState beforeRoll = JvmApi.endTurn(ROOK_ENDING);
    refused("maxHorizon must be 1 to 32: 0", () -> WinProof.find(ROOK_ENDING, 0, control, 0));
    refused("horizon must be 1 to 32: 33", () -> WinProof.bracket(beforeRoll, 0, 33, control));
    refused("state must not be null", () -> WinProof.find(null, 1, control, 0));
    refused("state must not be null", () -> WinProof.bracket(null, 0, 1, control));
    refused("control must not be null", () -> WinProof.find(ROOK_ENDING, 1, null, 0));
    refused("control must not be null", () -> WinProof.bracket(beforeRoll, 0, 1, null));
    refused(
        "perspective must be 0 for White or 1 for Black: 2",
        () -> WinProof.bracket(beforeRoll, 2, 1, control));
    refused(
        "the dice pool is empty: a root position needs its roll",
        () -> WinProof.find(beforeRoll, 1, control, 0));
    refused(
        "the dice pool of a chance node must be empty, not NBK",
        () -> WinProof.bracket(ROOK_ENDING, 0, 1, control));
  }
}
