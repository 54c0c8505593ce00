import type { Field, Predicate } from '@logstack/rules'
import { expect, it } from 'vitest'
import { mergeAlternatives, mergeRequirements } from './merge-clauses.ts'

const name: Field = { path: 'name', type: 'string' }
const size: Field = { path: 'size', type: 'long' }
const text: Field = { path: 'text', type: 'text' }
const equals = (field: Field, ...values: (string | number)[]): Predicate => ({ op: 'equals', field, values })

it('joins alternatives on one field and leaves all others', () => {
  const range: Predicate = { op: 'range', field: size, bounds: { gt: 1 } }
  const both: Predicate = { op: 'tokens', field: text, tokens: ['a', 'b'], count: 2 }
  expect(
    mergeAlternatives([
      equals(name, 'a'),
      range,
      equals(size, 1),
      equals(name, 'b', 'c'),
      both,
      { op: 'tokens', field: text, tokens: ['x'], count: 1 },
      { op: 'tokens', field: text, tokens: ['y', 'z'], count: 1 },
      { op: 'ids', ids: ['1'] },
      { op: 'ids', ids: ['2'] },
    ]),
  ).toEqual([
    equals(name, 'a', 'b', 'c'),
    equals(size, 1),
    { op: 'tokens', field: text, tokens: ['x', 'y', 'z'], count: 1 },
    { op: 'ids', ids: ['1', '2'] },
    range,
    both,
  ])
})

it('joins texts that a field must all hold, and nothing that asks for some of them', () => {
  const tokens = (field: Field, count: number, ...held: string[]): Predicate => ({
    op: 'tokens',
    field,
    tokens: held,
    count,
  })
  const other: Field = { path: 'other', type: 'text' }
  const kept = [tokens(text, 1, 'a', 'b'), tokens(text, 0), equals(name, 'a'), equals(name, 'b')]
  expect(
    mergeRequirements([
      tokens(text, 1, 'x'),
      ...kept,
      tokens(text, 2, 'y', 'z'),
      tokens(other, 1, 'x'),
      tokens(text, 1, 'x'),
    ]),
  ).toEqual([tokens(text, 4, 'x', 'y', 'z', 'x'), tokens(other, 1, 'x'), ...kept])
})

it('joins what a field must not be', () => {
  const not = (of: Predicate): Predicate => ({ op: 'not', of })
  const range: Predicate = not({ op: 'range', field: size, bounds: { gt: 1 } })
  const word = (...tokens: string[]): Predicate => ({ op: 'tokens', field: text, tokens, count: 1 })
  expect(
    mergeRequirements([not(equals(name, 'a')), range, not(word('x')), not(equals(name, 'b')), not(word('y', 'z'))]),
  ).toEqual([not(equals(name, 'a', 'b')), not(word('x', 'y', 'z')), range])
})

it('joins alternatives among alternatives', () => {
  const word = (token: string): Predicate => ({ op: 'tokens', field: text, tokens: [token], count: 1 })
  const nested: Predicate = { op: 'or', of: [word('y'), { op: 'or', of: [word('z'), equals(name, 'b')] }] }
  expect(mergeAlternatives([word('x'), nested, equals(name, 'a')])).toEqual([
    { op: 'tokens', field: text, tokens: ['x', 'y', 'z'], count: 1 },
    equals(name, 'b', 'a'),
  ])
})
