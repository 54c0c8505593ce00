import type { InnerHits } from '../../dsl/inner-hits.ts'
import { readSearchRequest } from '../../dsl/search-request.ts'
import { readSort, type SortCriterion } from '../../dsl/sort/read-sort.ts'
import { touchSort } from '../../dsl/sort/touch-sort.ts'
import { printDouble, printJson } from '../../json/print-json.ts'
import { join, num, type Sql, sql, str } from '../../sql/sql.ts'
import { collapseValue } from '../hits/collapse-field.ts'
import { showsScores } from '../hits/render-hits.ts'
import type { LeafRequest, PlanServices } from '../leaves/leaf-request.ts'
import type { Leaf } from '../leaves/leaves.ts'
import type { PlanRead } from '../leaves/plan-read.ts'
import { scoreLeaf } from '../leaves/score-leaf.ts'
import { prepareLeaves } from '../prepare-leaves.ts'
import { createRowSource, type ScoredLeaf } from './row-source.ts'
import { type BucketHits, type InnerOf, showHits } from './show-hits.ts'

/** Groups of documents, of each of which the first hits are shown. */
export interface HitGroups {
  /** The text that tells the group of a leaf's row; undefined where its rows are in none. */
  of(leaf: Leaf): Sql | undefined
  /** The groups that are shown, by that text. */
  readonly wanted: readonly string[]
  readonly totalAsInteger: boolean
  /** What is shown within hits. */
  innerOf(shared: LeafRequest): InnerOf
}

/** Documents whose rows are read at once. */
const pageRows = 2_000

/**
 * The first hits of each group as the JSON of a search for them alone: they are found by one statement, whatever the number of groups, and read by a few.
 * Groups without hits are left out.
 */
export async function groupedHits(
  services: PlanServices,
  { body }: InnerHits,
  asked: LeafRequest,
  groups: HitGroups,
  read: PlanRead,
): Promise<ReadonlyMap<string, string>> {
  const request = readSearchRequest(body)
  const { sort, collapse } = request
  const touch: LeafRequest['touch'] = (context) => {
    asked.touch?.(context)
    touchSort(sort, context)
    if (collapse) context.field(collapse.field)
  }
  const scored = showsScores(request)
  const prepared = await prepareLeaves(services, { ...asked, touch, scored }, read)
  const leaves: ScoredLeaf[] = await Promise.all(
    prepared
      .filter((leaf) => groups.of(leaf) !== undefined)
      .map(async (leaf) => (scored ? { ...leaf, scored: await scoreLeaf(services, leaf, read) } : leaf)),
  )
  const most = Math.max(1, request.size === 0 ? 0 : request.from + request.size)
  const statement = firstOfGroups(services, leaves, asked.nowMs, { groups, sort, most, collapse: collapse?.field })
  const rows = leaves.length === 0 ? [] : await services.engine.rows(statement, read)
  const shown = new Map<string, string>()
  const atOnce = Math.max(1, Math.floor(pageRows / most))
  for (let at = 0; at < rows.length; at += atOnce) {
    const some = rows.slice(at, at + atOnce)
    const buckets = some.map(([, , places]): BucketHits => ({ leaves, rows: places, body }))
    const inner = groups.innerOf({ ...asked, touch, scored })
    const hits = await showHits(services, buckets, groups.totalAsInteger, read, inner)
    for (const [number, [group, count]] of some.entries()) {
      const one = hits[number]
      if (!one) throw new Error('BUG: a group without hits')
      const best = one.best === null ? null : printDouble(one.best.value)
      shown.set(String(group), hitsJson(Number(count), best, one.hits.text, groups.totalAsInteger))
    }
  }
  return shown
}

/** The hits of a group that has none. */
export function noHits(totalAsInteger: boolean): string {
  return hitsJson(0, null, '[]', totalAsInteger)
}

function hitsJson(count: number, best: string | null, hits: string, totalAsInteger: boolean): string {
  const total = totalAsInteger ? count : { value: count, relation: 'eq' }
  return `{"hits":{"total":${printJson(total)},"max_score":${best ?? 'null'},"hits":${hits}}}`
}

interface FirstWanted {
  readonly groups: HitGroups
  readonly sort: readonly SortCriterion[]
  readonly most: number
  /** A field of whose values the hits of a group show one each. */
  readonly collapse: string | undefined
}

/** Each group that is wanted, how many rows it has, and the places of the first. */
function firstOfGroups(
  services: PlanServices,
  leaves: readonly ScoredLeaf[],
  nowMs: number,
  { groups, sort, most, collapse }: FirstWanted,
): Sql {
  const source = createRowSource(services, leaves, nowMs)
  const group = source.column((leaf) => groups.of(leaf) ?? sql`''`)
  const { standing, places } = source.placeOrder(sort.length > 0 ? sort : readSort(['_score']))
  const within = collapse === undefined ? undefined : source.column((leaf) => collapseValue(services, leaf, collapse))
  const wanted = sql`${group} IN (${join(groups.wanted.map(str), ', ')})`
  const sorted = (value: Sql) => places(sql`groupArraySorted(${num(most)})(${value})`)
  if (!within)
    return sql`SELECT ${group}, count(), ${sorted(standing)} FROM (${source.select()}) WHERE ${wanted} GROUP BY ${group}`
  const ofValues = sql`SELECT ${group} AS g, count() AS n, min(${standing}) AS best FROM (${source.select()}) WHERE ${wanted} GROUP BY g, ${within}`
  return sql`SELECT g, sum(n), ${sorted(sql`best`)} FROM (${ofValues}) GROUP BY g`
}
