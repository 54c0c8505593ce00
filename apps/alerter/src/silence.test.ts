import { expect, test } from 'vitest'
import { Silence } from './silence.ts'

test('a key is heard once within realert, and other keys are heard meanwhile', () => {
  const silence = new Silence()
  expect([
    silence.hears('a', 0, { realertMs: 100 }),
    silence.hears('a', 99, { realertMs: 100 }),
    silence.hears('b', 99, { realertMs: 100 }),
  ]).toEqual([true, false, true])
  expect(silence.hears('a', 100, { realertMs: 100 })).toBe(true)
})

test('without realert every match is heard', () => {
  const silence = new Silence()
  expect([silence.hears('a', 0, { realertMs: 0 }), silence.hears('a', 0, { realertMs: 0 })]).toEqual([true, true])
})

test('what is saved is what is silent still', () => {
  const silence = new Silence()
  silence.hears('a', 0, { realertMs: 100 })
  silence.hears('b', 50, { realertMs: 100 })
  const saved = silence.save(100)
  expect(saved).toEqual({ b: { until: 150, exponent: 0, since: 50 } })
  expect(new Silence(saved).hears('b', 149, { realertMs: 100 })).toBe(false)
})

test('a clock that was set back begins the wait anew, and does not make it last until then', () => {
  const silence = new Silence()
  silence.hears('a', 1_000_000, { realertMs: 100 })
  expect([silence.hears('a', 500, { realertMs: 100 }), silence.hears('a', 599, { realertMs: 100 })]).toEqual([
    false,
    false,
  ])
  expect(silence.hears('a', 600, { realertMs: 100 })).toBe(true)
})

test('with exponential_realert the wait doubles while matches keep coming, up to the limit, and shrinks when they stay away', () => {
  const silence = new Silence()
  const realert = { realertMs: 100, exponentialMs: 350 }
  const heard: number[] = []
  for (let now = 0; now < 1500; now += 10) if (silence.hears('a', now, realert)) heard.push(now)
  expect(heard).toEqual([0, 100, 300, 650, 1000, 1350])
  expect(silence.hears('a', 10_000, realert)).toBe(true)
  expect(silence.hears('a', 10_099, realert)).toBe(false)
  expect(silence.hears('a', 10_100, realert)).toBe(true)
})

test('two rules that share a silence take the longer one of a key', () => {
  const silence = new Silence({ a: { until: 50, exponent: 0 } })
  silence.join({ a: { until: 20, exponent: 0 }, b: { until: 30, exponent: 0 } })
  expect([silence.isSilent('a', 49), silence.isSilent('b', 29), silence.isSilent('b', 30)]).toEqual([true, true, false])
})
