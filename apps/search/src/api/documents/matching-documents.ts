import { readDocument } from '../../documents/current-documents.ts'
import { isTableGone } from '../../documents/purge.ts'
import { RowBinaryReader } from '../../documents/rowbinary.ts'
import type { SeenRow } from '../../documents/write-operation.ts'
import { readSort, type SortCriterion, sortSchema } from '../../dsl/sort/read-sort.ts'
import type { ResolvedIndex } from '../../indices/resolve.ts'
import { shardsOf } from '../../indices/shards.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import type { Scope } from '../../model/scope.ts'
import { columnLookup, type Leaf, leafRows } from '../../plan/leaves/leaves.ts'
import { arrivalKey, orderKey } from '../../plan/order/order.ts'
import { firstSequences, numbered } from '../../plan/order/sequences.ts'
import { prepareLeaves } from '../../plan/prepare-leaves.ts'
import { shown } from '../../plan/shown.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { hiddenFields } from '../../security/denied.ts'
import type { Services } from '../../services.ts'
import { sourceOf } from '../../sql/document-source.ts'
import { ident, num, type Sql, sql } from '../../sql/sql.ts'
import { bodyWithLikes } from '../search/more-like-this.ts'
import { bodyWithTerms } from '../search/terms-lookup.ts'

/** A document a by-query request found, as it was when the request began. */
export interface MatchingDocument {
  /** Its index, here or in another cluster. */
  readonly index: Pick<IndexMeta, 'name' | 'mapping'>
  readonly id: string
  readonly seqNo: number
  readonly version: number
  readonly routing: string
  /** Empty where it was not asked for. */
  readonly source: Buffer
  /** Where it was found; absent of another cluster's. */
  readonly seen?: SeenRow
}

const nothing = Buffer.alloc(0)

/** What to look for, as of now. */
export interface MatchRequest {
  readonly indices: readonly ResolvedIndex[]
  readonly scope: Scope
  readonly query: unknown
  readonly batchSize: number
  readonly signal: AbortSignal
  /** One of several parts of the documents, the same whenever it is asked for. */
  readonly slice?: { readonly id: number; readonly max: number } | undefined
  /** A `sort` as in searches; absent: in the order in which they lie, which is by time. */
  readonly sort?: unknown
  /** How many documents of each shard are enough; absent: all of them. */
  readonly terminateAfter?: number
  /** Whether the sources are wanted. */
  readonly withSource: boolean
}

/** An index was deleted before all of its documents were read: a copy of the others must not pass for whole. */
export class IndexGone extends Error {
  readonly index: string

  constructor(index: string) {
    super(`index [${index}] was deleted while it was read`)
    this.index = index
  }
}

/** The documents of one moment: their number, and batches of them in order. */
export interface Matching {
  readonly total: number
  batches(): AsyncIterable<MatchingDocument[]>
}

/**
 * Plans a by-query read of rows that the caller holds. Faults of the query throw here. So many rows are looked for at once: a million numbers are eight
 * megabytes.
 */
export async function findMatching(
  services: Services,
  request: MatchRequest,
  placesAtOnce = 1_000_000,
): Promise<Matching> {
  const { indices, scope, signal } = request
  const looked = await bodyWithTerms(services, scope, 'search', request.query)
  const query = await bodyWithLikes({ services, scope, signal, route: 'search' }, looked, () => indices)
  const limited = indices.find(({ index }) => scope.limitsFields?.(index.name))
  // What is rewritten or copied is the whole source, hidden fields too.
  if (limited) throw hiddenFields(scope, limited.index.name)
  await shown(services, indices)
  const leaves = await prepareLeaves(services, { indices, scope, query, nowMs: services.now() }, { signal })
  const sort = criteriaOf(request.sort)
  if (sort.length > 0 && leaves.length > 1) {
    throw illegalArgument('[sort] of a job works over indices of one family only: name them one after the other')
  }
  const counts: number[] = []
  for (const leaf of leaves) {
    const { from, where } = slicedRows(services, leaf, request)
    const [row] = await services.engine.rows(sql`SELECT count() FROM ${from} WHERE ${where}`, {
      signal,
      weight: 'heavy',
    })
    counts.push(Math.min(Number(row?.[0] ?? 0), mostOf(leaf, request)))
  }
  return {
    total: counts.reduce((sum, count) => sum + count, 0),
    async *batches() {
      for (const [at, leaf] of leaves.entries())
        yield* readWhole({ services, request, leaf, placesAtOnce }, sort, counts[at] ?? 0)
    },
  }
}

function criteriaOf(given: unknown): SortCriterion[] {
  if (given === undefined) return []
  const read = sortSchema.safeParse(given)
  if (!read.success)
    throw illegalArgument('Failed to parse [sort]: expected a field, an object of fields or a list of these')
  const criteria = readSort(read.data)
  // The order of arrival is as good as that in which they lie, of which several families have one, too.
  return criteria.every(({ field, descending }) => field === '_doc' && !descending) ? [] : criteria
}

/** How many documents of a leaf are enough. */
function mostOf({ indices }: Leaf, { terminateAfter = Number.POSITIVE_INFINITY }: MatchRequest): number {
  return terminateAfter * indices.reduce((shards, index) => shards + shardsOf(index).primaries, 0)
}

