import type { Call } from '@logstack/eql'
import type { ValueClass } from './fields.ts'

/** What a function takes at a place: a class of values, or any. */
type ArgumentType = ValueClass | 'any'

/** A function of EQL: what it takes and gives, and whether it has a form with `~`. */
export interface EqlFunction {
  readonly name: string
  readonly takes: readonly ArgumentType[]
  /** Arguments that may be left out; `more`: the last may stand any number of times. */
  readonly optional?: number
  readonly more?: true
  readonly gives: ValueClass
  readonly ignoresCase?: true
}

const numeric = (name: string): EqlFunction => ({ name, takes: ['number', 'number'], gives: 'number' })
const asked = (name: string): EqlFunction => ({
  name,
  takes: ['string', 'string'],
  gives: 'boolean',
  ignoresCase: true,
})

const all: readonly EqlFunction[] = [
  numeric('add'),
  numeric('subtract'),
  numeric('multiply'),
  numeric('divide'),
  numeric('modulo'),
  {
    name: 'between',
    takes: ['string', 'string', 'string', 'boolean'],
    optional: 1,
    gives: 'string',
    ignoresCase: true,
  },
  { name: 'cidrMatch', takes: ['ip', 'string'], more: true, gives: 'boolean' },
  { name: 'concat', takes: ['any'], more: true, gives: 'string' },
  asked('endsWith'),
  { name: 'indexOf', takes: ['string', 'string', 'number'], optional: 1, gives: 'number', ignoresCase: true },
  { name: 'length', takes: ['string'], gives: 'number' },
  { name: 'number', takes: ['string', 'number'], optional: 1, gives: 'number' },
  asked('startsWith'),
  { name: 'string', takes: ['any'], gives: 'string' },
  asked('stringContains'),
  { name: 'substring', takes: ['string', 'number', 'number'], optional: 1, gives: 'string' },
]

const byName = new Map(all.map((each) => [each.name, each]))

/** Names of all functions. */
export const functionNames: readonly string[] = [...byName.keys()]

/** The function of that name; undefined when there is none. Upper and lower case differ. */
export function findFunction(name: string): EqlFunction | undefined {
  return byName.get(name)
}

/** Why a call has the wrong number of arguments or a `~` that its function does not know; undefined when it is right. */
export function malformedCall({ args, ignoresCase, name }: Call, found: EqlFunction): string | undefined {
  const most = found.more ? Number.POSITIVE_INFINITY : found.takes.length
  const least = found.takes.length - (found.optional ?? 0)
  if (ignoresCase && !found.ignoresCase) return `Function [${name}] has no case-insensitive form [${name}~]`
  if (args.length >= least && args.length <= most) return undefined
  const expected = found.more ? `at least ${least}` : least === most ? `exactly ${least}` : `${least} to ${most}`
  return `error building [${name}]: expects ${expected} argument${expected.endsWith(' 1') ? '' : 's'}, found [${args.length}]`
}

/** What a function takes at a place, counted from nought. */
export function takenAt({ takes }: EqlFunction, at: number): ArgumentType {
  return takes[Math.min(at, takes.length - 1)] ?? 'any'
}
