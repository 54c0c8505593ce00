import { expect, test } from 'vitest'
import { dashboardOf } from '../model/dashboard.ts'
import { lensRequest } from '../model/lens.ts'
import {
  emptyDashboard,
  layoutOf,
  settingsOf,
  withCopy,
  withLayout,
  withoutPanel,
  withoutSection,
  withPanel,
  withPanelTitle,
  withReplaced,
  withSectionTitle,
  withSettings,
} from './draft.ts'
import { placed } from './layout.ts'
import { chartShapes, type LensChart, lensChartOf, lensPanel } from './lens-chart.ts'

const chart: LensChart = {
  shape: 'bar',
  patternId: 'logs-*',
  timeField: '@timestamp',
  metric: 'count',
  metricField: undefined,
  by: { type: 'time' },
  split: { field: 'host.name', size: 3 },
  query: 'event.outcome: failure',
}
const objects = new Map()
const search = {
  type: 'search',
  config: {},
  size: { w: 24, h: 10 },
  object: { type: 'search', id: 's1' },
  references: [],
}

test('a built chart is drawn by the panel that draws imported ones', () => {
  const dashboard = withPanel(emptyDashboard('d', 'Mine'), lensPanel(chart, 'Failures'), 'p1')
  const [panel] = dashboardOf(dashboard, objects).panels
  if (!panel) throw new Error('no panel')
  expect(panel).toMatchObject({ kind: 'lnsXY', title: 'Failures', place: { x: 0, y: 0 } })
  expect(lensRequest(panel, 'layer1', objects)).toMatchObject({
    index: 'logs-*',
    buckets: [
      { type: 'terms', field: 'host.name', size: 3 },
      { type: 'date_histogram', field: '@timestamp' },
    ],
    metrics: [{ type: 'count' }],
    queries: [{ language: 'kuery', query: 'event.outcome: failure' }],
  })
})

test.each(chartShapes)('a %s comes back into its form as it was', (shape) => {
  const built: LensChart = {
    ...chart,
    shape,
    by: { type: 'values', field: 'user.name', size: 7 },
    timeField: undefined,
  }
  const { attributes } = lensPanel(built, '').config as { attributes: Record<string, unknown> }
  expect(lensChartOf(attributes)).toEqual(built)
})

test.each([
  ['a filter of one column', ['columns', 'metric', 'filter'], { query: 'a: 1', language: 'kuery' }],
  ['a column the form does not have', ['columns', 'second'], { operationType: 'count', isBucketed: false }],
])('a chart with %s has no form, as the form would lose it', (_what, path, value) => {
  const { attributes } = lensPanel(chart, '').config as { attributes: Record<string, unknown> }
  expect(lensChartOf(attributes)).toEqual(chart)
  const changed = structuredClone(attributes) as Record<string, never>
  let at = changed['state']?.['datasourceStates']?.['formBased']?.['layers']?.['layer1'] as unknown as Record<
    string,
    never
  >
  for (const step of path.slice(0, -1)) at = at[step] as unknown as Record<string, never>
  Object.assign(at, { [String(path.at(-1))]: value })
  expect(lensChartOf(changed)).toBeUndefined()
})

test('a panel of the library is added by reference, copied with it, and removed with it', () => {
  const one = withPanel(emptyDashboard('d', 'Mine'), search, 'p1')
  expect(one.references).toEqual([{ type: 'search', id: 's1', name: 'p1:panel_p1' }])
  const two = withCopy(one, 'p1', 'p2')
  expect(two.references[1]).toEqual({ type: 'search', id: 's1', name: 'p2:panel_p2' })
  expect(layoutOf(two).get('p2')).toEqual({ x: 0, y: 10, w: 24, h: 10 })
  const left = withoutPanel(two, 'p1')
  expect(left.references.map(({ name }) => name)).toEqual(['p2:panel_p2'])
  expect(layoutOf(left).get('p2')?.y).toBe(0)
})

