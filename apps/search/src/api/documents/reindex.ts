import { AppError, isAppError, searchErrors } from '@logstack/errors'
import { bodySourceChoice, type SourceChoice, shownSource } from '../../dsl/source-choice.ts'
import type { ResolvedIndex } from '../../indices/resolve.ts'
import { isObject } from '../../json/json-object.ts'
import { requireSource } from '../../model/kept-source.ts'
import type { Script } from '../../painless/script.ts'
import { validationError } from '../../refusals/validation-error.ts'
import type { RemoteSources, Services } from '../../services.ts'
import { scalarText } from '../../values/scalar-text.ts'
import { defineRoute, type RouteRequest } from '../define-route.ts'
import { objectBody } from '../read-request.ts'
import { autoCreateRefusal } from './auto-create.ts'
import { runJob } from './by-query-job.ts'
import {
  type ByQueryBody,
  byQueryParameters,
  checkSearchKeys,
  findSources,
  readBatchSize,
  readOptions,
  readProceed,
  readSlice,
} from './by-query-parameters.ts'
import type { ByQueryMatch, MakeWrite } from './by-query-run.ts'
import { runScript } from './by-query-script.ts'
import { readRemote } from './reindex-remote.ts'
import type { RemoteCluster } from './remote-cluster.ts'
import { findRemote } from './remote-documents.ts'
import { requestScript } from './write-documents.ts'

const bodyKeys = ['source', 'dest', 'script', 'conflicts', 'max_docs', 'size']
const sourceKeys = ['index', 'query', 'size', 'remote', '_source', 'slice', 'sort']
const destKeys = ['index', 'op_type', 'version_type', 'pipeline', 'routing']

/** How long another cluster keeps what was found between two batches. */
const keptMsDefault = 300_000

function invalid(reason: string): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason)
}

function refuseUnknown(what: string, given: ByQueryBody, known: readonly string[]): void {
  const unknown = Object.keys(given).find((key) => !known.includes(key))
  if (unknown !== undefined) {
    throw new AppError(searchErrors.x_content_parse_exception, `[${what}] unknown field [${unknown}]`)
  }
}

interface ReindexBody {
  readonly body: ByQueryBody
  readonly source: ByQueryBody
  readonly dest: ByQueryBody
  /** Index expressions to read. */
  readonly names: readonly string[]
  readonly destIndex: string
  /** Where the documents are, if not here. */
  readonly remote: RemoteCluster | undefined
}

/** Reads the body as Elasticsearch does: first what cannot be parsed, then what is missing. */
function readReindex(given: unknown, allowed: RemoteSources | undefined): ReindexBody {
  const body = objectBody(given, 'reindex')
  refuseUnknown('reindex', body, bodyKeys)
  readProceed(body['conflicts'])
  const source = part(body, 'source')
  const dest = part(body, 'dest')
  refuseUnknown('dest', dest, destKeys)
  const remote = source['remote'] === undefined ? undefined : readRemote(source['remote'], allowed)
  readBatchSize(source['size'])
  const names = [source['index'] ?? []].flat().map(scalarText)
  const problems = [
    ...(names.length === 0 ? ['use _all if you really want to copy from all existing indexes'] : []),
    ...['from', 'stored_fields']
      .filter((key) => source[key] !== undefined)
      .map((key) => `${key} is not supported in this context`),
    ...(typeof dest['index'] === 'string' ? [] : ['index must be specified']),
  ]
  checkSearchKeys(source, [...sourceKeys, 'from', 'stored_fields'])
  if (problems.length > 0) throw validationError(...problems)
  return { body, source, dest, names, destIndex: String(dest['index']), remote }
}

function part(body: ByQueryBody, name: 'source' | 'dest'): ByQueryBody {
  const given = body[name] ?? {}
  if (isObject(given)) return given
  throw new AppError(searchErrors.x_content_parse_exception, `[reindex] failed to parse field [${name}]`)
}

/** `dest.routing`: `keep` (as it was), `discard`, or `=text`. */
function readRouting(given: unknown): (own: string | undefined) => { readonly routing?: string } {
  if (given === 'discard') return () => ({})
  if (typeof given === 'string' && given.startsWith('=')) return () => ({ routing: given.slice(1) })
  if (given === undefined || given === 'keep') return (own) => (own === undefined ? {} : { routing: own })
  throw invalid(`routing must be 'keep', 'discard' or '=<text>', not [${String(given)}]`)
}

/** `dest.op_type`: a word that is not understood must not overwrite what was to be kept. */
function readOpType(given: unknown = 'index'): 'create' | 'index' {
  const type = String(given).toLowerCase()
  if (type === 'create' || type === 'index') return type
  throw invalid(`opType must be 'create' or 'index', found: [${scalarText(given)}]`)
}

const versionTypes = {
  internal: undefined,
  external: 'external',
  external_gt: 'external',
  external_gte: 'external_gte',
} as const

