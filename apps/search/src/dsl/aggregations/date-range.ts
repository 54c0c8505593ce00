import { z } from 'zod'
import { type TimeZone, timeZone } from '../../dates/date-format.ts'
import { Double } from '../../json/print-json.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import { defineAggregation, type RowField } from '../define-aggregation.ts'
import { dateValue, isDate } from '../shapes/field-value.ts'
import { flag, scalar } from '../shapes/scalars.ts'
import { showDate } from './bucket-key.ts'
import { numberField, requireField } from './metric-cells.ts'
import { checkRanges, rangesOf, renderRanges, type Span, sortedRanges } from './range-buckets.ts'
import { doubles, rangeKey } from './range-key.ts'

const unmappedDate: ResolvedField = { path: '', wireType: 'date', valueType: 'date', parameters: {}, sourcePath: '' }

/** `date_range`: a bucket a span of time, by dates or date math. */
export const dateRange = defineAggregation({
  name: 'date_range',
  kind: 'bucket',
  schema: z.strictObject({
    field: z.string().optional(),
    ranges: rangesOf(z.strictObject({ key: z.string().optional(), from: scalar.nullish(), to: scalar.nullish() })),
    format: z.string().optional(),
    time_zone: z.string().optional(),
    keyed: flag.optional(),
    missing: scalar.optional(),
  }),
  uses: ({ field }) => ({ fields: [requireField(field)] }),
  plan(parameters, source, _prepared, name) {
    checkRanges(parameters.ranges, name)
    const path = requireField(parameters.field)
    const { format, time_zone: zone } = parameters
    const mapped = source.field(path).field
    const dates = mapped && isDate(mapped) ? mapped : unmappedDate
    const read = (given: z.infer<typeof scalar> | null | undefined) => {
      if (given === null || given === undefined) return undefined
      const value = dateValue(given, dates, {
        nowMs: source.nowMs,
        roundUp: false,
        format,
        timeZone: zone,
      })
      return typeof value === 'bigint' ? Number(value / 1_000_000n) : value
    }
    const values = numberField(source, path, 'date_range', read(parameters.missing))
    const spans = sortedRanges(
      parameters.ranges.map(({ key, from, to }) =>
        span(read(from), read(to), key, values.field, format, zone === undefined ? undefined : timeZone(zone)),
      ),
    )
    return {
      parts: [rangeKey(spans, values, doubles)],
      render: (found, empty) => renderRanges(spans, parameters.keyed === true, found, empty),
    }
  },
})

function span(
  from: number | undefined,
  to: number | undefined,
  key: string | undefined,
  field: RowField,
  format: string | undefined,
  zone: TimeZone | undefined,
): Span {
  const text = (bound: number | undefined) => (bound === undefined ? '*' : showDate(bound, field, format, zone))
  return {
    from,
    to,
    key: key ?? `${text(from)}-${text(to)}`,
    shown: {
      ...(from === undefined ? {} : { from: new Double(from), from_as_string: text(from) }),
      ...(to === undefined ? {} : { to: new Double(to), to_as_string: text(to) }),
    },
  }
}
