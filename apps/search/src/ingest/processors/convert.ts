import { isIP } from 'node:net'
import { textOf } from '../../painless/java-values.ts'
import { TypedNumber } from '../../painless/typed-number.ts'
import { unfit } from '../../refusals/unfit.ts'
import { defineProcessor } from '../define-processor.ts'
import { readField } from '../text-processor.ts'

type Convert = (value: unknown) => unknown

function integer(bits: number, name: string): Convert {
  return (value) => {
    const text = textOf(value).trim()
    if (/^[+-]?(0x[0-9a-f]+|\d+)$/i.test(text)) {
      const digits = text.replace(/^[+-]/, '')
      const number = text.startsWith('-') ? -BigInt(digits) : BigInt(digits)
      if (BigInt.asIntN(bits, number) === number) {
        return Number.isSafeInteger(Number(number)) ? Number(number) : number
      }
    }
    throw unfit(`unable to convert [${textOf(value)}] to ${name}`)
  }
}

/** What Java prints of a float. */
const plainFloat = (number: number): number => new TypedNumber('float', Math.fround(number)).plain()

const decimal: (name: string) => Convert = (name) => (value) => {
  const text = textOf(value).trim()
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?[fd]?$/i.test(text)) {
    const number = Number.parseFloat(text)
    return name === 'float' ? plainFloat(number) : number
  }
  throw unfit(`unable to convert [${textOf(value)}] to ${name}`)
}

const truth: Convert = (value) => {
  const text = textOf(value).toLowerCase()
  if (text === 'true' || text === 'false') return text === 'true'
  throw unfit(`[${textOf(value)}] is not a boolean value, cannot convert to boolean`)
}

const ip: Convert = (value) => {
  if (typeof value === 'string' && isIP(value) !== 0) return value
  throw unfit(`[${textOf(value)}] is not a valid ipv4/ipv6 address`)
}

const automatic: Convert = (value) => {
  if (typeof value !== 'string') return value
  if (/^(true|false)$/i.test(value)) return truth(value)
  if (/^[+-]?\d+$/.test(value)) return value.length < 20 ? integer(64, 'long')(value) : value
  return /^[+-]?(\d+\.\d*|\.\d+|\d+(?=e))(e[+-]?\d+)?$/i.test(value) ? decimal('double')(value) : value
}

const types: Readonly<Record<string, Convert>> = {
  integer: integer(32, 'integer'),
  long: integer(64, 'long'),
  float: decimal('float'),
  double: decimal('double'),
  boolean: truth,
  ip,
  string: textOf,
  auto: automatic,
}

/** `convert`: gives a field, or each value of its list, another type. */
export const convertProcessor = defineProcessor('convert', (config) => {
  const field = config.text('field')
  const type = config.text('type')
  const target = config.optionalText('target_field') ?? field
  const ignoreMissing = config.boolean('ignore_missing')
  const convert = Object.hasOwn(types, type.toLowerCase()) ? types[type.toLowerCase()] : undefined
  if (!convert) throw config.fault('type', `type [${type}] not supported, cannot convert field.`)
  return (document) => {
    const value = readField(document, field, ignoreMissing)
    if (value === undefined) return
    document.set(target, Array.isArray(value) ? value.map(convert) : convert(value))
    document.noteType(target, type.toLowerCase())
  }
})
