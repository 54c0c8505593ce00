import type { JoinedRows } from '../../dsl/joined-rows.ts'
import { joinedField, joinedScore } from '../../dsl/joined-rows.ts'
import { parentPath } from '../../indices/field-types/join.ts'
import type { FieldColumns } from '../../sql/field-columns.ts'
import { columnsOf } from '../../sql/predicate-to-sql.ts'
import { ident, join, nothing, num, type Sql, sql } from '../../sql/sql.ts'
import type { LeafRequest, PlanServices } from './leaf-request.ts'
import { columnLookup, type Leaf, leafRows } from './leaves.ts'
import type { PlanRead } from './plan-read.ts'
import { scoreLeaf, scoreValue } from './score-leaf.ts'

/** Plans the rows of a request, all made ready. */
export type Prepare = (services: PlanServices, request: LeafRequest, read: PlanRead) => Promise<readonly Leaf[]>

/**
 * A leaf whose conditions by joined rows are columns: each a sub-select of the same statement over the same snapshot, of no more than the caller may see of the same
 * indices. No id passes through this process.
 */
export async function withJoinedRows(
  services: PlanServices,
  leaf: Leaf,
  request: LeafRequest,
  read: PlanRead,
  prepare: Prepare,
): Promise<Leaf> {
  const joins = leaf.context.computed.joins
  if (joins.length === 0) return leaf
  const computed = new Map<string, FieldColumns>(leaf.computed)
  for (const [at, rows] of joins.entries()) {
    const others = await prepare(services, othersOf(leaf, request, rows), read)
    const key = keyOf(services, leaf, rows, rows.others === 'children' ? 'parent' : 'child')
    const selects = others.flatMap((other) => selectOf(services, other, rows) ?? [])
    const isEmpty = !key || selects.length === 0
    // What they score is asked for where it counts alone: said in the condition, too, it would be said twice as often with each join within a join.
    const holds = isEmpty ? sql`0` : sql`${key} IN (SELECT k FROM (${join(selects, unionAll)})${enough(rows)})`
    computed.set(joinedField(rows).path, { one: sql`CAST(${holds}, 'Bool')`, many: undefined, holds })
    if (rows.scoreMode === 'none') continue
    const scored = await Promise.all(
      others.map(async (other) => selectOf(services, other, rows, scoreValue(await scoreLeaf(services, other, read)))),
    )
    const all = scored.flatMap((select) => select ?? [])
    const one = isEmpty ? sql`0.` : scoreOf(key, join(all, unionAll), rows, at)
    computed.set(joinedScore(rows).path, { one, many: undefined })
  }
  return { ...leaf, computed }
}

/** The search for those that are joined: filters of aliases say nothing of them, roles do. */
function othersOf(leaf: Leaf, request: LeafRequest, rows: JoinedRows): LeafRequest {
  const { scope, runtime, derivedObjects, nowMs } = request
  const names = rows.others === 'children' ? rows.children : [rows.parent]
  return {
    indices: leaf.indices.map((index) => ({ index, aliasFilters: [] })),
    scope,
    query: rows.query,
    filter: { terms: { [rows.join]: names } },
    runtime,
    derivedObjects,
    nowMs,
    scored: rows.scoreMode !== 'none',
    snapshots: new Map([[leaf.table.id, leaf.visibility]]),
  }
}

/** What a row is joined by, as one end of the relation: its own id or that of its parent, within its index. */
function keyOf(services: PlanServices, leaf: Leaf, rows: JoinedRows, as: 'parent' | 'child'): Sql | undefined {
  const parent = columnsOf({ path: parentPath(rows.join, rows.parent), type: 'string' }, columnLookup(services, leaf))
  if (as === 'child' && !parent) return undefined
  const id = as === 'parent' || !parent ? ident('_id') : sql`ifNull(toString(${parent.one}), '')`
  return sql`concat(toString(_index), ' ', ${id})`
}

/** The keys of the rows of one leaf, and what these score. */
function selectOf(services: PlanServices, other: Leaf, rows: JoinedRows, score?: Sql): Sql | undefined {
  const key = keyOf(services, other, rows, rows.others === 'children' ? 'child' : 'parent')
  if (!key) return undefined
  const { from, where } = leafRows(services, other)
  return sql`SELECT ${key} AS k${score ? sql`, toFloat64(${score}) AS s` : nothing} FROM ${from} WHERE ${where}`
}

const unionAll = ' UNION ALL '

/** That there are as many as are asked for; of one no groups need be made. */
function enough({ least, most }: JoinedRows): Sql {
  const bounds = [
    ...(least > 1 ? [sql`count() >= ${num(least)}`] : []),
    ...(most === undefined ? [] : [sql`count() <= ${num(most)}`]),
  ]
  return bounds.length === 0 ? nothing : sql` GROUP BY k HAVING ${join(bounds, ' AND ')}`
}

const together = { avg: sql`avg(s)`, sum: sql`sum(s)`, min: sql`min(s)`, max: sql`max(s)`, none: sql`1.` } as const

/** What those joined to a row score together, looked up among all keys. The empty key is nobody's: a list must hold something. */
function scoreOf(key: Sql, from: Sql, rows: JoinedRows, at: number): Sql {
  const worth = sql`(SELECT (arrayPushBack(groupArray(k), ''), arrayPushBack(groupArray(v), 0.)) FROM (SELECT k, toFloat64(${together[rows.scoreMode]}) AS v FROM (${from}) GROUP BY k))`
  const lists = ident(`joined_${at}`)
  return sql`transform(${key}, tupleElement(${worth} AS ${lists}, 1), tupleElement(${lists}, 2), 0.)`
}
