import { expect, it } from 'vitest'
import { all, and, type FieldPredicate, mapFields, none, not, or, type Predicate } from './predicate.ts'

const equals = (value: string): FieldPredicate => ({
  op: 'equals',
  field: { path: 'a', type: 'string' },
  values: [value],
})
/** Nothing is `x`, everything is `y`. */
const known = (condition: FieldPredicate): Predicate => {
  if (condition.op !== 'equals') return condition
  return condition.values[0] === 'x' ? none : condition.values[0] === 'y' ? all : condition
}

it('folds away what became trivial', () => {
  expect(mapFields(or([equals('x'), equals('a')]), known)).toEqual(equals('a'))
  expect(mapFields(or([equals('x'), equals('x')]), known)).toEqual(none)
  expect(mapFields(and([equals('y'), equals('a'), not(equals('x'))]), known)).toEqual(equals('a'))
  expect(mapFields(not(or([equals('a'), equals('y')])), known)).toEqual(none)
})

it('counts what still can hold', () => {
  const of = [equals('x'), equals('a'), equals('y')]
  expect(mapFields({ op: 'at-least', count: 2, of }, known)).toEqual({
    op: 'at-least',
    count: 2,
    of: [equals('a'), all],
  })
  expect(mapFields({ op: 'at-least', count: 3, of }, known)).toEqual(none)
})

it('leaves what does not change the very same, and objects alone', () => {
  const kept = and([equals('a'), or([equals('b'), not(equals('c'))])])
  expect(mapFields(kept, known)).toBe(kept)
  const nested: Predicate = { op: 'nested', path: 'o', of: equals('x') }
  expect(mapFields(nested, known)).toBe(nested)
})
