import { expect, test } from 'vitest'
import { listEnd } from './list-end.ts'

test('a list says that it ends before all that was found, and only then', () => {
  expect(listEnd(10_000, 1_234_567, 10_000)).toMatch(/after 10,000 of 1,234,567 documents/)
  expect(listEnd(10_000, 10_000, 10_000)).toBeUndefined()
  expect(listEnd(500, 1_234_567, 10_000)).toBeUndefined()
})
