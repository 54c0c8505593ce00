import { expect, it } from 'vitest'
import { parseQueryString } from './parse.ts'

it.each([
  ['a AND b OR c', 'or', ['must a', 'must b', 'should c']],
  ['a OR b AND c', 'or', ['should a', 'must b', 'must c']],
  ['a b', 'and', ['must a', 'must b']],
  ['a OR b c', 'and', ['should a', 'should b', 'must c']],
  ['+a -b !c NOT d', 'or', ['must a', 'must_not b', 'must_not c', 'must_not d']],
  ['f:(a OR -b)', 'or', ['should f:a', 'must_not f:b']],
] as const)('reads %s as Lucene does (default %s)', (text, operator, expected) => {
  const node = parseQueryString(text, operator)
  if (node.type !== 'bool') throw new Error('not a bool')
  const shown = node.clauses.map(({ occur, node: inner }) => {
    if (inner.type !== 'term') throw new Error('not a term')
    return `${occur} ${inner.field === undefined ? '' : `${inner.field}:`}${inner.text}`
  })
  expect(shown).toEqual(expected)
})

it.each([
  ['*', { type: 'all' }],
  ['*:*', { type: 'all' }],
  ['f:*', { type: 'exists', field: 'f' }],
  ['_exists_:host.name', { type: 'exists', field: 'host.name' }],
  ['f:[10 TO *}', { type: 'range', low: '10', high: undefined, includeLow: true, includeHigh: false }],
  ['f:["a b" TO 2026-11-21||/d]', { type: 'range', low: 'a b', high: '2026-11-21||/d' }],
  ['f:>=5', { type: 'range', low: '5', high: undefined, includeLow: true }],
  ['f:/ab?\\/c/', { type: 'regexp', source: 'ab?/c' }],
  ['f:"a \\"b\\" c"~2', { type: 'phrase', text: 'a "b" c', slop: 2 }],
  ['field\\ name:va\\*l*', { type: 'term', field: 'field name', text: 'va*l*', pattern: 'va\\*l*' }],
  ['f:-5', { type: 'term', field: 'f', text: '-5' }],
  ['  ', { type: 'none' }],
])('reads %s', (text, expected) => {
  expect(parseQueryString(text, 'or')).toMatchObject(expected)
})

it.each(['(a', 'f:', 'f:[a TO', 'a AND', '"a', 'f:[a b'])('refuses %s', (text) => {
  expect(() => parseQueryString(text, 'or')).toThrow('Cannot parse')
})
