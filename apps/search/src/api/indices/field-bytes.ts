import type { IndexMeta } from '../../model/index-meta.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import { columnLookup, leafRows } from '../../plan/leaves/leaves.ts'
import { planLeaves } from '../../plan/leaves/plan-leaves.ts'
import { shown } from '../../plan/shown.ts'
import { systemScope } from '../../security/role-scope.ts'
import type { Services } from '../../services.ts'
import { columnsOf } from '../../sql/predicate-to-sql.ts'
import { join, type Sql, sql } from '../../sql/sql.ts'

/** Bytes of values by field path. */
export type FieldBytes = Readonly<Record<string, number>>

/** What fields that Elasticsearch would hold in memory have in their columns: texts with `fielddata`, and completions. */
export interface HeldFields {
  readonly fielddata: FieldBytes
  readonly completion: FieldBytes
}

/** Sums the bytes of such fields of an index; an index without any costs no statement. */
export async function heldFields(services: Services, index: IndexMeta): Promise<HeldFields> {
  const fields = [...new Set(services.catalogue.fields(index).values())]
  const completions = fields.filter(({ wireType }) => wireType === 'completion')
  const texts = fields.filter(({ valueType, parameters }) => valueType === 'text' && parameters['fielddata'] === true)
  if (completions.length + texts.length === 0) return { fielddata: {}, completion: {} }
  const bytes = await bytesOf(services, index, [...completions, ...texts])
  const of = (some: readonly ResolvedField[]) =>
    Object.fromEntries(some.map(({ path }) => [path, bytes.get(path) ?? 0]))
  return { fielddata: of(texts), completion: of(completions) }
}

async function bytesOf(
  services: Services,
  index: IndexMeta,
  fields: readonly ResolvedField[],
): Promise<ReadonlyMap<string, number>> {
  const request = {
    indices: [{ index, aliasFilters: [] }],
    scope: systemScope,
    query: undefined,
    nowMs: services.now(),
  }
  await shown(services, request.indices)
  const [leaf] = planLeaves(services, request)
  if (!leaf) return new Map()
  const kept: { readonly path: string; readonly sum: Sql }[] = []
  for (const { path, valueType } of fields) {
    const columns = valueType && columnsOf({ path, type: valueType }, columnLookup(services, leaf))
    if (!columns) continue
    const one = sql`length(ifNull(${columns.one}, ''))`
    const many = columns.many ? sql` + arraySum(x -> length(x), ${columns.many})` : sql``
    kept.push({ path, sum: sql`sum(${one}${many})` })
  }
  if (kept.length === 0) return new Map()
  const { from, where } = leafRows(services, leaf)
  const sums = join(
    kept.map(({ sum }) => sum),
    ', ',
  )
  const [row] = await services.engine.rows(sql`SELECT ${sums} FROM ${from} WHERE ${where}`)
  return new Map(kept.map(({ path }, at) => [path, Number(row?.[at] ?? 0)]))
}

/** The fields of several indices together. */
export function joinHeldFields(all: readonly HeldFields[]): HeldFields {
  return {
    fielddata: joined(all.map((each) => each.fielddata)),
    completion: joined(all.map((each) => each.completion)),
  }
}

function joined(all: readonly FieldBytes[]): FieldBytes {
  const sum: Record<string, number> = {}
  for (const each of all) for (const [path, bytes] of Object.entries(each)) sum[path] = (sum[path] ?? 0) + bytes
  return sum
}
