import { createContext, Script } from 'node:vm'
import { AppError, searchErrors } from '@logstack/errors'
import { isQuick, regexpShape } from '@logstack/rules'

/** Runs what a pattern does with a text. Throws `illegal_argument_exception` when it takes too long. */
export type PatternWatch = <T>(text: string, task: () => T) => T

/** How long one pattern may work on one text, in milliseconds. */
const patternTimeMsMax = 1000
/** How long at least, after many texts that took too long. */
const patternTimeMsMin = 2
let work: () => unknown = () => undefined
const context = createContext({ run: () => work() })
const script = new Script('run()')

/** Runs a function and ends it after its time: the engine of regular expressions looks for that while it goes back and forth. */
function within<T>(task: () => T, timeMsMax: number): T {
  work = task
  try {
    return script.runInContext(context, { timeout: timeMsMax }) as T
  } catch (thrown) {
    // The error may be of another realm, so it is told by its code alone.
    if ((thrown as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new AppError(
        searchErrors.illegal_argument_exception,
        `pattern matching was interrupted before completion: it took longer than [${timeMsMax}ms]`,
      )
    throw thrown
  } finally {
    work = () => undefined
  }
}

/**
 * Watches over a pattern that somebody else wrote. That costs some 80 microseconds a text, so patterns and texts that cannot take long go without.
 * A pattern that was ended has half the time for the next text, and gets it back by texts that it comes to an end with: else a request with thousands
 * of texts would keep everybody waiting.
 */
export function watchPattern(pattern: RegExp): PatternWatch {
  return watchPatterns([pattern])
}

/** The same of several patterns that are tried on a text one after the other, which have that time together: to watch over each would cost more than they do. */
export function watchPatterns(patterns: readonly RegExp[]): PatternWatch {
  const shapes = patterns.map(({ source }) => regexpShape(source))
  let ended = 0
  return (text, task) => {
    if (shapes.every((shape) => isQuick(shape, text.length))) return task()
    ended += 1
    const answer = within(task, Math.max(patternTimeMsMin, Math.floor(patternTimeMsMax / 2 ** (ended - 1))))
    ended = Math.max(0, ended - 2)
    return answer
  }
}
