package dicechess.engine.search;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import dicechess.engine.Fixtures;
import dicechess.engine.domain.GameState;
import dicechess.engine.jvmapi.JvmApi;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Eight threads at once get the answers that one thread gets alone. */
class ConcurrentCallsTest {
  private static final int THREADS = 8;
  private static final int ROUNDS = 3;

  private static final List<GameState> STATES =
      StreamSupport.stream(
              Fixtures.read("root.json").getAsJsonArray("entries").spliterator(), false)
          .map(JsonElement::getAsJsonObject)
          .filter(entry -> entry.get("turns").getAsInt() < 10_000)
          .map(entry -> GameState.parse(entry.get("dfen").getAsString()))
          .toList();

  private record Question(String text, Function<GameState, Object> ask) {}

  private static List<Question> facade() {
    SearchLimits limits = SearchLimits.defaults().withWorkBudget(20_000).withSeed(3);
    return List.of(
        new Question("legalTurns", JvmApi::legalTurns),
        new Question("toDfen", state -> GameState.parse(JvmApi.toDfen(state)).toString()),
        new Question("evaluate", state -> JvmApi.evaluate(state, 1)),
        new Question("endTurn", JvmApi::endTurn),
        new Question("features", state -> RichFeatures.extract(state, 0)[7]),
        new Question("random", state -> JvmApi.bestTurn(state, "random", Long.MAX_VALUE, 5)),
        new Question("greedy", state -> JvmApi.bestTurn(state, "greedy", Long.MAX_VALUE, 5)),
        new Question(
            "expectimax", state -> JvmApi.bestTurn(state, "expectimax", Long.MAX_VALUE, 5)),
        new Question("king capture", state -> KingCapture.rolls(state, 0, new Budget(50_000))),
        new Question("direct", state -> NativeSearch.findBestMove(state.toString(), limits)));
  }

  private static List<Question> searches(ExpectimaxSearch plain, ExpectimaxSearch sharedTable) {
    return List.of(
        new Question("search", state -> plain.findBestMove(state)),
        new Question("ranked", state -> plain.rankMoves(state, SearchControl.unbounded(), 9)),
        new Question(
            "bounded",
            state -> plain.findBestMove(state, SearchControl.withBudget(new Budget(3_000)), 1)),
        new Question(
            "chance node",
            state ->
                JvmApi.isGameOver(state)
                    ? "none"
                    : plain.chanceValue(JvmApi.endTurn(state), 0, SearchControl.unbounded())),
        // What is found in a shared table depends on who was there first, but the best turn does
        // not.
        new Question("table", state -> sharedTable.findBestMove(state).best()));
  }

  /** All answers for a list of states in some order, by state and question. */
  private static List<List<Object>> answers(List<Question> questions, List<Integer> order) {
    List<List<Object>> answers = new ArrayList<>(Collections.nCopies(STATES.size(), List.of()));
    for (int index : order) {
      GameState state = STATES.get(index);
      answers.set(index, questions.stream().map(question -> question.ask.apply(state)).toList());
    }
    return answers;
  }

  private static List<Integer> order(long seed) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < STATES.size(); i++) {
      order.add(i);
    }
    Collections.shuffle(order, new Random(seed));
    return order;
  }

  /** The kinds of threads that this JDK has. */
  static List<Supplier<ExecutorService>> kindsOfThreads() {
    List<Supplier<ExecutorService>> kinds = new ArrayList<>();
    kinds.add(() -> Executors.newFixedThreadPool(THREADS));
    try {
      Method virtual = Executors.class.getMethod("newVirtualThreadPerTaskExecutor");
      kinds.add(() -> (ExecutorService) assertDoesNotThrow(() -> virtual.invoke(null)));
    } catch (NoSuchMethodException e) {
      assertTrue(Runtime.version().feature() < 21, "JDK 21 and later have virtual threads");
    }
    return kinds;
  }

  @ParameterizedTest
  @MethodSource("kindsOfThreads")
  void oneSearchAndTheFacadeAnswerEightThreadsAsTheyAnswerOne(Supplier<ExecutorService> threads)
      throws Exception {
    ExpectimaxConfig exact = ExpectimaxConfig.defaults().withExactOnly(true);
    try (var plain = ExpectimaxSearch.builder(new HostMaterial()).build();
        var sharedTable =
            ExpectimaxSearch.builder(LeafEvaluator.MATERIAL).config(exact).table(1 << 10).build()) {
      List<Question> questions = new ArrayList<>(facade());
      questions.addAll(searches(plain, sharedTable));
      List<List<Object>> alone = answers(questions, order(0));
      ExecutorService pool = threads.get();
      List<Future<List<List<Object>>>> together = start(pool, questions);
      for (Future<List<List<Object>>> answers : together) {
        assertSameAnswers(questions, alone, answers.get());
      }
      pool.shutdown();
    }
  }

  private static List<Future<List<List<Object>>>> start(
      ExecutorService pool, List<Question> questions) {
    CyclicBarrier start = new CyclicBarrier(THREADS);
    List<Future<List<List<Object>>>> together = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      long seed = thread;
      together.add(
          pool.submit(
              () -> {
                start.await();
                List<List<Object>> answers = List.of();
                for (int round = 0; round < ROUNDS; round++) {
                  answers = answers(questions, order(seed * ROUNDS + round));
                }
                return answers;
              }));
    }
    return together;
  }

  private static void assertSameAnswers(
      List<Question> questions, List<List<Object>> expected, List<List<Object>> found) {
    for (int state = 0; state < STATES.size(); state++) {
      for (int question = 0; question < questions.size(); question++) {
        String text = questions.get(question).text + " of " + STATES.get(state);
        assertEquals(expected.get(state).get(question), found.get(state).get(question), text);
      }
    }
  }
}
