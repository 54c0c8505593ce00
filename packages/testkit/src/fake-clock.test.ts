import { expect, it } from 'vitest'
import { fakeClock } from './fake-clock.ts'

it('fires timers in order of their time and shows that time to them', async () => {
  const clock = fakeClock(0)
  const seen: [string, number][] = []
  clock.after(20, () => seen.push(['b', clock.now()]))
  clock.after(10, () => seen.push(['a', clock.now()]))
  const cancel = clock.after(15, () => seen.push(['never', clock.now()]))
  cancel()
  await clock.advance(19)
  expect(seen).toEqual([['a', 10]])
  await clock.advance(1)
  expect(seen).toEqual([
    ['a', 10],
    ['b', 20],
  ])
})

it('lets a sleeper sleep again within one advance', async () => {
  const clock = fakeClock(0)
  const times: number[] = []
  const run = async (): Promise<void> => {
    for (let round = 0; round < 3; round++) {
      await clock.sleep(10)
      times.push(clock.now())
    }
  }
  const running = run()
  await clock.advance(30)
  await running
  expect(times).toEqual([10, 20, 30])
})
