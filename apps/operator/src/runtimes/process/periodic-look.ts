import { isAppError, messageOf } from '@logstack/errors'
import type { createLogger } from '@logstack/logging'
import { runCommand } from '@logstack/process'

const timing = { firstAfterMs: 60_000, everyMs: 300_000, runLimitMs: 120_000 } as const

/**
 * Lets the embedded stack be looked at every five minutes, as the timer `logstack-doctor.timer` does on a host: a process of its own, so that
 * a look that hangs, or needs much memory, does no harm to the supervisor. It ends with the supervisor.
 */
export function lookPeriodically(options: {
  readonly program: string
  readonly dataDir: string
  readonly logger: ReturnType<typeof createLogger>
}): void {
  const { program, dataDir, logger } = options
  const argv = [process.execPath, program, '--data', dataDir, 'doctor', '--record']
  const look = async (): Promise<void> => {
    try {
      await runCommand(argv, { timeoutMs: timing.runLimitMs })
    } catch (thrown) {
      if (!isAppError(thrown)) throw thrown
      logger.warn(`the periodic look at the stack failed: ${messageOf(thrown)}`)
    }
    plan(timing.everyMs)
  }
  const plan = (afterMs: number): void => {
    setTimeout(() => void look(), afterMs).unref()
  }
  plan(timing.firstAfterMs)
}
