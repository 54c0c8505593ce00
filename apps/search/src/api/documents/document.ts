import { AppError, searchErrors } from '@logstack/errors'
import { readUpdate } from '../../documents/bulk-parser.ts'
import type { StoredDocument } from '../../documents/documents.ts'
import type { WriteOperation } from '../../documents/write-operation.ts'
import { bodySourceChoice, sourceChoice } from '../../dsl/source-choice.ts'
import { isObject } from '../../json/json-object.ts'
import { printJson } from '../../json/print-json.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import { validationError } from '../../refusals/validation-error.ts'
import { visibleSource } from '../../security/visible-source.ts'
import { scalarText } from '../../values/scalar-text.ts'
import { defineRoute, type Route, type RouteRequest } from '../define-route.ts'
import { objectBody, parseExactBody } from '../read-request.ts'
import { renderError } from '../render-error.ts'
import { checkVersion, indexToRead, isRoutedTo, readDocuments, showDocument } from '../resources/read-documents.ts'
import { storedFields } from './stored-fields.ts'
import {
  bodyRequired,
  showUpdated,
  showWrite,
  updateScript,
  writeDocument,
  writeParameters,
  writeWaitsOf,
} from './write-documents.ts'

const versionTypes = ['internal', 'external', 'external_gte'] as const
const concurrency = {
  version: 'integer',
  version_type: versionTypes,
  if_seq_no: 'integer',
  if_primary_term: 'integer',
} as const
const sourceParameters = { _source: 'list', _source_includes: 'list', _source_excludes: 'list' } as const
const bodyBytesMax = 100 * 1024 * 1024

/** The parts of a write that come from path and query. */
function operationOf(request: RouteRequest, action: WriteOperation['action']): WriteOperation {
  const { query, params } = request
  const { routing, pipeline, version, version_type, if_seq_no, if_primary_term, require_alias, require_data_stream } =
    query
  const id = params['id']
  if (id !== undefined && Buffer.byteLength(id) > 512) {
    throw validationError(`id [${id}] is too long, must be no longer than 512 bytes but was: ${Buffer.byteLength(id)}`)
  }
  return {
    action,
    index: params['index'] ?? '',
    ...(id === undefined ? {} : { id }),
    ...(typeof routing === 'string' ? { routing } : {}),
    ...(typeof pipeline === 'string' ? { pipeline } : {}),
    ...(typeof version === 'number' ? { version } : {}),
    ...(typeof version_type === 'string' ? { versionType: version_type as (typeof versionTypes)[number] } : {}),
    ...(typeof if_seq_no === 'number' ? { ifSeqNo: if_seq_no } : {}),
    ...(typeof if_primary_term === 'number' ? { ifPrimaryTerm: if_primary_term } : {}),
    ...(typeof require_alias === 'boolean' ? { requireAlias: require_alias } : {}),
    ...(typeof require_data_stream === 'boolean' ? { requireDataStream: require_data_stream } : {}),
  }
}

function indexingRoute(
  name: 'index' | 'create',
  methods: Route['methods'],
  paths: readonly string[],
  parameters: Route['parameters'],
): Route {
  return defineRoute({
    name,
    methods,
    paths,
    privilege: { index: 'create_doc' },
    somewhere: { privilege: 'create_doc', of: 'index' },
    parameters: { ...writeParameters, ...parameters },
    bodyBytesMax,
    async handle(request, services) {
      if (request.body.length === 0) throw bodyRequired()
      // Without an id nothing can be overwritten: that is a creation, which data streams take too.
      const asked = request.query['op_type'] ?? (request.params['id'] === undefined ? 'create' : 'index')
      const action = name === 'create' || asked === 'create' ? 'create' : 'index'
      const operation: WriteOperation = { ...operationOf(request, action), source: request.body }
      const result = await writeDocument(
        request.scope,
        operation,
        services,
        writeWaitsOf(request.query, request.signal),
      )
      const location = `/${encodeURIComponent(result.index)}/_doc/${encodeURIComponent(result.id)}`
      const json = showWrite(result, services, request.query['refresh'])
      return { status: result.status, json, headers: { location } }
    },
  })
}

const index = indexingRoute('index', ['PUT', 'POST'], ['/{index}/_doc/{id}'], {
  ...concurrency,
  op_type: ['index', 'create'],
})
const indexAutomatic = indexingRoute('index', ['POST'], ['/{index}/_doc'], {
  ...concurrency,
  op_type: ['index', 'create'],
  type: 'string',
})
const create = indexingRoute('create', ['PUT', 'POST'], ['/{index}/_create/{id}'], {
  version: 'integer',
  version_type: versionTypes,
})

const remove = defineRoute({
  name: 'delete',
  methods: ['DELETE'],
  paths: ['/{index}/_doc/{id}'],
  privilege: { index: 'delete' },
  somewhere: { privilege: 'delete', of: 'index' },
  parameters: { ...writeParameters, ...concurrency },
  async handle(request, services) {
    const result = await writeDocument(
      request.scope,
      operationOf(request, 'delete'),
      services,
      writeWaitsOf(request.query, request.signal),
    )
    return { status: result.status, json: showWrite(result, services, request.query['refresh']) }
  },
})

