import { expect, test } from 'vitest'
import type { Field } from '../api/search.ts'
import { hintsOf, unreadableHint } from './hints.ts'

const field = (name: string, type: string, conflicting = false): Field => ({
  ...{ name, type, conflicting, searchable: true, aggregatable: type !== 'text' },
})
const fields = [field('host.name', 'keyword'), field('message', 'text'), field('note', 'text', true)]

test('a field that no index has is told with the one that was probably meant', () => {
  expect(hintsOf('hostname: web1', 'kuery', fields)).toEqual([
    'No index here has the field hostname. Did you mean host.name?',
  ])
  expect(hintsOf('colour: red', 'kuery', fields)).toEqual(['No index here has the field colour.'])
  expect(hintsOf('colour: red', 'kuery', [])).toEqual([])
})

test('nothing is said of a query in which nothing is wrong, nor where indices disagree', () => {
  expect(hintsOf('', 'kuery', fields)).toEqual([])
  expect(hintsOf('host.name: web-* and message: "failed password"', 'kuery', fields)).toEqual([])
  expect(hintsOf('message: *a b*', 'kuery', fields)).toHaveLength(1)
  expect(hintsOf('note: *a b*', 'kuery', fields)).toEqual([])
  expect(hintsOf('host.name: (', 'kuery', fields)).toEqual([])
})

test('an equals sign before quotes, which KQL cannot read, is told with what it reads', () => {
  expect(unreadableHint('host.name="x y"')).toBe('. KQL writes a colon: host.name: "x y"')
  expect(unreadableHint('host.name: (')).toBe('')
})

test('operators of Lucene in small letters are words, but not in quotes and regular expressions', () => {
  expect(hintsOf('host.name:a and message:b', 'lucene', fields)).toHaveLength(1)
  for (const query of ['a AND b', 'message:"a and b"', '/a and b/', 'and'])
    expect(hintsOf(query, 'lucene', fields)).toEqual([])
})
