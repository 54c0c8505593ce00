import type { SavedObject } from '@logstack/contracts'
import { expect, test } from 'vitest'
import { chosenOf, type VariableControlModel, variableControlsOf, variablesOf } from './variable-controls.ts'

function controlsOf(...inputs: Record<string, unknown>[]): VariableControlModel[] {
  const panels = inputs.map((explicitInput, at) => [
    `c${at}`,
    { type: 'esqlControl', order: inputs.length - at, explicitInput },
  ])
  const controlGroupInput = { panelsJSON: JSON.stringify(Object.fromEntries(panels)) }
  const dashboard: SavedObject = { type: 'dashboard', id: 'd', attributes: { controlGroupInput }, references: [] }
  return variableControlsOf(dashboard)
}

const fixed = {
  variableName: 'interval',
  variableType: 'time_literal',
  controlType: 'STATIC_VALUES',
  title: 'Every',
  availableOptions: ['5 minutes', '1 hour'],
  selectedOptions: ['1 hour'],
}
const found = {
  variableName: '??by',
  variableType: 'fields',
  controlType: 'VALUES_FROM_QUERY',
  esqlQuery: 'FROM fields',
  availableOptions: ['host.name'],
}

test('controls of variables are read in their order', () => {
  expect(controlsOf(fixed, found)).toMatchObject([
    { id: 'c1', label: '??by'.slice(2), name: 'by', isIdentifier: true, esql: 'FROM fields', saved: [] },
    {
      id: 'c0',
      label: 'Every',
      name: 'interval',
      isIdentifier: false,
      multiple: false,
      options: ['5 minutes', '1 hour'],
      esql: undefined,
    },
  ])
  expect(
    controlsOf({ variableType: 'values' }, { ...fixed, controlType: 'STATIC_VALUES', esqlQuery: 'FROM a' }),
  ).toMatchObject([{ esql: undefined }])
})

test('the address says what is chosen, else the dashboard, else it is the first that is offered', () => {
  const [by, interval] = controlsOf(fixed, found) as [VariableControlModel, VariableControlModel]
  expect(chosenOf(interval, { interval: ['1 day'] })).toEqual(['1 day'])
  expect(chosenOf(interval, { other: ['1 day'] })).toEqual(['1 hour'])
  expect(chosenOf(by, {})).toEqual(['host.name'])
  expect(chosenOf({ ...by, name: 'constructor', options: [] }, {})).toEqual([])
})

test('fields are identifiers, numbers are numbers, and what may be several is a list', () => {
  const status = { variableName: 'status', variableType: 'values', availableOptions: ['404', ' '] }
  const several = { variableName: 'hosts', variableType: 'multi_values', selectedOptions: ['a', '7'] }
  const none = { variableName: 'none', variableType: 'values' }
  expect(variablesOf(controlsOf(none, several, status, found), {})).toEqual([
    { name: 'by', value: { identifier: 'host.name' } },
    { name: 'status', value: 404 },
    { name: 'hosts', value: ['a', 7] },
  ])
  expect(variablesOf(controlsOf(status), { status: [' '] })).toEqual([{ name: 'status', value: ' ' }])
})
