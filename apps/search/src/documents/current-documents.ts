import type { Engine } from '../engine/engine.ts'
import type { Catalogue } from '../indices/catalogue.ts'
import type { IndexMeta } from '../model/index-meta.ts'
import type { TableMeta } from '../model/table.ts'
import { sourceOf } from '../sql/document-source.ts'
import { ident, join, num, type Sql, sql, str } from '../sql/sql.ts'
import type { StoredDocument } from './documents.ts'
import { RowBinaryReader } from './rowbinary.ts'
import type { Visibility } from './visibility.ts'
import { type VisibleRows, visibleSql } from './visibility.ts'
import type { LiveDocument } from './write-operation.ts'

const idsAtOnceMax = 5_000

/** A document's row, found by index and id. */
export interface FoundDocument extends LiveDocument {
  readonly index: number
  readonly id: string
}

/** Ids to look for, by the catalogue id of their index. */
export type WantedIds = ReadonlyMap<number, ReadonlySet<string>>

/** Finds the visible rows of documents of one table, in no order; `source` says how theirs are read, where they are asked for. */
export async function findDocuments(
  engine: Engine,
  table: TableMeta,
  visibility: Visibility,
  wanted: WantedIds,
  source: Sql | undefined,
): Promise<FoundDocument[]> {
  const found: FoundDocument[] = []
  const indices = join([...wanted.keys()].map(num), ', ')
  const ids = [...new Set([...wanted.values()].flatMap((some) => [...some]))]
  for (let at = 0; at < ids.length; at += idsAtOnceMax) {
    const some = join(ids.slice(at, at + idsAtOnceMax).map(str), ', ')
    const query = sql`SELECT _index, _id, _seq, _seq_no, _version, _slot, _routing, ${source ?? sql`''`} FROM ${ident(table.name)}
      WHERE _id IN (${some}) AND _index IN (${indices}) AND ${visibleSql(visibility)}`
    const reader = new RowBinaryReader(await engine.bytes(query, 'RowBinary'))
    while (!reader.ended) {
      const document = readDocument(reader, table.id, source !== undefined)
      if (wanted.get(document.index)?.has(document.id)) found.push(document)
    }
  }
  return found
}

/** Reads a row as `findDocuments` asks for it: `_index, _id, _seq, _seq_no, _version, _slot, _routing` and the source. */
export function readDocument(reader: RowBinaryReader, table: number, withSource: boolean): FoundDocument {
  const index = reader.uint32()
  const id = reader.string()
  const seq = reader.uint64()
  const seqNo = reader.uint64()
  const version = reader.uint64()
  const slot = reader.uint16()
  const routing = reader.string()
  const source = reader.buffer()
  return {
    state: 'live',
    index,
    id,
    seq,
    seqNo,
    version,
    table,
    slot,
    routing,
    source: withSource ? source : undefined,
  }
}

/** Adds the documents of an index that reads see, with their sources, to those found. */
export async function findShown(
  { engine, catalogue }: { readonly engine: Engine; readonly catalogue: Pick<Catalogue, 'table'> },
  visible: VisibleRows,
  index: IndexMeta,
  ids: ReadonlySet<string>,
  found: Map<string, StoredDocument | undefined>,
): Promise<void> {
  const table = catalogue.table(index.table)
  const wanted = new Map([[index.id, ids]])
  const isComplete = (): boolean => [...ids].every((id) => found.has(id))
  for (let seen = undefined; ids.size > 0; ) {
    const visibility = visible.of(table.id)
    // A commit that was shown during the read may have moved a document that was not found: then look once more.
    if (visibility === seen || (seen !== undefined && isComplete())) break
    seen = visibility
    for (const one of await findDocuments(engine, table, visibility, wanted, sourceOf(table, [index])))
      found.set(one.id, storedDocument(one.id, one))
  }
}

/** A document as it is given to whoever asks for it by id. */
export function storedDocument(id: string, { version, seqNo, routing, source }: LiveDocument): StoredDocument {
  return { id, version, seqNo, routing, source: source ?? Buffer.alloc(0) }
}
