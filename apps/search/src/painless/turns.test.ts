import { expect, it } from 'vitest'
import { threadTimeMs } from './run-clock.ts'
import { Turns } from './turns.ts'

/** Keeps this thread busy until a turn is due and, on a busy machine too, two ticks of the processor's time are spent. */
function work(turns: Turns): void {
  const from = threadTimeMs()
  while (!turns.isDue || threadTimeMs() - from < 20) Math.sqrt(2)
}

it('has others run once it is time, and not before', async () => {
  const order: string[] = []
  const turns = new Turns()
  setImmediate(() => order.push('other'))
  await turns.rest()
  order.push('at once')
  work(turns)
  await turns.rest()
  order.push('after its turn')
  expect(turns.isDue).toBe(false)
  expect(order).toEqual(['at once', 'other', 'after its turn'])
})

it('ends what has used its time of the processor', async () => {
  const turns = new Turns({ ms: 1, what: 'the scripts' })
  work(turns)
  await expect(turns.rest()).rejects.toThrow('the scripts of a request may run for at most [1ms]')
})
