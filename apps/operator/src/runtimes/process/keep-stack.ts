import { existsSync, readdirSync } from 'node:fs'
import { isAppError, messageOf } from '@logstack/errors'
import type { createLogger } from '@logstack/logging'
import { runCommand } from '@logstack/process'
import { handoverDir } from '../../places/handover-dir.ts'
import type { EmbeddedStack } from '../../stack.ts'

const timing = {
  renewEveryMs: 6 * 3_600_000,
  renewFirstMs: 30_000,
  handoverEveryMs: 2_000,
  runLimitMs: 600_000,
} as const

/**
 * Does for an embedded stack what `logstack-certs.timer` and `logstack-password.path` do on a host: renews certificates that end within 30
 * days, and takes over passwords that were reset inside search. Each run is a process of its own; it ends with the supervisor.
 */
export function keepStack(stack: EmbeddedStack, program: string, logger: ReturnType<typeof createLogger>): void {
  const command = (...words: string[]): string[] => [process.execPath, program, '--data', stack.paths.root, ...words]
  repeat(timing.renewFirstMs, timing.renewEveryMs, () => run(command('certs', 'renew', '--if-needed'), logger))
  repeat(timing.handoverEveryMs, timing.handoverEveryMs, async () => {
    if (hasHandover(stack)) await run(command('password', 'settle'), logger)
  })
}

function hasHandover({ paths }: EmbeddedStack): boolean {
  const folder = handoverDir(paths)
  return existsSync(folder) && readdirSync(folder).some((name) => !name.startsWith('.') && name.endsWith('.json'))
}

async function run(argv: readonly string[], logger: ReturnType<typeof createLogger>): Promise<void> {
  try {
    const { stdout } = await runCommand(argv, { timeoutMs: timing.runLimitMs })
    for (const line of stdout.split('\n').filter(Boolean)) logger.info(line)
  } catch (thrown) {
    if (!isAppError(thrown)) throw thrown
    logger.warn(messageOf(thrown))
  }
}

function repeat(firstMs: number, everyMs: number, work: () => Promise<void>): void {
  const plan = (afterMs: number): void => {
    setTimeout(() => void work().finally(() => plan(everyMs)), afterMs).unref()
  }
  plan(firstMs)
}
