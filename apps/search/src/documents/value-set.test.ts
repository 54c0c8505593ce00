import { expect, it } from 'vitest'
import { fewOf, ValueSet } from './value-set.ts'

it('tells the words of values, and of those that came', () => {
  const set = new ValueSet(new Set(['Debian GNU/Linux', '10.0.0.1']))
  expect(set.hasWords).toBe(false)
  expect(set.words).toEqual(new Set(['debian', 'gnu', 'linux', '10.0.0.1']))
  const more = set.with(['Windows Server'])
  if (more === 'many') throw new Error('three are few')
  expect(more.values.size).toBe(3)
  expect(more.hasWords).toBe(true)
  expect(more.words).toEqual(new Set(['debian', 'gnu', 'linux', '10.0.0.1', 'windows', 'server']))
})

it('is not made of too many values, nor of long ones', () => {
  const numbers = (count: number) => new Set(Array.from({ length: count }, (_, at) => `${at}`))
  expect(fewOf(numbers(4_096))).toBeInstanceOf(ValueSet)
  expect(fewOf(numbers(4_097))).toBe('many')
  expect(fewOf(new Set(['ü'.repeat(128)]))).toBeInstanceOf(ValueSet)
  expect(fewOf(new Set(['ü'.repeat(129)]))).toBe('many')
  expect(fewOf(new Set(Array.from({ length: 1_000 }, (_, at) => `${at}`.padStart(140))))).toBe('many')
  expect(new ValueSet(numbers(1)).with([...numbers(4_097)])).toBe('many')
})

it('knows whether its letters are of ASCII', () => {
  expect(new ValueSet(new Set(['a', '\0~'])).isAscii).toBe(true)
  expect(new ValueSet(new Set(['a', 'ſ'])).isAscii).toBe(false)
})
