import { AppError, operatorErrors } from '@logstack/errors'
import { execa } from 'execa'

/** How to run one outside command. */
export interface CommandOptions {
  /** The command is killed after this; there is no command without a limit. */
  readonly timeoutMs: number
  /** Text for standard input; empty unless given. */
  readonly input?: string
  /** Added to (or, with `undefined`, taken from) this process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  /** Exit codes that are answers, not failures; 0 always is. */
  readonly accept?: readonly number[]
  /** Bytes of output kept of each stream; more ends the command as failed. */
  readonly outputBytesMax?: number
}

/** What a command that ended said. */
export interface CommandResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

const killGraceMs = 2_000
/** What a killed command gets to be gone. */
const killedMs = 500
const outputBytesMax = 16 * 1024 * 1024

/**
 * Runs a program with its arguments, never through a shell. Throws `command_missing` when there is no such program, `command_timed_out`
 * when the limit passed, `command_failed` (detail: exit code, the last of its error output) for an exit code that was not accepted.
 * Arguments are shown to every user of the host: secrets go through `input` or `env`.
 */
export async function runCommand(argv: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const [program, ...rest] = argv
  if (!program) throw new Error('BUG: runCommand without a program')
  const running = execa(program, rest, {
    reject: false,
    timeout: options.timeoutMs,
    forceKillAfterDelay: killGraceMs,
    maxBuffer: options.outputBytesMax ?? outputBytesMax,
    stripFinalNewline: false,
    input: options.input ?? '',
    env: { ...options.env },
    ...(options.cwd ? { cwd: options.cwd } : {}),
  })
  const result = await untilEnded(running, options.timeoutMs + killGraceMs + killedMs)
  const line = argv.join(' ')
  if (result === 'stuck') {
    running.unref()
    for (const stream of running.stdio) stream?.destroy()
    throw timedOut(line, options.timeoutMs)
  }
  const missing = commandMissing(program, result)
  if (missing) throw missing
  if (result.timedOut) throw timedOut(line, options.timeoutMs)
  const exitCode = result.exitCode ?? -1
  if (exitCode !== 0 && !options.accept?.includes(exitCode)) {
    const said = lastLines(result.stderr || result.stdout)
    const ended = result.exitCode === undefined ? (result.signal ?? 'an error') : `exit code ${exitCode}`
    throw new AppError(operatorErrors.command_failed, `${line}: ${ended}${said ? `: ${said}` : ''}`, {
      detail: { exitCode, stderr: said },
      fix: `run it by hand: ${line}`,
    })
  }
  return { exitCode, stdout: result.stdout, stderr: result.stderr }
}

/** The error of a program that could not be started; undefined where it was. */
export function commandMissing(program: string, cause: { readonly code?: string | undefined }): AppError | undefined {
  const { code } = cause
  if (code !== 'ENOENT' && code !== 'EACCES') return undefined
  return new AppError(operatorErrors.command_missing, `cannot run ${program}: ${code}`, {
    cause,
    fix: `install ${program}, or put it on PATH`,
  })
}

// Even a killed command may not end: it waits for a device, or a child of its own keeps the output open.
async function untilEnded<T>(running: PromiseLike<T>, limitMs: number): Promise<T | 'stuck'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'stuck'>((resolve) => {
    timer = setTimeout(() => resolve('stuck'), limitMs)
  })
  try {
    return await Promise.race([running, late])
  } finally {
    clearTimeout(timer)
  }
}

function timedOut(line: string, timeoutMs: number): AppError {
  return new AppError(operatorErrors.command_timed_out, `no answer within ${timeoutMs} ms: ${line}`, {
    fix: `run it by hand and see what it waits for: ${line}`,
  })
}

function lastLines(text: string, count = 5): string {
  return text.trim().split('\n').slice(-count).join('\n')
}
