import { AppError, searchErrors } from '@logstack/errors'
import type { StoredDocument } from '../../documents/documents.ts'
import { operationCounters } from '../../documents/operation-counts.ts'
import { resolveOptions } from '../../indices/resolve-options.ts'
import { leadsTo } from '../../indices/shard-of.ts'
import { printJson } from '../../json/print-json.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import type { Scope } from '../../model/scope.ts'
import { leafRows } from '../../plan/leaves/leaves.ts'
import { prepareLeaves } from '../../plan/prepare-leaves.ts'
import { shown } from '../../plan/shown.ts'
import type { Services } from '../../services.ts'
import { sql } from '../../sql/sql.ts'
import { requireIndices } from './authorized-indices.ts'

/** The one index that a read by id goes to. Throws 404 when there is none, `illegal_argument_exception` when a name has several. */
export function indexToRead(scope: Scope, services: Services, route: string, name: string): IndexMeta {
  requireIndices(scope, route, 'read', [name])
  const options = resolveOptions({}, { expand: ['open', 'hidden'], forbidClosed: true })
  const found = services.catalogue.resolve(name, options).map(({ index }) => index)
  const [index] = found
  if (index && found.length === 1) return index
  if (!index) {
    throw new AppError(searchErrors.index_not_found_exception, `no such index [${name}]`, {
      detail: { 'resource.type': 'index_expression', 'resource.id': name, index_uuid: '_na_', index: name },
    })
  }
  const names = found.map((one) => one.name).join(', ')
  const reason = `alias [${name}] has more than one index associated with it [${names}], can't execute a single index op`
  throw new AppError(searchErrors.illegal_argument_exception, reason)
}

/** The current versions of documents that the caller may see, in the order of `ids`; `query` may say `realtime` and `refresh`. */
export async function readDocuments(
  scope: Scope,
  services: Services,
  index: IndexMeta,
  ids: readonly string[],
  { realtime = true, refresh = false }: Readonly<Record<string, unknown>> = {},
): Promise<(StoredDocument | undefined)[]> {
  const began = performance.now()
  if (refresh === true) await services.documents.shown([index.table])
  const found =
    scope.documentFilters(index.name).length > 0
      ? await readPermitted(scope, services, index, ids)
      : await services.documents.get(index, ids, realtime !== false)
  const eachMs = (performance.now() - began) / Math.max(1, ids.length)
  for (const document of found) operationCounters(services).got(index, document !== undefined, eachMs)
  return found
}

/** How often documents that are replaced meanwhile are read again. */
const readsMax = 5

/**
 * The documents that the caller's roles show, as searches see them: whether a document meets a filter is known of what can be searched, so it
 * is not read in real time.
 */
async function readPermitted(
  scope: Scope,
  services: Services,
  index: IndexMeta,
  ids: readonly string[],
): Promise<(StoredDocument | undefined)[]> {
  for (let read = 0; read < readsMax; read++) {
    await shown(services, [{ index }])
    const permitted = await permittedVersions(scope, services, index, ids)
    const found = await services.documents.get(index, ids, false)
    const isStill = (document: StoredDocument | undefined) =>
      document === undefined || (permitted.get(document.id) ?? document.seqNo) === document.seqNo
    if (found.every(isStill))
      return found.map((document) => (document && permitted.has(document.id) ? document : undefined))
  }
  throw new AppError(
    searchErrors.es_rejected_execution_exception,
    `documents of [${index.name}] were replaced again and again while they were read`,
  )
}

async function permittedVersions(
  scope: Scope,
  services: Services,
  index: IndexMeta,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const release = services.documents.hold()
  try {
    const query = { ids: { values: [...new Set(ids)] } }
    const asked = { indices: [{ index, aliasFilters: [] }], scope, query, nowMs: services.now() }
    const versions = new Map<string, number>()
    for (const leaf of await prepareLeaves(services, asked, {})) {
      const { from, where } = leafRows(services, leaf)
      for (const [id, seqNo] of await services.engine.rows(
        sql`SELECT _id, toUInt64(_seq_no) FROM ${from} WHERE ${where}`,
      ))
        versions.set(String(id), Number(seqNo))
    }
    return versions
  } finally {
    release()
  }
}

/** Whether a read under a routing (absent: the id) comes to the shard where the document was written. */
export function isRoutedTo(index: IndexMeta, document: StoredDocument | undefined, routing: unknown): boolean {
  if (!document) return false
  return leadsTo(index, routing === undefined ? undefined : String(routing), document)
}

/** A found or missing document as `_doc` and `_mget` answer it: JSON bytes, the source as stored, and stored fields. */
export function showDocument(
  index: IndexMeta,
  id: string,
  document: StoredDocument | undefined,
  source: Buffer | undefined,
  fields?: Readonly<Record<string, unknown>>,
): Buffer {
  if (!document) return Buffer.from(JSON.stringify({ _index: index.name, _id: id, found: false }))
  const head = JSON.stringify({
    _index: index.name,
    _id: id,
    _version: document.version,
    _seq_no: document.seqNo,
    _primary_term: 1,
    ...(document.routing === '' ? {} : { _routing: document.routing }),
    found: true,
  })
  const tail = fields && Object.keys(fields).length > 0 ? `,"fields":${printJson(fields)}}` : '}'
  const open = head.slice(0, -1)
  if (!source) return Buffer.from(open + tail)
  return Buffer.concat([Buffer.from(`${open},"_source":`), source, Buffer.from(tail)])
}

/** Refuses a read whose `version` is not the document's. */
export function checkVersion(
  index: IndexMeta,
  document: StoredDocument | undefined,
  query: Readonly<Record<string, unknown>>,
): void {
  const { version } = query
  if (!document || typeof version !== 'number' || version === document.version) return
  const reason = `[${document.id}]: version conflict, current version [${document.version}] is different than the one provided [${version}]`
  throw new AppError(searchErrors.version_conflict_engine_exception, reason, {
    detail: { index_uuid: index.uuid, shard: '0', index: index.name },
  })
}
