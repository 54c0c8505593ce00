import { AppError, operatorErrors } from '@logstack/errors'
import { expect, it } from 'vitest'
import type { PartStatus, Runtime } from './runtime.ts'
import { listPatiently } from './start-order.ts'

it('asks again for a listing that comes late, and says so when none comes', async () => {
  const late = new AppError(operatorErrors.command_timed_out, 'no answer')
  const listing: PartStatus[] = []
  let calls = 0
  const answersAt = (turn: number) => {
    calls = 0
    const list: Runtime['list'] = async () => {
      calls += 1
      if (calls < turn) throw late
      return listing
    }
    return { list } as Runtime
  }
  expect(await listPatiently(answersAt(3))).toBe(listing)
  await expect(listPatiently(answersAt(4))).rejects.toBe(late)
  expect(calls).toBe(3)
})
