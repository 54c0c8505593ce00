import { ident, type Sql, sql } from './sql.ts'

/** What a body makes of a value that stands in the statement once, however often the body names it; bodies within others take another name. */
export function once(name: string, value: Sql, body: (value: Sql) => Sql): Sql {
  const alias = ident(name)
  return sql`arrayMap(${alias} -> ${body(alias)}, [${value}])[1]`
}

/** The same, where a value that is no more than a column stands there by itself. */
export function boundOnce(name: string, value: Sql, body: (value: Sql) => Sql): Sql {
  return isBrief(value) ? body(value) : once(name, value, body)
}

/** Whether a text is so short that it may as well stand there several times: that of a column is. */
export function isBrief({ text }: Sql): boolean {
  return text.length <= 16
}
