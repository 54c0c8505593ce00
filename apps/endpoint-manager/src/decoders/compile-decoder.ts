import type { TimeContext } from '@logstack/syslog'
import type { Fields } from '../ecs/fields.ts'
import type { DecoderEvent, DecoderFile } from './decoder-file.ts'
import type { Step, Values } from './steps/step.ts'
import { compileWrites } from './write-fields.ts'

/** What a decoder found in a message. */
export interface Decoded {
  readonly decoder: string
  readonly event: string
  readonly module: string
  readonly dataset: string | undefined
}

/** A decoder at work: sets the fields of its first event that fits; undefined when none does, and nothing was set. */
export type Decode = (text: string, document: Fields, time: TimeContext) => Decoded | undefined

/** Makes what a decoder's file says; what can be said before any message comes is said here. */
export function compileDecoder(file: DecoderFile): Decode {
  const mayFit = containsOne(file.contains)
  const write = compileWrites(file)
  const events = file.events.map((event) => ({
    fits: compileWhen(event.when),
    steps: event.steps,
    write: compileWrites(event),
    found: { decoder: file.name, event: event.name, module: file.module, dataset: event.dataset ?? file.dataset },
  }))
  const hasOwnSteps = file.steps.length > 0
  return (text, document, time) => {
    if (!mayFit(text)) return undefined
    const values: Values = new Map()
    if (!takeAll(file.steps, text, values)) return undefined
    for (const { fits, steps, write: writeEvent, found } of events) {
      const own = steps.length === 0 || !hasOwnSteps ? values : new Map(values)
      if (fits(own) && takeAll(steps, text, own)) {
        write?.(own, document, time)
        writeEvent?.(own, document, time)
        return found
      }
      // What steps of another event found before one of them failed.
      if (!hasOwnSteps) values.clear()
    }
    return undefined
  }
}

function takeAll(steps: readonly Step[], text: string, values: Values): boolean {
  for (const step of steps) if (!step(text, values)) return false
  return true
}

/** Whether a text holds one of these, all looked for in one go; always true without any. */
export function containsOne(literals: readonly string[]): (text: string) => boolean {
  if (literals.length === 0) return () => true
  if (literals.length === 1) return (text) => text.includes(literals[0] ?? '')
  const pattern = new RegExp(literals.map(literalSource).join('|'))
  return (text) => pattern.test(text)
}

/** The source of a regular expression that stands for this very text. */
export function literalSource(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

function compileWhen(when: DecoderEvent['when']): (values: Values) => boolean {
  const wanted = Object.entries(when).map(([name, texts]) => ({ name, tests: [texts].flat().map(textTest) }))
  return (values) => {
    for (const { name, tests } of wanted) {
      const value = values.get(name)
      if (value === undefined) return false
      const text = String(value)
      if (!tests.some((test) => test(text))) return false
    }
    return true
  }
}

function textTest(pattern: string): (text: string) => boolean {
  const start = pattern.slice(0, -1)
  return pattern.endsWith('*') ? (text) => text.startsWith(start) : (text) => text === pattern
}
