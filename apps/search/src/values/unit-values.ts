import { AppError, searchErrors } from '@logstack/errors'
import { illegalArgument } from '../refusals/refuse.ts'

/** The cause of a text that is no number, in Java's words. */
export function notANumber(text: string): AppError {
  return new AppError(
    searchErrors.number_format_exception,
    text === '' ? 'empty String' : `For input string: "${text}"`,
  )
}

/** Elasticsearch's units of time, in milliseconds. */
export const timeUnitsMs: Readonly<Record<string, number>> = {
  nanos: 1e-6,
  micros: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** A time (`5m`) of a setting or a parameter in milliseconds; `0` and `-1` need no unit. Throws `illegal_argument_exception` for anything else. */
export function readTime(setting: string, text: string): number {
  const failed = `failed to parse setting [${setting}] with value [${text}] as a time value`
  if (/^-0*1$/.test(text.trim())) return -1
  if (/^0+$/.test(text.trim())) return 0
  const [, amount = '', unit = ''] = /^(.*?)(nanos|micros|ms|s|m|h|d)$/i.exec(text.trim()) ?? []
  const unitMs = unit === 'M' ? undefined : timeUnitsMs[unit.toLowerCase()]
  if (unitMs === undefined) throw illegalArgument(`${failed}: unit is missing or unrecognized`)
  const number = amount.trim()
  if (/^[+-]?\d+\.\d+$/.test(number))
    throw illegalArgument(`failed to parse [${text}], fractional time values are not supported`, notANumber(number))
  if (!/^[+-]?\d+$/.test(number)) throw illegalArgument(`failed to parse [${text}]`, notANumber(number))
  if (Number(number) < -1) throw illegalArgument(`${failed}: negative durations are not supported`)
  return Number(number) * unitMs
}

const byteUnits = ['b', 'kb', 'mb', 'gb', 'tb', 'pb']

/** `illegal_argument_exception` over a `parse_exception` of the same words. */
export function malformed(reason: string, cause?: AppError): AppError {
  const parsed = new AppError(searchErrors.parse_exception, reason, cause === undefined ? {} : { cause })
  return illegalArgument(reason, parsed)
}

/** A size (`10mb`) of a setting or a parameter in bytes; `0` and `-1` need no unit. Throws `illegal_argument_exception` for anything else. */
export function readBytes(setting: string, text: string): number {
  const given = text.trim().toLowerCase()
  if (given === '0' || given === '-1') return Number(given)
  const [, amount = '', letter = ''] = /^(.*?)(?:([kmgtp])b?|b)$/.exec(given) ?? []
  const isSize = /(?:[kmgtp]b?|b)$/.test(given)
  if (!isSize)
    throw malformed(
      `failed to parse setting [${setting}] with value [${text}] as a size in bytes: unit is missing or unrecognized`,
    )
  const number = amount.trim()
  if (!/^\d+(?:\.\d+)?$/.test(number)) throw malformed(`failed to parse [${text}]`, notANumber(number))
  return Math.floor(Number(number) * 1024 ** byteUnits.indexOf(`${letter}b`))
}
