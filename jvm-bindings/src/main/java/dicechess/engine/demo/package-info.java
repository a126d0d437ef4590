/** A small program that plays one position and prints what the search found. */
@NullMarked
package dicechess.engine.demo;

import org.jspecify.annotations.NullMarked;
