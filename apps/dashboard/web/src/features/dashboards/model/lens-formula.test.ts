import { expect, test } from 'vitest'
import { lensRequest } from './lens.ts'
import type { PanelModel } from './panel-model.ts'
import { aggregationsOf } from './to-search.ts'
import { tableOf } from './to-table.ts'

const context = { range: { fromMs: 0, toMs: 60_000 }, types: new Map<string, string>(), timeField: '@timestamp' }
const time = {
  operationType: 'date_histogram',
  sourceField: '@timestamp',
  isBucketed: true,
  label: 'time',
  params: { interval: '30s' },
}
const count = (rest = {}) => ({
  operationType: 'count',
  sourceField: '___records___',
  isBucketed: false,
  label: 'Count',
  ...rest,
})

function panelOf(columns: Readonly<Record<string, unknown>>, visualization = {}): PanelModel {
  const layers = { l: { columns, columnOrder: Object.keys(columns), indexPatternId: 'logs-*' } }
  const state = { query: { query: '', language: 'kuery' }, datasourceStates: { formBased: { layers } }, visualization }
  return {
    id: 'p',
    kind: 'lnsXY',
    title: '',
    place: { x: 0, y: 0, w: 1, h: 1 },
    attributes: { state },
    config: {},
    references: [],
  }
}

function requestOf(panel: PanelModel) {
  const request = lensRequest(panel, 'l', new Map())
  if (!request) throw new Error('no request')
  return request
}

// `100 * count(kql='outcome: failure') / count()`, as Lens saves it: the formula, its parts, and what it is calculated by.
const share = {
  share: {
    operationType: 'formula',
    label: 'Share of failures',
    references: ['shareX2'],
    params: { format: { id: 'percent' } },
  },
  shareX0: count({ filter: { query: 'outcome: failure', language: 'kuery' } }),
  shareX1: count(),
  shareX2: {
    operationType: 'math',
    references: ['shareX0', 'shareX1'],
    params: { tinymathAst: { type: 'function', name: 'divide', args: ['shareX0', 'shareX1'] } },
  },
}

test('a formula is calculated from its parts, which are not shown', () => {
  const request = requestOf(panelOf(share))
  expect(aggregationsOf(request, context)).toEqual({ m0: { filter: { match: { outcome: 'failure' } } } })
  const found = tableOf(request, { aggregations: { m0: { doc_count: 3 } }, total: 12 }, context)
  expect(found.columns).toMatchObject([{ id: 'share', label: 'Share of failures', format: { id: 'percent' } }])
  expect(found.rows[0]).toMatchObject({ share: 0.25 })
})

test('a counter rate asks for every bucket of the range and is a rate', () => {
  const columns = {
    t: time,
    x: { operationType: 'max', sourceField: 'bytes', isBucketed: false, label: 'max' },
    r: { operationType: 'counter_rate', references: ['x'], timeScale: 's', isBucketed: false, label: 'rate' },
  }
  const request = requestOf(panelOf(columns))
  expect(aggregationsOf(request, context)).toMatchObject({
    b0: { date_histogram: { min_doc_count: 0, extended_bounds: { min: 0, max: 60_000 } }, aggs: { m0: { max: {} } } },
  })
  const buckets = [10, 40, 5].map((value, at) => ({ key: at * 30_000, doc_count: 1, m0: { value } }))
  const { rows, columns: shown } = tableOf(request, { aggregations: { b0: { buckets } }, total: 3 }, context)
  expect(rows.map(({ r }) => r)).toEqual([null, 1, 5 / 30])
  expect(shown.map(({ id }) => id)).toEqual(['t', 'r'])
})

test('a number by the second, and one of the last minute alone', () => {
  const request = requestOf(panelOf({ t: time, n: count({ timeScale: 's' }), m: count({ reducedTimeRange: '1m' }) }))
  const late = { range: { fromMs: 0, toMs: 600_000 }, types: new Map<string, string>(), timeField: '@timestamp' }
  expect(aggregationsOf(request, late)).toMatchObject({
    b0: { aggs: { m1: { filter: { range: { '@timestamp': { gte: 540_000 } } } } } },
  })
  const aggregations = { b0: { buckets: [{ key: 0, doc_count: 60, m1: { doc_count: 7 } }] } }
  expect(tableOf(request, { aggregations, total: 60 }, late).rows).toEqual([{ t: 0, n: 2, m: 7 }])
})

test('a breakdown that is collapsed is one row again', () => {
  const host = { operationType: 'terms', sourceField: 'host', isBucketed: true, label: 'host', params: { size: 3 } }
  const visualization = { layers: [{ layerId: 'l', splitAccessor: 'h', collapseFn: 'max' }] }
  const request = requestOf(panelOf({ h: host, n: count() }, visualization))
  const buckets = [
    { key: 'a', doc_count: 4 },
    { key: 'b', doc_count: 9 },
  ]
  const found = tableOf(request, { aggregations: { b0: { buckets } }, total: 13 }, context)
  expect(found.rows).toEqual([{ n: 9 }])
})
