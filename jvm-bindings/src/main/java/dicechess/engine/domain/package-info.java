/** Values of the game: positions as plain, immutable data. */
@NullMarked
package dicechess.engine.domain;

import org.jspecify.annotations.NullMarked;
