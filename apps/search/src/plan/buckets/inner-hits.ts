import type { JoinedHits } from '../../dsl/joined-rows.ts'
import type { TracedContext } from '../../dsl/lower-context.ts'
import { readSearchRequest, type SearchRequest } from '../../dsl/search-request.ts'
import { touchSort } from '../../dsl/sort/touch-sort.ts'
import { parentPath } from '../../indices/field-types/join.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import { ident, join, num, type Sql, sql } from '../../sql/sql.ts'
import { collapseValue } from '../hits/collapse-field.ts'
import type { Hit } from '../hits/hit.ts'
import type { FoundHits } from '../hits/hits.ts'
import { checkInnerWindow } from '../hits/nested-hits.ts'
import type { LeafRequest, PlanServices } from '../leaves/leaf-request.ts'
import { columnLookup, type Leaf, permittedRows } from '../leaves/leaves.ts'
import type { PlanRead } from '../leaves/plan-read.ts'
import { groupedHits, noHits } from './grouped-hits.ts'

/** The inner hits of every hit of a collapsed search, as JSON. */
export async function collapseGroups(
  services: PlanServices,
  request: SearchRequest,
  shared: Omit<LeafRequest, 'query'>,
  hits: readonly Hit[],
  read: PlanRead,
  totalAsInteger: boolean,
): Promise<FoundHits['inner']> {
  const { collapse, postFilter } = request
  const members = new Map<Hit, string[]>(hits.map((hit) => [hit, []]))
  if (!collapse || collapse.innerHits.length === 0 || hits.length === 0) return new Map()
  const filter = postFilter === undefined ? [] : [postFilter]
  const query = { bool: { must: [request.query ?? { match_all: {} }], filter } }
  const groups = {
    of: (leaf: Leaf) => collapseValue(services, leaf, collapse.field),
    wanted: hits.map(({ group }) => group),
    totalAsInteger,
    innerOf: innerOf(services, read, totalAsInteger),
  }
  for (const inner of collapse.innerHits) {
    const found = await groupedHits(services, inner, { ...shared, query }, groups, read)
    for (const [hit, own] of members)
      own.push(`${JSON.stringify(inner.name)}:${found.get(hit.group) ?? noHits(totalAsInteger)}`)
  }
  return new Map([...members].map(([hit, own]) => [hit, `{${own.join(',')}}`]))
}

/** The hits that are joined to each hit, of the clauses that show them, as JSON members by their names. */
export async function joinedGroups(
  services: PlanServices,
  shared: Omit<LeafRequest, 'query'>,
  hits: readonly Hit[],
  read: PlanRead,
  totalAsInteger: boolean,
): Promise<ReadonlyMap<Hit, string>> {
  const members = new Map<Hit, string[]>()
  for (const leaf of new Set(hits.map((hit) => hit.leaf)))
    for (const asked of leaf.joinedHits) {
      checkInnerWindow(asked.name, readSearchRequest(asked.body))
      for (const index of leaf.indices) {
        const own = hits.filter((hit) => hit.leaf === leaf && hit.index === index)
        if (own.length === 0) continue
        const found = await joinedTo(services, shared, { leaf, index, asked, hits: own }, read, totalAsInteger)
        for (const hit of own)
          members.set(hit, [...(members.get(hit) ?? []), `${JSON.stringify(asked.name)}:${found(hit)}`])
      }
    }
  return new Map([...members].map(([hit, own]) => [hit, `{${own.join(',')}}`]))
}

/** What is shown within hits of a page: those joined to them. */
function innerOf(services: PlanServices, read: PlanRead, totalAsInteger: boolean) {
  return (shared: LeafRequest) => (hits: readonly Hit[]) => joinedGroups(services, shared, hits, read, totalAsInteger)
}

/** Hits of one index of a leaf, and a clause that shows those joined to them. */
interface JoinedAsked {
  readonly leaf: Leaf
  readonly index: IndexMeta
  readonly asked: JoinedHits
  readonly hits: readonly Hit[]
}

/** The children of hits, or their parents, by what the join field says of each. */
async function joinedTo(
  services: PlanServices,
  shared: Omit<LeafRequest, 'query'>,
  { leaf, index, asked, hits }: JoinedAsked,
  read: PlanRead,
  totalAsInteger: boolean,
): Promise<(hit: Hit) => string> {
  const { others, join: path, parent, children, body } = asked
  const ofParent = parentPath(path, parent)
  const parents = others === 'parent' ? await parentsOf(services, leaf, asked, hits, read) : undefined
  /** What those that are joined to a hit are told by: the parent they name, or their own id. */
  const keyOf = (hit: Hit) => (parents ? parents.get(sequenceOf(hit)) : hit.id)
  const wanted = [...new Set(hits.flatMap((hit) => keyOf(hit) ?? []))]
  if (wanted.length === 0) return () => noHits(totalAsInteger)
  const names = others === 'children' ? children : [parent]
  const ids = others === 'children' ? { terms: { [ofParent]: wanted } } : { ids: { values: wanted } }
  const groups = {
    of(other: Leaf): Sql | undefined {
      if (others === 'parent') return ident('_id')
      const columns = columnLookup(services, other)({ path: ofParent, type: 'string' })
      return columns && sql`ifNull(toString(${columns.one}), '')`
    },
    wanted,
    totalAsInteger,
    innerOf: innerOf(services, read, totalAsInteger),
  }
  const { sort } = readSearchRequest(body)
  const request: LeafRequest = {
    ...shared,
    indices: [{ index, aliasFilters: [] }],
    touch: (context: TracedContext) => touchSort(sort, context),
    query: asked.query,
    filter: { bool: { filter: [{ terms: { [path]: names } }, ids] } },
  }
  const found = await groupedHits(services, asked, request, groups, read)
  return (hit) => found.get(keyOf(hit) ?? '') ?? noHits(totalAsInteger)
}

function sequenceOf({ values }: Hit): number {
  return Number(values.at(-1))
}

/** The ids of the parents that hits have, by the hits' sequence numbers. */
async function parentsOf(
  services: PlanServices,
  leaf: Leaf,
  { join: path, parent }: JoinedHits,
  hits: readonly Hit[],
  read: PlanRead,
): Promise<ReadonlyMap<number, string>> {
  const columns = columnLookup(services, leaf)({ path: parentPath(path, parent), type: 'string' })
  if (!columns) return new Map()
  const { from, where } = permittedRows(services, leaf)
  const wanted = join(
    hits.map((hit) => num(sequenceOf(hit))),
    ', ',
  )
  const statement = sql`SELECT _seq, ${columns.one} FROM ${from} WHERE ${where} AND _seq IN (${wanted}) AND isNotNull(${columns.one})`
  const rows = await services.engine.rows(statement, read)
  return new Map(rows.map(([sequence, id]) => [Number(sequence), String(id)]))
}

/** The inner hits of several kinds, together. */
export function mergedInner(kinds: readonly (ReadonlyMap<Hit, string> | undefined)[]): ReadonlyMap<Hit, string> {
  const merged = new Map<Hit, string>()
  for (const kind of kinds)
    for (const [hit, members] of kind ?? []) {
      const before = merged.get(hit)
      merged.set(hit, before === undefined ? members : `${before.slice(0, -1)},${members.slice(1)}`)
    }
  return merged
}
