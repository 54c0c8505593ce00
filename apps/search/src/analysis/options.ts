import { AppError, searchErrors } from '@logstack/errors'
import { boundedRegExp, RefusedPattern } from '@logstack/rules'
import { shownPattern } from '../patterns/shown-pattern.ts'
import { scalarText } from '../values/scalar-text.ts'

/** A definition as a request writes it, or as settings keep it: values of settings are texts, lists of them joined by commas. */
export type Definition = Readonly<Record<string, unknown>>

/** Refuses options of an analysis part. */
export function illegalOption(reason: string): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason)
}

/** What an index allows its analysis; the defaults hold where there is none. */
export interface AnalysisLimits {
  readonly ngramDiff: number
  readonly shingleDiff: number
}

/** `index.max_ngram_diff` and `index.max_shingle_diff`, where settings do not say them. */
export const analysisLimits: AnalysisLimits = { ngramDiff: 1, shingleDiff: 3 }

/** Reads the options of one part; every reader throws `illegal_argument_exception` for what is none of its kind. */
export class Options {
  readonly #given: Definition

  readonly limits: AnalysisLimits

  constructor(given: Definition, limits: AnalysisLimits = analysisLimits) {
    this.#given = given
    this.limits = limits
  }

  /** A value of any form; what settings keep flat (`script.source`) is an object again. */
  any(key: string): unknown {
    const value = this.#value(key)
    if (value !== undefined) return value
    const inner = Object.entries(this.#given).filter(([name]) => name.startsWith(`${key}.`))
    return inner.length === 0 ? undefined : nested(inner.map(([name, each]) => [name.slice(key.length + 1), each]))
  }

  /** The `script` of a part that needs one. */
  script(): unknown {
    const script = this.any('script')
    if (script === undefined) throw illegalOption('[script] must be set')
    return script
  }

  has(key: string): boolean {
    return this.#value(key) !== undefined
  }

  text(key: string, otherwise: string): string {
    const value = this.#value(key)
    return value === undefined ? otherwise : String(value)
  }

  whole(key: string, otherwise: number): number {
    const value = this.#value(key)
    if (value === undefined) return otherwise
    if (!/^-?\d{1,10}$/u.test(String(value)))
      throw illegalOption(`Failed to parse value [${String(value)}] for setting [${key}]`)
    return Number(value)
  }

  flag(key: string, otherwise: boolean): boolean {
    const value = this.#value(key)
    if (value === undefined) return otherwise
    if (String(value) !== 'true' && String(value) !== 'false')
      throw illegalOption(`Failed to parse value [${String(value)}] as only [true] or [false] are allowed.`)
    return String(value) === 'true'
  }

  /** A list; a text is one, its members parted by commas. */
  list(key: string): readonly string[] | undefined {
    const value = this.#value(key)
    if (value === undefined) return undefined
    if (Array.isArray(value)) return value.map(scalarText)
    const text = String(value)
    return text === '' ? [] : text.split(',').map((member) => member.trim())
  }

  /** Rules that hold commas themselves: a list, or a text with a rule a line. */
  lines(key: string): readonly string[] | undefined {
    const value = this.#value(key)
    if (value === undefined) return undefined
    return Array.isArray(value) ? value.map(scalarText) : String(value).split('\n')
  }

  #value(key: string): unknown {
    const value = this.#given[key]
    return value === null ? undefined : value
  }
}

/** An object of keys with dots, each a path into it. */
function nested(entries: readonly (readonly [path: string, value: unknown])[]): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  for (const [path, value] of entries) {
    const [first = '', ...rest] = path.split('.')
    const before = Object.hasOwn(made, first) ? made[first] : undefined
    const inner = typeof before === 'object' && before !== null ? before : {}
    made[first] = rest.length === 0 ? value : { ...inner, ...nested([[rest.join('.'), value]]) }
  }
  return made
}

/** A regular expression of Java's as JavaScript reads it. Throws `illegal_argument_exception` where it cannot. */
export function javaPattern(pattern: string, flags: string, extra = 'g'): RegExp {
  let found = `${extra}u`
  for (const flag of flags.split('|')) {
    if (flag === 'CASE_INSENSITIVE') found += 'i'
    else if (flag === 'MULTILINE') found += 'm'
    else if (flag === 'DOTALL') found += 's'
  }
  try {
    return boundedRegExp(pattern, found)
  } catch (thrown) {
    if (!(thrown instanceof RefusedPattern)) throw thrown
    throw illegalOption(`cannot compile pattern [${shownPattern(pattern)}]: ${thrown.message}`)
  }
}

/** A class of single characters and of classes as expressions write them (`\\s`). Throws `illegal_argument_exception` for more than can be compiled. */
export function characterClass(members: readonly string[], quantifier: '' | '+'): RegExp {
  return javaPattern(`[${members.join('')}]${quantifier}`, '')
}

/** A replacement of Java's (`$1`, `\$`) as JavaScript writes it. */
export function javaReplacement(text: string): string {
  return text.replace(/\\(.)|\$(?!\d)/gu, (_, escaped: string | undefined) =>
    escaped === undefined || escaped === '$' ? '$$' : escaped,
  )
}
