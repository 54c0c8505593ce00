import { compareValues, evaluate, leavesAt, readValue, type Value, type ValueType } from '@logstack/rules'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { columnValues } from '../../documents/column-values.ts'
import { createLowerContext } from '../../dsl/lower-context.ts'
import { systemScope } from '../../security/role-scope.ts'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'
import { mapping, query, source } from './differential.fixture.ts'

/** Random trees of aggregations tried, each over the documents of a random query. */
const cases = Number(process.env['LOGSTACK_CASES'] ?? 60)
const documentsCount = 120
const seed = process.env['LOGSTACK_SEED'] === undefined ? undefined : Number(process.env['LOGSTACK_SEED'])

type Json = Readonly<Record<string, unknown>>
type Aggs = Readonly<Record<string, Json>>
interface Document {
  readonly id: string
  readonly source: unknown
}

const types: Readonly<Record<string, ValueType>> = {
  name: 'string',
  n: 'long',
  u: 'unsigned',
  d: 'double',
  b: 'boolean',
  ip: 'ip',
  t: 'date',
  'inner.name': 'string',
  'inner.n': 'long',
}
const field = (...names: string[]) => fc.constantFrom(...names)

const metric = fc.oneof(
  fc
    .tuple(field('min', 'max', 'sum', 'avg', 'stats'), field('inner.n', 'u', 'd', 't'))
    .map(([kind, path]) => ({ [kind]: { field: path } })),
  fc
    .tuple(field('value_count', 'cardinality'), field(...Object.keys(types)))
    .map(([kind, path]) => ({ [kind]: { field: path } })),
)
const bucket = fc.oneof(
  field(...Object.keys(types)).map((path) => ({ terms: { field: path, size: 1000 } })),
  fc
    .tuple(field('inner.n', 'u', 'd'), fc.constantFrom(1, 2, 0.5), fc.constantFrom(0, 0.25))
    .map(([path, interval, offset]) => ({ histogram: { field: path, interval, offset, min_doc_count: 1 } })),
  field('1h', '7h', '1d').map((fixed) => ({ date_histogram: { field: 't', fixed_interval: fixed, min_doc_count: 1 } })),
  fc.tuple(field('n', 'u', 'd'), fc.integer({ min: -2, max: 1 })).map(([path, low]) => ({
    range: { field: path, ranges: [{ to: low }, { from: low, to: low + 2 }, { from: low + 1 }] },
  })),
  field(...Object.keys(types)).map((path) => ({ missing: { field: path } })),
  query.map((filter) => ({ filter: filter as Json })),
)
const trees = fc.letrec<{ aggs: Aggs }>((tie) => ({
  aggs: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    metric.map((made): Aggs => ({ m: made })),
    fc.tuple(bucket, tie('aggs'), metric).map(([own, below, made]): Aggs => ({ a: { ...own, aggs: below }, m: made })),
  ),
})).aggs

let logs: SampleLogs
const documents: Document[] = []

beforeAll(async () => {
  logs = await openSampleLogs()
  // Filters of buckets are decided by the values of columns where these are known: from the second time on.
  columnValues(logs.services, { rowsMin: 0 })
  await logs.services.create('random', mapping)
  for (const [at, each] of fc.sample(source, { numRuns: documentsCount, seed: seed ?? 11 }).entries())
    documents.push({ id: String(at), source: JSON.parse(JSON.stringify(each)) as unknown })
  await logs.services.write(
    'random',
    documents.map(({ id, source: kept }) => [id, kept] as const),
  )
})
afterAll(() => logs.services.close())

function matching(given: unknown, among: readonly Document[]): Document[] {
  const index = logs.services.catalogue.index('random')
  if (!index) throw new Error('BUG: the index is gone')
  const context = createLowerContext({
    index,
    fields: logs.services.catalogue.fields(index),
    scope: systemScope,
    nowMs: logs.services.now(),
  })
  const predicate = context.lower(given)
  return among.filter(({ id, source: kept }) => evaluate(predicate, kept, { _id: id }))
}

/** The values of a document as aggregations see them: ascending, and of texts and addresses each once. */
function valuesOf(path: string, document: Document): Value[] {
  const type = types[path] as ValueType
  const values = leavesAt(document.source, path).flatMap((leaf) => readValue(leaf, type) ?? [])
  values.sort((a, b) => compareValues(a, b, type))
  return type === 'string' || type === 'ip' ? [...new Set(values)] : values
}

/** The answer, worked out the slow and obvious way: buckets by their key. */
function reference(aggs: Aggs, among: readonly Document[]): Json {
  return Object.fromEntries(
    Object.entries(aggs).map(([name, { aggs: below, ...own }]) => {
      const [kind = '', body] = Object.entries(own)[0] ?? []
      return [
        name,
        kind in metrics ? metrics[kind]?.(body as Json, among) : buckets(kind, body as Json, below as Aggs, among),
      ]
    }),
  )
}

