import { AppError } from '@logstack/errors'
import type { Value } from '@logstack/rules'
import { describe, expect, it } from 'vitest'
import { compileTokenScript } from '../analysis/token-script.ts'
import { runScript } from '../api/documents/by-query-script.ts'
import type { MatchingDocument } from '../api/documents/matching-documents.ts'
import { decide } from '../documents/write-decision.ts'
import { buildPipeline } from '../ingest/build-pipeline.ts'
import { IngestDocument } from '../ingest/ingest-document.ts'
import { runPipeline } from '../ingest/run-steps.ts'
import { noSources } from '../ingest/testing/no-sources.ts'
import { printJson } from '../json/print-json.ts'
import { parseSource, writeSource } from '../json/source-json.ts'
import type { ResolvedField } from '../model/mapping.ts'
import { createDocumentReader } from '../plan/leaves/scripted-values.ts'
import { conditions, type DocumentCase, ingests, reindexes, updates, updatesByQuery } from './corpus/documents.ts'
import {
  aggregated,
  buckets,
  filters,
  intervals,
  ranked,
  runtimeFields,
  scores,
  scriptFields,
  tokens,
} from './corpus/fields.ts'
import { expectFault, isFault, named, outcomeOf } from './corpus.fixture.ts'
import { compileIntervalScript } from './interval-script.ts'
import { plainValue } from './plain-value.ts'
import { compileNumberScript, compileScript } from './script.ts'
import { bare } from './typed-number.ts'

const nowMs = Date.UTC(2026, 10, 21, 12)

function expectDocument(found: unknown, expected: DocumentCase[2], source: string): void {
  if (isFault(expected)) expectFault(found, expected, source)
  else if (typeof expected === 'object' && 'invalid' in expected)
    expect(found).toMatchObject({ code: 'illegal_argument_exception', message: expected['invalid'] })
  else if (found instanceof AppError) throw new Error(`${found.message}: ${String(found.cause)}`)
  else expect(found).toEqual(expected)
}

function updated(source: string, document: object, params: object): unknown {
  const run = compileScript({ source, params })
  const operation = { action: 'update', index: 'books', update: { script: run } }
  const current = { state: 'live', source: writeSource({ ...document }), version: 1, seqNo: 1, routing: '' }
  const decision = decide(operation as never, '1', current as never, nowMs)
  return decision.kind === 'write' ? parseSource(decision.source as Buffer) : decision.kind
}

function byQuery(source: string, document: object, params: object, moveTo?: string): unknown {
  const matching = { index: { name: 'books' }, id: '1', version: 1, routing: '', source: writeSource({ ...document }) }
  const made = runScript(compileScript({ source, params }), matching as MatchingDocument, nowMs, moveTo)
  return made.op === 'index' ? parseSource(made.source) : made.op
}

function ingested(processor: object, document: object): Record<string, unknown> {
  const pipeline = buildPipeline('p', { processors: [processor] }, noSources)
  const made = new IngestDocument({ ...document }, { _index: 'i', _id: '1' }, new Date(nowMs).toISOString())
  runPipeline(pipeline, made, { find: () => undefined, inside: [], nowMs })
  return made.source()
}

describe('scripts over documents to be written', () => {
  it.each(named(updates))('update: $script', ({ given: [source, document, expected, params = {}] }) => {
    expectDocument(
      outcomeOf(() => updated(source, document, params)),
      expected,
      source,
    )
  })
  it.each(named(updatesByQuery))('update by query: $script', ({ given: [source, document, expected, params = {}] }) => {
    expectDocument(
      outcomeOf(() => byQuery(source, document, params)),
      expected,
      source,
    )
  })
  it.each(named(reindexes))('reindex: $script', ({ given: [source, document, expected, params = {}] }) => {
    expectDocument(
      outcomeOf(() => byQuery(source, document, params, 'copies')),
      expected,
      source,
    )
  })
  it.each(named(ingests))('ingest: $script', ({ given: [source, document, expected, params = {}] }) => {
    expectDocument(
      outcomeOf(() => ingested({ script: { source, params } }, document)),
      expected,
      source,
    )
  })
  it.each(conditions)('condition: %s', (condition, document, expected) => {
    const found = outcomeOf(() => ingested({ set: { if: condition, field: 'held', value: true } }, document))
    if (isFault(expected)) expectFault(found, expected, condition)
    else expect(found).toEqual(expected ? { ...document, held: true } : document)
  })
})

