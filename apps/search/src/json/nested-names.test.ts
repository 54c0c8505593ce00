import { expect, test } from 'vitest'
import { nestedNames } from './nested-names.ts'

test('names with dots are paths, and one into a value stays a name', () => {
  const entries = [
    ['index.a', '1'],
    ['index.b.c', '2'],
    ['index.a.d', '3'],
    ['index.b.e', '4'],
  ] as const
  expect(nestedNames(entries)).toEqual({ index: { a: '1', b: { c: '2', e: '4' }, 'a.d': '3' } })
})

test('a name is a name, whatever objects inherit by it', () => {
  const nested = nestedNames([
    ['a.__proto__.polluted', '1'],
    ['__proto__.polluted', '2'],
    ['toString.x', '3'],
  ])
  expect(JSON.stringify(nested)).toBe(
    '{"a":{"__proto__":{"polluted":"1"}},"__proto__":{"polluted":"2"},"toString":{"x":"3"}}',
  )
  expect('polluted' in {}).toBe(false)
})
