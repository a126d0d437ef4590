package consumer;

import dicechess.engine.domain.GameState;
import dicechess.engine.search.BestTurn;
import dicechess.engine.search.NativeSearch;
import dicechess.engine.search.SearchLimits;

/** A service in small: reads a position, searches it and prints the best turn. */
public final class Main {
  private Main() {}

  /** Runs the program. */
  public static void main(String[] arguments) {
    GameState state = GameState.parse("4k3/8/8/3q4/2P5/8/8/4K3 w - - 0 1 PPK");
    SearchLimits limits = SearchLimits.defaults().withWorkBudget(50_000).withSeed(7);
    BestTurn best = NativeSearch.findBestMove(state.toString(), limits).best().orElseThrow();
    System.out.println(state + ": " + best.uci() + " " + best.outcome());
  }
}
