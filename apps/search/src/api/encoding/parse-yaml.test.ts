import { expect, it } from 'vitest'
import { parseYaml } from './parse-yaml.ts'

it('reads YAML, and JSON as YAML', () => {
  expect(parseYaml('query:\n  term: {a: [1, "b"]}\n')).toEqual({ query: { term: { a: [1, 'b'] } } })
  expect(parseYaml('{"a":{"b":[null,true]}}')).toEqual({ a: { b: [null, true] } })
  expect(parseYaml('---\n- a: &x 1\n- b: *x\n')).toEqual([{ a: 1 }, { b: 1 }])
  expect(() => parseYaml('a: [1')).toThrow(SyntaxError)
})

it.each([
  ['maps', '{a: '.repeat(3_000)],
  ['lists', '['.repeat(3_000)],
  ['lists in blocks', `${'- '.repeat(3_000)}a`],
  ['maps in blocks', Array.from({ length: 300 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')],
  ['keys', `${'? '.repeat(3_000)}a`],
  ['parts of a search', '{"aggs":{"a":{"global":{},'.repeat(3_000)],
])('refuses %s that stand too deep in each other', (_what, text) => {
  expect(() => parseYaml(text)).toThrow('nested more than 100 deep')
})
