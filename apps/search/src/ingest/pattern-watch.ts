import { createContext, Script } from 'node:vm'
import { unfit } from './ingest-document.ts'

/** Runs what a pattern does with a text. Throws `illegal_argument_exception` when it takes too long. */
export type PatternWatch = <T>(text: string, task: () => T) => T

/** How long one pattern may work on one text, in milliseconds. */
const patternTimeMsMax = 1000
/** Steps that are harmless for any pattern: about a tenth of a second. */
const stepsMax = 10_000_000
const endlessQuantifier = /^(?:[*+]|\{\d+,\}|\{\d*,?\d{3,}\})/

/** What a pattern could cost: how many endless repetitions it has, and whether one stands inside another. */
function shapeOf(source: string): { readonly endless: number; readonly isNested: boolean } {
  let endless = 0
  let isNested = false
  // Of each open group: whether what is inside repeats without an end, or can be read in several ways.
  const open: boolean[] = [false]
  let closed = false
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at]
    const wasGroup = closed
    closed = false
    if (character === '\\') at += 1
    else if (character === '[') at = endOfClass(source, at)
    else if (character === '(') open.push(false)
    else if (character === ')') {
      const inside = open.pop() ?? false
      closed = inside
      if (inside) open[open.length - 1] = true
    } else if (character === '|') open[open.length - 1] = true
    else if (endlessQuantifier.test(source.slice(at, at + 12))) {
      endless += 1
      isNested ||= wasGroup
      open[open.length - 1] = true
    }
  }
  return { endless, isNested }
}

function endOfClass(source: string, start: number): number {
  for (let at = start + 1; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1
    else if (source[at] === ']' && at > start + 1) return at
  }
  return source.length
}

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
      throw unfit(`pattern matching was interrupted before completion: it took longer than [${timeMsMax}ms]`)
    throw thrown
  } finally {
    work = () => undefined
  }
}

/**
 * Watches over a pattern that somebody else wrote. That costs some 80 microseconds a text, so patterns and texts that cannot take long go without:
 * without repetitions in repetitions a pattern tries at most a power of the text's length.
 */
export function watchPattern(pattern: RegExp): PatternWatch {
  const { endless, isNested } = shapeOf(pattern.source)
  return (text, task) => {
    const isHarmless = !isNested && text.length ** (endless + 1) <= stepsMax
    return isHarmless ? task() : within(task, patternTimeMsMax)
  }
}
