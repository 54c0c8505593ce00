import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, operatorErrors } from '@logstack/errors'
import { ExecaError, execa } from 'execa'
import { commandMissing } from './run-command.ts'

const signalDelayMs = 100

/** The lines a program writes to its standard output, as they come, until it ends or `signal` aborts; `command_missing` when there is no such program. */
export async function* streamLines(
  argv: readonly string[],
  options: { readonly signal?: AbortSignal } = {},
): AsyncGenerator<string> {
  const [program, ...rest] = argv
  if (!program) throw new Error('BUG: streamLines without a program')
  const { signal } = options
  const running = execa(program, rest, { buffer: false, stdin: 'ignore', ...(signal ? { cancelSignal: signal } : {}) })
  try {
    yield* running
  } catch (thrown) {
    // Ctrl-C goes to the program as well, and its end may be heard of before the signal is.
    if (signal && !signal.aborted) await sleep(signalDelayMs)
    if (signal?.aborted) return
    const missing = thrown instanceof ExecaError ? commandMissing(program, thrown) : undefined
    if (missing) throw missing
    throw new AppError(operatorErrors.command_failed, `${argv.join(' ')} failed`, {
      cause: thrown,
      fix: `run it by hand: ${argv.join(' ')}`,
    })
  } finally {
    running.kill()
  }
}
