package dicechess.engine.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.ChildJvm;
import dicechess.engine.Fixtures;
import dicechess.engine.ResidentMemory;
import dicechess.engine.domain.GameState;
import dicechess.engine.jvmapi.JvmApi;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The end of a search that Java keeps: closed, used afterwards, forgotten, collected in use. */
class ClosedSearchTest {
  private static final GameState ROOT = GameState.parse(Fixtures.F10);
  private static final GameState BEFORE_ROLL = JvmApi.endTurn(ROOT);

  private static ExpectimaxSearch.Builder material() {
    return ExpectimaxSearch.builder(LeafEvaluator.MATERIAL);
  }

  @Test
  void closingAgainDoesNothing() {
    ExpectimaxSearch other = material().build();
    ExpectimaxSearch search = material().table(1024).build();
    search.close();
    search.close();
    try (ExpectimaxSearch resource = search) {
      assertThrows(IllegalStateException.class, () -> resource.findBestMove(ROOT));
    }
    assertEquals(material().build().findBestMove(ROOT), other.findBestMove(ROOT));
  }

  @Test
  void twoThreadsMayCloseAtOnce() throws Exception {
    var pool = Executors.newFixedThreadPool(2);
    for (int i = 0; i < 500; i++) {
      ExpectimaxSearch search = material().table(1024).build();
      CyclicBarrier start = new CyclicBarrier(2);
      var other =
          pool.submit(
              () -> {
                start.await();
                search.close();
                return null;
              });
      start.await();
      search.close();
      other.get();
    }
    pool.shutdown();
  }

  @Test
  void everyPublicMethodIsRefusedAfterClose() throws Exception {
    ExpectimaxSearch search = material().table(1024).build();
    search.close();
    List<Method> methods =
        Arrays.stream(ExpectimaxSearch.class.getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()))
            .filter(method -> !Modifier.isStatic(method.getModifiers()))
            .filter(method -> !method.getName().equals("close"))
            .toList();
    assertTrue(methods.size() >= 7, methods.toString());
    for (Method method : methods) {
      Object[] arguments =
          Arrays.stream(method.getParameterTypes()).map(ClosedSearchTest::argument).toArray();
      var thrown =
          assertThrows(InvocationTargetException.class, () -> method.invoke(search, arguments));
      assertInstanceOf(IllegalStateException.class, thrown.getCause(), method.toString());
      assertEquals("the search is closed", thrown.getCause().getMessage(), method.toString());
    }
  }

  private static Object argument(Class<?> type) {
    if (type == GameState.class) {
      return ROOT;
    } else if (type == SearchControl.class) {
      return SearchControl.unbounded();
    } else if (type == int.class) {
      return 0;
    }
    return 0L;
  }

  @Test
  void runningCallEndsAsIfTheSearchWereNotClosed() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    BatchEvaluator material = new HostMaterial();
    BatchEvaluator waiting =
        (positions, count, perspective, scores) -> {
          running.countDown();
          awaitQuietly(closed);
          material.evaluate(positions, count, perspective, scores);
        };
    ExpectimaxSearch search = ExpectimaxSearch.builder(waiting).table(1 << 16).build();
    var pool = Executors.newSingleThreadExecutor();
    var result = pool.submit(() -> search.findBestMove(ROOT));
    running.await();
    search.close();
    assertThrows(IllegalStateException.class, () -> search.findBestMove(ROOT));
    assertThrows(IllegalStateException.class, search::clearTable);
    closed.countDown();
    assertEquals(material().build().findBestMove(ROOT).best(), result.get().best());
    pool.shutdown();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void callsThatRaceWithCloseEndNormallyOrAreRefused() throws Exception {
    SearchResult expected = material().build().findBestMove(ROOT);
    var pool = Executors.newFixedThreadPool(2);
    for (int i = 0; i < 100; i++) {
      ExpectimaxSearch search = material().build();
      CyclicBarrier start = new CyclicBarrier(2);
      var call =
          pool.submit(
              () -> {
                start.await();
                try {
                  return search.findBestMove(ROOT);
                } catch (IllegalStateException e) {
                  assertEquals("the search is closed", e.getMessage());
                  return expected;
                }
              });
      start.await();
      search.close();
      assertEquals(expected, call.get());
    }
    pool.shutdown();
  }

  /** Builds 20 tables of 50 MB and keeps none: at no time are many of them there. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void memoryOfForgottenSearchesIsGivenBack() throws Exception {
    long before = ResidentMemory.bytes();
    for (int i = 0; i < 20; i++) {
      material().table(1 << 21).build();
    }
    long after = ResidentMemory.bytes();
    for (int i = 0; i < 600 && after - before > 100L << 20; i++) {
      System.gc();
      Thread.sleep(50);
      after = ResidentMemory.bytes();
    }
    assertTrue(after - before < 100L << 20, "from " + before + " to " + after);
  }

  @Test
  void searchThatIsCollectedWhileItRunsEndsNormally() throws Exception {
    var run =
        ChildJvm.run(
            CollectedInUse.class,
            List.of("-Xmx24m", "-XX:+UseSerialGC", "-Xmn2m"),
            String.valueOf(Math.max(500, Integer.getInteger("dicechess.test.calls", 0) / 250)));
    assertEquals(new ChildJvm.Run(0, ""), run);
  }

  /** Searches with searches that nothing else refers to, while the collector runs all the time. */
  static final class CollectedInUse {
    public static void main(String[] args) throws Exception {
      SearchResult expected = material().build().findBestMove(ROOT);
      ChanceValue value =
          ChanceNode.value(BEFORE_ROLL, 0, LeafEvaluator.MATERIAL, SearchControl.unbounded());
      AtomicBoolean done = new AtomicBoolean();
      Thread collector =
          new Thread(
              () -> {
                while (!done.get()) {
                  System.gc();
                }
              });
      collector.setDaemon(true);
      collector.start();
      for (int i = Integer.parseInt(args[0]); i > 0; i--) {
        assertEquals(expected.best(), material().table(1024).build().findBestMove(ROOT).best());
        assertEquals(
            value.outcome(),
            material().build().chanceValue(BEFORE_ROLL, 0, SearchControl.unbounded()).outcome());
        assertEquals(
            expected.best(),
            ExpectimaxSearch.builder(new HostMaterial()).build().findBestMove(ROOT).best());
        material().table(1024).build().clearTable();
      }
      done.set(true);
      collector.join();
    }
  }
}
