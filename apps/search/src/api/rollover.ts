import { AppError, searchErrors } from '@logstack/errors'
import type { CreateIndexRequest } from '../indices/catalogue.ts'
import { backingIndexName } from '../indices/data-streams.ts'
import type { IndexMeta } from '../indices/model.ts'
import { byteSize } from '../ingest/text-values.ts'
import type { Services } from '../services.ts'
import { requireIndices } from './authorized-indices.ts'
import { defineRoute, type RouteRequest } from './define-route.ts'
import { indicesOf, readCreateBody } from './index-admin.ts'
import { readTime } from './parameters.ts'
import { isObject, objectBody } from './read-request.ts'

type Body = Readonly<Record<string, unknown>>

/** What a write index is measured by. */
interface Measured {
  readonly ageMs: number
  readonly documents: number
  readonly bytes: number
}

function invalid(reason: string): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason)
}

const measures: Readonly<
  Record<string, (measured: Measured, limit: unknown, name: string) => readonly [number, number]>
> = {
  age: ({ ageMs }, limit, name) => [ageMs, readTime(name, String(limit))],
  docs: ({ documents }, limit, name) => [documents, wholeNumber(limit, name)],
  size: ({ bytes }, limit, name) => [bytes, bytesOf(limit, name)],
  primary_shard_size: ({ bytes }, limit, name) => [bytes, bytesOf(limit, name)],
  primary_shard_docs: ({ documents }, limit, name) => [documents, wholeNumber(limit, name)],
}

function wholeNumber(limit: unknown, name: string): number {
  if (/^\d+$/.test(String(limit))) return Number(limit)
  throw invalid(`Failed to parse value [${String(limit)}] of [${name}] as a number`)
}

function bytesOf(limit: unknown, name: string): number {
  const bytes = /[a-z]/i.test(String(limit)) ? byteSize(String(limit)) : undefined
  if (bytes !== undefined) return bytes
  throw invalid(
    `failed to parse setting [${name}] with value [${String(limit)}] as a size in bytes: unit is missing or unrecognized`,
  )
}

interface Condition {
  /** As the answer shows it: `[max_docs: 1]`. */
  readonly shown: string
  readonly minimum: boolean
  readonly met: boolean
}

/** Checks `max_…` and `min_…` conditions. An index without documents meets no limit of its size. */
function checkConditions(given: unknown, measured: Measured): Condition[] {
  if (given === undefined) return []
  if (!isObject(given)) throw new AppError(searchErrors.parsing_exception, '[conditions] must be an object')
  return Object.entries(given).map(([name, limit]) => {
    const [, bound, what = ''] = /^(max|min)_(.+)$/.exec(name) ?? []
    const measure = Object.hasOwn(measures, what) ? measures[what] : undefined
    if (!measure) throw new AppError(searchErrors.parsing_exception, `[conditions] unknown field [${name}]`)
    const [value, wanted] = measure(measured, limit, name)
    const empty = measured.documents === 0 && what.endsWith('size')
    return { shown: `[${name}: ${String(limit)}]`, minimum: bound === 'min', met: !empty && value >= wanted }
  })
}

/** Without conditions always; else when every minimum and, if there are any, one maximum is met. */
function isDue(conditions: readonly Condition[]): boolean {
  const maxima = conditions.filter(({ minimum }) => !minimum)
  const minima = conditions.filter(({ minimum }) => minimum)
  return minima.every(({ met }) => met) && (maxima.length === 0 || maxima.some(({ met }) => met))
}

/** What rolls over: the index written to now, the name of the next, and how the change is made. */
interface Target {
  readonly before: IndexMeta
  readonly next: string
  roll(): Promise<string>
}

function nextName(name: string): string {
  const [, stem, digits] = /^(.*)-(\d+)$/.exec(name) ?? []
  if (stem === undefined) throw invalid(`index name [${name}] does not match pattern '^.*-\\d+$'`)
  return `${stem}-${String(Number(digits) + 1).padStart(6, '0')}`
}

