import { setTimeout as sleep } from 'node:timers/promises'
import { isAppError, operatorErrors } from '@logstack/errors'
import { type Lock, takeLock } from './lock.ts'

/** A unit has nobody who would run it again; a person is told after a minute who is in the way. */
export const lockWaits = { unitMs: 900_000, personMs: 60_000 } as const

const pollMs = 250

/** Takes the operator's lock as soon as it is free, within `limitMs` (`operator_busy`): units take it for moments, too. */
export async function takeLockWhenFree(
  file: string,
  command: string,
  limitMs: number = lockWaits.personMs,
): Promise<Lock> {
  const deadline = performance.now() + limitMs
  for (;;) {
    try {
      return takeLock(file, command)
    } catch (thrown) {
      if (!isAppError(thrown) || thrown.code !== operatorErrors.operator_busy.code || performance.now() > deadline)
        throw thrown
      await sleep(pollMs)
    }
  }
}
