/** The facade that bots and services call. */
@NullMarked
package dicechess.engine.jvmapi;

import org.jspecify.annotations.NullMarked;
