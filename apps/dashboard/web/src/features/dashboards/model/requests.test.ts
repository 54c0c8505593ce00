import type { SavedObject } from '@logstack/contracts'
import { describe, expect, test } from 'vitest'
import shipped from '../../../../../../../dashboards/search/host-overview.ndjson?raw'
import { jsonArray, text } from '../../../kibana/saved-json.ts'
import { filtersOfRow } from '../panels/filter-by-cell.ts'
import { type DashboardModel, dashboardOf } from './dashboard.ts'
import { legacyVisualization } from './legacy-vis.ts'
import { hoistSharedFilter, lensRequest, lensVisualization } from './lens.ts'
import { otherAggregations, otherGroups, withFound } from './other-groups.ts'
import type { PanelModel } from './panel-model.ts'
import { clausesOf } from './saved-filters.ts'
import type { TableRequest } from './table.ts'
import { aggregationsOf, missingKey } from './to-search.ts'
import { tableOf } from './to-table.ts'

const context = { range: { fromMs: 0, toMs: 900_000 }, types: new Map([['host.name', 'keyword']]) }
const request = (rest: Partial<TableRequest>): TableRequest => ({
  index: 'logs-*',
  timeField: '@timestamp',
  queries: [],
  filters: [],
  buckets: [],
  metrics: [{ id: 'm', label: 'Count', type: 'count' }],
  ...rest,
})
const hosts = {
  id: 'h',
  label: 'Host',
  type: 'terms' as const,
  field: 'host.name',
  size: 2,
  orderBy: 'm',
  direction: 'desc' as const,
  otherBucket: true,
  otherLabel: 'Other',
  missingLabel: 'No host',
}

describe('the shipped dashboard', () => {
  const objects = shipped
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as SavedObject)
    .filter((object) => object.type !== undefined)
  const map = new Map(objects.map((object) => [`${object.type}:${object.id}`, object]))
  const found = objects.find(({ type }) => type === 'dashboard')
  const model: DashboardModel | undefined = found && dashboardOf(found, map)
  const panel = (id: string): PanelModel => {
    const one = model?.panels.find((candidate) => candidate.id === id)
    if (!one) throw new Error(`no panel ${id}`)
    return one
  }

  test('has only kinds that are drawn, by value and by reference', () => {
    expect(model?.panels.map(({ kind }) => kind)).toEqual([
      'markdown',
      'lnsMetric',
      'lnsMetric',
      'lnsMetric',
      'lnsMetric',
      'lnsXY',
      'lnsPie',
      'lnsXY',
      'lnsDatatable',
      'search',
    ])
    expect(model?.range).toEqual({ from: 'now-24h', to: 'now' })
  })

  test('asks for events over time by data set', () => {
    const [layer] = jsonArray(lensVisualization(panel('over-time'))['layers'])
    const asked = lensRequest(panel('over-time'), text(layer?.['layerId']) ?? '', map)
    if (!asked) throw new Error('no request')
    expect(asked).toMatchObject({ index: 'logs-*', timeField: '@timestamp' })
    expect(aggregationsOf(asked, context)).toMatchObject({
      b0: {
        terms: { field: 'event.dataset', size: 8, order: { _count: 'desc' } },
        aggs: { b1: { date_histogram: { field: '@timestamp', fixed_interval: '30s', min_doc_count: 1 } } },
      },
    })
  })
})

