import { Names } from './frame.ts'
import { HostObject } from './host-object.ts'
import { compileReturning, readScript } from './script.ts'

/** What an `intervals` filter's script sees of an interval, by its name there. */
interface Interval {
  readonly start: number
  readonly end: number
  readonly gaps: number
}

class IntervalValue extends HostObject {
  override readonly className = 'org.elasticsearch.index.query.IntervalFilterScript$Interval'
  readonly #interval: Interval

  constructor(interval: Interval) {
    super()
    this.#interval = interval
  }

  override method(name: string): (() => unknown) | undefined {
    if (name === 'getStart') return () => this.#interval.start
    if (name === 'getEnd') return () => this.#interval.end
    return name === 'getGaps' ? () => this.#interval.gaps : undefined
  }

  override text(): string {
    return 'interval'
  }
}

/** Compiles the `script` filter of an `intervals` query: which intervals it keeps. Throws as `compileScript` does. */
export function compileIntervalScript(script: unknown): (interval: Interval) => boolean {
  const { source, params } = readScript(script, () => undefined)
  const names = new Names()
  const interval = names.declare('interval', 'def', 0).slot
  const parameters = names.declare('params', 'Map', 0).slot
  const run = compileReturning(source, names)
  return (found) => {
    const slots: unknown[] = []
    slots[interval] = new IntervalValue(found)
    slots[parameters] = params
    return run(slots) === true
  }
}
