import type { SavedObject } from '@logstack/contracts'
import { describe, expect, test } from 'vitest'
import type { EsqlAnswer } from '../../../api/esql.ts'
import { dashboardOf } from './dashboard.ts'
import { esqlTable } from './esql-table.ts'
import { lensEsqlRequest } from './lens-esql.ts'
import { layerRequest } from './lens-layer.ts'
import type { PanelModel } from './panel-model.ts'
import type { EsqlColumnSpec } from './table.ts'

const types = new Map([
  ['@timestamp', 'date'],
  ['host.name', 'keyword'],
])
/** A panel whose only layer `l` asks in ES|QL. */
function panelOf(layer: object, state: object = {}): PanelModel {
  const attributes = {
    visualizationType: 'lnsDatatable',
    state: {
      query: { esql: 'FROM logs-* | STATS n = COUNT(*) BY host.name' },
      filters: [],
      datasourceStates: { formBased: { layers: {} }, textBased: { layers: { l: layer } } },
      visualization: { layerId: 'l', columns: [{ columnId: 'h' }, { columnId: 'n' }] },
      ...state,
    },
  }
  const dashboard: SavedObject = {
    type: 'dashboard',
    id: 'd',
    attributes: { panelsJSON: JSON.stringify([{ type: 'lens', panelIndex: '1', embeddableConfig: { attributes } }]) },
    references: [],
  }
  const [panel] = dashboardOf(dashboard, new Map()).panels
  if (!panel) throw new Error('no panel')
  return panel
}

const layer = {
  query: { esql: 'FROM logs-* | STATS n = COUNT(*) BY host.name' },
  columns: [
    { columnId: 'h', fieldName: 'host.name', meta: { type: 'string' } },
    { columnId: 'n', fieldName: 'n', label: 'Events', meta: { type: 'number' }, inMetricDimension: true },
  ],
}

describe('a layer that asks in ES|QL', () => {
  test('is its query with its columns by their ids', () => {
    expect(layerRequest(panelOf(layer), 'l', new Map())).toEqual({
      esql: layer.query.esql,
      index: 'logs-*',
      timeField: '@timestamp',
      queries: [],
      filters: [],
      columns: [
        { id: 'h', name: 'host.name', label: 'host.name', role: 'bucket', format: undefined },
        { id: 'n', name: 'n', label: 'Events', role: 'metric', format: undefined },
      ],
      collapse: [],
    })
  })

  test('its time field is its own, else that of its index pattern, which may have none', () => {
    const adHocDataViews = { v: { title: 'logs-*', timeFieldName: 'event.created' }, w: { title: 'logs-*' } }
    const timeFieldOf = (more: object) =>
      lensEsqlRequest(panelOf({ ...layer, ...more }, { adHocDataViews }), 'l', new Map())?.timeField
    expect(timeFieldOf({ timeField: 'event.end', index: 'v' })).toBe('event.end')
    expect(timeFieldOf({ index: 'v' })).toBe('event.created')
    expect(timeFieldOf({ index: 'w' })).toBeUndefined()
    expect(timeFieldOf({ index: 'unknown' })).toBe('@timestamp')
  })

  test('without a query of its own it has the panel’s; without any it is refused in words', () => {
    const { query: _own, ...bare } = layer
    expect(lensEsqlRequest(panelOf(bare), 'l', new Map())?.esql).toBe(layer.query.esql)
    expect(() => lensEsqlRequest(panelOf(bare, { query: { query: '' } }), 'l', new Map())).toThrow(/no query in ES\|QL/)
    expect(lensEsqlRequest(panelOf(layer), 'other', new Map())).toBeUndefined()
  })
})

