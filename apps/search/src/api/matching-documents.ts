import { illegalArgument } from '../dsl/shapes/refuse.ts'
import { readSort, type SortCriterion, sortSchema } from '../dsl/sort/read-sort.ts'
import type { ResolvedIndex } from '../indices/catalogue.ts'
import type { IndexMeta } from '../indices/model.ts'
import { columnLookup, type Leaf, leafRows } from '../plan/leaves.ts'
import { arrivalKey, orderBy, orderKey } from '../plan/order.ts'
import { prepareLeaves } from '../plan/prepare-leaves.ts'
import { shown } from '../plan/shown.ts'
import { hiddenFields } from '../security/denied.ts'
import type { Scope } from '../security/scope.ts'
import type { Services } from '../services.ts'
import { sourceOf } from '../sql/document-source.ts'
import { num, type Sql, sql } from '../sql/sql.ts'
import { bodyWithTerms } from './terms-lookup.ts'

/** A document a by-query request found, as it was when the request began. */
export interface MatchingDocument {
  /** Its index, here or in another cluster. */
  readonly index: Pick<IndexMeta, 'name' | 'mapping'>
  readonly id: string
  readonly seqNo: number
  readonly version: number
  readonly routing: string
  readonly source: Buffer
}

/** What to look for, as of now. */
export interface MatchRequest {
  readonly indices: readonly ResolvedIndex[]
  readonly scope: Scope
  readonly query: unknown
  readonly batchSize: number
  readonly signal: AbortSignal
  /** One of several parts of the documents, the same whenever it is asked for. */
  readonly slice?: { readonly id: number; readonly max: number } | undefined
  /** A `sort` as in searches; absent: in the order in which they were written. */
  readonly sort?: unknown
}

/** The documents of one moment: their number, and batches of them in order. */
export interface Matching {
  readonly total: number
  batches(): AsyncIterable<MatchingDocument[]>
}

/** Plans a by-query read. Faults of the query throw here. */
export async function findMatching(services: Services, request: MatchRequest): Promise<Matching> {
  const { indices, scope, signal } = request
  const query = await bodyWithTerms(services, scope, 'search', request.query)
  const limited = indices.find(({ index }) => scope.limitsFields?.(index.name))
  // What is rewritten or copied is the whole source, hidden fields too.
  if (limited) throw hiddenFields(scope, limited.index.name)
  await shown(services, indices)
  const leaves = await prepareLeaves(services, { indices, scope, query, nowMs: services.now() }, { signal })
  const sort = criteriaOf(request.sort)
  if (sort.length > 0 && leaves.length > 1) {
    throw illegalArgument('[sort] of a copy works over indices of one family only: copy them one after the other')
  }
  let total = 0
  for (const leaf of leaves) {
    const { from, where } = slicedRows(services, leaf, request)
    const [row] = await services.engine.rows(sql`SELECT count() FROM ${from} WHERE ${where}`, {
      signal,
      weight: 'heavy',
    })
    total += Number(row?.[0] ?? 0)
  }
  return {
    total,
    async *batches() {
      for (const leaf of leaves) {
        yield* sort.length > 0 ? readSorted(services, request, leaf, sort) : readLeaf(services, request, leaf)
      }
    },
  }
}

function criteriaOf(given: unknown): SortCriterion[] {
  if (given === undefined) return []
  const read = sortSchema.safeParse(given)
  if (!read.success)
    throw illegalArgument('Failed to parse [sort]: expected a field, an object of fields or a list of these')
  return readSort(read.data)
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

function columnsOf({ table, indices }: Leaf): Sql {
  return sql`_seq, _index, _id, _seq_no, _version, _routing, ${sourceOf(table, indices)}`
}

/** Reads page after page by its place: the snapshot stands still. */
async function* readSorted(
  services: Services,
  request: MatchRequest,
  leaf: Leaf,
  sort: readonly SortCriterion[],
): AsyncIterable<MatchingDocument[]> {
  const { from, where } = slicedRows(services, leaf, request)
  const lookup = columnLookup(services, leaf)
  const keys = sort.map((criterion) => orderKey(criterion, leaf.context, lookup))
  const byId = new Map(leaf.indices.map((index) => [index.id, index]))
  for (let at = 0; ; at += request.batchSize) {
    const rows = await services.engine.rows(
      sql`SELECT ${columnsOf(leaf)} FROM ${from} WHERE ${where} ORDER BY ${orderBy([...keys, arrivalKey(false)])} LIMIT ${num(request.batchSize)} OFFSET ${num(at)}`,
      { signal: request.signal, weight: 'heavy' },
    )
    if (rows.length > 0) yield rows.map((row) => readRow(row, byId))
    if (rows.length < request.batchSize) return
  }
}

async function* readLeaf(services: Services, request: MatchRequest, leaf: Leaf): AsyncIterable<MatchingDocument[]> {
  const { from, where } = slicedRows(services, leaf, request)
  const byId = new Map(leaf.indices.map((index) => [index.id, index]))
  let after: Sql | undefined
  for (;;) {
    const further = after ? sql` AND _seq > ${after}` : sql``
    const rows = await services.engine.rows(
      sql`SELECT ${columnsOf(leaf)} FROM ${from} WHERE ${where}${further} ORDER BY _seq LIMIT ${num(request.batchSize)}`,
      { signal: request.signal, weight: 'heavy' },
    )
    if (rows.length > 0) yield rows.map((row) => readRow(row, byId))
    if (rows.length < request.batchSize) return
    after = num(BigInt(String(rows.at(-1)?.[0])))
  }
}

function readRow(row: readonly unknown[], byId: ReadonlyMap<number, IndexMeta>): MatchingDocument {
  const [, indexId, id, seqNo, version, routing, source] = row
  const index = byId.get(Number(indexId))
  if (!index) throw new Error('BUG: a row of an index that was not asked for')
  return {
    index,
    id: String(id),
    seqNo: Number(seqNo),
    version: Number(version),
    routing: String(routing),
    source: Buffer.from(String(source)),
  }
}
