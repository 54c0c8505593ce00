import { expect, test } from 'vitest'
import { readStat } from './process.ts'

test('a process is read from its line, whatever its name holds', () => {
  const fields = ['S', 1, 5, 5, 0, -1, 0, 0, 0, 0, 0, 120, 30, 0, 0, 20, 0, 4, 0, 9001, 1_000_000, 2_500]
  expect(readStat(`4711 (a) b (c) ${fields.join(' ')} 0 0`)).toEqual({
    pid: 4711,
    ppid: 1,
    name: 'a) b (c',
    state: 'S',
    ticks: 150,
    started: 9001,
    residentPages: 2500,
  })
  expect(readStat('nonsense')).toBeUndefined()
})