function streamTarget(
  name: string,
  { catalogue, now }: Services,
  creation: Omit<CreateIndexRequest, 'name'>,
): Target | undefined {
  const stream = catalogue.dataStream(name)
  const before = stream && catalogue.index(stream.indices.at(-1) ?? '')
  if (!stream || !before) return undefined
  if (Object.keys(creation).length > 0) {
    throw invalid('aliases, mappings, and index settings may not be specified when rolling over a data stream')
  }
  return {
    before,
    next: backingIndexName(name, stream.generation + 1, now()),
    roll: async () => (await catalogue.rolloverDataStream(name)).indices.at(-1) ?? '',
  }
}

function aliasTarget(request: RouteRequest, services: Services, creation: Omit<CreateIndexRequest, 'name'>): Target {
  const { catalogue } = services
  const alias = request.params['index'] ?? ''
  // Who may not manage it learns nothing of what it is.
  if (!request.scope.hasIndex('manage', alias)) indicesOf(request, services, 'indices.rollover', 'manage')
  if (catalogue.index(alias)) {
    throw invalid(`rollover target is a [concrete index] but one of [alias,data_stream] was expected`)
  }
  const behind = [...catalogue.indices()].filter((index) => Object.hasOwn(index.aliases, alias))
  if (behind.length === 0) throw invalid(`rollover target [${alias}] does not exist`)
  const [writing] = behind.filter((index) => index.aliases[alias]?.is_write_index === true)
  const before = writing ?? (behind.length === 1 ? behind[0] : undefined)
  if (!before) throw invalid(`rollover target [${alias}] does not point to a write index`)
  const next = request.params['new_index'] ?? nextName(before.name)
  return {
    before,
    next,
    async roll() {
      const made = await catalogue.createIndex({ ...creation, name: next })
      const meta = before.aliases[alias] ?? {}
      const { is_write_index: _marked, ...rest } = meta
      const old = { index: before, alias, meta: writing ? { ...rest, is_write_index: false } : undefined }
      await catalogue.putAliases([
        old,
        { index: made, alias, meta: writing ? { ...rest, is_write_index: true } : rest },
      ])
      return made.name
    },
  }
}

function readBody(request: RouteRequest): { conditions: unknown; creation: Omit<CreateIndexRequest, 'name'> } {
  const { conditions, ...creation }: Body = request.body.length === 0 ? {} : objectBody(request.json(), 'rollover')
  return { conditions, creation: readCreateBody(creation) }
}

/** `POST /{alias}/_rollover`: a new write index for an alias or a data stream, when the conditions say so. */
export const rolloverRoute = defineRoute({
  name: 'indices.rollover',
  methods: ['POST'],
  paths: ['/{index}/_rollover', '/{index}/_rollover/{new_index}'],
  privilege: { index: 'manage' },
  parameters: {
    timeout: 'time',
    master_timeout: 'time',
    dry_run: 'boolean',
    wait_for_active_shards: 'string',
    lazy: 'boolean',
  },
  async handle(request, services) {
    const name = request.params['index'] ?? ''
    const { conditions: given, creation } = readBody(request)
    const mayManage = request.scope.hasIndex('manage', name)
    const target =
      (mayManage ? streamTarget(name, services, creation) : undefined) ?? aliasTarget(request, services, creation)
    requireIndices(request.scope, 'indices.rollover', 'manage', [target.next])
    const { documents, bytes } = await services.documents.stats(target.before)
    const ageMs = services.now() - target.before.createdAtMs
    const conditions = checkConditions(given, { ageMs, documents, bytes })
    const dryRun = request.query['dry_run'] === true
    const rolls = !dryRun && isDue(conditions)
    const next = rolls ? await target.roll() : target.next
    const json = {
      acknowledged: rolls,
      shards_acknowledged: rolls,
      old_index: target.before.name,
      new_index: next,
      rolled_over: rolls,
      dry_run: dryRun,
      lazy: false,
      conditions: Object.fromEntries(conditions.map(({ shown, met }) => [shown, met])),
    }
    return { json }
  },
})
