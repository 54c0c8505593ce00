import type { Documents } from '../documents/documents.ts'
import { type Sql, shortened } from '../sql/sql.ts'
import type { Engine } from './engine.ts'

/**
 * The same engine, whose reads leave out conditions that every row meets. A statement says below which numbers of tables that is so (`Sql.shorter`); nothing above
 * them was given to the engine before it is asked, and if something was while it answered, the whole statement is asked.
 */
export function settledReads(engine: Engine, { contents }: Pick<Documents, 'contents'>): Engine {
  const read = async <T>(query: Sql, ask: (query: Sql) => Promise<T>): Promise<T> => {
    const { shorter } = query
    const holds = () => shorter?.bounds.every(({ table, seq }) => contents.holdsNothingAbove(table, seq)) === true
    if (shorter === undefined || !holds()) return ask(query)
    const answer = await ask(shortened(shorter))
    return holds() ? answer : ask(query)
  }
  return {
    ...engine,
    rows: (query, options) => read(query, (text) => engine.rows(text, options)),
    bytes: (query, format, options) => read(query, (text) => engine.bytes(text, format, options)),
  }
}