const mapped: Readonly<Record<string, readonly [string, ResolvedField['valueType']]>> = {
  bytes: ['long', 'long'],
  load: ['double', 'double'],
  host: ['keyword', 'string'],
  empty: ['keyword', 'string'],
  flag: ['boolean', 'boolean'],
  ip: ['ip', 'ip'],
  at: ['geo_point', 'string'],
  '@timestamp': ['date', 'date'],
}
const document = {
  source: {
    bytes: 2048,
    load: 3,
    host: ['web', 'db'],
    flag: true,
    ip: '192.168.1.5',
    at: '52.52,13.405',
    '@timestamp': '2024-02-29T13:05:06.789Z',
    message: 'GET /a 200',
    nested: { deep: 'x' },
  },
  metadata: { _id: '1', _seq_no: 4 },
  score: 1.5,
}

function fieldOf(path: string): ResolvedField | undefined {
  const found = mapped[path]
  return found && { path, wireType: found[0], valueType: found[1], parameters: {}, sourcePath: path }
}
const reader = () => createDocumentReader(fieldOf, () => undefined)

function computed(
  valueType: ResolvedField['valueType'],
  wireType: string,
  computed: NonNullable<ResolvedField['computed']>,
): readonly Value[] {
  return reader().values({ path: 'made', wireType, valueType, parameters: {}, sourcePath: 'made', computed }, document)
}

const params = { factor: 1.5 }

describe('scripts over documents that are searched', () => {
  it.each(named(scriptFields))('script field: $script', ({ given: [source, expected, given = {}] }) => {
    const found = outcomeOf(() => printJson(plainValue(reader().run({ source, params: given }, document))))
    if (isFault(expected)) expectFault(found, expected, source)
    else expect(found).toBe(expected)
  })
  it.each(filters)('filter: %s', (source, expected) => {
    const found = outcomeOf(() => computed('boolean', 'boolean', { script: source, gives: 'returned' }))
    if (isFault(expected)) expectFault(found, expected, source)
    else expect(found).toEqual([expected])
  })
  it.each(scores)('score and sort: %s', (source, expected) => {
    const found = outcomeOf(() => computed('double', 'double', { script: { source, params }, gives: 'returned' }))
    if (isFault(expected)) expectFault(found, expected, source)
    else expect(found).toEqual([expected])
  })
  it.each(ranked)('score: %s', (source, expected) => {
    const found = outcomeOf(() => computed('double', 'double', { script: { source, params }, gives: 'score' }))
    if (isFault(expected)) expectFault(found, expected, source)
    else if (found instanceof AppError) throw new Error(String(found.cause))
    else expect((found as readonly number[]).map((score) => Number(score.toFixed(6)))).toEqual([expected])
  })
  it.each(runtimeFields)('runtime field of %s: %s', (type, source, expected) => {
    const valueType = type === 'keyword' ? 'string' : (type as ResolvedField['valueType'])
    const found = outcomeOf(() => computed(valueType, type, { script: source, gives: 'emitted' }))
    if (isFault(expected)) expectFault(found, expected, source)
    else expect(found).toEqual(expected)
  })
  it.each(aggregated)('aggregation over %s: %s', (over, source, expected) => {
    const [wireType, valueType] = (over === undefined ? undefined : mapped[over]) ?? ['keyword', 'string']
    const isNumber = valueType === 'long' || valueType === 'double'
    const script = { script: source, gives: 'values', ...(over === undefined ? {} : { over }) } as const
    const found = outcomeOf(() => computed(isNumber ? 'double' : valueType, isNumber ? 'double' : wireType, script))
    if (isFault(expected)) expectFault(found, expected, source)
    else expect(found).toEqual(expected)
  })
})

describe('scripts over buckets, intervals and words', () => {
  it.each(named(buckets))('buckets: $script', ({ given: [source, given, expected, more = {}] }) => {
    const found = outcomeOf(() => {
      if (Array.isArray(given)) return compileNumberScript({ source, params: more }, ['values'])({}, { values: given })
      return compileNumberScript({ source, params: more })(given as Readonly<Record<string, number>>)
    })
    if (isFault(expected)) expectFault(found, expected, source)
    else expect(bare(found)).toEqual(expected)
  })
  it.each(intervals)('interval: %s', (source, expected) => {
    const found = outcomeOf(() => compileIntervalScript({ source })({ start: 2, end: 6, gaps: 1 }))
    if (isFault(expected)) expectFault(found, expected, source)
    else expect(found).toBe(expected)
  })
  it.each(tokens)('words: %s', (source, expected) => {
    const words = ['a', 'big', 'cat'].map((text, position) => ({
      text,
      position,
      start: [0, 2, 6][position] ?? 0,
      end: 9,
      type: '<ALPHANUM>',
    }))
    const found = outcomeOf(() => compileTokenScript({ source })(words))
    if (isFault(expected)) expectFault(found, expected, source)
    else expect(found).toEqual(expected)
  })
})
