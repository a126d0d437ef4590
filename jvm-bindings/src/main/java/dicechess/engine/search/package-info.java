/** The native search: limits in, a best turn with its outcome and statistics out. */
@NullMarked
package dicechess.engine.search;

import org.jspecify.annotations.NullMarked;
