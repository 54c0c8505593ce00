import { expect, test } from 'vitest'
import { lensRequest } from './lens.ts'
import type { PanelModel } from './panel-model.ts'
import type { Table, TableRequest } from './table.ts'
import { forGroupsOf, shiftedRange, splitByShift, withShifted } from './time-shift.ts'

const hour = 3_600_000
const range = { fromMs: 48 * hour, toMs: 72 * hour }
const time = { id: 't', label: 'Time', type: 'date_histogram' as const, field: '@timestamp', interval: '1h' }
const host = {
  id: 'h',
  label: 'Host',
  type: 'terms' as const,
  field: 'host.name',
  size: 2,
  orderBy: 'now',
  direction: 'desc' as const,
  otherBucket: true,
  otherLabel: 'Other',
}
const now = { id: 'now', label: 'Now', type: 'count' as const }
const before = { id: 'before', label: 'A day before', type: 'count' as const, shift: 24 * hour }
const requestOf = (rest: Partial<TableRequest>): TableRequest => ({
  index: 'logs-*',
  timeField: '@timestamp',
  queries: [],
  filters: [],
  buckets: [],
  metrics: [now, before],
  ...rest,
})
const tableOf = (id: 'now' | 'before', rows: Table['rows'], by: 't' | 'h'): Table => ({
  columns: [
    { id: by, label: by, role: 'bucket', type: by === 't' ? 'date' : 'text' },
    { id, label: id, role: 'metric', type: 'number' },
  ],
  rows,
})

test('shifted metrics are asked for on their own, of the time before', () => {
  const { own, shifted } = splitByShift(requestOf({ collapse: [] }), range)
  expect(own.metrics).toEqual([now])
  expect(shifted).toMatchObject([{ shiftMs: 24 * hour, request: { metrics: [before] } }])
  expect(shifted[0]?.request).not.toHaveProperty('collapse')
  expect(shiftedRange(range, 24 * hour)).toEqual({ fromMs: 24 * hour, toMs: 48 * hour })
})

test('“previous” is the range before; along time, shifts are whole buckets', () => {
  const previous = { ...before, shift: 'previous' as const }
  expect(splitByShift(requestOf({ metrics: [previous] }), range).shifted[0]?.shiftMs).toBe(24 * hour)
  const uneven = { fromMs: 0, toMs: 2.4 * hour }
  const request = requestOf({ buckets: [time], metrics: [previous] })
  expect(splitByShift(request, uneven).shifted[0]?.shiftMs).toBe(2 * hour)
  const short = requestOf({ buckets: [time], metrics: [{ ...before, shift: 60_000 }] })
  expect(splitByShift(short, range).shifted[0]?.shiftMs).toBe(hour)
})

test('along time both numbers stand at the same place, also where only one of them is', () => {
  const own = tableOf('now', [{ t: 48 * hour, now: 5 }], 't')
  const earlier = [
    { t: 25 * hour, before: 3 },
    { t: 24 * hour, before: 2 },
    { t: 60 * hour, before: 9 },
  ]
  expect(withShifted(own, tableOf('before', earlier, 't'), 24 * hour, range).rows).toEqual([
    { t: 48 * hour, now: 5, before: 2 },
    { t: 49 * hour, now: null, before: 3 },
  ])
})

test('the groups of now are those that are looked for before', () => {
  const rows = [
    { h: 'web-1', now: 7 },
    { h: 'web-2', now: 4 },
    { h: 'Other', now: 2 },
  ]
  const own = tableOf('now', rows, 'h')
  const [part] = splitByShift(requestOf({ buckets: [host] }), range).shifted
  if (!part) throw new Error('no shift')
  expect(forGroupsOf(part, own).request.buckets).toMatchObject([
    { include: ['web-1', 'web-2'], otherBucket: false, orderBy: 'count' },
  ])
  const earlier = tableOf('before', [{ h: 'web-2', before: 1 }], 'h')
  expect(withShifted(own, earlier, 24 * hour, range).rows).toEqual([
    { h: 'web-1', now: 7, before: null },
    { h: 'web-2', now: 4, before: 1 },
    { h: 'Other', now: 2, before: null },
  ])
})

test('a shift that cannot be drawn is named instead of left out', () => {
  const panelWith = (timeShift: string): PanelModel => {
    const columns = { m: { operationType: 'count', sourceField: '___records___', timeShift } }
    const datasourceStates = { formBased: { layers: { l: { columns, columnOrder: ['m'] } } } }
    return {
      id: 'p',
      kind: 'lnsMetric',
      title: '',
      place: { x: 0, y: 0, w: 1, h: 1 },
      attributes: { state: { datasourceStates } },
      config: {},
      references: [],
    }
  }
  expect(lensRequest(panelWith('1w'), 'l', new Map())?.metrics[0]?.shift).toBe(7 * 24 * hour)
  expect(lensRequest(panelWith('previous'), 'l', new Map())?.metrics[0]?.shift).toBe('previous')
  expect(() => lensRequest(panelWith('startAt(2026-01-01)'), 'l', new Map())).toThrow('startAt(2026-01-01)')
})
