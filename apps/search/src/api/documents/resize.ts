import { AppError, searchErrors } from '@logstack/errors'
import type { ResolvedIndex } from '../../indices/resolve.ts'
import { resolveOptions } from '../../indices/resolve-options.ts'
import { shardsOf } from '../../indices/shards.ts'
import { isObject } from '../../json/json-object.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import type { Scope } from '../../model/scope.ts'
import { validationError } from '../../refusals/validation-error.ts'
import type { Services } from '../../services.ts'
import type { Task } from '../../tasks/tasks.ts'
import { defineRoute, type Route, type RouteRequest } from '../define-route.ts'
import { readCreateBody, requireAliases } from '../indices/index-admin.ts'
import { readParameter } from '../parameters.ts'
import { requireIndices, resolveAuthorized } from '../resources/authorized-indices.ts'
import { changeAsTask, completionParameters } from '../resources/background-task.ts'
import { type MakeWrite, runByQuery } from './by-query-run.ts'
import { writeWaitsOf } from './write-documents.ts'

type Kind = 'shrink' | 'split' | 'clone'

const batchSize = 1000

function invalid(reason: string): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason)
}

function sourceOf(request: RouteRequest, services: Services, kind: Kind): ResolvedIndex {
  const [found] = resolveAuthorized(request, services, {
    route: `indices.${kind}`,
    privilege: 'manage',
    expression: request.params['index'] ?? '',
    options: resolveOptions({}, { expand: ['open', 'hidden'], forbidClosed: true, allowNoIndices: false }),
  })
  if (!found) throw new Error('BUG: a name that must be found was not')
  return found
}

function requireReadOnly({ name, settings }: IndexMeta): void {
  if (settings['blocks.write'] === 'true' || settings['blocks.read_only'] === 'true') return
  const reason = `index ${name} must be read-only to resize index. use "index.blocks.write=true"`
  throw new AppError(searchErrors.illegal_state_exception, reason, { detail: { status: 500 } })
}

/** The fewest shards of a shrunken index none of which is larger than asked. */
function fewestShards(primaries: number, bytes: number, bytesMax: number): number {
  const least = Math.max(1, Math.ceil(bytes / bytesMax))
  for (let count = least; count < primaries; count++) if (primaries % count === 0) return count
  return primaries
}

/** The body without what only `_shrink` takes, and the number of shards that comes from it. */
async function readSizeLimit(
  request: RouteRequest,
  services: Services,
  source: IndexMeta,
): Promise<{ readonly body: unknown; readonly shards: number | undefined }> {
  const given = request.json()
  if (!isObject(given)) return { body: given, shards: undefined }
  const { max_primary_shard_size, max_shard_size = max_primary_shard_size, ...body } = given
  if (max_shard_size === undefined) return { body, shards: undefined }
  const bytesMax = Number(readParameter('max_primary_shard_size', String(max_shard_size), 'bytes'))
  if (bytesMax <= 0) throw invalid('[max_primary_shard_size] must be greater than 0')
  const { bytes } = await services.documents.stats(source)
  return { body, shards: fewestShards(shardsOf(source).primaries, bytes, bytesMax) }
}

/** How many shards the new index gets. Throws `illegal_argument_exception` when the old ones cannot be cut or joined so. */
function shardsOfTarget(kind: Kind, source: IndexMeta, wanted: unknown): number {
  const { primaries } = shardsOf(source)
  const standard = kind === 'shrink' ? 1 : primaries
  const asked = Number(wanted ?? standard)
  if (kind === 'clone' && asked !== primaries) {
    throw invalid(`the number of source shards [${primaries}] must be equal to the number of target shards [${asked}]`)
  }
  if (kind === 'shrink' && asked > primaries) {
    throw invalid(`the number of target shards [${asked}] must be less that the number of source shards [${primaries}]`)
  }
  if (kind === 'shrink' && primaries % asked !== 0) {
    throw invalid(`the number of source shards [${primaries}] must be a multiple of [${asked}]`)
  }
  if (kind === 'split' && asked < primaries) {
    throw invalid(`the number of source shards [${primaries}] must be less that the number of target shards [${asked}]`)
  }
  if (kind === 'split' && asked % primaries !== 0) {
    throw invalid(`the number of source shards [${primaries}] must be a factor of [${asked}]`)
  }
  return asked
}

const ownSettings = new Set(['creation_date', 'provided_name', 'uuid', 'version.created', 'number_of_shards'])

/** The settings the new index takes over. */
function copiedSettings({ settings }: IndexMeta): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !ownSettings.has(name)))
}

