import { expect, test } from 'vitest'
import { sourceOf, withCondition } from './with-condition.ts'

test.each([
  [{ field: 'host.name', value: 'a "b"' }, 'keyword', 'host.name == "a \\"b\\""'],
  [{ field: 'n', value: '3', negate: true }, 'long', 'n != 3'],
  [{ field: 'COUNT(*)', value: 3 }, 'long', '`COUNT(*)` == 3'],
  [{ field: 'up', value: 'true' }, 'boolean', 'up == true'],
  [{ field: '@timestamp' }, 'date', '@timestamp IS NOT NULL'],
  [{ field: 'a-b', negate: true }, undefined, '`a-b` IS NULL'],
])('%j of %s is %s', (filter, type, condition) => {
  expect(withCondition('FROM a\n', filter, type)).toBe(`FROM a\n| WHERE ${condition}`)
})

test('names that cannot stand bare are quoted', () => {
  expect(sourceOf('logs-*,-logs-old')).toBe('logs-*, -logs-old')
  expect(sourceOf('my logs')).toBe('"my logs"')
})
