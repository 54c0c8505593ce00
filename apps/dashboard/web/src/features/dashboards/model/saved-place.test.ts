import { expect, test } from 'vitest'
import { layoutOf, withLayout } from '../edit/draft.ts'
import { dashboardOf } from './dashboard.ts'

const dashboardWith = (panelsJSON: unknown) => ({
  type: 'dashboard',
  id: 'd',
  attributes: { title: 'Old', panelsJSON: typeof panelsJSON === 'string' ? panelsJSON : JSON.stringify(panelsJSON) },
  references: [],
})
const placesOf = (panels: unknown) => dashboardOf(dashboardWith(panels), new Map()).panels.map(({ place }) => place)

test('panels of Kibana 5, 6.1 and today lie where they lay', () => {
  const five = { panelIndex: 1, col: 7, row: 2, size_x: 6, size_y: 4, type: 'visualization', id: 'a' }
  const grid = { x: 6, y: 1, w: 6, h: 4, i: '1' }
  const old = { panelIndex: '1', version: '6.1.3', gridData: grid, type: 'visualization', id: 'a' }
  const place = { x: 24, y: 5, w: 24, h: 20 }
  expect(placesOf([five])).toEqual([place])
  expect(placesOf([old])).toEqual([place])
  expect(placesOf([{ ...old, version: '6.3.0' }])).toEqual([{ x: 6, y: 1, w: 6, h: 4 }])
})

test('an old panel that is moved lies where it was put, the others where they lay', () => {
  const old = (id: string, x: number) => ({
    panelIndex: id,
    version: '6.2.0',
    gridData: { x, y: 0, w: 6, h: 3, i: id },
  })
  const saved = dashboardWith([old('a', 0), old('b', 6)])
  const moved = withLayout(saved, new Map([['b', { x: 24, y: 15, w: 24, h: 15 }]]))
  expect([...layoutOf(moved).values()]).toEqual([
    { x: 0, y: 0, w: 24, h: 15 },
    { x: 24, y: 15, w: 24, h: 15 },
  ])
})

test('a dashboard whose panels cannot be read is not one without panels', () => {
  const unreadable = (panels: unknown) => dashboardOf(dashboardWith(panels), new Map()).isUnreadable
  expect(unreadable('{not json')).toBe(true)
  expect(unreadable('"x"')).toBe(true)
  expect(unreadable([])).toBe(false)
})
