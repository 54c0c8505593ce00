import type { FieldColumns } from './field-columns.ts'
import { num, type Sql, sql, str } from './sql.ts'

/** The values of the entries with a prefix: `one` where a document has a single such entry, `many` where it has several, as of other fields. */
export function keyedColumns({ one, many }: FieldColumns, prefix: string): FieldColumns {
  const value = (entry: Sql): Sql => sql`substring(${entry}, ${num(Buffer.byteLength(prefix) + 1)})`
  const single = sql`if(startsWith(ifNull(${one}, ''), ${str(prefix)}), ${value(sql`toString(${one})`)}, NULL)`
  if (many === undefined) return { one: single, many: undefined }
  const values = sql`arrayMap(e -> ${value(sql`toString(e)`)}, arrayFilter(e -> startsWith(e, ${str(prefix)}), ${many}))`
  return {
    one: sql`if(length(${values}) = 1, ${values}[1], ${single})`,
    many: sql`if(length(${values}) = 1, [], ${values})`,
  }
}
