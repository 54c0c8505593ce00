import { expect, test } from 'vitest'
import { legacyBucket } from './legacy-buckets.ts'
import { legacyMetrics } from './legacy-metrics.ts'
import { tableOf } from './to-table.ts'
import { seriesLabel } from './tsvb/metric-label.ts'

const nameOf = (field: string): string => (field === 'host.name' ? 'Machine' : field)
const bucket = (type: string, params: Record<string, unknown>) =>
  legacyBucket({ id: '2', type, params }, { nameOf, orderOf: () => undefined })
const metricLabels = (type: string, params: Record<string, unknown>): string[] =>
  legacyMetrics([{ id: '1', type, params }], nameOf).metrics.map(({ label }) => label)

test.each([
  ['terms', { field: 'host.name', order: 'desc' }, 'Machine: Descending'],
  ['terms', { field: 'user.name', order: 'asc' }, 'user.name: Ascending'],
  ['terms', { field: 'user.name', customLabel: 'Who' }, 'Who'],
  ['significant_terms', { field: 'process.name', size: 7 }, 'Top 7 unusual terms in process.name'],
  ['histogram', { field: 'bytes', interval: 10 }, 'bytes'],
  ['range', { field: 'bytes', ranges: [] }, 'bytes ranges'],
  ['ip_range', { field: 'source.ip', ranges: {} }, 'source.ip IP ranges'],
  ['date_range', { field: '@timestamp', ranges: [] }, '@timestamp date ranges'],
  ['filters', { filters: [] }, 'filters'],
])('groups by %s of %j are called %s', (type, params, label) => {
  expect(bucket(type, params).label).toBe(label)
})

test.each([
  ['cardinality', { field: 'host.name' }, ['Unique count of Machine']],
  ['top_hits', { field: 'bytes', size: 1, sortOrder: 'desc' }, ['Last bytes']],
  ['top_hits', { field: 'bytes', size: 5, sortOrder: 'asc' }, ['First 5 bytes']],
  ['percentiles', { field: 'bytes', percents: [50, 99] }, ['50th percentile of bytes', '99th percentile of bytes']],
  ['percentiles', { field: 'bytes', percents: [95], customLabel: 'Size' }, ['95th percentile of Size']],
  ['percentile_ranks', { field: 'bytes', values: [100], customLabel: 'Size' }, ['Percentile rank 100 of "Size"']],
])('the numbers of %s of %j are called %j', (type, params, labels) => {
  expect(metricLabels(type, params)).toEqual(labels)
})

test.each([
  ['auto', 86_400_000, '@timestamp per 30 minutes'],
  ['auto', 7 * 86_400_000, '@timestamp per 3 hours'],
  ['d', 86_400_000, '@timestamp per day'],
  ['7d', 86_400_000, '@timestamp per week'],
  ['2d', 86_400_000, '@timestamp per 2 days'],
  ['60s', 86_400_000, '@timestamp per minute'],
])('groups of time (%s of %d ms) say how wide they are: %s', (interval, toMs, label) => {
  const spec = bucket('date_histogram', { field: '@timestamp', interval })
  const request = { index: 'x', timeField: undefined, queries: [], filters: [], buckets: [spec], metrics: [] }
  const context = { range: { fromMs: 0, toMs }, types: new Map<string, string>() }
  expect(tableOf(request, { aggregations: {}, total: 0 }, context).columns[0]?.label).toBe(label)
})

test('series of TSVB without a name have that of their last metric', () => {
  const max = { id: 'm', type: 'max', field: 'host.name' }
  expect(seriesLabel([{ id: 'c', type: 'count' }], nameOf)).toBe('Count')
  expect(seriesLabel([max], nameOf)).toBe('Max of Machine')
  expect(seriesLabel([max, { id: 'd', type: 'derivative', field: 'm' }], nameOf)).toBe('Derivative of Max of Machine')
  // One that is made of itself ends.
  expect(seriesLabel([{ id: 'd', type: 'derivative', field: 'd' }], nameOf)).toMatch(/^Derivative of Derivative/)
})
