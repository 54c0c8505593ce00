import { AppError, searchErrors } from '@logstack/errors'
import { z } from 'zod'
import { jsonToken } from '../../json/json-token.ts'
import { defineFieldType } from './define-field-type.ts'
import { absent, illegalValue, readLeaf } from './leaf.ts'
import { commonParameters, flag, wholeNumber } from './parameters.ts'

/** Letters of an input that count, where the mapping does not say it. */
const inputLengthDefault = 50
/** Java's greatest int. */
const weightMax = 2_147_483_647
const members = ['input', 'weight', 'contexts'] as const

/** One input of a document: a text that can be completed to, with what it weighs and the contexts it is for. */
export interface CompletionInput {
  readonly input: string
  readonly weight: number
  readonly contexts: Readonly<Record<string, unknown>>
}

const context = z.strictObject({
  name: z.string(),
  type: z.enum(['category', 'geo']),
  path: z.string().optional(),
  precision: z.union([z.string(), z.number()]).optional(),
})
/** One context of a mapping. */
export type CompletionContext = z.infer<typeof context>

/** `completion`: texts that what is typed can be completed to. */
export const completionField = defineFieldType({
  name: 'completion',
  namelessFailures: true,
  family: 'completion',
  valueType: 'string',
  aggregatable: false,
  objects: 'whole',
  members: inputsOf,
  parameters: z.strictObject({
    ...commonParameters,
    analyzer: z.string().optional(),
    preserve_separators: flag.optional(),
    preserve_position_increments: flag.optional(),
    max_input_length: wholeNumber.pipe(z.number().positive()).optional(),
    contexts: z.array(context).min(1).max(10).optional(),
  }),
  parse: readLeaf((leaf, field) => {
    if (isEmpty(leaf)) return { ignored: 'ignore_malformed' }
    if (isWithoutInput(leaf)) {
      checkMembers(leaf)
      return absent
    }
    const { input, contexts } = readInput(leaf, field.path)
    const mapped = field.parameters['contexts']
    if (Array.isArray(mapped)) checkContexts(contexts, mapped as CompletionContext[], field.path)
    const longest = Number(field.parameters['max_input_length'] ?? inputLengthDefault)
    const shortened = input.slice(0, longest)
    return field.normal === undefined ? shortened : field.normal(shortened)
  }),
  queryValue(_given, field) {
    throw illegalValue(`Field [${field.path}] of type [completion] is searched with [suggest] only`)
  },
  show: String,
  showLeaf: (leaf) => leaf,
})

/** The inputs of a value: a text, an object or a list of them, each with one text. */
function inputsOf(whole: unknown): readonly unknown[] {
  if (Array.isArray(whole)) return whole.flatMap(inputsOf)
  if (whole === null || typeof whole !== 'object') return [whole]
  const { input }: { input?: unknown } = whole
  return Array.isArray(input) ? input.map((each: unknown) => ({ ...whole, input: each })) : [whole]
}

/** Whether a value is an empty text, which nothing could be completed to. */
function isEmpty(leaf: unknown): boolean {
  return leaf === '' || (isWhole(leaf) && leaf['input'] === '')
}

function isWithoutInput(leaf: unknown): leaf is Readonly<Record<string, unknown>> {
  return isWhole(leaf) && leaf['input'] === undefined
}

function isWhole(leaf: unknown): leaf is Readonly<Record<string, unknown>> {
  return typeof leaf === 'object' && leaf !== null
}

/** Reads one input; throws the cause Elasticsearch names for what is none. */
export function readInput(leaf: unknown, name = 'completion'): CompletionInput {
  if (typeof leaf === 'string') return { input: checkedInput(leaf), weight: 1, contexts: {} }
  if (typeof leaf !== 'object' || leaf === null)
    throw new AppError(
      searchErrors.parsing_exception,
      `failed to parse [${name}]: expected text or object, but got ${jsonToken(leaf)}`,
    )
  checkMembers(leaf)
  const { input, weight, contexts }: { input?: unknown; weight?: unknown; contexts?: unknown } = leaf
  if (typeof input !== 'string') throw illegalValue(`input must be a string or an array of strings`)
  const isContexts = contexts === undefined || (typeof contexts === 'object' && contexts !== null)
  if (!isContexts) throw illegalValue('contexts must be an object')
  return { input: checkedInput(input), weight: readWeight(weight), contexts: { ...contexts } }
}

function checkMembers(leaf: object): void {
  const unknown = Object.keys(leaf).find((key) => !members.some((known) => known === key))
  if (unknown !== undefined)
    throw illegalValue(`unknown field name [${unknown}], must be one of [${members.join(', ')}]`)
}

function checkedInput(input: string): string {
  if (input.length === 0) throw illegalValue('value must have a length > 0')
  return input
}

function readWeight(given: unknown): number {
  if (given === undefined || given === null) return 1
  const weight = Number(given)
  if (!Number.isInteger(weight)) throw illegalValue(`weight must be an integer, but was [${String(given)}]`)
  if (weight < 0 || weight > weightMax)
    throw illegalValue(`weight must be in the interval [0..${weightMax}], but was [${weight}]`)
  return weight
}

function checkContexts(given: CompletionInput['contexts'], mapped: readonly CompletionContext[], path: string): void {
  for (const name of Object.keys(given))
    if (!mapped.some((known) => known.name === name))
      throw illegalValue(`context [${name}] is not defined in the mapping of [${path}]`)
  const isGiven = mapped.some((known) => known.path !== undefined || given[known.name] !== undefined)
  if (!isGiven) throw illegalValue(`Contexts are mandatory in context enabled completion field [${path}]`)
}