/** Updates read and write by themselves: who names a version means another request. */
function checkUpdate({
  version,
  version_type: type,
  if_seq_no: sequence,
  retry_on_conflict: retries,
}: RouteRequest['query']): void {
  if (type !== undefined && type !== 'internal')
    throw validationError(`version type [${String(type).toUpperCase()}] is not supported by the update API`)
  if (version !== undefined)
    throw validationError(
      'internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead',
    )
  if (sequence !== undefined && Number(retries ?? 0) > 0)
    throw validationError('compare and write operations can not be retried')
}

const update = defineRoute({
  name: 'update',
  methods: ['POST'],
  paths: ['/{index}/_update/{id}'],
  privilege: { index: 'index' },
  somewhere: { privilege: 'index', of: 'index' },
  parameters: {
    ...writeParameters,
    ...sourceParameters,
    if_seq_no: 'integer',
    if_primary_term: 'integer',
    lang: 'string',
    retry_on_conflict: 'integer',
    version: 'integer',
    version_type: versionTypes,
  },
  bodyBytesMax,
  async handle(request, services) {
    checkUpdate(request.query)
    const body = objectBody(parseExactBody(request), 'UpdateRequest')
    const parsed = readUpdate(body, updateScript(services, request.signal))
    const retries = request.query['retry_on_conflict']
    const { if_seq_no, if_primary_term } = body
    const operation: WriteOperation = {
      ...operationOf(request, 'update'),
      ...(typeof if_seq_no === 'number' ? { ifSeqNo: if_seq_no } : {}),
      ...(typeof if_primary_term === 'number' ? { ifPrimaryTerm: if_primary_term } : {}),
      update: typeof retries === 'number' ? { ...parsed, retryOnConflict: retries } : parsed,
    }
    const result = await writeDocument(request.scope, operation, services, writeWaitsOf(request.query, request.signal))
    const choice = sourceChoice(request.query) ?? bodySourceChoice(body['_source']) ?? false
    const get = showUpdated(request.scope, result, services, choice)
    const json = { ...showWrite(result, services, request.query['refresh']), ...(get ? { get } : {}) }
    return { status: result.status, jsonBytes: Buffer.from(printJson(json)) }
  },
})

const readParameters = {
  ...sourceParameters,
  version: 'integer',
  version_type: versionTypes,
  routing: 'string',
  realtime: 'boolean',
  refresh: 'boolean',
  preference: 'string',
} as const

async function readOne(request: RouteRequest, services: Parameters<Route['handle']>[1], route: string) {
  const { index: name = '', id = '' } = request.params
  const meta = indexToRead(request.scope, services, route, name)
  const [document] = await readDocuments(request.scope, services, meta, [id], request.query)
  const found = isRoutedTo(meta, document, request.query['routing']) ? document : undefined
  checkVersion(meta, found, request.query)
  return { meta, id, found }
}

const get = defineRoute({
  name: 'get',
  methods: ['GET', 'HEAD'],
  paths: ['/{index}/_doc/{id}'],
  privilege: { index: 'read' },
  parameters: { ...readParameters, stored_fields: 'list' },
  async handle(request, services) {
    const { meta, id, found } = await readOne(request, services, 'get')
    const stored = request.query['stored_fields'] as readonly string[] | undefined
    const choice = sourceChoice(request.query) ?? (stored === undefined || stored.includes('_source'))
    const source = found && visibleSource(request.scope, meta, found.source, choice)
    const fields =
      found && stored && storedFields(request.scope, services.catalogue.fields(meta), found, stored, meta.name)
    return { status: found ? 200 : 404, jsonBytes: showDocument(meta, id, found, source, fields) }
  },
})

const getSource = defineRoute({
  name: 'get_source',
  methods: ['GET', 'HEAD'],
  paths: ['/{index}/_source/{id}'],
  privilege: { index: 'read' },
  parameters: readParameters,
  async handle(request, services) {
    const { meta, id, found } = await readOne(request, services, 'get')
    const source = found && visibleSource(request.scope, meta, found.source, sourceChoice(request.query) ?? true)
    if (!source) {
      const reason = found ? `Source not found [${meta.name}]/[${id}]` : `Document not found [${meta.name}]/[${id}]`
      throw new AppError(searchErrors.resource_not_found_exception, reason)
    }
    return { jsonBytes: source }
  },
})

interface WantedDocument {
  readonly index: string
  readonly id: string
  readonly routing: unknown
  readonly source: ReturnType<typeof bodySourceChoice>
  readonly stored: readonly string[] | undefined
}

const wantedKeys = ['_index', '_id', 'routing', '_source', 'stored_fields', 'version', 'version_type']

