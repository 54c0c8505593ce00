import { AppError, searchErrors } from '@logstack/errors'
import type { CreateIndexRequest } from '../indices/catalogue.ts'
import { backingIndexName } from '../indices/data-streams.ts'
import { isObject } from '../json/json-object.ts'
import type { IndexMeta } from '../model/index-meta.ts'
import { contentError, memberError } from '../refusals/refuse.ts'
import type { Services } from '../services.ts'
import type { Collection, Store } from '../store/store.ts'
import { byteSize } from '../values/text-values.ts'
import { readTime } from '../values/unit-values.ts'

type Context = Pick<Services, 'catalogue' | 'store' | 'documents' | 'now'>

/** What a write index is measured by. */
export interface Measured {
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

/** An index may be made by a clock that is so little ahead, in milliseconds. */
const aheadMs = 3_600_000

export interface Condition {
  /** As the answer shows it: `[max_docs: 1]`. */
  readonly shown: string
  readonly minimum: boolean
  readonly met: boolean
}

/** Checks `max_…` and `min_…` conditions. An index without documents meets no limit of its size. */
export function checkConditions(given: unknown, measured: Measured): Condition[] {
  if (given === undefined) return []
  if (!isObject(given)) throw new AppError(searchErrors.parsing_exception, '[conditions] must be an object')
  return Object.entries(given).map(([name, limit]) => {
    const [, bound, what = ''] = /^(max|min)_(.+)$/.exec(name) ?? []
    const read = Object.hasOwn(measures, what) ? measures[what] : undefined
    if (!read)
      throw memberError('rollover', 'conditions', contentError(`[rollover_conditions] unknown field [${name}]`))
    const [value, wanted] = read(measured, limit, name)
    const empty = measured.documents === 0 && what.endsWith('size')
    return { shown: `[${name}: ${String(limit)}]`, minimum: bound === 'min', met: !empty && value >= wanted }
  })
}

/** Without conditions always; else when every minimum and, if there are any, one maximum is met. */
export function isDue(conditions: readonly Condition[]): boolean {
  const maxima = conditions.filter(({ minimum }) => !minimum)
  const minima = conditions.filter(({ minimum }) => minimum)
  return minima.every(({ met }) => met) && (maxima.length === 0 || maxima.some(({ met }) => met))
}

/** What rolls over: the index written to now, the name of the next, and how the change is made. */
export interface RolloverTarget {
  readonly before: IndexMeta
  readonly next: string
  roll(): Promise<string>
}

function nextName(name: string): string {
  const [, stem, digits] = /^(.*)-(\d+)$/.exec(name) ?? []
  if (stem === undefined) throw invalid(`index name [${name}] does not match pattern '^.*-\\d+$'`)
  return `${stem}-${String(Number(digits) + 1).padStart(6, '0')}`
}

/** What a data stream rolls over to; undefined when none has that name. */
export function streamTarget(
  name: string,
  { catalogue, now }: Pick<Context, 'catalogue' | 'now'>,
  creation: Omit<CreateIndexRequest, 'name'> = {},
): RolloverTarget | undefined {
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

/** What an alias that is written through rolls over to. Throws `illegal_argument_exception` when it has no one write index. */
export function aliasTarget(
  alias: string,
  { catalogue, store, now }: Context,
  creation: Omit<CreateIndexRequest, 'name'> = {},
  newIndex?: string,
): RolloverTarget {
  if (catalogue.index(alias)) {
    throw invalid(`rollover target is a [concrete index] but one of [alias,data_stream] was expected`)
  }
  const behind = [...catalogue.indices()].filter((index) => Object.hasOwn(index.aliases, alias))
  if (behind.length === 0)
    throw new AppError(searchErrors.resource_not_found_exception, `rollover target [${alias}] does not exist`)
  const [writing] = behind.filter((index) => index.aliases[alias]?.is_write_index === true)
  const before = writing ?? (behind.length === 1 ? behind[0] : undefined)
  if (!before) throw invalid(`rollover target [${alias}] does not point to a write index`)
  const next = newIndex ?? nextName(before.name)
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
      await store.transaction(() => rolledOver(store).put(before.uuid, now()))
      return made.name
    },
  }
}

/** When indices were rolled over, by their uuid, in epoch milliseconds; backing indices of streams are not among them. */
function rolledOver(store: Store): Collection<number> {
  return store.collection<number>('rolled_over')
}

/** When an index was rolled over, in epoch milliseconds; undefined while it is written to, and for one that never is. */
export function rolledOverAtMs(
  index: IndexMeta,
  { catalogue, store, now }: Pick<Context, 'catalogue' | 'store' | 'now'>,
): number | undefined {
  const atMs = index.dataStream === undefined ? rolledOver(store).get(index.uuid) : successorMs(index, catalogue)
  // A clock that was behind at the rollover must not make the index older than it is; one that was ahead when it was made says nothing.
  return atMs === undefined || index.createdAtMs > now() ? atMs : Math.max(atMs, index.createdAtMs)
}

function successorMs(index: IndexMeta, catalogue: Context['catalogue']): number | undefined {
  const backing = catalogue.dataStream(index.dataStream ?? '')?.indices ?? []
  const next = backing[backing.indexOf(index.name) + 1]
  return next === undefined ? undefined : catalogue.index(next)?.createdAtMs
}

/** What the conditions of a rollover are held against. */
export async function measure(index: IndexMeta, { documents, now }: Context): Promise<Measured> {
  const stats = await documents.stats(index)
  const ageMs = now() - index.createdAtMs
  // One that was made while the clock was ahead would be written to, and kept, until then.
  return { documents: stats.documents, bytes: stats.bytes, ageMs: ageMs < -aheadMs ? Number.MAX_SAFE_INTEGER : ageMs }
}
