import { expect, test } from 'vitest'
import type { Table } from '../model/table.ts'
import { sliceTree } from './slices.ts'
import { treemapBoxes, waffleSquares } from './treemap-layout.ts'

test('boxes have the areas of their values, fill the frame, and lie beside each other', () => {
  const values = [6, 6, 4, 3, 2, 2, 1]
  const boxes = treemapBoxes(values, 1.5)
  for (const [at, { x, y, w, h }] of boxes.entries()) {
    expect(w * h).toBeCloseTo((values[at] ?? 0) / 24, 10)
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + w).toBeLessThanOrEqual(1 + 1e-9)
    expect(y + h).toBeLessThanOrEqual(1 + 1e-9)
    // Overlapping boxes would leave a hole elsewhere: the areas fill the frame.
    for (const other of boxes.slice(at + 1)) {
      const across = Math.min(x + w, other.x + other.w) - Math.max(x, other.x)
      const down = Math.min(y + h, other.y + other.h) - Math.max(y, other.y)
      expect(Math.min(across, down)).toBeLessThan(1e-9)
    }
  }
})

test('a value of nothing has no area, and nothing at all no boxes to see', () => {
  expect(treemapBoxes([1, 0], 1)[1]).toMatchObject({ h: 0 })
  expect(treemapBoxes([0, 0], 1)).toEqual([0, 0].map(() => ({ x: 0, y: 0, w: 0, h: 0 })))
})

test('a hundred squares, whatever the shares', () => {
  expect(waffleSquares([1, 1, 1])).toEqual([34, 33, 33])
  expect(waffleSquares([999, 1])).toEqual([100, 0])
  expect(waffleSquares([])).toEqual([])
})

test('slices hold the groups on the way to them', () => {
  const table: Table = {
    columns: [
      { id: 'a', label: 'a', role: 'bucket', type: 'text' },
      { id: 'b', label: 'b', role: 'bucket', type: 'text' },
      { id: 'm', label: 'm', role: 'metric', type: 'number' },
    ],
    rows: [
      { a: 'x', b: 'one', m: 3 },
      { a: 'x', b: 'two', m: 1 },
      { a: 'y', b: 'one', m: 0 },
    ],
  }
  const [x, ...others] = sliceTree(table, ['a', 'b'], 'm')
  expect(others).toEqual([])
  expect(x).toMatchObject({ name: 'x', value: 4, cells: { a: 'x' } })
  expect(x?.parts.map(({ name, value, cells }) => [name, value, cells])).toEqual([
    ['one', 3, { a: 'x', b: 'one' }],
    ['two', 1, { a: 'x', b: 'two' }],
  ])
})
