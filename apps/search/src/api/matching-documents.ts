import type { ResolvedIndex } from '../indices/catalogue.ts'
import type { IndexMeta } from '../indices/model.ts'
import { type Leaf, leafRows, planLeaves } from '../plan/leaves.ts'
import { hiddenFields } from '../security/denied.ts'
import type { Scope } from '../security/scope.ts'
import type { Services } from '../services.ts'
import { num, type Sql, sql } from '../sql/sql.ts'

/** A document a by-query request found, as it was when the request began. */
export interface MatchingDocument {
  readonly index: IndexMeta
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
}

/** The documents of one moment: their number, and batches in the order in which they were written. */
export interface Matching {
  readonly total: number
  batches(): AsyncIterable<MatchingDocument[]>
}

/** Plans a by-query read. Faults of the query throw here. */
export async function findMatching(services: Services, request: MatchRequest): Promise<Matching> {
  const { indices, scope, query, signal } = request
  const limited = indices.find(({ index }) => scope.limitsFields?.(index.name))
  // What is rewritten or copied is the whole source, hidden fields too.
  if (limited) throw hiddenFields(scope, limited.index.name)
  const leaves = planLeaves(services, { indices, scope, query, nowMs: services.now() })
  let total = 0
  for (const leaf of leaves) {
    const { from, where } = leafRows(services, leaf)
    const [row] = await services.engine.rows(sql`SELECT count() FROM ${from} WHERE ${where}`, {
      signal,
      weight: 'heavy',
    })
    total += Number(row?.[0] ?? 0)
  }
  return {
    total,
    async *batches() {
      for (const leaf of leaves) yield* readLeaf(services, request, leaf)
    },
  }
}

async function* readLeaf(services: Services, request: MatchRequest, leaf: Leaf): AsyncIterable<MatchingDocument[]> {
  const { from, where } = leafRows(services, leaf)
  const byId = new Map(leaf.indices.map((index) => [index.id, index]))
  let after: Sql | undefined
  for (;;) {
    const further = after ? sql` AND _seq > ${after}` : sql``
    const rows = await services.engine.rows(
      sql`SELECT _seq, _index, _id, _seq_no, _version, _routing, _source FROM ${from} WHERE ${where}${further} ORDER BY _seq LIMIT ${num(request.batchSize)}`,
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
