import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GridPlace } from '../model/panel-model.ts'
import { compacted, freePlace, gridColumns, type Layout, placed, smallest, stepped } from './layout.ts'

const layout = (places: Record<string, [number, number, number, number]>): Layout =>
  new Map(Object.entries(places).map(([id, [x, y, w, h]]) => [id, { x, y, w, h }]))

function overlaps(left: GridPlace, right: GridPlace): boolean {
  const across = left.x < right.x + right.w && right.x < left.x + left.w
  return across && left.y < right.y + right.h && right.y < left.y + left.h
}

test('a panel put on another pushes it down', () => {
  const before = layout({ a: [0, 0, 24, 10], b: [0, 10, 24, 10] })
  expect(Object.fromEntries(placed(before, 'b', { x: 0, y: 0, w: 24, h: 10 }))).toEqual({
    b: { x: 0, y: 0, w: 24, h: 10 },
    a: { x: 0, y: 10, w: 24, h: 10 },
  })
})

test('a panel that is taken away lets those below rise', () => {
  expect(compacted(layout({ b: [0, 10, 24, 10], c: [24, 30, 24, 5] }))).toEqual(
    layout({ b: [0, 0, 24, 10], c: [24, 0, 24, 5] }),
  )
})

test('a new panel goes below all others', () => {
  expect(freePlace(layout({ a: [0, 0, 48, 10] }), { w: 24, h: 8 })).toEqual({ x: 0, y: 10, w: 24, h: 8 })
  expect(freePlace(new Map(), { w: 24, h: 8 })).toEqual({ x: 0, y: 0, w: 24, h: 8 })
})

test('a new panel keeps off those that stay where they are, gap or not', () => {
  // The saved layout has room above `b`; nothing of it moves when a panel is added.
  const gaps = layout({ a: [0, 0, 48, 4], b: [0, 20, 24, 10] })
  expect(freePlace(gaps, { w: 24, h: 8 })).toEqual({ x: 0, y: 30, w: 24, h: 8 })
  expect(freePlace(layout({ a: [24, 20, 24, 10] }), { w: 24, h: 8 })).toEqual({ x: 0, y: 0, w: 24, h: 8 })
})

const anyPlace = fc.record({
  x: fc.integer({ min: 0, max: 60 }),
  y: fc.integer({ min: 0, max: 40 }),
  w: fc.integer({ min: 1, max: 60 }),
  h: fc.integer({ min: 1, max: 20 }),
})

test('wherever a panel is put, all stay on the grid, none lies over another, and none is lost', () => {
  fc.assert(
    fc.property(fc.array(anyPlace, { minLength: 1, maxLength: 8 }), anyPlace, (places, wanted) => {
      const start = places.reduce<Layout>((all, place, at) => placed(all, String(at), place), new Map())
      const after = placed(start, '0', wanted)
      expect([...after.keys()].sort()).toEqual([...start.keys()].sort())
      const found = [...after.values()]
      for (const place of found) {
        expect(place.x + place.w).toBeLessThanOrEqual(gridColumns)
        expect(place.w).toBeGreaterThanOrEqual(smallest.w)
      }
      for (const [at, place] of found.entries())
        for (const other of found.slice(at + 1)) expect(overlaps(place, other)).toBe(false)
    }),
  )
})

test('a key moves a panel down past what is below it, and no further than the end', () => {
  const layout = new Map([
    ['a', { x: 0, y: 0, w: 24, h: 5 }],
    ['heading', { x: 0, y: 5, w: 48, h: 2 }],
    ['b', { x: 0, y: 7, w: 24, h: 8 }],
  ])
  const placesOf = (of: ReadonlyMap<string, { y: number }>): string[] =>
    [...of].map(([id, { y }]) => `${id} ${y}`).sort()
  const once = stepped(layout, 'a', [0, 1])
  expect(placesOf(once)).toEqual(['a 2', 'b 7', 'heading 0'])
  expect(placesOf(stepped(once, 'a', [0, 1]))).toEqual(['a 10', 'b 2', 'heading 0'])
  const last = stepped(stepped(once, 'a', [0, 1]), 'a', [0, 1])
  expect(placesOf(last)).toEqual(['a 10', 'b 2', 'heading 0'])
  expect(placesOf(stepped(last, 'a', [0, -1]))).toEqual(['a 2', 'b 7', 'heading 0'])
  expect(stepped(last, 'a', [1, 0]).get('a')).toMatchObject({ x: 1, y: 10 })
  expect(stepped(last, 'none', [1, 0])).toBe(last)
})
