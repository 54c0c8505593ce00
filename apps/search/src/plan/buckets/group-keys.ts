import { ident, type Sql, sql } from '../../sql/sql.ts'
import { type BucketLevel, keyName } from './bucket-rows.ts'
import type { NumberedValues } from './numbered-values.ts'
import type { PlannedRows } from './row-source.ts'

/** A part of a group's key. */
export interface GroupKey {
  /** The column of the rows that has it. */
  readonly column: Sql
  /** What of a row tells whether it is in a group that was found: the column, or the number of its value. */
  readonly compared: Sql
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

/**
 * The keys of all levels of a grouping of `source`; `open` are the levels whose rows without a value are groups, too. Where keys are several, texts are numbers if all of them can be
 * (`numberedValues`), and what has a value in every group is grouped by as such, which the engine does with less ado.
 */
export async function groupKeys<Level extends BucketLevel & { readonly source: PlannedRows }>(
  levels: readonly Level[],
  open: readonly Level[],
  source: PlannedRows,
): Promise<readonly GroupKey[]> {
  const parts = levels.flatMap((each) =>
    each.plan.parts.map((part, at) => ({
      part,
      isOwn: each.source === source,
      isRanked: part.order !== undefined,
      isPresent: !open.includes(each) && part.keepsNull !== true && !part.many,
      column: keyName(each.level, at),
      name: ident(`g${each.level}_${at}`),
    })),
  )
  const texts = parts.filter(({ part: { type } }) => type === 'string' || type === 'text')
  const isPlain =
    parts.length > 1 && texts.length > 0 && texts.every(({ part, isOwn, isRanked }) => isOwn && !isRanked && !part.many)
  const numbers = isPlain ? await source.numbered?.(texts.map(({ part }) => part.sql)) : undefined
  return parts.map((key) => {
    const { column, name, isPresent } = key
    const numbered = numbers?.[texts.indexOf(key)]
    if (numbered) return numberKey(column, name, numbered)
    return plainKey(column, parts.length > 1 && isPresent ? name : undefined)
  })
}

function plainKey(column: Sql, name: Sql | undefined): GroupKey {
  const key = { column, compared: column, present: sql`isNotNull(${column})`, numbered: undefined }
  if (name === undefined) return { ...key, by: column, name: column, shown: column }
  const by = sql`assumeNotNull(${column})`
  return { ...key, by, name, shown: sql`${by} AS ${name}` }
}

function numberKey(column: Sql, name: Sql, numbered: NumberedValues): GroupKey {
  const by = numbered.sql
  const shown = sql`nullIf(${by}, 0) AS ${name}`
  return { column, compared: by, by, name, shown, present: sql`${by} > 0`, numbered }
}

/** The value of a cell of a group. */
export function keyValue({ numbered }: GroupKey, cell: unknown): unknown {
  if (numbered === undefined || cell === null) return cell
  const value = numbered.values[Number(cell) - 1]
  if (value === undefined) throw new Error('BUG: a group of a value that has no number')
  return value
}
