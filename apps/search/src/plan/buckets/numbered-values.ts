import { columnValues } from '../../documents/column-values.ts'
import type { ValueSet } from '../../documents/value-set.ts'
import type { Column } from '../../model/table.ts'
import { ident, num, type Sql, sql, str } from '../../sql/sql.ts'
import type { PlanServices } from '../leaves/leaf-request.ts'
import type { Leaf } from '../leaves/leaves.ts'
import { manyRows } from './rows-about.ts'

/** A field's values as numbers. */
export interface NumberedValues {
  /** A column of the rows: the place of a row's value among all, from 1 on; 0 where it has none. */
  readonly sql: Sql
  /** All values there are, in the order of their bytes. */
  readonly values: readonly string[]
  /** The number of a value; 0 of what is none. */
  numberOf(value: unknown): number
}

/** Where a field is: in a column of single texts of each leaf, or nowhere in it. */
export type TextColumns = readonly (Column | undefined)[]

/** Of all leaves; a number has 16 bits. */
const numbersMax = 16_384
const unknownNumber = 65_535
/** Letters of a field's values, which stand in the statement once for each leaf. */
const lettersMax = 256 * 1024
/** What stands between values in a statement; where a value holds one, another is taken. */
const separators = ['\n', '\x1f', '\x1e']

/**
 * The values of fields as numbers in the order of the values, by the name of their column. The engine groups rows by several texts as by one text that is put together of them, and
 * by numbers five times as fast; what a value's number is it looks up once for each value of a block. Answers none where not all values of all fields are known, are too
 * many, or where there are few rows; values are read in the background then (ADR 0007).
 */
export async function numberedValues(
  services: PlanServices,
  leaves: readonly Leaf[],
  fields: readonly TextColumns[],
  project: (prefix: string, byLeaf: readonly Sql[]) => Sql,
): Promise<readonly NumberedValues[] | undefined> {
  if (manyRows(services, leaves) === undefined) return undefined
  const byLeaf = await Promise.all(
    leaves.map(({ table, visibility }, at) => {
      const columns = fields.flatMap((own) => own[at] ?? [])
      return columnValues(services).of(
        table,
        columns.map(({ name }) => ({ name, isArray: false })),
        visibility.seq,
        false,
      )
    }),
  )
  const sets = fields.map((columns) =>
    columns.map((column, at) => (column ? (byLeaf[at]?.get(column.name) ?? 'many') : undefined)),
  )
  if (sets.some((own) => own.includes('many'))) return undefined
  const lists = sets.map((own) => sortedTexts(own.filter((set) => set !== undefined && set !== 'many')))
  const joined = lists.map(joinedTexts)
  const isTooLong = joined.some((texts) => texts === undefined || texts.text.length * leaves.length > lettersMax)
  if (isTooLong || lists.some(({ length }) => length > numbersMax)) return undefined
  return fields.map((columns, at) => {
    const values = lists[at] ?? []
    const texts = joined[at] ?? sql`[]`
    const numbers = new Map(values.map((value, place) => [value, place + 1]))
    return {
      sql: project(
        'w',
        columns.map((column) =>
          column && values.length > 0 ? numberOf(ident(column.name), texts, values.length) : sql`toUInt16(0)`,
        ),
      ),
      values,
      numberOf: (value) => numbers.get(String(value)) ?? 0,
    }
  })
}

/** A row without a value is told from one whose value is not known, which must not be: its group has a number that no value has. */
function numberOf(column: Sql, texts: Sql, count: number): Sql {
  const all = sql`arrayConcat([NULL], ${texts})`
  return sql`CAST(transform(${column}, ${all}, range(0, ${num(count + 1)}), ${num(unknownNumber)}), 'UInt16')`
}

const sorted = new WeakMap<ValueSet, readonly string[]>()

/** The values of all sets, each once, in the order of their bytes. */
function sortedTexts(sets: readonly ValueSet[]): readonly string[] {
  const [only] = sets
  const known = only && sets.length === 1 ? sorted.get(only) : undefined
  if (known) return known
  const bytes = new Map(sets.flatMap(({ values }) => [...values].map((value) => [value, Buffer.from(value)] as const)))
  const texts = [...bytes].sort(([, a], [, b]) => Buffer.compare(a, b)).map(([value]) => value)
  if (only && sets.length === 1) sorted.set(only, texts)
  return texts
}

/** The values as a list, which the engine reads faster from one text than from a list of them; undefined where there is nothing to cut it by. */
function joinedTexts(values: readonly string[]): Sql | undefined {
  const separator = separators.find((each) => !values.some((value) => value.includes(each)))
  return separator === undefined ? undefined : sql`splitByChar(${str(separator)}, ${str(values.join(separator))})`
}
