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
