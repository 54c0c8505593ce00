import { expect, test } from 'vitest'
import { parseQuery } from './parse-query.ts'

/** The text that a command or a name stands for. */
const cut = (text: string) => (place: { readonly from: number; readonly to: number }) =>
  text.slice(place.from, place.to)

test('commands and names stand where they were written, without what is around them', () => {
  const text = 'from logs-*, "other" /* both */ metadata _id , _index // here\n|  keep `a|b`, c* | where d == "|"'
  const { commands } = parseQuery(text)
  expect(commands.map(cut(text))).toEqual([
    'from logs-*, "other" /* both */ metadata _id , _index',
    'keep `a|b`, c*',
    'where d == "|"',
  ])
  const [from] = commands
  expect(from).toMatchObject({ command: 'from', indices: ['logs-*', 'other'] })
  expect(from?.command === 'from' && from.metadata.map(cut(text))).toEqual(['_id', '_index'])
})

test.each([
  ['from logs | wher a == 1', /^line 1:13: mismatched input 'wher'/],
  ['from logs\n| where a ==', /^line 2:13: /],
  ['from logs | where (a == 1', /^line 1:26: /],
  ['logs', /^line 1:1: /],
])('%s is refused with its place', (text, reason) => {
  expect(() => parseQuery(text)).toThrow(reason)
})
