import type { Series } from './series.ts'
import { type Call, type Literal, TimelionError } from './tree.ts'

/** What an argument holds once it is calculated. */
export type Value = Literal | readonly Series[]

/** What a function may be given; its place in the list is its place in a call. */
export interface Parameter {
  readonly name: string
  /** Other names of it. */
  readonly aliases?: readonly string[]
  /** Whether it may be given several times. */
  readonly isMultiple?: boolean
}

/** The arguments of a call by the names of their parameters. What has another type than it is asked for is refused in words. */
export class Given {
  readonly #call: string
  readonly #values: ReadonlyMap<string, readonly Value[]>

  constructor(call: string, values: ReadonlyMap<string, readonly Value[]>) {
    this.#call = call
    this.#values = values
  }

  /** A number; undefined where none or `null` is given. */
  number(name: string): number | undefined {
    const value = this.#value(name)
    if (value === undefined || value === null) return undefined
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    if (typeof number === 'number' && Number.isFinite(number)) return number
    throw this.#refused(name, 'a number', value)
  }

  /** A number that a call cannot do without. */
  neededNumber(name: string): number {
    return this.#needed(name, this.number(name))
  }

  /** A text, also one that could be read as a number. */
  text(name: string): string | undefined {
    const value = this.#value(name)
    if (value === undefined || value === null) return undefined
    return this.#textOf(name, value)
  }

  /** A text that a call cannot do without. */
  neededText(name: string): string {
    return this.#needed(name, this.text(name))
  }

  /** The text, where it is one of a few. */
  choice<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined {
    const text = this.text(name)
    const found = choices.find((choice) => choice === text)
    if (text !== undefined && found === undefined) throw this.#refused(name, `one of ${choices.join(', ')}`, text)
    return found
  }

  /** All texts of a parameter that may be given several times. */
  texts(name: string): string[] {
    return (this.#values.get(name) ?? []).flatMap((value) => (value === null ? [] : [this.#textOf(name, value)]))
  }

  /** Whether something is so; numbers count as in other languages. */
  truth(name: string): boolean | undefined {
    const value = this.#value(name)
    if (value === undefined || value === null) return undefined
    if (typeof value === 'boolean') return value
    if (typeof value === 'number') return value !== 0
    throw this.#refused(name, 'true or false', value)
  }

  /** A number or series to calculate with; null where that is given. */
  operand(name: string): number | null | readonly Series[] | undefined {
    const value = this.#value(name)
    if (value === undefined || value === null || typeof value === 'object') return value
    return this.number(name)
  }

  /** The arguments of names that the function does not list, where it takes such. */
  others(known: readonly Parameter[]): [name: string, value: Value][] {
    const names = new Set(known.map(({ name }) => name))
    return [...this.#values].flatMap(([name, [value = null]]): [string, Value][] =>
      names.has(name) ? [] : [[name, value]],
    )
  }

  #value(name: string): Value | undefined {
    return this.#values.get(name)?.at(-1)
  }

  #textOf(name: string, value: Value): string {
    if (typeof value === 'object' && value !== null) throw this.#refused(name, 'a text', value)
    return String(value)
  }

  #needed<T>(name: string, value: T | undefined): T {
    if (value === undefined) throw new TimelionError(`.${this.#call}() needs “${name}”`)
    return value
  }

  #refused(name: string, wanted: string, value: Value): TimelionError {
    const told = typeof value === 'object' && value !== null ? 'series' : `“${value}”`
    return new TimelionError(`“${name}” of .${this.#call}() must be ${wanted}, not ${told}`)
  }
}

/** The arguments of a call by the parameters they are for. */
export function givenOf(
  call: Call,
  parameters: readonly Parameter[],
  values: readonly Value[],
  takesOthers = false,
): Given {
  const found = new Map<string, Value[]>()
  for (const [at, { name }] of call.arguments.entries()) {
    const parameter =
      name === undefined
        ? parameters[at]
        : (parameters.find((one) => one.name === name || one.aliases?.includes(name)) ??
          (takesOthers ? { name } : undefined))
    if (!parameter) throw new TimelionError(unknownArgument(call, parameters, name, at))
    found.set(parameter.name, [...(found.get(parameter.name) ?? []), values[at] ?? null])
    if (!parameter.isMultiple && (found.get(parameter.name)?.length ?? 0) > 1)
      throw new TimelionError(`.${call.name}() is given “${parameter.name}” more than once`)
  }
  return new Given(call.name, found)
}

function unknownArgument(call: Call, parameters: readonly Parameter[], name: string | undefined, at: number): string {
  const known = parameters.length === 0 ? 'it takes none' : `it takes ${parameters.map((one) => one.name).join(', ')}`
  const told = name === undefined ? `argument ${at + 1}` : `the argument “${name}”`
  return `.${call.name}() does not know ${told}: ${known}`
}
