import { RowBinaryReader } from '../../documents/rowbinary.ts'
import { parseSource } from '../../json/source-json.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import type { Scope } from '../../model/scope.ts'
import { leafRows } from '../../plan/leaves/leaves.ts'
import { arrivalKey } from '../../plan/order/order.ts'
import { amongFirst } from '../../plan/order/sequences.ts'
import { prepareLeaves } from '../../plan/prepare-leaves.ts'
import { shown } from '../../plan/shown.ts'
import { permittedSource } from '../../security/visible-source.ts'
import type { Services } from '../../services.ts'
import { sourceOf } from '../../sql/document-source.ts'
import { num, sql } from '../../sql/sql.ts'

/** The terms of one field of a document, each as often as it is there. */
type TermsOf = (source: unknown) => readonly string[]

/** What an index has of a field: how many documents, and of each term how many documents and how often. */
export interface FieldStatistics {
  documents: number
  readonly terms: Map<string, { documents: number; total: number }>
}

/** The newest documents that are counted. */
const countedMax = 10_000
const pageRows = 1_000

/** Counts the terms of fields over the newest documents of an index, 10,000 at most, as their analyzers make them. */
export async function countTerms(
  services: Services,
  scope: Scope,
  index: IndexMeta,
  fields: ReadonlyMap<string, TermsOf>,
): Promise<ReadonlyMap<string, FieldStatistics>> {
  const counted = new Map(
    [...fields.keys()].map((path) => [path, { documents: 0, terms: new Map() } as FieldStatistics]),
  )
  if (fields.size === 0) return counted
  await shown(services, [{ index }])
  const asked = { indices: [{ index, aliasFilters: [] }], scope, query: undefined, nowMs: services.now() }
  const [leaf] = await prepareLeaves(services, asked, {})
  if (!leaf) return counted
  // Words of documents that are hidden from the caller do not count.
  const { from, where } = leafRows(services, leaf)
  let before = sql``
  for (let rows = 0; rows < countedMax; rows += pageRows) {
    const newest = amongFirst({ from, where: sql`${where}${before}`, orderKeys: [arrivalKey(true)], limit: pageRows })
    const page = sql`SELECT toUInt64(_seq), ${sourceOf(leaf.table, leaf.indices)} FROM ${from} WHERE ${newest} ORDER BY _seq DESC`
    const reader = new RowBinaryReader(await services.engine.bytes(page, 'RowBinary', { weight: 'heavy' }))
    let last: number | bigint = 0
    let found = 0
    for (; !reader.ended; found++) {
      last = reader.uint64()
      const permitted = permittedSource(scope, index, reader.buffer(), true)
      const source = permitted === undefined ? {} : parseSource(permitted)
      for (const [path, termsOf] of fields) add(counted.get(path), termsOf(source))
    }
    if (found < pageRows) break
    before = sql` AND _seq < ${num(last)}`
  }
  return counted
}

function add(statistics: FieldStatistics | undefined, terms: readonly string[]): void {
  if (statistics === undefined || terms.length === 0) return
  statistics.documents += 1
  const known = statistics.terms
  for (const term of terms) {
    const one = known.get(term) ?? { documents: 0, total: 0 }
    one.total += 1
    known.set(term, one)
  }
  for (const term of new Set(terms)) {
    const one = known.get(term)
    if (one) one.documents += 1
  }
}
