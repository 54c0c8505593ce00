import { setFlagsFromString } from 'node:v8'
import { boundedRegExp, RefusedPattern } from './bounded-regexp.ts'

// V8 backtracks, which is quick for nearly every event and takes forever for some. Past this many steps it starts the event over in its second
// engine, whose time grows with the length of the event only. The first flag lets a pattern be tried in that engine when it is read.
setFlagsFromString('--enable-experimental-regexp-engine')
setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks')
setFlagsFromString('--regexp-backtracks-before-fallback=20000')

/** Compiles a pattern whose time is bounded by the length of the text; undefined for one that is no pattern, or has look-around, back references or large counts. */
export function linearPattern(source: string): RegExp | undefined {
  try {
    // The flag `l` refuses what cannot run in linear time; without it the same pattern runs in the quick engine first.
    boundedRegExp(source, 'sl').test('')
    return boundedRegExp(source, 's')
  } catch (thrown) {
    if (thrown instanceof RefusedPattern) return undefined
    throw thrown
  }
}
