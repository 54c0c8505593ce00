import type { SavedObject } from '@logstack/contracts'
import { describe, expect, test } from 'vitest'
import { panelKinds } from '../panels/index.ts'
import { dashboardOf } from './dashboard.ts'
import { lensRequest } from './lens.ts'

const files = import.meta.glob<string>('../../../../../../../dashboards/*/*.ndjson', {
  query: '?raw',
  import: 'default',
  eager: true,
})

describe.each(Object.entries(files))('%s', (_path, text) => {
  const objects = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as SavedObject)
    .filter(({ type }) => type !== undefined)
  const map = new Map(objects.map((object) => [`${object.type}:${object.id}`, object]))
  const dashboards = objects.filter(({ type }) => type === 'dashboard').map((object) => dashboardOf(object, map))

  test('holds all it refers to, and its panels are of kinds that are drawn', () => {
    const kinds = new Set(panelKinds.map(({ kind }) => kind))
    for (const { references } of objects) {
      for (const { type, id } of references) expect(map.has(`${type}:${id}`)).toBe(true)
    }
    for (const { kind } of dashboards.flatMap(({ panels }) => panels)) {
      expect(kind === 'missing' ? undefined : kinds.has(kind)).toBe(true)
    }
  })

  test('asks for something in every chart, and no panel lies over another', () => {
    for (const { panels } of dashboards) {
      for (const panel of panels.filter(({ kind }) => kind.startsWith('lns'))) {
        expect(lensRequest(panel, 'layer1', map)?.metrics).not.toHaveLength(0)
      }
      const cells = panels.flatMap(({ place: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
      )
      expect(new Set(cells).size).toBe(cells.length)
    }
  })
})
