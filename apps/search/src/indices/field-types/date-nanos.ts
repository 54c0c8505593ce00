import { z } from 'zod'
import {
  dateFormat,
  dateParseError,
  defaultDateNanosFormat,
  type Instant,
  shownInstant,
} from '../../dates/date-format.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import { dateFormatParameter } from './date.ts'
import { defineFieldType } from './define-field-type.ts'
import { illegalValue, readLeaf, textOf } from './leaf.ts'
import { malformedParameters, nullValue } from './parameters.ts'

const nanosPerMs = 1_000_000n
const lastMs = 9_223_372_036_854

function formatOf(field: ResolvedField): string {
  const own = field.parameters['format']
  return typeof own === 'string' ? own : defaultDateNanosFormat
}

function read(leaf: unknown, field: ResolvedField): Instant {
  const text = textOf(leaf)
  const format = dateFormat(formatOf(field))
  const instant = format.parse(text)
  if (instant === undefined) throw dateParseError(text, format)
  return instant
}

function toNanos(instant: Instant): bigint {
  return BigInt(instant.ms) * nanosPerMs + BigInt(instant.nanos)
}

/** `date_nanos`: a moment in epoch nanoseconds as bigint, from 1970 to 2262. */
export const dateNanosField = defineFieldType({
  name: 'date_nanos',
  family: 'date_nanos',
  valueType: 'date_nanos',
  aggregatable: true,
  parameters: z.strictObject({
    ...malformedParameters,
    null_value: nullValue,
    format: dateFormatParameter,
    locale: z.string().optional(),
  }),
  parse: readLeaf((leaf, field) => {
    const instant = read(leaf, field)
    const shown = () => shownInstant(instant)
    if (instant.ms < 0)
      throw illegalValue(`date[${shown()}] is before the epoch in 1970 and cannot be stored in nanosecond resolution`)
    if (instant.ms > lastMs)
      throw illegalValue(
        `date[${shown()}] is after 2262-04-11T23:47:16.854775807 and cannot be stored in nanosecond resolution`,
      )
    return toNanos(instant)
  }),
  queryValue: (given, field) => toNanos(read(given, field)),
  show(value, field, format) {
    const nanos = BigInt(value)
    const ms = nanos / nanosPerMs
    return dateFormat(format ?? formatOf(field)).print({ ms: Number(ms), nanos: Number(nanos - ms * nanosPerMs) })
  },
})