/** A target that takes no changes could not be filled. */
function refuseBlockedTarget(name: string, source: IndexMeta, wanted: Readonly<Record<string, unknown>>): void {
  for (const setting of ['blocks.read_only', 'blocks.metadata']) {
    const reason = `will be blocked by [index.${setting}=true], this will disable metadata writes and cause the shards to be unassigned`
    if (String(wanted[setting]) === 'true') throw validationError(`target index [${name}] ${reason}`)
    if (wanted[setting] === undefined && source.settings[setting] === 'true') {
      throw invalid(`target index [${name}] ${reason}, as the source index [${source.name}] is`)
    }
  }
}

function flat(given: Readonly<Record<string, unknown>>, prefix = ''): [string, unknown][] {
  return Object.entries(given).flatMap(([key, value]): [string, unknown][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? flat(value as Readonly<Record<string, unknown>>, `${prefix}${key}.`)
      : [[(prefix + key).replace(/^index\./, ''), value]],
  )
}

const copying =
  (target: string): MakeWrite =>
  ({ id, routing, version, source }) => ({
    action: 'index',
    index: target,
    id,
    source,
    version,
    versionType: 'external',
    ...(routing === '' ? {} : { routing }),
  })

/** Copies all documents; their versions stay. Throws the first failure. */
async function copyAll(
  services: Services,
  task: Task,
  scope: Scope,
  signal: AbortSignal,
  source: ResolvedIndex,
  target: string,
): Promise<void> {
  // All of it, also what searches do not see yet.
  await services.documents.shown([source.index.table])
  const { json } = await runByQuery(
    services,
    task,
    { indices: [source], scope, query: undefined, batchSize, withSource: true },
    {
      kind: 'reindex',
      make: copying(target),
      scope,
      maxDocs: Number.POSITIVE_INFINITY,
      proceed: false,
      rate: Number.POSITIVE_INFINITY,
      slices: 1,
      waits: writeWaitsOf({}),
    },
    signal,
  )
  const failures = json['failures']
  if (Array.isArray(failures) && failures.length > 0) {
    throw new AppError(searchErrors.illegal_state_exception, `a document could not be copied to [${target}]`)
  }
}

const resize = (kind: Kind): Route =>
  defineRoute({
    name: `indices.${kind}`,
    methods: ['PUT', 'POST'],
    paths: [`/{index}/_${kind}/{target}`],
    privilege: { index: 'manage' },
    waitsForWork: true,
    parameters: {
      timeout: 'time',
      master_timeout: 'time',
      cluster_manager_timeout: 'time',
      wait_for_active_shards: 'string',
      copy_settings: 'boolean',
      ...completionParameters,
    },
    listsItself: true,
    async handle(request, services) {
      const { catalogue } = services
      const name = request.params['target'] ?? ''
      const source = sourceOf(request, services, kind)
      requireIndices(request.scope, `indices.${kind}`, 'create_index', [name])
      if (request.query['copy_settings'] === false) {
        throw invalid('parameter [copy_settings] can not be explicitly set to [false]')
      }
      const limited = kind === 'shrink' ? await readSizeLimit(request, services, source.index) : undefined
      const { settings = {}, aliases, mappings } = readCreateBody(limited ? limited.body : request.json())
      requireAliases(request.scope, name, aliases)
      if (mappings !== undefined) {
        throw invalid('mappings are not allowed when resizing indices, all mappings are copied from the source index')
      }
      const wanted = Object.fromEntries(flat(settings))
      const shards = shardsOfTarget(kind, source.index, limited?.shards ?? wanted['number_of_shards'])
      requireReadOnly(source.index)
      refuseBlockedTarget(name, source.index, wanted)
      const { 'blocks.write': writeBlock, ...rest } = { ...copiedSettings(source.index), ...wanted }
      const kept = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null))
      const created = await catalogue.createIndex({
        name,
        settings: { ...kept, number_of_shards: shards },
        mappings: source.index.mapping,
        ...(aliases === undefined ? {} : { aliases }),
        fromTemplates: false,
      })
      const description = `${kind} from [${source.index.name}] to [${created.name}]`
      return changeAsTask(services, request, { action: 'indices:admin/resize', description }, async (task) => {
        // Who does not wait for the copy may go.
        const signal = request.query['wait_for_completion'] === false ? task.signal : request.signal
        await copyAll(services, task, request.scope, signal, source, created.name)
        const made = catalogue.index(created.name)
        if (made && String(writeBlock) === 'true') await catalogue.putSettings(made, { 'blocks.write': true })
        return { acknowledged: true, shards_acknowledged: true, index: created.name }
      })
    },
  })

/** New indices with the documents of an old one in another number of shards. */
export const resizeRoutes: readonly Route[] = [resize('shrink'), resize('split'), resize('clone')]
