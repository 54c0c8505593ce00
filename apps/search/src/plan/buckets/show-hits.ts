import { AppError, searchErrors } from '@logstack/errors'
import { readSearchRequest, type SearchRequest } from '../../dsl/search-request.ts'
import { Double, JsonPiece } from '../../json/print-json.ts'
import { join, num, sql } from '../../sql/sql.ts'
import { explainHits } from '../hits/explain.ts'
import type { Hit } from '../hits/hit.ts'
import { type FoundHits, findHits } from '../hits/hits.ts'
import { bestScore, needsSource, needsVersions, renderHits } from '../hits/render-hits.ts'
import type { PlanServices } from '../leaves/leaf-request.ts'
import { type PlanRead, turnsOf } from '../leaves/plan-read.ts'
import { compareRows } from '../order/order.ts'
import type { OrderKey } from '../order/order-key.ts'
import type { ScoredLeaf } from './row-source.ts'

/** Documents that a bucket shows. */
export interface BucketHits {
  readonly leaves: readonly ScoredLeaf[]
  /** Where the documents are: the number of their leaf and their sequence number, behind what orders them. */
  readonly rows: unknown
  /** The body of a search for them. */
  readonly body: Readonly<Record<string, unknown>>
}

/** The hits of a bucket, as an answer shows them. */
export interface ShownHits {
  readonly best: Double | null
  readonly hits: JsonPiece
}

/** Makes what is shown within hits, as JSON objects. */
export type InnerOf = (hits: readonly Hit[]) => Promise<ReadonlyMap<Hit, string>>

/** Documents that are read at once. */
const pageRows = 2_000
/** What the hits of all buckets of an aggregation may take together, as they are shown. */
const shownBytesMax = 100 * 1024 ** 2

/**
 * Shows documents of buckets as a search does that finds them; each is read once, whatever the number of its buckets. Throws
 * `circuit_breaking_exception` where so many buckets show so much that nobody could read it.
 */
export async function showHits(
  services: PlanServices,
  buckets: readonly BucketHits[],
  totalAsInteger: boolean,
  read: PlanRead,
  innerOf?: InnerOf,
): Promise<ShownHits[]> {
  const shown: ShownHits[] = []
  const known = new Map<BucketHits['body'], KnownHits>()
  let bytes = 0
  const turns = turnsOf(read)
  for (const bucket of buckets) {
    const { body, leaves } = bucket
    const alike = known.get(body) ?? (await readBody(services, leaves, body, placesOf(buckets, body), read, innerOf))
    known.set(body, alike)
    const placed = placesOf([bucket], body).flatMap((place) => alike.byPlace.get(String(place)) ?? [])
    const one = await render(placed, alike, totalAsInteger, read)
    bytes += one.hits.text.length
    if (bytes > shownBytesMax) throw tooLarge()
    shown.push(one)
    if (turns.isDue) await turns.rest()
  }
  return shown
}

function tooLarge(): AppError {
  const reason = `[request] Data too large, the hits of all buckets would be larger than the limit of [${shownBytesMax}/100mb]`
  return new AppError(searchErrors.circuit_breaking_exception, reason, { detail: { durability: 'TRANSIENT' } })
}

type Place = readonly [leaf: number, sequence: number]

interface PlacedHit {
  readonly hit: Hit
  readonly found: FoundHits
}

/** The documents of all buckets of one body, and what it asks for. */
interface KnownHits {
  readonly request: SearchRequest
  readonly byPlace: ReadonlyMap<string, PlacedHit>
  /** What is shown of hits beside themselves. */
  readonly beside: Pick<FoundHits, 'explanations' | 'inner'>
}

/** Reads the documents of all buckets of a body, and what is shown beside them. */
async function readBody(
  services: PlanServices,
  leaves: readonly ScoredLeaf[],
  body: BucketHits['body'],
  places: readonly Place[],
  read: PlanRead,
  innerOf: InnerOf | undefined,
): Promise<KnownHits> {
  const request = readSearchRequest(body)
  const byPlace = await readPlaces(services, leaves, request, places, read)
  const hits = [...byPlace.values()].map(({ hit }) => hit)
  const explanations = request.explain ? { explanations: await explainHits(services, hits, read) } : {}
  const inner = innerOf ? { inner: await innerOf(hits) } : {}
  return { request, byPlace, beside: { ...explanations, ...inner } }
}

function placesOf(buckets: readonly BucketHits[], body: BucketHits['body']): Place[] {
  return buckets.flatMap(({ rows, body: own }) =>
    own === body && Array.isArray(rows)
      ? rows.map((row: unknown): Place => {
          const [leaf, sequence] = Array.isArray(row) ? row.slice(-2).map(Number) : []
          if (leaf === undefined || sequence === undefined) throw new Error('BUG: a document without a place')
          return [leaf, sequence]
        })
      : [],
  )
}

async function readPlaces(
  services: PlanServices,
  leaves: readonly ScoredLeaf[],
  request: SearchRequest,
  places: readonly Place[],
  read: PlanRead,
): Promise<ReadonlyMap<string, PlacedHit>> {
  const byPlace = new Map<string, PlacedHit>()
  for (const [number, leaf] of leaves.entries()) {
    const wanted = [...new Set(places.filter(([of]) => of === number).map(([, sequence]) => sequence))]
    for (let at = 0; at < wanted.length; at += pageRows) {
      const sequences = wanted.slice(at, at + pageRows)
      const own = sql`_seq IN (${join(sequences.map(num), ', ')})`
      const condition = leaf.condition ? sql`${leaf.condition} AND ${own}` : own
      const asked = {
        sort: request.sort,
        count: sequences.length,
        after: undefined,
        withSource: needsSource(request),
        withVersions: needsVersions(request),
        shownValue: request.collapse?.field,
      }
      const found = await findHits(services, [{ ...leaf, condition, part: undefined }], asked, read)
      for (const hit of found.hits) byPlace.set(String([number, Number(hit.values.at(-1))]), { hit, found })
    }
  }
  return byPlace
}

async function render(
  placed: readonly PlacedHit[],
  { request, beside }: KnownHits,
  totalAsInteger: boolean,
  read: PlanRead,
): Promise<ShownHits> {
  const keys = new Map(placed.map(({ hit, found }) => [hit, found.keysOf(hit)]))
  const ordered = placed.map(({ hit }) => hit).sort((a, b) => compare(a, b, keys.get(a) ?? []))
  const hits = ordered.slice(request.from, request.from + request.size)
  const found = { ...beside, hits, keysOf: (hit: Hit) => keys.get(hit) ?? [] }
  const json = (await renderHits(found, hits, request, totalAsInteger, read)).toString('utf8')
  const best = bestScore(ordered, request)
  return {
    best: best === undefined ? null : new Double(best),
    hits: new JsonPiece(`[${json}]`),
  }
}

/** By the sort, or the best first; documents that are alike in the order of their arrival. */
function compare(a: Hit, b: Hit, keys: readonly OrderKey[]): number {
  const order = keys.length > 0 ? compareRows(keys, a.values, b.values) : b.score - a.score
  return order || Number(a.values.at(-1)) - Number(b.values.at(-1))
}