/** `dest.version_type`; undefined: versions are counted here. */
function readVersionType(given: unknown = 'internal'): 'external' | 'external_gte' | undefined {
  const name = Object.keys(versionTypes).find((known): known is keyof typeof versionTypes => known === given)
  if (name === undefined) throw invalid(`No version type match [${scalarText(given)}]`)
  return versionTypes[name]
}

/** Copies a document to another index, after its script when there is one. */
function copying(dest: ByQueryBody, choice: SourceChoice, script: Script | undefined, nowMs: number): MakeWrite {
  const { index, pipeline } = dest
  const reroute = readRouting(dest['routing'])
  const action = readOpType(dest['op_type'])
  const versionType = readVersionType(dest['version_type'])
  return (found) => {
    requireSource(found.index, found.id)
    const document = { ...found, source: shownSource(found.source, choice) ?? Buffer.from('{}') }
    const scripted = script && runScript(script, document, nowMs, String(index))
    if (scripted?.op === 'noop') return 'noop'
    const unscripted = {
      _index: index,
      _id: document.id,
      _version: document.version,
      _routing: document.routing || null,
    }
    const { _index, _id, _version, _routing } = { ...unscripted, ...scripted?.ctx }
    const target = {
      index: String(_index),
      ...(_id === null ? {} : { id: String(_id) }),
      ...reroute(typeof _routing === 'string' ? _routing : undefined),
      ...(typeof pipeline === 'string' ? { pipeline } : {}),
      ...(versionType === undefined ? {} : { versionType, version: Number(_version) }),
    }
    if (scripted?.op === 'delete') return { action: 'delete', ...target }
    return { action, ...target, source: scripted?.source ?? document.source }
  }
}

/**
 * Why a destination cannot be written to: it would be made and must not be, or a copy would be read while it grows. An alias and a data stream stand for the index
 * that is written to.
 */
async function refuseDestination(
  name: string,
  sources: readonly ResolvedIndex[],
  { catalogue }: Services,
): Promise<void> {
  const target = await catalogue.writeTarget(name, { requireAlias: false, create: false }).catch((thrown: unknown) => {
    if (isAppError(thrown) && thrown.code === searchErrors.index_not_found_exception.code) return undefined
    throw thrown
  })
  if (target === undefined) {
    const refused = autoCreateRefusal(name, { catalogue })
    if (refused) throw refused
  } else if (sources.some(({ index }) => index.id === target.index.id))
    throw validationError(`reindex cannot write into an index its reading from [${target.index.name}]`)
}

function placeOf(remote: RemoteCluster | undefined): string {
  if (!remote) return ''
  const { protocol, hostname, port } = remote.url
  return `[scheme=${protocol.slice(0, -1)} host=${hostname} port=${port}]`
}

/** What another cluster holds is read by one worker. */
function oneSlice({ query }: RouteRequest): 1 {
  const { slices } = query
  if (slices === undefined || slices === 'auto' || slices === '1') return 1
  throw validationError(`reindex from remote sources doesn't support slices > 1 but was [${String(slices)}]`)
}

function remoteSearch(
  request: RouteRequest,
  { source, names }: ReindexBody,
  cluster: RemoteCluster,
): NonNullable<ByQueryMatch['elsewhere']> {
  if (source['slice'] !== undefined) throw validationError("reindex from remote sources doesn't support source.slice")
  const { query, sort, _source } = source
  const keepAlive = `${Math.ceil(Number(request.query['scroll'] ?? keptMsDefault) / 1000)}s`
  const search = { cluster, names, query, sort, source: _source, batchSize: readBatchSize(source['size']), keepAlive }
  return (signal, onRetry) => findRemote({ ...search, onRetry }, signal)
}

/** `POST /_reindex`: copies what a query finds to another index. */
export const reindexRoute = defineRoute({
  name: 'reindex',
  methods: ['POST'],
  paths: ['/_reindex'],
  privilege: 'authenticated',
  waitsForWork: true,
  parameters: byQueryParameters,
  listsItself: true,
  async handle(request, services) {
    const read = readReindex(request.json(), services.remoteSources)
    const { body, source, dest, names, destIndex, remote } = read
    const script = body['script'] === undefined ? undefined : requestScript(services)(body['script'])
    const choice = bodySourceChoice(source['_source']) ?? true
    const { options, indices } = readOptions(request, body, () =>
      remote ? [] : findSources(request, services, 'reindex', 'read', names.join(',')),
    )
    await refuseDestination(destIndex, indices, services)
    const make = copying(dest, remote ? true : choice, script, services.now())
    return runJob(services, request, {
      action: 'indices:data/write/reindex',
      description: `reindex from ${placeOf(remote)}[${names.join(', ')}] to [${destIndex}]`,
      options: { ...options, kind: 'reindex', make, ...(remote ? { slices: oneSlice(request) } : {}) },
      match: {
        ...(remote ? { elsewhere: remoteSearch(request, read, remote) } : {}),
        indices,
        scope: request.scope,
        query: source['query'],
        slice: readSlice(source['slice'], request.query['slices']),
        sort: source['sort'],
        batchSize: readBatchSize(source['size']),
        withSource: true,
      },
    })
  },
})
