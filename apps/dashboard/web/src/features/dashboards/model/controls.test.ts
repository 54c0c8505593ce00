import type { SavedObject } from '@logstack/contracts'
import { expect, test } from 'vitest'
import { controlGroupOf, inputControlsOf } from './controls.ts'
import type { ObjectMap } from './objects.ts'
import type { PanelModel } from './panel-model.ts'

const pattern: SavedObject = {
  type: 'index-pattern',
  id: 'p1',
  attributes: { title: 'web-*', timeFieldName: 'at' },
  references: [],
}
const objects: ObjectMap = new Map([['index-pattern:p1', pattern]])

function dashboard(panels: Record<string, unknown>, chainingSystem = 'HIERARCHICAL'): SavedObject {
  return {
    type: 'dashboard',
    id: 'd',
    attributes: { controlGroupInput: { chainingSystem, panelsJSON: JSON.stringify(panels) } },
    references: Object.keys(panels).map((id) => ({
      name: `controlGroup_${id}:optionsListDataView`,
      type: 'index-pattern',
      id: 'p1',
    })),
  }
}

const list = (order: number, input: Record<string, unknown>) => ({
  type: 'optionsListControl',
  order,
  explicitInput: input,
})

test('a control group is read in its order, each control narrowed by those before it', () => {
  const saved = dashboard({
    b: list(1, { fieldName: 'user.name' }),
    a: list(0, { fieldName: 'host.name', title: 'Host' }),
  })
  expect(controlGroupOf(saved, objects)).toMatchObject([
    { id: 'a', label: 'Host', kind: 'list', field: 'host.name', index: 'web-*', timeField: 'at', parents: [] },
    { id: 'b', label: 'user.name', parents: ['a'] },
  ])
  const { attributes } = saved
  const group = { ...(attributes['controlGroupInput'] as object), chainingSystem: 'NONE' }
  const apart = { ...saved, attributes: { controlGroupInput: group } }
  expect(controlGroupOf(apart, objects).map(({ parents }) => parents)).toEqual([[], []])
})

test('the choice a control was saved with is its filter', () => {
  const slider = { type: 'rangeSliderControl', order: 3, explicitInput: { fieldName: 'size', value: ['5', ''] } }
  const saved = dashboard({
    a: list(0, { fieldName: 'h', selectedOptions: ['x', 'y'], exclude: true }),
    b: list(1, { fieldName: 'h', existsSelected: true }),
    c: list(2, { fieldName: 'h', selectedOptions: [] }),
    d: slider,
    e: { type: 'timeSlider', order: 4, explicitInput: {} },
  })
  expect(controlGroupOf(saved, objects).map((control) => control.saved)).toEqual([
    { field: 'h', values: ['x', 'y'], negate: true },
    { field: 'h' },
    undefined,
    { field: 'size', range: { gte: 5 } },
  ])
})

test('legacy input controls name their parent and their pattern', () => {
  const controls = [
    {
      id: '1',
      fieldName: 'domain',
      label: 'Domain',
      type: 'list',
      options: { multiselect: false, size: 7 },
      indexPatternRefName: 'c0',
    },
    { id: '2', fieldName: 'bytes', parent: '1', type: 'range', options: {} },
    { id: '3', fieldName: '', type: 'list' },
  ]
  const panel: PanelModel = {
    id: 'x',
    kind: 'input_control_vis',
    title: '',
    place: { x: 0, y: 0, w: 1, h: 1 },
    attributes: { visState: JSON.stringify({ params: { controls } }) },
    config: {},
    references: [{ name: 'c0', type: 'index-pattern', id: 'p1' }],
  }
  expect(inputControlsOf(panel, objects)).toMatchObject([
    { id: '1', label: 'Domain', kind: 'list', index: 'web-*', multiple: false, size: 7, parents: [] },
    { id: '2', label: 'bytes', kind: 'range', parents: ['1'] },
  ])
})
