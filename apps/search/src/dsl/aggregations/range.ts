import { z } from 'zod'
import { Double, printDouble } from '../../json/print-json.ts'
import { numberFormatError } from '../../refusals/refuse.ts'
import { defineAggregation, type RowField } from '../define-aggregation.ts'
import { dateValue, isDate } from '../shapes/field-value.ts'
import { decimal, flag } from '../shapes/scalars.ts'
import { valuePrinter } from './bucket-key.ts'
import { numberField, requireField } from './metric-cells.ts'
import { checkRanges, rangesOf, renderRanges, type Span, sortedRanges } from './range-buckets.ts'
import { doubles, rangeKey } from './range-key.ts'

/** What is no number is found out where the range is made. */
const bound = z.union([z.number(), z.string()]).nullish()

/** A bound as a number: of dates a text is a date, or date math. Throws for a text that is none. */
function boundOf(
  given: z.infer<typeof bound>,
  { field }: RowField,
  format: string | undefined,
  nowMs: number,
): number | undefined {
  if (given === null || given === undefined || typeof given === 'number') return given ?? undefined
  if (field && isDate(field)) {
    const value = dateValue(given, field, { nowMs, roundUp: false, format })
    return typeof value === 'bigint' ? Number(value / 1_000_000n) : value
  }
  const read = decimal.safeParse(given)
  if (!read.success) throw numberFormatError(given)
  return read.data
}

/** `range`: a bucket a span of numbers, or of moments, `from` included and `to` excluded; spans may overlap. */
export const range = defineAggregation({
  name: 'range',
  kind: 'bucket',
  schema: z.strictObject({
    field: z.string().optional(),
    ranges: rangesOf(z.strictObject({ key: z.string().optional(), from: bound, to: bound })),
    keyed: flag.optional(),
    missing: z.union([decimal, z.string()]).optional(),
    format: z.string().optional(),
  }),
  uses: ({ field }) => ({ fields: [requireField(field)] }),
  plan(parameters, source, _prepared, name) {
    checkRanges(parameters.ranges, name)
    const values = numberField(source, requireField(parameters.field), 'range', parameters.missing)
    const print = valuePrinter(values.field, parameters.format)
    const read = (given: z.infer<typeof bound>) => boundOf(given, values.field, parameters.format, source.nowMs)
    const spans = sortedRanges(
      parameters.ranges.map(({ key, from, to }) => spanOf(key, { from: read(from), to: read(to) }, print)),
    )
    return {
      parts: [rangeKey(spans, values, doubles)],
      render: (found, empty) => renderRanges(spans, parameters.keyed === true, found, empty),
    }
  },
})

function spanOf(
  key: string | undefined,
  { from, to }: { readonly from: number | undefined; readonly to: number | undefined },
  print: ((value: number) => string) | undefined,
): Span {
  const text = (bound: number | undefined) => (bound === undefined ? '*' : (print ?? printDouble)(bound))
  return {
    from,
    to,
    key: key ?? `${text(from)}-${text(to)}`,
    shown: {
      ...(from === undefined ? {} : { from: new Double(from), ...(print && { from_as_string: print(from) }) }),
      ...(to === undefined ? {} : { to: new Double(to), ...(print && { to_as_string: print(to) }) }),
    },
  }
}
