import { z } from 'zod'
import { Double, printDouble } from '../../plan/json.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { decimal, flag } from '../shapes/scalars.ts'
import { numberField, requireField } from './metric-cells.ts'
import { rangeKey, rangesOf, renderRanges, sortedRanges } from './range-buckets.ts'

/** `range`: a bucket a span of numbers, `from` included and `to` excluded; spans may overlap. */
export const range = defineAggregation({
  name: 'range',
  kind: 'bucket',
  schema: z.strictObject({
    field: z.string().optional(),
    ranges: rangesOf(z.strictObject({ key: z.string().optional(), from: decimal.nullish(), to: decimal.nullish() })),
    keyed: flag.optional(),
    missing: decimal.optional(),
    format: z.string().optional(),
  }),
  uses: ({ field }) => ({ fields: [requireField(field, 'range')] }),
  plan(parameters, source) {
    const values = numberField(source, requireField(parameters.field, 'range'), 'range', parameters.missing)
    const spans = sortedRanges(
      parameters.ranges.map(({ key, from, to }) => {
        const bounds = { from: from ?? undefined, to: to ?? undefined }
        const text = (bound: number | undefined) => (bound === undefined ? '*' : printDouble(bound))
        return {
          ...bounds,
          key: key ?? `${text(bounds.from)}-${text(bounds.to)}`,
          shown: {
            ...(bounds.from === undefined ? {} : { from: new Double(bounds.from) }),
            ...(bounds.to === undefined ? {} : { to: new Double(bounds.to) }),
          },
        }
      }),
    )
    return {
      parts: [rangeKey(spans, values)],
      render: (found, empty) => renderRanges(spans, parameters.keyed === true, found, empty),
    }
  },
})