describe('an answer becomes a table', () => {
  const spec = (id: string, name: string, more: Partial<EsqlColumnSpec> = {}): EsqlColumnSpec => {
    return { id, name, label: name, role: undefined, format: undefined, ...more }
  }
  const answerOf = (columns: Readonly<Record<string, string>>, ...values: unknown[][]): EsqlAnswer => {
    return { columns: Object.entries(columns).map(([name, type]) => ({ name, type })), values, warnings: [] }
  }

  test('columns are found by their names; their types say what is a number, and what is time', () => {
    const answer = answerOf(
      { n: 'long', 'host.name': 'keyword', t: 'date', up: 'boolean' },
      [3, 'web', '2026-01-01T00:00:00.000Z', true],
      [1, null, '2026-01-01T00:10:00.000Z', null],
      [2, ['a', 'b'], '2026-01-01T00:30:00.000Z', false],
    )
    const columns = [spec('x', 't'), spec('h', 'host.name'), spec('m', 'n'), spec('u', 'up')]
    expect(esqlTable({ columns, collapse: [] }, answer, types)).toEqual({
      columns: [
        { id: 'x', label: 't', role: 'bucket', type: 'date', intervalMs: 600_000, format: undefined },
        { id: 'h', label: 'host.name', role: 'bucket', type: 'text', field: 'host.name', format: undefined },
        { id: 'm', label: 'n', role: 'metric', type: 'number', format: undefined },
        { id: 'u', label: 'up', role: 'bucket', type: 'text', format: undefined },
      ],
      rows: [
        { x: Date.UTC(2026, 0, 1), h: 'web', m: 3, u: 'true' },
        { x: Date.UTC(2026, 0, 1, 0, 10), h: null, m: 1, u: null },
        { x: Date.UTC(2026, 0, 1, 0, 30), h: 'a, b', m: 2, u: 'false' },
      ],
    })
  })

  test.each([
    ['instants without a step have no width', ['T00:00:00Z', 'T00:00:10Z', 'T00:00:25Z'], undefined],
    ['one instant has none', ['T00:00:00Z', 'T00:00:00Z'], undefined],
  ])('%s', (_, times, width) => {
    const values = times.map((time) => [`2026-01-01${time}`])
    const table = esqlTable({ columns: [spec('x', 't')], collapse: [] }, answerOf({ t: 'date' }, ...values), types)
    expect(table.columns[0]?.intervalMs).toBe(width)
  })

  test('months differ in length and have the shortest', () => {
    const values = [1, 2, 3, 4].map((month) => [`2026-0${month}-01T00:00:00.000Z`])
    const table = esqlTable({ columns: [spec('x', 't')], collapse: [] }, answerOf({ t: 'date' }, ...values), types)
    expect(table.columns[0]?.intervalMs).toBe(28 * 86_400_000)
  })

  test('groups may become one', () => {
    const answer = answerOf({ n: 'long', a: 'keyword', b: 'keyword' }, [1, 'x', 'p'], [2, 'x', 'q'], [4, 'y', 'p'])
    const columns = [spec('a', 'a'), spec('b', 'b'), spec('n', 'n')]
    expect(esqlTable({ columns, collapse: [{ bucket: 'b', by: 'sum' }] }, answer, types).rows).toEqual([
      { a: 'x', n: 3 },
      { a: 'y', n: 4 },
    ])
  })

  test('an object is its JSON', () => {
    const answer = answerOf({ _source: '_source' }, [{ a: 1 }])
    expect(esqlTable({ columns: [], collapse: [] }, answer, types).rows).toEqual([{ _source: '{"a":1}' }])
  })

  test('without named columns it is the whole answer', () => {
    const table = esqlTable({ columns: [], collapse: [] }, answerOf({ n: 'long', a: 'keyword' }, [1, 'x']), types)
    expect(table.columns.map(({ id, role }) => [id, role])).toEqual([
      ['n', 'metric'],
      ['a', 'bucket'],
    ])
    expect(table.rows).toEqual([{ n: 1, a: 'x' }])
  })

  test('a column that is not answered is named', () => {
    const columns = [spec('a', 'a'), spec('b', 'b')]
    expect(() => esqlTable({ columns, collapse: [] }, answerOf({ a: 'long' }), types)).toThrow(/does not answer.*: b$/)
  })
})
