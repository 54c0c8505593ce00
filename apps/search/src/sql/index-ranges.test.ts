import { expect, it } from 'vitest'
import { ofIndices } from './index-ranges.ts'

const condition = (ids: readonly number[], elsewhere: readonly number[] = []): string =>
  ofIndices(ids, (id) => elsewhere.includes(id)).text

it('names one index', () => {
  expect(condition([7])).toBe('_index IN (7)')
})

it('bounds indices in a row, also across those of other tables', () => {
  expect(condition([3, 1, 2])).toBe('(`_index` BETWEEN 1 AND 3)')
  expect(condition([1, 4, 6], [2, 3, 5])).toBe('(`_index` BETWEEN 1 AND 6)')
})

it('leaves out what lies between and may have rows in the table', () => {
  expect(condition([1, 2, 4, 5], [7])).toBe('(`_index` BETWEEN 1 AND 2 OR `_index` BETWEEN 4 AND 5)')
})

it('lists indices that lie far apart', () => {
  expect(condition([1, 3, 5, 7, 9])).toBe('_index IN (1, 3, 5, 7, 9)')
})
