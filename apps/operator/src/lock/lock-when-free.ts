import { setTimeout as sleep } from 'node:timers/promises'
import { isAppError, operatorErrors } from '@logstack/errors'
import { type Lock, takeLock } from './lock.ts'

const waiting = { limitMs: 900_000, pollMs: 500 } as const

/** Takes the operator's lock as soon as it is free, within 15 minutes (`operator_busy`): for what units run, where nobody would try again. */
export async function takeLockWhenFree(file: string, command: string): Promise<Lock> {
  const deadline = Date.now() + waiting.limitMs
  for (;;) {
    try {
      return takeLock(file, command)
    } catch (thrown) {
      if (!isAppError(thrown) || thrown.code !== operatorErrors.operator_busy.code || Date.now() > deadline)
        throw thrown
      await sleep(waiting.pollMs)
    }
  }
}
