import { AppError, searchErrors } from '@logstack/errors'
import { readSearchRequest, type SearchRequest } from '../../dsl/search-request.ts'
import { Double, JsonPiece } from '../../json/print-json.ts'
import { stepsBelow } from '../../sql/nested-objects.ts'
import { join, num, sql } from '../../sql/sql.ts'
import { explainHits } from '../hits/explain.ts'
import { objectTerms } from '../hits/highlight.ts'
import type { Hit } from '../hits/hit.ts'
import { unmarked } from '../hits/hit-rows.ts'
import { type FoundHits, findHits } from '../hits/hits.ts'
import type { HitsRequest } from '../hits/hits-request.ts'
import { readsObject, renderObject, type ShownObject } from '../hits/object-hits.ts'
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
  /** Set where objects within documents are shown: `rows` then tell of each its places, the values it is ordered by and its JSON, too. */
  readonly objects?: ShownObjects
  /** The body of a search for them. */
  readonly body: Readonly<Record<string, unknown>>
}

/** Objects within documents: the paths gone down to them, and what they are ordered by. */
export interface ShownObjects {
  readonly paths: readonly string[]
  orderKeys(sort: SearchRequest['sort']): readonly OrderKey[]
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
    const { body } = bucket
    const alike = known.get(body) ?? (await readBody(services, bucket, placesOf(buckets, body), read, innerOf))
    known.set(body, alike)
    const placed = placesOf([bucket], body).flatMap((place) => alike.byPlace.get(String(place)) ?? [])
    const one = bucket.objects
      ? renderObjects(placedObjects(bucket, bucket.objects, alike), alike.request)
      : await render(placed, alike, totalAsInteger, read)
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
  { leaves, body, objects }: BucketHits,
  places: readonly Place[],
  read: PlanRead,
  innerOf: InnerOf | undefined,
): Promise<KnownHits> {
  const request = readSearchRequest(body)
  const byPlace = await readPlaces(services, leaves, objects ? ofObjects(request) : ofDocuments(request), places, read)
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

type WantedOfDocuments = Pick<HitsRequest, 'sort' | 'withSource' | 'withVersions' | 'shownValue'>

function ofDocuments(request: SearchRequest): WantedOfDocuments {
  return {
    sort: request.sort,
    withSource: needsSource(request),
    withVersions: needsVersions(request),
    shownValue: request.collapse?.field,
  }
}

/** What objects need of their documents: their order and their JSON are told by the rows. */
function ofObjects(request: SearchRequest): WantedOfDocuments {
  return { sort: [], withSource: false, withVersions: needsVersions(request) }
}

async function readPlaces(
  services: PlanServices,
  leaves: readonly ScoredLeaf[],
  wanted: WantedOfDocuments,
  places: readonly Place[],
  read: PlanRead,
): Promise<ReadonlyMap<string, PlacedHit>> {
  const byPlace = new Map<string, PlacedHit>()
  for (const [number, leaf] of leaves.entries()) {
    const own = [...new Set(places.filter(([of]) => of === number).map(([, sequence]) => sequence))]
    for (let at = 0; at < own.length; at += pageRows) {
      const sequences = own.slice(at, at + pageRows)
      const chosen = sql`_seq IN (${join(sequences.map(num), ', ')})`
      const condition = leaf.condition ? sql`${leaf.condition} AND ${chosen}` : chosen
      const asked = {
        ...wanted,
        count: sequences.length,
        after: undefined,
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

/** The objects of a bucket in their order, as its rows tell of them. */
function placedObjects({ rows }: BucketHits, { paths, orderKeys }: ShownObjects, known: KnownHits): ShownObject[] {
  const keys = orderKeys(known.request.sort)
  return (Array.isArray(rows) ? rows : []).flatMap((row: unknown) => {
    const [ordinals, values, text, ...place]: readonly unknown[] = Array.isArray(row) ? row.slice(-5) : []
    const hit = known.byPlace.get(String(place.map(Number)))?.hit
    if (!hit || !Array.isArray(ordinals) || !Array.isArray(values)) return []
    const places = paths.map((path, at) => ({
      path: stepsBelow(path, paths[at - 1] ?? '').join('.'),
      offset: Number(ordinals[at]),
    }))
    const sort = keys.map((key, at) => key.show(key.read(unmarked(String(values[at] ?? '')))))
    return [{ hit, path: paths.at(-1) ?? '', places, text: String(text), sort }]
  })
}

function renderObjects(objects: readonly ShownObject[], request: SearchRequest): ShownHits {
  const best = bestScore(
    objects.map(({ hit }) => hit),
    request,
  )
  const shown = objects.slice(request.from, request.from + request.size)
  return {
    best: best === undefined ? null : new Double(best),
    hits: new JsonPiece(`[${shown.map((object) => renderObject(object, request, viewOf(object, request))).join(',')}]`),
  }
}

/** An object is shown as Elasticsearch does it: with the score and version of its document, without a sequence number, with the id where its source is read. */
function viewOf({ hit, path }: ShownObject, request: SearchRequest): Parameters<typeof renderObject>[2] {
  const { sort, trackScores } = request
  return {
    score: sort.length === 0 || trackScores ? hit.score : undefined,
    showsId: readsObject(request),
    showsSequence: false,
    terms: objectTerms(hit.leaf, path),
  }
}
