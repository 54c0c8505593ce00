import { lastWords } from '../runtimes/process/log-file.ts'

/** Why a part ended, as far as its last words, its exit code and the kernel's log tell. */
export interface LoopEnd {
  readonly cause: 'out-of-memory' | 'password' | 'port' | 'configuration' | 'killed' | 'unknown'
  /** The cause as the end of a sentence. */
  readonly words: string
  /** The lines that show it. */
  readonly lines: readonly string[]
}

const linesMax = 3
const lineLengthMax = 300

/** Signs of a cause in the part's own words. */
const signs = [
  {
    cause: 'out-of-memory',
    pattern: /JavaScript heap out of memory|Cannot allocate memory|MEMORY_LIMIT_EXCEEDED/,
    words: 'it has too little memory',
  },
  {
    cause: 'password',
    pattern: /security_exception|unable to authenticate user|\b401\b/,
    words: 'search refuses its password',
  },
  {
    cause: 'port',
    pattern: /EADDRINUSE|[Aa]ddress already in use|port is already allocated/,
    words: 'its port is in use',
  },
  { cause: 'configuration', pattern: /mend the file|settings_invalid|\.yml:\d+/, words: 'its settings are refused' },
] as const

/** The exit code of a process that was killed: 128 and SIGKILL's number. */
const killedExitCode = 137

/** Lines of systemd, podman's events, and ids of containers that podman prints, in the journal of a unit. */
const notItsOwn =
  /^logstack-\S+\.service: |^(Starting|Started|Stopping|Stopped|Failed to start) |^\d{4}-\d\d-\d\d .* m=\+|^[0-9a-f]{64}$|^conmon [0-9a-f]+ <nwarn>/
/** A command of the unit beside the part itself did not end well: of a drop-in, or what prepares the part. */
const beside = /Control process exited, code=\S+, status=\S+/

/** Tells causes apart: `journal` are the last lines of the part's unit, `kernel` those of the kernel, both oldest first. */
export function classifyEnd({
  journal,
  kernel,
}: {
  readonly journal: readonly string[]
  readonly kernel: readonly string[]
}): LoopEnd {
  const ends = journal.filter((line) => line.includes('Main process exited'))
  const lastEnd = ends.at(-1)
  const status = /status=(\d+)\//.exec(lastEnd ?? '')?.[1]
  const isKilled = Number(status) === killedExitCode || /code=killed.*KILL/.test(lastEnd ?? '')
  const outOfMemory = kernel.filter((line) => /Out of memory: Killed process|oom-kill:.*(libpod|logstack)/.test(line))
  if (isKilled && outOfMemory.length > 0) {
    return end('out-of-memory', 'the kernel ended it for lack of memory (exit code 137)', [
      ...outOfMemory,
      lastEnd ?? '',
    ])
  }
  const own = journal.filter((line) => line.trim() !== '' && !notItsOwn.test(line))
  // Who is killed did not end for what it wrote before, unless that was its want of memory.
  for (const { cause, pattern, words } of signs.filter(({ cause }) => !isKilled || cause === 'out-of-memory')) {
    const line = own.findLast((one) => pattern.test(one))
    if (line !== undefined) return end(cause, words, [line, ...(lastEnd ? [lastEnd] : [])])
  }
  if (isKilled) return end('killed', 'it is killed (exit code 137), and not for lack of memory', [lastEnd ?? ''])
  const said = lastWords(own)
  const failedBeside = journal.findLast((line) => beside.test(line))
  const words = said ?? (failedBeside ? 'a command that its unit runs beside it failed' : 'it says nothing')
  return end(
    'unknown',
    words,
    [said, failedBeside, lastEnd].filter((line) => line !== undefined),
  )
}

function end(cause: LoopEnd['cause'], words: string, lines: readonly string[]): LoopEnd {
  return {
    cause,
    words: words.slice(0, lineLengthMax),
    lines: [...new Set(lines)]
      .filter((line) => line !== '')
      .slice(-linesMax)
      .map((line) => line.slice(0, lineLengthMax)),
  }
}