function slicedRows(
  services: Services,
  leaf: Leaf,
  { slice }: MatchRequest,
): { readonly from: Sql; readonly where: Sql } {
  const { from, where } = leafRows(services, leaf)
  // By id and not by number: what another part rewrites meanwhile must not come up in this one again.
  if (!slice) return { from, where }
  return { from, where: sql`${where} AND cityHash64(_id) % ${num(slice.max)} = ${num(slice.id)}` }
}

interface LeafRead {
  readonly services: Services
  readonly request: MatchRequest
  readonly leaf: Leaf
  readonly placesAtOnce: number
}

/** As `readLeaf`. Throws `IndexGone` where there are fewer than were counted, but for what retention has taken. */
async function* readWhole(
  read: LeafRead,
  sort: readonly SortCriterion[],
  counted: number,
): AsyncIterable<MatchingDocument[]> {
  const { catalogue } = read.services
  const gone = () => read.leaf.indices.find(({ id }) => catalogue.indexById(id) === undefined)
  let missing = counted
  try {
    for await (const batch of readLeaf(read, sort)) {
      missing -= batch.length
      yield batch
    }
  } catch (thrown) {
    const index = isTableGone(thrown) ? gone() : undefined
    throw index ? new IndexGone(index.name) : thrown
  }
  const index = missing > 0 ? gone() : undefined
  if (index) throw new IndexGone(index.name)
}

/** Finds the rows of a leaf, many at a time in their order, and reads them batch by batch where they are. */
async function* readLeaf(read: LeafRead, sort: readonly SortCriterion[]): AsyncIterable<MatchingDocument[]> {
  const { batchSize } = read.request
  let left = mostOf(read.leaf, read.request)
  for await (const places of sort.length > 0 ? sortedPlaces(read, sort) : placesByTime(read)) {
    const some = places.subarray(0, left)
    for (let at = 0; at < some.length; at += batchSize) {
      const batch = await readRows(read, some.subarray(at, at + batchSize))
      if (batch.length > 0) yield batch
    }
    left -= some.length
    if (left <= 0) return
  }
}

/** Of a number and a time. */
const placeBytes = 16

/**
 * The numbers of all rows in the order in which they lie, so that a batch of them is in few places. Asked for each batch anew, the whole table would
 * be looked through for a thousand rows. Those behind are found by where the last one lies: what was written of those before may be gone.
 */
async function* placesByTime(read: LeafRead): AsyncIterable<Float64Array> {
  const { services, request, leaf, placesAtOnce } = read
  const { from, where } = slicedRows(services, leaf, request)
  const options = { signal: request.signal, weight: 'heavy' } as const
  for (let after = sql``; ; ) {
    const query = sql`SELECT _seq, _time FROM ${from} WHERE ${where}${after} ORDER BY _time, _seq LIMIT ${num(placesAtOnce)}`
    const bytes = await services.engine.bytes(query, 'RowBinary', options)
    const reader = new RowBinaryReader(bytes)
    const places = new Float64Array(bytes.length / placeBytes)
    let time = 0n
    for (let at = 0; at < places.length; at += 1) {
      places[at] = reader.uint64()
      time = reader.int64()
    }
    if (places.length > 0) yield places
    if (places.length < placesAtOnce) return
    after = sql` AND _time >= ${num(time)} AND (_time > ${num(time)} OR _seq > ${num(places.at(-1) ?? 0)})`
  }
}

/** The same in the order of a sort: the snapshot stands still, so the next numbers are those after the first. */
async function* sortedPlaces(read: LeafRead, sort: readonly SortCriterion[]): AsyncIterable<Float64Array> {
  const { services, request, leaf, placesAtOnce } = read
  const lookup = columnLookup(services, leaf)
  const orderKeys = [...sort.map((criterion) => orderKey(criterion, leaf.context, lookup)), arrivalKey(false)]
  const wanted = { ...slicedRows(services, leaf, request), orderKeys, limit: placesAtOnce }
  for (let offset = 0; ; offset += placesAtOnce) {
    const options = { signal: request.signal, weight: 'heavy' } as const
    const places = await firstSequences(services, { ...wanted, offset }, options)
    if (places.length > 0) yield places
    if (places.length < placesAtOnce) return
  }
}

/** Rows by their numbers, in the order of these; what was taken meanwhile is left out. */
async function readRows(
  { services: { engine }, request: { signal, withSource }, leaf: { table, indices, visibility } }: LeafRead,
  sequences: Float64Array,
): Promise<MatchingDocument[]> {
  const source = withSource ? sourceOf(table, indices) : sql`''`
  const bytes = await engine.bytes(
    sql`SELECT _index, _id, _seq, _seq_no, _version, _slot, _routing, ${source} FROM ${ident(table.name)}
      WHERE ${numbered(sequences, false)}`,
    'RowBinary',
    { signal, weight: 'heavy' },
  )
  const byId = new Map(indices.map((index) => [index.id, index]))
  const found = new Map<number, MatchingDocument>()
  const reader = new RowBinaryReader(bytes)
  while (!reader.ended) {
    const row = readDocument(reader, table.id, withSource)
    const index = byId.get(row.index)
    if (!index) throw new Error('BUG: a row of an index that was not asked for')
    const { id, seq, seqNo, version, routing, source = nothing } = row
    found.set(seq, { index, id, seqNo, version, routing, source, seen: { expiries: visibility.expiries, ...row } })
  }
  return Array.from(sequences).flatMap((sequence) => found.get(sequence) ?? [])
}
