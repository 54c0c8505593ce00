import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { collectAfterStart } from './collect-after-start.ts'

function leftBehind(): WeakRef<object> {
  return new WeakRef({ made: 'by the start' })
}

it('lets go of what the start left behind, though nothing asks for memory', async () => {
  const left = leftBehind()
  await sleep(50)
  expect(left.deref()).toBeDefined()
  await sleep(1)
  collectAfterStart(1)
  await sleep(50)
  expect(left.deref()).toBeUndefined()
})
