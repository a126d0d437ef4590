/** What all packages share: the native library as a whole, and the error of the native side. */
@NullMarked
package dicechess.engine;

import org.jspecify.annotations.NullMarked;
