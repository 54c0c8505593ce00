import { expect, test } from 'vitest'
import { askEarly, earlyAnswers, takeEarly } from './early.ts'

test('an early answer is taken once, and then asked for anew', async () => {
  await askEarly(['a'], async () => 1)
  expect(await takeEarly(['a'], async () => 2)).toBe(1)
  expect(await takeEarly(['a'], async () => 3)).toBe(3)
})

test('an early failure is told to who takes it, and only to them', async () => {
  await expect(askEarly(['b'], () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  await expect(takeEarly(['b'], async () => 4)).rejects.toThrow('away')
  expect(await takeEarly(['b'], async () => 5)).toBe(5)
})

test('all answers are handed over, also what one of them asked for; a failure waits for who takes it', async () => {
  void askEarly(['first'], async () => {
    await Promise.resolve()
    void askEarly(['second', 'x'], async () => 2)
    return 1
  })
  askEarly(['broken'], () => Promise.reject(new Error('away'))).catch(() => undefined)
  const kept: [readonly string[], unknown][] = []
  await earlyAnswers((key, answer) => kept.push([key, answer]))
  expect(kept).toEqual([
    [['first'], 1],
    [['second', 'x'], 2],
  ])
  await expect(takeEarly(['broken'], async () => 6)).rejects.toThrow('away')
  expect(await takeEarly(['first'], async () => 7)).toBe(7)
})
