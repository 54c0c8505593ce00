import { RowBinaryReader } from '../../documents/rowbinary.ts'
import { parseSource } from '../../json/source-json.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { permittedSource } from '../../security/visible-source.ts'
import { sourceOf } from '../../sql/document-source.ts'
import { num, type Sql, sql } from '../../sql/sql.ts'
import { readDouble } from '../../sql/values.ts'
import type { PlanServices } from '../leaves/leaf-request.ts'
import { type Leaf, leafRows } from '../leaves/leaves.ts'
import type { PlanRead } from '../leaves/plan-read.ts'
import { type LeafScore, scoreValue } from '../leaves/score-leaf.ts'
import type { DocumentReader, ScriptedDocument } from '../leaves/scripted-values.ts'

/** Documents that scripts of one request read at most, of one leaf: their sources are parsed one by one. */
export const scriptedDocumentsMax = 100_000
/** Documents that are read at once. */
export const scriptedPageRows = 5_000

/** The refusal of a request whose scripts would read more than that. */
export function tooManyScripted() {
  return illegalArgument(
    `scripts and runtime fields of a request read at most [${scriptedDocumentsMax}] documents: narrow the query by time or by mapped fields`,
  )
}

/** Which documents of a leaf are read: the first page of those that meet `condition`, with their score. */
export interface ScriptedPage {
  readonly condition?: Sql
  readonly score?: LeafScore
}

/** A document that was read for scripts. */
export interface ScriptedRow {
  readonly sequence: number | bigint
  readonly document: ScriptedDocument
  readonly reader: DocumentReader
  readonly index: IndexMeta
  /** What leads to its shard: its routing, or its id. */
  readonly routing: string
}

/** Reads documents of a leaf in their order of arrival; each is parsed when its turn comes, without the fields that are hidden from the caller. */
export async function readScripted(
  services: Pick<PlanServices, 'catalogue' | 'documents' | 'engine'>,
  leaf: Leaf,
  { condition, score = 0 }: ScriptedPage,
  read: PlanRead,
): Promise<Iterable<ScriptedRow>> {
  const { from, where } = leafRows(services, leaf)
  const and = condition ? sql` AND ${condition}` : sql``
  const source = sourceOf(leaf.table, leaf.indices)
  const page = sql`SELECT toUInt64(_seq), toUInt32(_index), toUInt64(_seq_no), _id, _routing, toString(${scoreValue(score)}), ${source} FROM ${from} WHERE ${where}${and} ORDER BY _seq LIMIT ${num(scriptedPageRows)}`
  return rowsOf(leaf, await services.engine.bytes(page, 'RowBinary', { ...read, weight: 'heavy' }))
}

function* rowsOf(leaf: Leaf, bytes: Buffer): Iterable<ScriptedRow> {
  const byId = new Map(leaf.indices.map((index) => [index.id, index]))
  const reader = new RowBinaryReader(bytes)
  while (!reader.ended) {
    const sequence = reader.uint64()
    const index = byId.get(reader.uint32())
    if (!index) throw new Error('BUG: a row of an index that was not searched')
    const seqNo = reader.uint64()
    const id = reader.string()
    const routing = reader.string() || id
    const score = readDouble(reader.string())
    const source = permittedSource(leaf.scope, index, reader.buffer(), true)
    const document = {
      source: source ? parseSource(source) : {},
      metadata: { _id: id, _index: index.name, _seq_no: seqNo },
      score,
    }
    yield { sequence, document, reader: leaf.readerOf(index), index, routing }
  }
}
