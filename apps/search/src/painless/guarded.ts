import { JavaFault } from './java-fault.ts'
import { ScriptFault } from './script-error.ts'
import { refuseLong } from './text-length.ts'

/** Calls a method: its own exceptions become faults, and texts are bounded. `fixed`: what it is called on cannot be changed. */
export function guarded(at: number, call: () => unknown, fixed = false): unknown {
  try {
    const given = call() ?? null
    if (typeof given === 'string') refuseLong(given.length)
    return given
  } catch (thrown) {
    if (thrown instanceof JavaFault) throw new ScriptFault(at, thrown.message, thrown.type)
    // The end of the stack is no fault of this call, and none that a script catches.
    if (isStackEnd(thrown)) throw new RangeError(thrown.message)
    if (thrown instanceof RangeError) throw new ScriptFault(at, thrown.message, 'index_out_of_bounds_exception')
    if (thrown instanceof SyntaxError) throw new ScriptFault(at, thrown.message, 'number_format_exception')
    if (thrown instanceof TypeError && fixed) throw new ScriptFault(at, 'null', 'unsupported_operation_exception')
    if (thrown instanceof TypeError) throw new ScriptFault(at, 'an argument has the wrong type', 'class_cast_exception')
    throw thrown
  }
}

/** Whether the stack is at its end: as a fault of its own, or of a pattern that could not be compiled there. */
export function isStackEnd(thrown: unknown): thrown is Error {
  return thrown instanceof Error && thrown.message.includes('Maximum call stack size exceeded')
}
