import { describe, expect, test } from 'vitest'
import { Turns } from '../painless/turns.ts'
import { buildPipeline } from './build-pipeline.ts'
import { IngestDocument } from './ingest-document.ts'
import { runPipeline } from './run-steps.ts'
import { noSources } from './testing/no-sources.ts'

type Source = Record<string, unknown>

const nowMs = Date.UTC(2024, 0, 1)

const ingest = (processors: readonly unknown[], source: Source) => {
  const document = new IngestDocument(source, { _index: 'i', _id: '1' }, '')
  const pipeline = buildPipeline('p', { processors }, noSources)
  new Turns().run(() => runPipeline(pipeline, document, { find: () => undefined, inside: [], nowMs }))
  return document.source()
}
const again = (processor: Source, times: number) => Array<Source>(times).fill(processor)
const grown = { m: 'aaaaaaaaaa' }
const lists = (depth: number): unknown => (depth === 0 ? 'a' : Array(40).fill(lists(depth - 1)))
const each = (depth: number): Source => ({
  foreach: {
    field: depth === 3 ? 'l' : '_ingest._value',
    processor: depth === 1 ? { set: { field: '_ingest._value', value: '{{{long}}}' } } : each(depth - 1),
  },
})

describe('what a document may cost', () => {
  test.each<[string, readonly unknown[], Source, RegExp]>([
    [
      'a script again and again, though its faults are ignored',
      again({ script: { source: 'int n = 0; while (n >= 0) { n += 0 }', ignore_failure: true } }, 200),
      {},
      /^the pipelines of a document may run for at most \[2000ms\]$/,
    ],
    [
      'templates of templates',
      again({ set: { field: 'm', value: '{{{m}}}{{{m}}}' } }, 40),
      grown,
      /^Mustache script result size limit exceeded$/,
    ],
    [
      'replacements that are longer each time',
      again({ gsub: { field: 'm', pattern: '.', replacement: '$0$0$0$0$0$0$0$0$0$0' } }, 12),
      grown,
      /a text may have at most 10000000 characters$/,
    ],
    [
      'a list with long texts between',
      [{ join: { field: 'l', separator: 'x'.repeat(1_000_000) } }],
      { l: Array(100).fill('a') },
      /a text may have at most 10000000 characters$/,
    ],
    [
      'a long text in each of many places',
      [each(3)],
      { l: lists(3), long: 'x'.repeat(10_000) },
      /a value may hold at most 100000000 letters$/,
    ],
  ])('is bounded: %s', (_name, processors, source, message) => {
    expect(() => ingest(processors, source)).toThrow(message)
  })
})

describe('the time of a processor', () => {
  test.each<[string, Source, Source, Source]>([
    ['html_strip', { field: 'm' }, { m: '<!--'.repeat(200_000) }, { m: '<!--'.repeat(200_000) }],
    ['html_strip', { field: 'm' }, { m: `${'<script>'.repeat(100_000)}` }, { m: '\n'.repeat(100_000) }],
    ['html_strip', { field: 'm' }, { m: 'a<!-- <b> -->b<SCRIPT a="b">c</p></script >d' }, { m: 'a\nb\nd' }],
    [
      'csv',
      { field: 'm', target_fields: ['a'], separator: ' ' },
      { m: ' '.repeat(500_000) },
      { m: ' '.repeat(500_000) },
    ],
    ['csv', { field: 'm', target_fields: ['a', 'b'] }, { m: '  "x"  ,  y' }, { m: '  "x"  ,  y', a: 'x', b: '  y' }],
    [
      'kv',
      { field: 'm', field_split: ' ', value_split: '=', trim_key: 'x'.repeat(100_000) },
      { m: `${'y'.repeat(1)}=${'z'.repeat(100_000)}` },
      { m: `${'y'.repeat(1)}=${'z'.repeat(100_000)}`, y: 'z'.repeat(100_000) },
    ],
  ])('grows with the text, not with its square: %s', (type, options, source, expected) => {
    expect(ingest([{ [type]: options }], source)).toEqual(expected)
  })
})

test('leads into a hundred pipelines at once, not more', () => {
  const find = (id: string) =>
    buildPipeline(id, { processors: [{ pipeline: { name: String(Number(id) + 1) } }] }, noSources)
  const document = new IngestDocument({}, { _index: 'i', _id: '1' }, '')
  expect(() => runPipeline(find('0'), document, { find, inside: [], nowMs })).toThrow(
    'Too many nested pipelines. Cannot have more than 100 nested pipelines',
  )
})
