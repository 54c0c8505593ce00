import { z } from 'zod'
import { Double, printDouble } from '../../json/print-json.ts'
import { numberFormatError } from '../../refusals/refuse.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { decimal, flag } from '../shapes/scalars.ts'
import { numberField, requireField } from './metric-cells.ts'
import { checkRanges, rangesOf, renderRanges, sortedRanges } from './range-buckets.ts'
import { doubles, rangeKey } from './range-key.ts'

/** What is no number is found out where the range is made. */
const bound = z.union([decimal, z.string()]).nullish()

function boundOf(given: z.infer<typeof bound>): number | undefined {
  if (typeof given === 'string') throw numberFormatError(given)
  return given ?? undefined
}

/** `range`: a bucket a span of numbers, `from` included and `to` excluded; spans may overlap. */
export const range = defineAggregation({
  name: 'range',
  kind: 'bucket',
  schema: z.strictObject({
    field: z.string().optional(),
    ranges: rangesOf(z.strictObject({ key: z.string().optional(), from: bound, to: bound })),
    keyed: flag.optional(),
    missing: decimal.optional(),
    format: z.string().optional(),
  }),
  uses: ({ field }) => ({ fields: [requireField(field)] }),
  plan(parameters, source, _prepared, name) {
    checkRanges(parameters.ranges, name)
    const values = numberField(source, requireField(parameters.field), 'range', parameters.missing)
    const spans = sortedRanges(
      parameters.ranges.map(({ key, from, to }) => {
        const bounds = { from: boundOf(from), to: boundOf(to) }
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
      parts: [rangeKey(spans, values, doubles)],
      render: (found, empty) => renderRanges(spans, parameters.keyed === true, found, empty),
    }
  },
})
