import { expect, test } from 'vitest'
import { type FieldFilter, readFilters, writeFilters } from '../url-state/field-filters.ts'
import { pillClauses } from './build-query.ts'
import { describeFilter, operatorOf, toggled } from './filters.ts'

const filters: FieldFilter[] = [
  { field: 'host.name', value: 'web-1', pinned: true },
  { field: 'user.name', values: ['root', 'admin'], negate: true },
  { field: 'process.pid', range: { gte: 1 }, disabled: true },
  { field: 'source.ip' },
]

test('filters come back from the address; what is no filter is left out', () => {
  expect(readFilters(writeFilters(filters))).toEqual(filters)
  expect(writeFilters([])).toBeUndefined()
  for (const text of [undefined, '', 'x', '{}', '[1,null,{"value":1}]']) expect(readFilters(text)).toEqual([])
})

test('a filter is said in words and knows what it asks', () => {
  expect(filters.map(describeFilter)).toEqual([
    'host.name: web-1',
    'not user.name: root or admin',
    'process.pid: 1 – ',
    'source.ip exists',
  ])
  expect(filters.map(operatorOf)).toEqual(['is', 'isOneOf', 'isBetween', 'exists'])
})

test('a switch goes there and back, and a disabled filter asks for nothing', () => {
  const [filter = { field: '' }] = filters
  expect(toggled(filter, 'disabled')).toEqual({ ...filter, disabled: true })
  expect(toggled(toggled(filter, 'disabled'), 'disabled')).toEqual(filter)
  expect(pillClauses(filters)).toEqual([
    { match_phrase: { 'host.name': 'web-1' } },
    {
      bool: {
        must_not: [
          {
            bool: {
              should: [{ match_phrase: { 'user.name': 'root' } }, { match_phrase: { 'user.name': 'admin' } }],
              minimum_should_match: 1,
            },
          },
        ],
      },
    },
    { exists: { field: 'source.ip' } },
  ])
})
