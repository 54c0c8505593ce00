import { expect, test } from 'vitest'
import { chartTheme } from '../../../charts/palette.ts'
import { type PieChartModel, type PieLabels, pieOption } from './pie.tsx'

const model: PieChartModel = {
  table: {
    columns: [
      { id: 'h', label: 'Host', role: 'bucket', type: 'text' },
      { id: 's', label: 'Status', role: 'bucket', type: 'text' },
      { id: 'n', label: 'Events', role: 'metric', type: 'number' },
    ],
    rows: [
      { h: 'web-with-a-long-name', s: '200', n: 3_000 },
      { h: 'web-2', s: '200', n: 1_000 },
    ],
  },
  groups: ['h'],
  metric: 'n',
  donut: false,
  legend: false,
  labels: undefined,
  colors: new Map(),
}
const labels: PieLabels = { number: 'percent', isInside: false, lastRingOnly: true, lengthMax: undefined }

interface Label {
  readonly show: boolean
  readonly position: string
  formatter(slice: { name: string; value: number; percent: number }): string
}
const labelsOf = (more: Partial<PieChartModel>): Label[] =>
  (pieOption({ ...model, ...more }, chartTheme('light'))['series'] as { label: Label }[]).map(({ label }) => label)
const slice = { name: 'web-with-a-long-name', value: 3_000, percent: 75 }

test('slices say their name and their share, beside them where there is one ring', () => {
  const [label] = labelsOf({ labels })
  expect(label).toMatchObject({ show: true, position: 'outside' })
  expect(label?.formatter(slice)).toBe('web-with-a-long-name 75%')
  expect(labelsOf({ labels: { ...labels, number: 'value' } })[0]?.formatter(slice)).toContain('3,000')
  expect(labelsOf({ labels: { ...labels, number: undefined, lengthMax: 5 } })[0]?.formatter(slice)).toBe('web-w…')
  expect(labelsOf({ labels: { ...labels, isInside: true } })[0]?.position).toBe('inside')
  expect(labelsOf({})[0]?.show).toBe(false)
  // The legend has the names, and takes the room beside the pie.
  const [beside] = labelsOf({ labels, legend: true })
  expect([beside?.position, beside?.formatter(slice)]).toEqual(['inside', '75%'])
})

test('of several rings they stand within, of all of them or of the last', () => {
  const groups = ['h', 's']
  expect(labelsOf({ groups, labels }).map(({ show }) => show)).toEqual([false, true])
  const all = labelsOf({ groups, labels: { ...labels, lastRingOnly: false } })
  expect(all.map(({ show, position }) => [show, position])).toEqual([
    [true, 'inside'],
    [true, 'inside'],
  ])
})
