import { AppError, searchErrors } from '@logstack/errors'
import type { Literal, Parameter } from '@logstack/esql'
import { isObject } from '../../json/json-object.ts'
import { lineAndColumn } from '../../json/json-places.ts'
import { printJson } from '../../json/print-json.ts'

/** Where the parameters of a query stand in the body, and how what is wrong with them is told. */
export interface ParamsPlace {
  readonly text: string
  /** Where each of them begins. */
  readonly places: readonly number[]
  fault(cause: unknown): Error
}

const nameForm = /^[A-Za-z_]\w*$/u

/** Reads `params`: values by number, or each one value under a name. Throws `x_content_parse_exception` with all that is wrong. */
export function readEsqlParams(given: unknown, { text, places, fault }: ParamsPlace): Parameter[] {
  if (given === undefined || !Array.isArray(given)) return []
  const wrong: string[] = []
  const read = given.map((each: unknown, at): Parameter => {
    const tell = (reason: string) => {
      wrong.push(`${lineAndColumn(text, places[at] ?? 0)} ${reason}`)
    }
    return isObject(each) ? named(each, tell) : { name: undefined, value: literalOf(each, tell), kind: 'value' }
  })
  if (wrong.length === 0 && new Set(read.map(({ name }) => name === undefined)).size > 1) {
    const shown = (isNamed: boolean) =>
      read
        .filter(({ name }) => (name !== undefined) === isNamed)
        .map(({ name, value }) => `{${name === undefined ? '' : `${name}:`}${String(value)}}`)
        .join(', ')
    wrong.push(`Params cannot contain both named and unnamed parameters; got [${shown(true)}] and [${shown(false)}]`)
  }
  if (wrong.length > 0)
    throw fault(new AppError(searchErrors.x_content_parse_exception, `Failed to parse params: ${wrong.join('; ')}`))
  return read
}

const kinds = ['value', 'identifier', 'pattern'] as const

function named(given: Readonly<Record<string, unknown>>, tell: (reason: string) => void): Parameter {
  const entries = Object.entries(given)
  const [name = '', value] = entries[0] ?? []
  const pairs = entries.map(([key, each]) => `{${key}:${printJson(each)}}`)
  if (entries.length !== 1)
    tell(`Cannot parse more than one key:value pair as parameter, found [${pairs.reverse().join(', ')}]`)
  else if (!nameForm.test(name))
    tell(
      `[${name}] is not a valid parameter name, a valid parameter name starts with a letter or underscore, and contains letters, digits and underscores only`,
    )
  if (!isObject(value)) return { name, value: literalOf(value, tell), kind: 'value' }
  const attributes = Object.keys(value)
  if (attributes.length !== 1)
    tell(
      `[${name}] has multiple param attributes [${attributes.join(', ')}], only one of VALUE, IDENTIFIER, PATTERN can be defined in a param`,
    )
  const kind = kinds.find((each) => each === attributes[0])
  if (!kind) {
    tell(
      `[${attributes[0] ?? ''}] is not a valid param attribute, a valid attribute is any of VALUE, IDENTIFIER, PATTERN`,
    )
    return { name, value: null, kind: 'value' }
  }
  const said = value[kind]
  if (kind !== 'value' && typeof said !== 'string') {
    const upper = kind.toUpperCase()
    tell(
      `[${String(said)}] is not a valid value for ${upper} parameter, a valid value for ${upper} parameter is a string`,
    )
  }
  return { name, value: literalOf(said, tell), kind }
}

/** A value of JSON as a literal; numbers without a fraction are whole. */
function literalOf(value: unknown, tell: (reason: string) => void): Literal {
  if (Array.isArray(value)) return value.map((each: unknown) => literalOf(each, tell))
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (value === null || ['boolean', 'string', 'number', 'bigint'].includes(typeof value)) return value as Literal
  tell('START_OBJECT is not supported as a parameter')
  return null
}
