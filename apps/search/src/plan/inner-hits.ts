import type { SearchRequest } from '../dsl/search-request.ts'
import { readSearchRequest } from '../dsl/search-request.ts'
import { collapseKey } from './collapse-field.ts'
import { type FoundHits, findHits, type Hit } from './hits.ts'
import { printDouble, printJson } from './json.ts'
import type { LeafRequest, PlanServices } from './leaves.ts'
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
  const json = (await renderHits(found, hits, request, totalAsInteger, read)).toString('utf8')
  return `{"hits":{"total":${totalAsInteger ? total.value : printJson(total)},"max_score":${best},"hits":[${json}]}}`
}