describe('a request becomes aggregations', () => {
  test('missing values get a key of their own, orders by a filtered metric name its path', () => {
    const filter = { language: 'kuery', query: 'event.outcome: failure' }
    const asked = request({
      buckets: [{ ...hosts, orderBy: 'u' }],
      metrics: [{ id: 'u', label: 'Users', type: 'cardinality', field: 'user.name', filter }],
    })
    expect(aggregationsOf(asked, context)).toEqual({
      b0: {
        terms: { field: 'host.name', size: 2, order: { 'm0>value': 'desc' }, missing: missingKey },
        aggs: {
          m0: {
            filter: { match: { 'event.outcome': 'failure' } },
            aggs: { value: { cardinality: { field: 'user.name' } } },
          },
        },
      },
    })
  })

  test('a filter that all metrics share filters the search', () => {
    const filter = { language: 'kuery', query: 'a: 1' }
    const [metric] = request({}).metrics
    if (!metric) throw new Error('no metric')
    const shared = hoistSharedFilter(request({ metrics: [{ ...metric, filter }] }))
    expect(shared).toEqual(request({ queries: [filter], metrics: [metric] }))
    const mixed = request({ metrics: [{ ...metric, filter }, metric] })
    expect(hoistSharedFilter(mixed)).toBe(mixed)
  })

  test('an outer level can be ordered by a metric of the innermost', () => {
    const asked = request({
      buckets: [
        { ...hosts, orderBy: 'a' },
        { id: 't', label: 't', type: 'date_histogram', field: '@timestamp', interval: '1m' },
      ],
      metrics: [{ id: 'a', label: 'a', type: 'avg', field: 'x' }],
    })
    const aggs = aggregationsOf(asked, context)
    expect(aggs).toMatchObject({
      b0: {
        terms: { order: { m0: 'desc' } },
        aggs: { m0: { avg: { field: 'x' } }, b1: { aggs: { m0: { avg: { field: 'x' } } } } },
      },
    })
  })
})

describe('an answer becomes a table', () => {
  test('nested levels are rows, the rest of the terms is a row, missing values have their label', () => {
    const aggregations = {
      b0: {
        sum_other_doc_count: 4,
        buckets: [
          { key: 'web', doc_count: 3 },
          { key: missingKey, doc_count: 1 },
        ],
      },
    }
    expect(tableOf(request({ buckets: [hosts] }), { aggregations, total: 8 }, context).rows).toEqual([
      { h: 'web', m: 3 },
      { h: 'No host', m: 1 },
      { h: 'Other', m: 4 },
    ])
  })

  test('without groups there is one row of metrics', () => {
    const metrics = [
      { id: 'n', label: 'n', type: 'count' as const },
      { id: 'p', label: 'p', type: 'percentiles' as const, field: 'x', percent: 50 },
      { id: 'l', label: 'l', type: 'last_value' as const, field: 'a.b' },
      { id: 'f', label: 'f', type: 'count' as const, filter: { language: 'kuery', query: 'a: 1' } },
    ]
    const aggregations = {
      m1: { values: { '50.0': 7 } },
      m2: { hits: { hits: [{ fields: { 'a.b': ['x'] } }] } },
      m3: { doc_count: 2 },
    }
    expect(tableOf(request({ metrics }), { aggregations, total: 9 }, context).rows).toEqual([
      { n: 9, p: 7, l: 'x', f: 2 },
    ])
  })

  test('filters are named by their labels', () => {
    const filters = [
      { label: 'bad', query: { language: 'lucene', query: 'event.code:4625' } },
      { label: 'good', query: { language: 'kuery', query: '' } },
    ]
    const asked = request({ buckets: [{ id: 'f', label: 'f', type: 'filters', filters }] })
    expect(aggregationsOf(asked, context)).toMatchObject({
      b0: { filters: { filters: { 0: { query_string: { query: 'event.code:4625' } }, 1: { match_all: {} } } } },
    })
    const aggregations = { b0: { buckets: { 0: { doc_count: 1 }, 1: { doc_count: 5 } } } }
    expect(tableOf(asked, { aggregations, total: 6 }, context).rows).toEqual([
      { f: 'bad', m: 1 },
      { f: 'good', m: 5 },
    ])
  })
})

