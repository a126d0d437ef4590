package dicechess.benchmarks;

import dicechess.engine.domain.GameState;
import dicechess.engine.jvmapi.JvmApi;
import dicechess.engine.search.NativeSearch;
import dicechess.engine.search.SearchLimits;
import dicechess.engine.search.SearchResult;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the way between Java and native code costs. The criterion benchmark {@code boundary} does the
 * same work inside Rust.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class BoundaryBenchmark {
  private final SearchLimits limits = SearchLimits.defaults();
  private final GameState f10 = JvmApi.parseDfen(Positions.F10);

  /** An empty search: a DFEN in, a forced pass out. */
  @Benchmark
  public SearchResult forcedPass() {
    return NativeSearch.findBestMove(Positions.FORCED_PASS, limits);
  }

  /** A DFEN read and written. */
  @Benchmark
  public String roundTrip() {
    return JvmApi.toDfen(JvmApi.parseDfen(Positions.F10));
  }

  /** All 4,654 turns of F10 as records with texts and final states. */
  @Benchmark
  public List<JvmApi.Turn> legalTurns() {
    return JvmApi.legalTurns(f10);
  }

  /** F10, two turns deep, eight candidates. */
  @Benchmark
  public SearchResult f10() {
    return NativeSearch.findBestMove(Positions.F10, limits);
  }
}
