import { expect, it } from 'vitest'
import { parseQueryString } from './parse.ts'
import { parseSimpleQueryString } from './parse-simple.ts'

it.each([
  ['a AND b OR c', 'or', ['must a', 'must b', 'should c']],
  ['a OR b AND c', 'or', ['should a', 'must b', 'must c']],
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
  ['*', { type: 'exists', field: undefined }],
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
  ['f:(a b)', { type: 'term', field: 'f', text: 'a b', parts: ['a', 'b'] }],
  ['a^2', { type: 'boosted', node: { type: 'term', text: 'a' }, by: 2 }],
])('reads %s', (text, expected) => {
  expect(parseQueryString(text, 'or')).toMatchObject(expected)
})

it.each([
  ['a b AND c', ['a', 'b', 'c']],
  ['a b c AND d', ['a b', 'c', 'd']],
  ['a b -c', ['a b', 'c']],
  ['a b^2', ['a', 'b']],
  ['a b* c', ['a', 'b*', 'c']],
  ['a f:b c', ['a', 'b', 'c']],
])('takes words side by side as one text: %s', (text, expected) => {
  const node = parseQueryString(text, 'or')
  if (node.type !== 'bool') throw new Error('not a bool')
  const plain = node.clauses.map(({ node: inner }) => (inner.type === 'boosted' ? inner.node : inner))
  expect(plain.map((inner) => ('text' in inner ? inner.text : inner.type))).toEqual(expected)
})

it.each(['(a', 'f:', 'f:[a TO', 'a AND', '"a', 'f:[a b'])('refuses %s', (text) => {
  expect(() => parseQueryString(text, 'or')).toThrow('Cannot parse')
})

it('keeps a simple query flat, however long it is', () => {
  const depthOf = (node: ReturnType<typeof parseSimpleQueryString>): number =>
    node.type === 'bool' ? 1 + Math.max(...node.clauses.map((clause) => depthOf(clause.node))) : 0
  const read = (text: string) => parseSimpleQueryString(text, 'or')
  expect(depthOf(read('a|'.repeat(20_000)))).toBe(1)
  expect(depthOf(read('a '.repeat(20_000)))).toBe(1)
  expect(depthOf(read(`${'-'.repeat(20_001)}a`))).toBe(1)
  expect(depthOf(read('(a|'.repeat(20_000) + ')'.repeat(20_000)))).toBeLessThan(150)
  expect(() => read('a+b|'.repeat(20_000))).toThrow('more than [200] times')
  expect(read('a + b | c')).toMatchObject({
    clauses: [{ occur: 'should', node: { clauses: [{ occur: 'must' }, { occur: 'must' }] } }, { occur: 'should' }],
  })
})
