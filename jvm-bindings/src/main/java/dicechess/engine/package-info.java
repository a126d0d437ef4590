/** What all packages share: the error of the native side. */
@NullMarked
package dicechess.engine;

import org.jspecify.annotations.NullMarked;