test('a legacy visualization is read with the saved search below it', () => {
  const meta = (query: string, extra = {}) => ({
    searchSourceJSON: JSON.stringify({ query: { query, language: 'kuery' }, filter: [], ...extra }),
  })
  const search: SavedObject = {
    type: 'search',
    id: 's1',
    attributes: { kibanaSavedObjectMeta: meta('event.code: 1', { indexRefName: 'index' }) },
    references: [{ name: 'index', type: 'index-pattern', id: 'logs-*' }],
  }
  const aggs = [
    { id: '1', enabled: true, type: 'count', schema: 'metric', params: {} },
    {
      id: '2',
      enabled: true,
      type: 'terms',
      schema: 'segment',
      params: { field: 'host.name', size: 3, orderBy: '1', order: 'desc' },
    },
    { id: '3', enabled: false, type: 'filters', schema: 'group', params: {} },
  ]
  const panel: PanelModel = {
    id: 'p',
    kind: 'pie',
    title: '',
    place: { x: 0, y: 0, w: 1, h: 1 },
    config: {},
    attributes: {
      visState: JSON.stringify({ type: 'pie', aggs, params: { isDonut: true } }),
      savedSearchRefName: 'search_0',
      kibanaSavedObjectMeta: meta('user.name: *'),
    },
    references: [{ name: 'search_0', type: 'search', id: 's1' }],
  }
  const objects = new Map([
    ['search:s1', search],
    [
      'index-pattern:logs-*',
      {
        type: 'index-pattern',
        id: 'logs-*',
        attributes: { title: 'logs-*', timeFieldName: '@timestamp' },
        references: [],
      },
    ],
  ])
  const read = legacyVisualization(panel, objects)
  expect(read.request).toMatchObject({
    index: 'logs-*',
    timeField: '@timestamp',
    queries: [{ query: 'user.name: *' }, { query: 'event.code: 1' }],
    buckets: [{ id: '2', type: 'terms', field: 'host.name', size: 3, orderBy: '1' }],
    metrics: [{ id: '1', type: 'count', label: 'Count' }],
  })
  expect(read.schemas.get('2')).toBe('segment')
})

test('filter pills: disabled ones are dropped, negated ones turned, combined ones joined, old forms upgraded', () => {
  const phrase = { meta: {}, query: { match_phrase: { a: 'x' } } }
  expect(
    clausesOf([
      phrase,
      { ...phrase, meta: { disabled: true } },
      { meta: { negate: true }, query: { exists: { field: 'b' } } },
      { meta: { type: 'combined', relation: 'OR', params: [phrase] }, query: {} },
      { meta: {}, query: { match: { c: { query: 'y', type: 'phrase' } } } },
      { meta: {}, range: { d: { gte: 1 } } },
    ]),
  ).toEqual([
    { match_phrase: { a: 'x' } },
    { bool: { must_not: [{ exists: { field: 'b' } }] } },
    { bool: { should: [{ match_phrase: { a: 'x' } }], minimum_should_match: 1 } },
    { match_phrase: { c: 'y' } },
    { range: { d: { gte: 1 } } },
  ])
})

describe('the documents beyond the shown terms', () => {
  const overTime = request({
    buckets: [hosts, { id: 't', label: 'Time', type: 'date_histogram', field: '@timestamp', interval: '1m' }],
  })
  const first = {
    b0: {
      sum_other_doc_count: 3,
      buckets: [
        { key: 'web-1', doc_count: 5, b1: { buckets: [{ key: 0, doc_count: 5 }] } },
        { key: missingKey, doc_count: 4, b1: { buckets: [{ key: 60_000, doc_count: 4 }] } },
      ],
    },
  }

  test('are asked for again where their count alone does not say enough', () => {
    const groups = otherGroups(overTime, first, context)
    expect(groups.map(({ above, clause }) => ({ above, clause }))).toEqual([
      {
        above: { h: 'Other' },
        clause: {
          bool: { filter: [{ exists: { field: 'host.name' } }], must_not: [{ terms: { 'host.name': ['web-1'] } }] },
        },
      },
    ])
    expect(otherAggregations(groups, overTime, context)).toMatchObject({ o0: { aggs: { b1: { date_histogram: {} } } } })
    const found = withFound(groups, { o0: { doc_count: 3, b1: { buckets: [{ key: 120_000, doc_count: 3 }] } } })
    expect(tableOf(overTime, { aggregations: first, total: 12 }, context, found).rows).toEqual([
      { h: 'web-1', t: 0, m: 5 },
      { h: 'No host', t: 60_000, m: 4 },
      { h: 'Other', t: 120_000, m: 3 },
    ])
  })

  test('are not asked for again where a count is all there is to know', () => {
    expect(
      otherGroups(request({ buckets: [hosts] }), { b0: { sum_other_doc_count: 3, buckets: [] } }, context),
    ).toEqual([])
  })
})

