import { expect, test } from 'vitest'
import type { TableRequest } from './table.ts'
import { tableOf } from './to-table.ts'

const minute = 60_000
const request = (whole: boolean): TableRequest => ({
  index: 'logs-*',
  timeField: '@timestamp',
  queries: [],
  filters: [],
  buckets: [{ id: 't', label: 'Time', type: 'date_histogram', field: '@timestamp', interval: '1m', whole }],
  metrics: [{ id: 'm', label: 'Count', type: 'count' }],
})
const buckets = [0, 1, 2, 3].map((at) => ({ key: at * minute, doc_count: at + 1 }))
const timesOf = (whole: boolean) =>
  tableOf(
    request(whole),
    { aggregations: { b0: { buckets } }, total: 10 },
    { range: { fromMs: minute / 2, toMs: 3.5 * minute }, types: new Map() },
  ).rows.map(({ t }) => t)

test('buckets that reach beyond the range are left out where the author wanted that', () => {
  expect(timesOf(false)).toEqual([0, minute, 2 * minute, 3 * minute])
  expect(timesOf(true)).toEqual([minute, 2 * minute])
})
