import { expect, test } from 'vitest'
import { flatten } from './flatten.ts'

test('nested objects, dotted keys and arrays of objects become fields', () => {
  const source = {
    host: { name: 'a' },
    'event.code': '1',
    tags: ['x', 'y'],
    users: [{ id: 1 }, { id: 2, roles: ['r'] }],
    gone: null,
  }
  expect(Object.fromEntries(flatten(source))).toEqual({
    'host.name': 'a',
    'event.code': '1',
    tags: ['x', 'y'],
    'users.id': [1, 2],
    'users.roles': ['r'],
    gone: null,
  })
})
