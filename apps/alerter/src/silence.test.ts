import { expect, test } from 'vitest'
import { Silence } from './silence.ts'

test('a key is heard once within realert, and other keys are heard meanwhile', () => {
  const silence = new Silence()
  expect([silence.hears('a', 0, 100), silence.hears('a', 99, 100), silence.hears('b', 99, 100)]).toEqual([
    true,
    false,
    true,
  ])
  expect(silence.hears('a', 100, 100)).toBe(true)
})

test('without realert every match is heard', () => {
  const silence = new Silence()
  expect([silence.hears('a', 0, 0), silence.hears('a', 0, 0)]).toEqual([true, true])
})

test('what is saved is what is silent still', () => {
  const silence = new Silence()
  silence.hears('a', 0, 100)
  silence.hears('b', 50, 100)
  const saved = silence.save(100)
  expect(saved).toEqual({ b: 150 })
  expect(new Silence(saved).hears('b', 149, 100)).toBe(false)
})