test('what this dashboard does not know of a panel stays in it', () => {
  const saved = {
    panelIndex: 'x',
    type: 'map',
    gridData: { x: 0, y: 0, w: 9, h: 9, i: 'x', sectionId: 's' },
    unknown: { kept: true },
  }
  const empty = emptyDashboard('d', 'Mine')
  const dashboard = { ...empty, attributes: { ...empty.attributes, panelsJSON: JSON.stringify([saved]) } }
  const moved = withPanelTitle(withLayout(dashboard, new Map([['x', { x: 9, y: 0, w: 9, h: 9 }]])), 'x', 'Where')
  expect(JSON.parse(String(moved.attributes['panelsJSON']))).toEqual([
    { ...saved, title: 'Where', gridData: { ...saved.gridData, x: 9 }, embeddableConfig: { hidePanelTitles: false } },
  ])
})

test('a replaced chart keeps its place', () => {
  const before = withLayout(
    withPanel(emptyDashboard('d', 'Mine'), lensPanel(chart, 'A'), 'p1'),
    new Map([['p1', { x: 12, y: 4, w: 20, h: 9 }]]),
  )
  const after = withReplaced(before, 'p1', lensPanel({ ...chart, shape: 'table' }, 'B'))
  expect(layoutOf(after).get('p1')).toEqual({ x: 12, y: 4, w: 20, h: 9 })
  expect(after.references).toHaveLength(1)
})

test('a replaced chart keeps what its panel sets beside the chart', () => {
  const before = withPanelTitle(withPanel(emptyDashboard('d', 'Mine'), lensPanel(chart, 'A'), 'p1'), 'p1', '')
  const [panel] = dashboardOf(withReplaced(before, 'p1', lensPanel(chart, '')), objects).panels
  expect(panel?.config).toMatchObject({ hidePanelTitles: true })
})

test('settings and filters are saved in the forms of exports', () => {
  const settings = { title: 'T', description: 'D', query: 'a: 1', range: { from: 'now-7d', to: 'now' } }
  const dashboard = withSettings(emptyDashboard('d', 'Mine'), settings, [
    { field: 'host.name', value: 'h', negate: true },
  ])
  expect(settingsOf(dashboard)).toEqual(settings)
  expect(dashboardOf(dashboard, objects)).toMatchObject({
    range: { from: 'now-7d', to: 'now' },
    narrowings: [
      { id: 'q', label: 'a: 1', queries: [{ language: 'kuery', query: 'a: 1' }] },
      {
        id: '0',
        label: 'not host.name: h',
        enabled: true,
        filters: [{ bool: { must_not: [{ match_phrase: { 'host.name': 'h' } }] } }],
      },
    ],
  })
  expect(settingsOf(withSettings(dashboard, { ...settings, range: undefined })).range).toBeUndefined()
})

/** A dashboard of Kibana 9: `above` outside, two panels in each of two sections, and `between` outside between them. */
function withTwoSections(): ReturnType<typeof emptyDashboard> {
  const panel = (id: string, x: number, y: number, sectionId?: string) => ({
    type: 'visualization',
    panelIndex: id,
    gridData: { x, y, w: 24, h: 10, i: id, ...(sectionId ? { sectionId } : {}) },
    embeddableConfig: { savedVis: { type: 'markdown', params: { markdown: id } } },
  })
  const panels = [
    panel('above', 0, 0),
    panel('a1', 0, 0, 'a'),
    panel('a2', 24, 0, 'a'),
    panel('between', 0, 11),
    panel('b1', 0, 0, 'b'),
  ]
  const sections = [
    { title: 'First', collapsed: false, gridData: { i: 'a', y: 10 } },
    { title: 'Second', collapsed: true, gridData: { i: 'b', y: 21 } },
  ]
  const empty = emptyDashboard('d', 'Sections')
  return { ...empty, attributes: { ...empty.attributes, panelsJSON: JSON.stringify(panels), sections } }
}

type Dashboard = ReturnType<typeof emptyDashboard>
const savedPlaces = (dashboard: Dashboard): string[] =>
  (
    JSON.parse(String(dashboard.attributes['panelsJSON'])) as {
      panelIndex: string
      gridData: Record<string, unknown>
    }[]
  ).map(
    ({ panelIndex, gridData: { x, y, sectionId } }) =>
      `${panelIndex} ${String(sectionId ?? '-')} ${String(x)},${String(y)}`,
  )
