/** Everything between the public types and the native library. Not part of the API. */
@NullMarked
package dicechess.engine.internal;

import org.jspecify.annotations.NullMarked;
