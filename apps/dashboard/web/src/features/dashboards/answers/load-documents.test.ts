import { expect, test } from 'vitest'
import { documentRows } from './load-documents.ts'

test('a document is a row: its point as latitude and longitude, several values side by side, shapes as nothing', () => {
  const types = new Map([['bytes', 'long']])
  const point = (coordinates: readonly number[], type = 'Point') => [{ type, coordinates }]
  const hits = [
    { fields: { at: point([13.4, 52.5]), bytes: [7], user: ['a', 'b'], ok: [true] } },
    { fields: { at: point([0, 1], 'LineString') } },
    {},
  ]
  const table = documentRows({ fields: ['at', 'bytes', 'user', 'ok'], size: 5 }, hits, types)
  expect(table.rows).toEqual([
    { at: '52.5,13.4', bytes: 7, user: 'a, b', ok: 'true' },
    { at: null, bytes: null, user: null, ok: null },
    { at: null, bytes: null, user: null, ok: null },
  ])
  expect(table.columns.map(({ id, type }) => `${id} ${type}`)).toEqual([
    'at text',
    'bytes number',
    'user text',
    'ok text',
  ])
})
