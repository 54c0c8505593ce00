import { RowBinaryReader } from '../documents/rowbinary.ts'
import { parseSource } from '../documents/source-json.ts'
import { visibleSql } from '../documents/visibility.ts'
import type { IndexMeta } from '../indices/model.ts'
import { shown } from '../plan/shown.ts'
import type { Scope } from '../security/scope.ts'
import { permittedSource } from '../security/visible-source.ts'
import type { Services } from '../services.ts'
import { ident, num, sql } from '../sql/sql.ts'

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
  const table = services.catalogue.table(index.table)
  const visible = visibleSql(services.documents.visibility(table.id))
  let before = sql``
  for (let rows = 0; rows < countedMax; rows += pageRows) {
    const page = sql`SELECT toUInt64(_seq), _source FROM ${ident(table.name)} WHERE _index = ${num(index.id)} AND ${visible}${before}
      ORDER BY _seq DESC LIMIT ${num(pageRows)}`
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
