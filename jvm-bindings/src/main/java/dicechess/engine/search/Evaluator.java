package dicechess.engine.search;

/**
 * What scores positions for a search: one that comes with the engine ({@link LeafEvaluator}), or
 * the host's own ({@link BatchEvaluator}).
 */
public sealed interface Evaluator permits LeafEvaluator, BatchEvaluator {}
