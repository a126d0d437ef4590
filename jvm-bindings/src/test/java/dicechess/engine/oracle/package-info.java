/** The rules once more, plain and slow, from their description alone. */
package dicechess.engine.oracle;
