import { expect, it } from 'vitest'
import { filterSourceText } from './source-filter.ts'

it('keeps the text of numbers when it leaves parts out', () => {
  const source = '{"big": 72057594037927936, "one": 1.0, "text": "5 \\"6\\" 7", "list": [1.50, -2e3], "gone": 1}'
  expect(filterSourceText(source, { includes: [], excludes: ['gone'] })).toBe(
    '{"big":72057594037927936,"one":1.0,"text":"5 \\"6\\" 7","list":[1.50,-2e3]}',
  )
})
