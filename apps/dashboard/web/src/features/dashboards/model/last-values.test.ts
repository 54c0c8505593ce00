import { expect, test } from 'vitest'
import { combinedHits } from './last-values.ts'
import { lensRequest } from './lens.ts'
import type { PanelModel } from './panel-model.ts'
import type { MetricSpec } from './table.ts'
import { aggregationsOf } from './to-search.ts'

const context = { range: { fromMs: 0, toMs: 900_000 }, types: new Map<string, string>() }
const last = (field: string, more: Partial<MetricSpec> = {}): MetricSpec => ({
  id: field,
  label: field,
  type: 'last_value',
  field,
  ...more,
})
const answer = (...documents: Readonly<Record<string, unknown[]>>[]): Record<string, unknown> => ({
  hits: { hits: documents.map((fields) => ({ fields })) },
})

function lensMetrics(params: object): readonly MetricSpec[] {
  const column = { operationType: 'last_value', sourceField: 'message.keyword', params }
  const layers = { l: { indexPatternId: 'logs-*', columnOrder: ['c'], columns: { c: column } } }
  const attributes = { state: { datasourceStates: { formBased: { layers } } } }
  const panel = { attributes, references: [], config: {} } as unknown as PanelModel
  return lensRequest(panel, 'l', new Map())?.metrics ?? []
}

test('the last value is asked for by its field, which need not stand in the source', () => {
  const metrics = lensMetrics({ sortField: 'event.created', showArrayValues: true })
  expect(metrics).toMatchObject([{ type: 'last_value', allValues: true }])
  expect(lensMetrics({ showArrayValues: false })[0]).not.toHaveProperty('allValues')
  expect(
    aggregationsOf(
      { index: 'logs-*', timeField: '@timestamp', queries: [], filters: [], buckets: [], metrics: [...metrics] },
      context,
    ),
  ).toEqual({
    m0: {
      top_hits: {
        size: 1,
        sort: [{ 'event.created': { order: 'desc', unmapped_type: 'date' } }],
        _source: false,
        fields: ['message.keyword'],
      },
    },
  })
})

test.each<[string, MetricSpec, Record<string, unknown> | undefined, unknown]>([
  ['the first of several values', last('a'), answer({ a: ['x', 'y'] }), 'x'],
  ['all of them, where that is asked for', last('a', { allValues: true }), answer({ a: ['x', 2, 'y'] }), 'x, 2, y'],
  ['a number as a number', last('a', { allValues: true }), answer({ a: [7] }), 7],
  ['a truth as a word', last('a'), answer({ a: [true] }), 'true'],
  ['nothing where no document has one', last('a', { allValues: true }), answer({}), null],
  ['nothing where there is no document', last('a'), undefined, null],
  [
    'words of several documents',
    last('a', { combine: 'concat' }),
    answer({ a: ['x', 'y'] }, {}, { a: ['z'] }),
    'x, y, z',
  ],
  ['a mean of several documents', last('a', { combine: 'average' }), answer({ a: [2] }, { a: [4] }), 3],
])('the cell of it is %s', (_name, metric, found, cell) => {
  expect(combinedHits(metric, found)).toBe(cell)
})