function readWanted(request: RouteRequest): WantedDocument[] {
  const { docs, ids, ...unknown } = objectBody(request.json(), 'mget')
  const [key] = Object.keys(unknown)
  if (key !== undefined) {
    throw new AppError(
      searchErrors.parsing_exception,
      `unknown key [${key}] for a START_ARRAY, expected [docs] or [ids]`,
    )
  }
  const inPath = request.params['index']
  const wanted = [
    ...(Array.isArray(docs) ? docs : []).map((doc: unknown) => (isObject(doc) ? doc : { _id: doc })),
    ...(Array.isArray(ids) ? ids : []).map((id: unknown) => ({ _id: id })),
  ] as Readonly<Record<string, unknown>>[]
  if (wanted.length === 0) throw validationError('no documents to get')
  const misspelt = wanted.flatMap((doc) => Object.keys(doc)).find((key) => !wantedKeys.includes(key))
  if (misspelt !== undefined) {
    throw new AppError(searchErrors.parse_exception, `failed to parse multi get request. unknown field [${misspelt}]`)
  }
  const problems = wanted.flatMap(({ _index = inPath, _id }, at) => [
    ...(typeof _index === 'string' ? [] : [`index is missing for doc ${at}`]),
    ...(_id === undefined || _id === null ? [`id is missing for doc ${at}`] : []),
  ])
  if (problems.length > 0) throw validationError(...problems)
  const standard = request.query['routing']
  const allStored = request.query['stored_fields']
  return wanted.map(({ _index = inPath, _id, _source, routing = standard, stored_fields = allStored }) => ({
    index: scalarText(_index),
    id: scalarText(_id),
    routing,
    source: bodySourceChoice(_source),
    stored: stored_fields === undefined ? undefined : [stored_fields].flat().map(scalarText),
  }))
}

const mget = defineRoute({
  name: 'mget',
  methods: ['GET', 'POST'],
  paths: ['/_mget', '/{index}/_mget'],
  privilege: { index: 'read' },
  somewhere: { privilege: 'read', of: 'items' },
  parameters: {
    ...sourceParameters,
    stored_fields: 'list',
    preference: 'string',
    realtime: 'boolean',
    refresh: 'boolean',
    routing: 'string',
  },
  async handle(request, services) {
    const wanted = readWanted(request)
    const standard = sourceChoice(request.query)
    const reads = readByIndex(request, services, wanted)
    const shown = await Promise.all(
      wanted.map((one) => showWanted(request, services, one, reads.get(one.index), standard)),
    )
    const joined = shown.flatMap((bytes, at) => (at === 0 ? [bytes] : [Buffer.from(','), bytes]))
    return { jsonBytes: Buffer.concat([Buffer.from('{"docs":['), ...joined, Buffer.from(']}')]) }
  },
})

interface IndexRead {
  readonly meta: IndexMeta
  readonly documents: ReadonlyMap<string, StoredDocument | undefined>
}

/** One read for each index by its name in the request, whatever is asked of it. */
function readByIndex(
  request: RouteRequest,
  services: Parameters<Route['handle']>[1],
  wanted: readonly WantedDocument[],
): Map<string, Promise<IndexRead>> {
  const idsOf = new Map<string, Set<string>>()
  for (const { index, id } of wanted) idsOf.set(index, (idsOf.get(index) ?? new Set()).add(id))
  const readAll = async (name: string, ids: readonly string[]): Promise<IndexRead> => {
    const meta = indexToRead(request.scope, services, 'mget.item', name)
    const found = await readDocuments(request.scope, services, meta, ids, request.query)
    return { meta, documents: new Map(ids.map((id, at) => [id, found[at]])) }
  }
  return new Map([...idsOf].map(([name, ids]) => [name, readAll(name, [...ids])]))
}

async function showWanted(
  request: RouteRequest,
  services: Parameters<Route['handle']>[1],
  { index: name, id, routing, source, stored }: WantedDocument,
  reading: Promise<IndexRead> | undefined,
  standard: ReturnType<typeof sourceChoice>,
): Promise<Buffer> {
  try {
    const read = await reading
    if (!read) throw new Error(`BUG: [${name}] was not read`)
    const { meta } = read
    const found = read.documents.get(id)
    const document = isRoutedTo(meta, found, routing) ? found : undefined
    const choice = source ?? standard ?? (stored === undefined || stored.includes('_source'))
    const visible = document && visibleSource(request.scope, meta, document.source, choice)
    const fields =
      document && stored && storedFields(request.scope, services.catalogue.fields(meta), document, stored, name)
    return showDocument(meta, id, document, visible, fields)
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    // One document's fault is its own, as in a bulk.
    const { body } = renderError(thrown, { trace: request.errorTrace === true })
    return Buffer.from(JSON.stringify({ _index: name, _id: id, error: body['error'] }))
  }
}

/** Single documents, and several by id. */
export const documentRoutes: readonly Route[] = [index, indexAutomatic, create, remove, update, get, getSource, mget]
