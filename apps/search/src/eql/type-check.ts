import type { Call, Expression, Literal } from '@logstack/eql'
import { didYouMean } from '../refusals/did-you-mean.ts'
import type { EqlFields, ValueClass } from './fields.ts'
import { type EqlFunction, findFunction, functionNames, malformedCall } from './functions.ts'
import type { Problems } from './problems.ts'

const shown: Readonly<Record<ValueClass, string>> = {
  string: 'string',
  number: 'numeric',
  boolean: 'boolean',
  date: 'datetime',
  ip: 'ip',
}
const ordinals = ['first', 'second', 'third', 'fourth']
/** Characters of a part of the query that an error shows. */
const shownCharsMax = 200

/** Which classes of values parts of conditions have, and what is wrong with them. */
export class TypeCheck {
  readonly #fields: EqlFields
  readonly #problems: Problems
  readonly #query: string

  constructor(fields: EqlFields, problems: Problems, query: string) {
    this.#fields = fields
    this.#problems = problems
    this.#query = query
  }

  /** The text of a part of the query, shortened. */
  textOf({ at, end }: Pick<Expression, 'at' | 'end'>): string {
    const text = this.#query.slice(at, end)
    return text.length > shownCharsMax ? `${text.slice(0, shownCharsMax)}…` : text
  }

  /** Notes a problem at a part of the query. */
  refuse(expression: Pick<Expression, 'at'>, message: string): void {
    this.#problems.add(expression.at, message)
  }

  /** The function of a call, when its name and the number of its arguments are right; otherwise that is noted. */
  functionOf(call: Call): EqlFunction | undefined {
    const found = findFunction(call.name)
    const shortName = this.textOf({ at: call.at, end: call.at + call.name.length })
    if (!found) {
      const meant = call.name.length > shownCharsMax ? '' : didYouMean(call.name, functionNames)
      this.refuse(call, `Unknown function [${shortName}]${meant === '' ? '' : `,${meant}`}`)
      return undefined
    }
    const malformed = malformedCall(call, found)
    if (malformed !== undefined) this.refuse(call, malformed)
    return malformed === undefined ? found : undefined
  }

  /** The class of a value; undefined where it is null or is a problem of its own. */
  classOf(expression: Expression): ValueClass | undefined {
    switch (expression.kind) {
      case 'literal':
        return literalClass(expression)
      case 'field': {
        const field = this.#fields.exact(expression)
        return field.kind === 'known' ? field.valueClass : undefined
      }
      case 'call':
        return this.functionOf(expression)?.gives
      default:
        return 'boolean'
    }
  }

  /** Notes an argument of another class than a function takes. */
  expect(argument: Expression, taken: ValueClass | 'any', call: Call, at: number): void {
    const given = this.classOf(argument)
    if (given === undefined || taken === 'any' || given === taken) return
    this.refuse(
      call,
      `${ordinals[at] ?? `${at + 1}th`} argument of [${this.textOf(call)}] must be [${shown[taken]}], found value [${this.textOf(argument)}] type [${shown[given]}]`,
    )
  }

  /** Whether two values can be compared; noted where they cannot. Dates and addresses are compared with what is written for them. */
  comparable(left: Expression, right: Expression, whole: Expression): boolean {
    const [one, other] = [this.classOf(left), this.classOf(right)]
    if (one === undefined || other === undefined) return false
    if (one === other || agrees(one, right, other) || agrees(other, left, one)) return true
    this.refuse(
      whole,
      `first argument of [${this.textOf(whole)}] must be [${shown[other]}], found value [${this.textOf(left)}] type [${shown[one]}]`,
    )
    return false
  }
}

function agrees(field: ValueClass, other: Expression, given: ValueClass): boolean {
  if (other.kind !== 'literal') return false
  return (field === 'date' && (given === 'string' || given === 'number')) || (field === 'ip' && given === 'string')
}

/** The class of what is written; undefined of null. */
export function literalClass({ value }: Literal): ValueClass | undefined {
  if (value === null) return undefined
  return typeof value === 'string' ? 'string' : typeof value === 'boolean' ? 'boolean' : 'number'
}
