import type { Value } from '@logstack/rules'
import { z } from 'zod'
import { dateFormat, dateParseError, defaultDateFormat } from '../../dates/date-format.ts'
import { fastIsoMs } from '../../dates/iso-date.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import { defineFieldType } from './define-field-type.ts'
import { readLeaf, textOf } from './leaf.ts'
import { malformedParameters, nullValue } from './parameters.ts'

/** A format of the mapping, checked when the mapping is put. */
export const dateFormatParameter = z
  .string()
  .refine((pattern) => dateFormat(pattern) !== undefined)
  .optional()

/** The format of a date field: its own, or the default. */
function formatOf(field: ResolvedField): string {
  const own = field.parameters['format']
  return typeof own === 'string' ? own : defaultDateFormat
}

function read(leaf: unknown, field: ResolvedField): number {
  const pattern = formatOf(field)
  if (typeof leaf === 'string' && pattern === defaultDateFormat) {
    const fast = fastIsoMs(leaf)
    if (!Number.isNaN(fast)) return fast
  }
  const text = textOf(leaf)
  const format = dateFormat(pattern)
  const instant = format.parse(text)
  if (instant === undefined) throw dateParseError(text, format)
  return instant.ms
}

/** `date`: a moment in epoch milliseconds, read and shown by the field's format. Date math in queries is the query's own matter. */
export const dateField = defineFieldType({
  name: 'date',
  family: 'date',
  valueType: 'date',
  aggregatable: true,
  parameters: z.strictObject({
    ...malformedParameters,
    null_value: nullValue,
    format: dateFormatParameter,
    locale: z.string().optional(),
  }),
  parse: readLeaf(read),
  queryValue: read,
  show: (value: Value, field, format) => dateFormat(format ?? formatOf(field)).print({ ms: Number(value), nanos: 0 }),
})
