import { expect, test } from 'vitest'
import { containing } from './containing.ts'

test.each([
  ['ab', '.*[aA][bB].*'],
  ['10.0', '.*10\\.0.*'],
  ['a*', '.*[aA]\\*.*'],
])('%s is looked for anywhere and as it is typed', (typed, pattern) => {
  expect(containing(typed)).toBe(pattern)
})