const metrics: Readonly<Record<string, (body: Json, among: readonly Document[]) => unknown>> = {
  min: (body, among) => statsOf(body, among).min,
  max: (body, among) => statsOf(body, among).max,
  sum: (body, among) => statsOf(body, among).sum,
  avg: (body, among) => statsOf(body, among).avg,
  stats: statsOf,
  value_count: (body, among) => allValues(body, among).length,
  cardinality: (body, among) => new Set(allValues(body, among)).size,
}

function allValues({ field: path }: Json, among: readonly Document[]): Value[] {
  return among.flatMap((document) => valuesOf(String(path), document))
}

function statsOf(body: Json, among: readonly Document[]) {
  const values = allValues(body, among).map(Number)
  const sum = values.reduce((total, value) => total + value, 0)
  if (values.length === 0) return { count: 0, min: null, max: null, avg: null, sum: 0 }
  return {
    count: values.length,
    min: Math.min(...values),
    max: Math.max(...values),
    avg: near(sum / values.length),
    sum: near(sum),
  }
}

/** Sums of doubles differ in their last digits by the order of adding. */
function near(value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(12)) : value
}

function buckets(kind: string, body: Json, below: Aggs, among: readonly Document[]): unknown {
  const rendered = (held: readonly Document[]) => ({ doc_count: held.length, ...reference(below, held) })
  const path = String(body['field'])
  if (kind === 'filter') return rendered(matching(body, among))
  if (kind === 'missing') return rendered(among.filter((document) => valuesOf(path, document).length === 0))
  const found: Record<string, Document[]> = {}
  if (kind === 'range')
    for (const range of body['ranges'] as { from?: number; to?: number }[]) found[rangeKey(range)] = []
  for (const document of among) {
    const keys = new Set(valuesOf(path, document).flatMap((value) => keysOf(kind, body, value)))
    for (const key of keys) {
      found[key] ??= []
      found[key].push(document)
    }
  }
  return Object.fromEntries(Object.entries(found).map(([key, held]) => [key, rendered(held)]))
}

function keysOf(kind: string, body: Json, value: Value): string[] {
  if (kind === 'terms') return [String(typeof value === 'boolean' ? Number(value) : value)]
  if (kind === 'date_histogram') {
    const hours = { '1h': 1, '7h': 7, '1d': 24 }[String(body['fixed_interval'])] ?? 1
    const size = hours * 3_600_000
    return [String(Math.floor(Number(value) / size) * size)]
  }
  if (kind === 'histogram') {
    const [interval, offset] = [Number(body['interval']), Number(body['offset'])]
    return [String(Math.floor((Number(value) - offset) / interval) * interval + offset)]
  }
  return (body['ranges'] as { from?: number; to?: number }[])
    .filter(({ from, to }) => (from === undefined || Number(value) >= from) && (to === undefined || Number(value) < to))
    .map(rangeKey)
}

function rangeKey({ from, to }: { readonly from?: number; readonly to?: number }): string {
  const shown = (end: number | undefined) => (end === undefined ? '*' : end.toFixed(1))
  return `${shown(from)}-${shown(to)}`
}

/** An answer in the form of the reference. */
function plain(aggs: Aggs, answered: Json): Json {
  return Object.fromEntries(
    Object.entries(aggs).map(([name, { aggs: below, ...own }]) => [
      name,
      plainOne(Object.keys(own)[0] ?? '', below as Aggs, answered[name] as Json),
    ]),
  )
}

function plainOne(kind: string, below: Aggs, answered: Json): unknown {
  if (kind === 'stats')
    return Object.fromEntries(
      Object.entries(answered)
        .filter(([key]) => !key.endsWith('_as_string'))
        .map(([key, value]) => [key, near(value)]),
    )
  if (kind in metrics) return near(answered['value'])
  const one = (found: Json) => ({ doc_count: found['doc_count'], ...plain(below, found) })
  const list = answered['buckets'] as readonly Json[] | undefined
  if (!list) return one(answered)
  if (kind === 'terms') {
    const counts = list.map((found) => Number(found['doc_count']))
    expect(counts).toEqual([...counts].sort((a, b) => b - a))
  }
  return Object.fromEntries(list.map((found) => [String(found['key']), one(found)]))
}

it(`aggregates ${documentsCount} documents as the reference does, for ${cases} trees`, async () => {
  await fc.assert(
    fc.asyncProperty(query, trees, async (given, aggs) => {
      const expected = reference(aggs, matching(given, documents))
      const answered = (await logs.aggs(aggs, { query: given }, 'random')) as Json
      expect({ aggs, answer: plain(aggs, answered) }).toEqual({ aggs, answer: expected })
    }),
    { numRuns: cases, ...(seed === undefined ? {} : { seed }) },
  )
}, 3_600_000)
