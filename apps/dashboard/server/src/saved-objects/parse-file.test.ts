import { expect, test } from 'vitest'
import { parseExportFile } from './parse-file.ts'

test('the export summary and empty lines are no objects; unknown fields stay', () => {
  const file =
    '\uFEFF{"type":"tag","id":"a","attributes":{},"references":[],"coreMigrationVersion":"8.8.0"}\n\n{"exportedCount":1}\n'
  expect(parseExportFile(file, 10)).toEqual([
    { type: 'tag', id: 'a', attributes: {}, references: [], coreMigrationVersion: '8.8.0' },
  ])
})

test('the JSON arrays of Kibana 5 are read', () => {
  const file = '[{"_id":"d","_type":"dashboard","_source":{"title":"Old"}}]'
  expect(parseExportFile(file, 10)).toEqual([
    { type: 'dashboard', id: 'd', attributes: { title: 'Old' }, references: [] },
  ])
})

test('problems are named with their line', () => {
  expect(() => parseExportFile('{"type":"tag","id":"a","attributes":{}}\nnonsense', 10)).toThrow('line 2 is not JSON')
  expect(() => parseExportFile('{"type":"tag","id":"a"}', 10)).toThrow('line 1 is not a saved object: [attributes]')
  expect(() => parseExportFile('{"type":"tag","id":"a","attributes":{}}', 0)).toThrow("Can't import more than 0")
})

test('the JSON objects of the API of dashboards, which Beats shipped, are read on one line or several', () => {
  const tag = { type: 'tag', id: 'a', attributes: { name: 'x' }, references: [] }
  for (const file of [
    JSON.stringify({ version: '6.8.0', objects: [tag] }),
    JSON.stringify({ objects: [tag], version: '7.17.0' }, null, 2),
  ]) {
    expect(parseExportFile(file, 10)).toEqual([tag])
  }
})

test('what is nested without end is refused by its line, and ends no call for want of stack', () => {
  const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  const file = (levels: number): string => `{"type":"tag","id":"a","attributes":${deep(levels)}}`
  expect(parseExportFile(file(150), 10)).toHaveLength(1)
  expect(() => parseExportFile(file(20_000), 10)).toThrow('line 1 is nested deeper than 200 levels')
})
