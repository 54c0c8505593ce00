import type { JoinedHits } from '../../dsl/joined-rows.ts'
import type { TracedContext } from '../../dsl/lower-context.ts'
import type { SearchRequest } from '../../dsl/search-request.ts'
import { readSearchRequest } from '../../dsl/search-request.ts'
import { touchSort } from '../../dsl/sort/touch-sort.ts'
import { parentPath } from '../../indices/field-types/join.ts'
import { printDouble, printJson } from '../../json/print-json.ts'
import { join, num, sql } from '../../sql/sql.ts'
import type { LeafRequest, PlanServices } from '../leaves/leaf-request.ts'
import { columnLookup, type Leaf, permittedRows } from '../leaves/leaves.ts'
import type { PlanRead } from '../leaves/plan-read.ts'
import { prepareLeaves } from '../prepare-leaves.ts'
import { countMatches } from '../pruning/totals.ts'
import { collapseKey } from './collapse-field.ts'
import { explainHits } from './explain.ts'
import type { Hit } from './hit.ts'
import { type FoundHits, findHits } from './hits.ts'
import { checkInnerWindow } from './nested-hits.ts'
import { needsSource, needsVersions, renderHits, showsScores, tellsBestScore } from './render-hits.ts'

/** The inner hits of every hit of a collapsed search, as JSON. */
export async function collapseGroups(
  services: PlanServices,
  request: SearchRequest,
  shared: Omit<LeafRequest, 'query'>,
  hits: readonly Hit[],
  read: PlanRead,
  totalAsInteger: boolean,
): Promise<FoundHits['inner']> {
  const { collapse } = request
  const inner = new Map<Hit, string>()
  if (!collapse || collapse.innerHits.length === 0) return inner
  for (const hit of hits) {
    const value = collapseKey(hit.leaf, collapse.field, hit.group)
    const same =
      value === null
        ? { bool: { must_not: { exists: { field: collapse.field } } } }
        : { term: { [collapse.field]: value } }
    const filter = [same, ...(request.postFilter === undefined ? [] : [request.postFilter])]
    const query = { bool: { must: [request.query ?? { match_all: {} }], filter } }
    const members: string[] = []
    for (const { name, body } of collapse.innerHits)
      members.push(
        `${JSON.stringify(name)}:${await groupHits(services, readSearchRequest(body), { ...shared, query }, read, totalAsInteger)}`,
      )
    inner.set(hit, `{${members.join(',')}}`)
  }
  return inner
}

/** The hits that are joined to each hit, of the clauses that show them, as JSON members by their names. */
export async function joinedGroups(
  services: PlanServices,
  shared: Omit<LeafRequest, 'query'>,
  hits: readonly Hit[],
  read: PlanRead,
  totalAsInteger: boolean,
): Promise<ReadonlyMap<Hit, string>> {
  const inner = new Map<Hit, string>()
  for (const leaf of new Set(hits.map((hit) => hit.leaf)))
    for (const asked of leaf.joinedHits) {
      const request = readSearchRequest(asked.body)
      checkInnerWindow(asked.name, request)
      const own = hits.filter((hit) => hit.leaf === leaf)
      const parents = asked.others === 'parent' ? await parentsOf(services, leaf, asked, own, read) : new Map()
      for (const hit of own) {
        const found = {
          ...shared,
          indices: [{ index: hit.index, aliasFilters: [] }],
          touch: (context: TracedContext) => touchSort(request.sort, context),
          query: asked.query,
          filter: joinedTo(hit, asked, parents.get(sequenceOf(hit))),
        }
        const group = await groupHits(services, request, found, read, totalAsInteger)
        const before = inner.get(hit)
        inner.set(
          hit,
          `${before === undefined ? '{' : `${before.slice(0, -1)},`}${JSON.stringify(asked.name)}:${group}}`,
        )
      }
    }
  return inner
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

/** The children of a hit, or its parent, by what the join field says of each. */
function joinedTo(hit: Hit, { others, join: path, parent, children }: JoinedHits, id: string | undefined): unknown {
  const isOf = (names: readonly string[]) => ({ terms: { [path]: names } })
  if (others === 'children')
    return { bool: { filter: [isOf(children), { term: { [parentPath(path, parent)]: hit.id } }] } }
  return { bool: { filter: [isOf([parent]), { ids: { values: id === undefined ? [] : [id] } }] } }
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

async function groupHits(
  services: PlanServices,
  request: SearchRequest,
  leafRequest: LeafRequest,
  read: PlanRead,
  totalAsInteger: boolean,
): Promise<string> {
  const leaves = await prepareLeaves(services, { ...leafRequest, scored: showsScores(request) }, read)
  const count = request.size === 0 ? 0 : request.from + request.size
  const wanted = {
    sort: request.sort,
    count,
    after: undefined,
    withSource: needsSource(request),
    withVersions: needsVersions(request),
    collapse: request.collapse?.field,
  }
  const [found, total] = await Promise.all([
    findHits(services, leaves, wanted, read),
    countMatches(services, leaves, 'all', read),
  ])
  const hits = found.hits.slice(request.from, request.from + request.size)
  const best =
    tellsBestScore(request) && hits.length > 0 ? printDouble(Math.max(...hits.map(({ score }) => score))) : 'null'
  const inner = await joinedGroups(services, leafRequest, hits, read, totalAsInteger)
  const explanations = request.explain ? await explainHits(services, hits, read) : undefined
  const shown = { ...found, inner, ...(explanations ? { explanations } : {}) }
  const json = (await renderHits(shown, hits, request, totalAsInteger, read)).toString('utf8')
  return `{"hits":{"total":${totalAsInteger ? total.value : printJson(total)},"max_score":${best},"hits":[${json}]}}`
}
