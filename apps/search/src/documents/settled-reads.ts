import type { Engine } from '../engine/engine.ts'
import { type Sql, shortened } from '../sql/sql.ts'
import type { Documents } from './documents.ts'

/**
 * Conditions of a statement up to which those that every row meets are left out. The engine tries many on one column one after the other while it reads, in the square of
 * their number: 1,000 took 31 s of a processor among two million rows, and 2.2 s beside a condition on another column. Fifty take the same either way.
 */
const conditionsMax = 64

function hasManyConditions(text: string): boolean {
  let at = -1
  for (let found = 0; found < conditionsMax; found += 1) {
    at = text.indexOf(' AND ', at + 1)
    if (at === -1) return false
  }
  return true
}

/**
 * The same engine, whose reads leave out conditions that every row meets. A statement says below which numbers of tables that is so (`Sql.shorter`); nothing above
 * them was given to the engine before it is asked, and if something was while it answered, the whole statement is asked.
 */
export function settledReads(engine: Engine, { contents }: Pick<Documents, 'contents'>): Engine {
  const read = async <T>(query: Sql, ask: (query: Sql) => Promise<T>): Promise<T> => {
    const { shorter } = query
    const holds = () => shorter?.bounds.every(({ table, seq }) => contents.holdsNothingAbove(table, seq)) === true
    if (shorter === undefined || hasManyConditions(shorter.text) || !holds()) return ask(query)
    const answer = await ask(shortened(shorter))
    return holds() ? answer : ask(query)
  }
  return {
    ...engine,
    rows: (query, options) => read(query, (text) => engine.rows(text, options)),
    bytes: (query, format, options) => read(query, (text) => engine.bytes(text, format, options)),
  }
}