test('a visualization by value stands on the saved search its panel refers to', () => {
  const panelsJSON = JSON.stringify([
    {
      panelIndex: 'p',
      type: 'visualization',
      embeddableConfig: {
        savedVis: { type: 'metric', data: { aggs: [{ id: '1', type: 'count', schema: 'metric' }], searchSource: {} } },
      },
    },
  ])
  const searchSource = { query: { query: 'a: 1', language: 'kuery' }, indexRefName: 'i' }
  const search = {
    type: 'search',
    id: 's',
    attributes: { kibanaSavedObjectMeta: { searchSourceJSON: JSON.stringify(searchSource) } },
    references: [{ name: 'i', type: 'index-pattern', id: 'logs-*' }],
  }
  const objects = new Map([['search:s', search]])
  const dashboard = {
    type: 'dashboard',
    id: 'd',
    attributes: { panelsJSON },
    references: [{ name: 'p:search_0', type: 'search', id: 's' }],
  }
  const [panel] = dashboardOf(dashboard, objects).panels
  if (!panel) throw new Error('no panel')
  expect(legacyVisualization(panel, objects).request).toMatchObject({
    index: 'logs-*',
    queries: [{ language: 'kuery', query: 'a: 1' }],
  })
})

describe('groups of several fields', () => {
  const pair = { ...hosts, also: ['user.name'], size: 1 }
  const asked = request({ buckets: [pair, { ...hosts, id: 'x', otherBucket: false }] })
  const types = new Map([
    ['host.name', 'keyword'],
    ['user.name', 'keyword'],
  ])
  const answer = {
    b0: {
      sum_other_doc_count: 3,
      buckets: [
        {
          key: ['web-1', missingKey],
          key_as_string: `web-1|${missingKey}`,
          doc_count: 5,
          b1: { buckets: [{ key: 'db', doc_count: 5 }] },
        },
      ],
    },
  }

  test('are combinations of their values', () => {
    expect(aggregationsOf(asked, { ...context, types })).toMatchObject({
      b0: {
        multi_terms: {
          terms: [
            { field: 'host.name', missing: missingKey },
            { field: 'user.name', missing: missingKey },
          ],
          size: 1,
          order: { _count: 'desc' },
        },
      },
    })
    expect(tableOf(asked, { aggregations: answer, total: 8 }, context).rows).toEqual([
      { h: 'web-1 › No host', x: 'db', m: 5 },
    ])
  })

  test('leave the others to be found without all of their fields', () => {
    const shown = {
      bool: {
        filter: [
          { term: { 'host.name': { value: 'web-1' } } },
          { bool: { must_not: [{ exists: { field: 'user.name' } }] } },
        ],
      },
    }
    expect(otherGroups(asked, answer, context)[0]?.clause).toEqual({
      bool: { filter: [{ exists: { field: 'host.name' } }, { exists: { field: 'user.name' } }], must_not: [shown] },
    })
  })

  test('are filtered by each of their values', () => {
    expect(filtersOfRow(asked, { h: 'web-1 › No host' }, ['h'])).toEqual([
      { field: 'host.name', value: 'web-1' },
      { field: 'user.name', negate: true },
    ])
  })
})
