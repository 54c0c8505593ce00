import { ident, type Sql, sql } from '../sql/sql.ts'
import { type BucketLevel, keyName } from './bucket-rows.ts'
import type { NumberedValues } from './numbered-values.ts'
import type { PlannedRows } from './row-source.ts'

/** A part of a group's key. */
export interface GroupKey {
  /** The column of the rows that has it. */
  readonly column: Sql
  /** What rows are grouped by. */
  readonly by: Sql
  /** How it is named among the groups, where it is null for those without a value, and ascends as the values do. */
  readonly name: Sql
  /** The cell of a group. */
  readonly shown: Sql
  /** Whether a row has a value. */
  readonly present: Sql
  /** The values, where rows are grouped by their numbers. */
  readonly numbered: NumberedValues | undefined
}

/** The keys of all levels of a grouping of `source`. Where they are several, texts are numbers if all of them can be (`numberedValues`). */
export async function groupKeys(
  levels: readonly (BucketLevel & { readonly source: PlannedRows })[],
  source: PlannedRows,
): Promise<readonly GroupKey[]> {
  const parts = levels.flatMap(({ plan, level, source: own }) =>
    plan.parts.map((part, at) => ({
      part,
      isOwn: own === source,
      column: keyName(level, at),
      name: ident(`g${level}_${at}`),
    })),
  )
  const texts = parts.filter(({ part: { type } }) => type === 'string' || type === 'text')
  const isPlain = parts.length > 1 && texts.length > 0 && texts.every(({ part, isOwn }) => isOwn && !part.many)
  const numbers = isPlain ? await source.numbered?.(texts.map(({ part }) => part.sql)) : undefined
  return parts.map((key) => {
    const { column, name } = key
    const numbered = numbers?.[texts.indexOf(key)]
    return numbered ? numberKey(column, name, numbered) : plainKey(column)
  })
}

function plainKey(column: Sql): GroupKey {
  return { column, by: column, name: column, shown: column, present: sql`isNotNull(${column})`, numbered: undefined }
}

function numberKey(column: Sql, name: Sql, numbered: NumberedValues): GroupKey {
  const by = numbered.sql
  return { column, by, name, shown: sql`nullIf(${by}, 0) AS ${name}`, present: sql`${by} > 0`, numbered }
}

/** The value of a cell of a group. */
export function keyValue({ numbered }: GroupKey, cell: unknown): unknown {
  if (numbered === undefined || cell === null) return cell
  const value = numbered.values[Number(cell) - 1]
  if (value === undefined) throw new Error('BUG: a group of a value that has no number')
  return value
}
