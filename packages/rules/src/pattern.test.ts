import { expect, it } from 'vitest'
import { compilePattern } from './pattern.ts'

it('matches words that are near and begin alike', () => {
  const near = compilePattern({ kind: 'fuzzy', text: 'fox', caseInsensitive: false, edits: 1, prefixLength: 1 })
  expect(['fox', 'fix', 'box', 'foxes', 'ox'].filter(near)).toEqual(['fox', 'fix'])
})
