import type { JoinedHits } from '../dsl/joined-rows.ts'
import type { TracedContext } from '../dsl/lower-context.ts'
import type { SearchRequest } from '../dsl/search-request.ts'
import { readSearchRequest } from '../dsl/search-request.ts'
import { touchSort } from '../dsl/sort/touch-sort.ts'
import { collapseKey } from './collapse-field.ts'
import { explainHits } from './explain.ts'
import { type FoundHits, findHits, type Hit } from './hits.ts'
import { printDouble, printJson } from './json.ts'
import type { LeafRequest, PlanServices } from './leaves.ts'
import { checkInnerWindow } from './nested-hits.ts'
import type { PlanRead } from './plan-read.ts'
import { prepareLeaves } from './prepare-leaves.ts'
import { needsSource, needsVersions, renderHits, showsScores } from './render-hits.ts'
import { countMatches } from './totals.ts'

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
  for (const hit of hits) {
    const members: string[] = []
    for (const asked of hit.leaf.joinedHits) {
      const request = readSearchRequest(asked.body)
      checkInnerWindow(asked.name, request)
      const found = {
        ...shared,
        indices: [{ index: hit.index, aliasFilters: [] }],
        touch: (context: TracedContext) => touchSort(request.sort, context),
        query: asked.query,
        filter: joinedTo(hit, asked),
      }
      members.push(`${JSON.stringify(asked.name)}:${await groupHits(services, request, found, read, totalAsInteger)}`)
    }
    if (members.length > 0) inner.set(hit, `{${members.join(',')}}`)
  }
  return inner
}

/** The children of a hit, or its parent: none of a hit that is neither. */
function joinedTo(hit: Hit, { others, join, parent, children }: JoinedHits): unknown {
  const itself = { ids: { values: [hit.id] } }
  const ofHit =
    others === 'children'
      ? [{ has_parent: { parent_type: parent, query: itself } }]
      : [{ bool: { should: children.map((type) => ({ has_child: { type, query: itself } })) } }]
  const names = others === 'children' ? children : [parent]
  return { bool: { filter: [{ terms: { [join]: names } }, ...ofHit] } }
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
    showsScores(request) && hits.length > 0 ? printDouble(Math.max(...hits.map(({ score }) => score))) : 'null'
  const inner = await joinedGroups(services, leafRequest, hits, read, totalAsInteger)
  const explanations = request.explain ? await explainHits(services, hits, read) : undefined
  const shown = { ...found, inner, ...(explanations ? { explanations } : {}) }
  const json = (await renderHits(shown, hits, request, totalAsInteger, read)).toString('utf8')
  return `{"hits":{"total":${totalAsInteger ? total.value : printJson(total)},"max_score":${best},"hits":[${json}]}}`
}
