import { expect, test } from 'vitest'
import { dashboardOf } from './dashboard.ts'

const panel = (id: string, y: number, sectionId?: string) => ({
  type: 'visualization',
  panelIndex: id,
  gridData: { x: 0, y, w: 24, h: 10, i: id, ...(sectionId ? { sectionId } : {}) },
  embeddableConfig: { savedVis: { type: 'markdown', params: { markdown: id } } },
})
const placesOf = (attributes: object) =>
  dashboardOf({ type: 'dashboard', id: 'd', attributes: { ...attributes }, references: [] }, new Map()).panels.map(
    ({ kind, title, id, place }) => `${kind === 'section' ? title : id} ${place.y}`,
  )

test('sections lie open below their headings, and nothing lies on anything else', () => {
  const panels = [panel('above', 0), panel('a1', 0, 'a'), panel('a2', 10, 'a'), panel('b1', 0, 'b'), panel('after', 11)]
  const sections = [
    { title: 'Second', collapsed: true, gridData: { i: 'b', y: 21 } },
    { title: 'First', collapsed: false, gridData: { i: 'a', y: 10 } },
  ]
  expect(placesOf({ panelsJSON: JSON.stringify(panels), sections })).toEqual([
    'above 0',
    'First 10',
    'a1 12',
    'a2 22',
    'after 32',
    'Second 42',
    'b1 44',
  ])
})

test('a dashboard without sections keeps its places, also of panels whose section is gone', () => {
  const panels = [panel('one', 3), panel('two', 20, 'gone')]
  expect(placesOf({ panelsJSON: panels })).toEqual(['one 3', 'two 20'])
  expect(placesOf({ panelsJSON: panels, sections: [{ title: 'Empty', gridData: { i: 'x', y: 50 } }] })).toEqual([
    'one 0',
    'two 17',
    'Empty 27',
  ])
})