const savedSections = (dashboard: Dashboard): string[] =>
  (dashboard.attributes['sections'] as { title: string; gridData: { y: number } }[]).map(
    ({ title, gridData }) => `${title} ${gridData.y}`,
  )
const drawn = (dashboard: Dashboard): string[] =>
  dashboardOf(dashboard, objects).panels.map(({ id, place }) => `${id} ${place.x},${place.y}`)

test('panels of sections are moved within them, and out of them over their headings', () => {
  const dashboard = withTwoSections()
  const asItWas = ['above 0,0', 'section-a 0,10', 'a1 0,12', 'a2 24,12', 'between 0,22', 'section-b 0,32', 'b1 0,34']
  expect(drawn(dashboard)).toEqual(asItWas)
  expect([...layoutOf(dashboard)].map(([id, { x, y }]) => `${id} ${x},${y}`)).toEqual(asItWas)
  expect(withLayout(dashboard, new Map())).toEqual(dashboard)
  const move = (id: string, x: number, y: number): Dashboard =>
    withLayout(dashboard, placed(layoutOf(dashboard), id, { x, y, w: 24, h: 10 }))
  const below = move('a2', 0, 22)
  expect(drawn(below)).toContain('a2 0,22')
  expect(savedPlaces(below)).toEqual(['above - 0,0', 'a1 a 0,0', 'a2 a 0,10', 'between - 0,11', 'b1 b 0,0'])
  expect(savedSections(below)).toEqual(['First 10', 'Second 21'])
  const up = move('a2', 24, 0)
  expect(savedPlaces(up)).toContain('a2 - 24,0')
  const across = move('above', 24, 34)
  expect(savedPlaces(across)).toEqual(['above b 24,0', 'a1 a 0,0', 'a2 a 24,0', 'between - 0,1', 'b1 b 0,0'])
  expect(savedSections(across)).toEqual(['First 0', 'Second 11'])
  const resized = withLayout(dashboard, placed(layoutOf(dashboard), 'a1', { x: 0, y: 12, w: 24, h: 20 }))
  expect(drawn(resized)).toEqual([
    'above 0,0',
    'section-a 0,10',
    'a1 0,12',
    'a2 24,12',
    'between 0,32',
    'section-b 0,42',
    'b1 0,44',
  ])
})

test('panels are added to sections, copied and removed there, and nothing else moves', () => {
  const dashboard = withTwoSections()
  expect(savedPlaces(withPanel(dashboard, search, 'new')).at(-1)).toBe('new b 0,10')
  expect(savedPlaces(withCopy(dashboard, 'b1', 'copy')).at(-1)).toBe('copy b 0,10')
  expect(savedPlaces(withReplaced(dashboard, 'between', { ...search, size: { w: 24, h: 10 } })).at(-1)).toBe(
    'between - 0,11',
  )
  const without = withoutPanel(dashboard, 'a1')
  expect(drawn(without)).toEqual([
    'above 0,0',
    'section-a 0,10',
    'a2 24,12',
    'between 0,22',
    'section-b 0,32',
    'b1 0,34',
  ])
})

test('a section has another title, or none: then its panels lie outside of all', () => {
  const dashboard = withTwoSections()
  expect(savedSections(withSectionTitle(dashboard, 'section-b', 'Last'))).toEqual(['First 10', 'Last 21'])
  const left = withoutSection(dashboard, 'section-b')
  expect(savedSections(left)).toEqual(['First 10'])
  expect(drawn(left)).toEqual(['above 0,0', 'section-a 0,10', 'a1 0,12', 'a2 24,12', 'between 0,22', 'b1 0,32'])
  expect(drawn(withoutSection(left, 'section-a'))).toEqual([
    'above 0,0',
    'a1 0,10',
    'a2 24,0',
    'between 0,20',
    'b1 0,30',
  ])
})
