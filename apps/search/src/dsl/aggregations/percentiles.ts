import { z } from 'zod'
import type { JsonObject } from '../../json/json-object.ts'
import { Double, printDouble } from '../../json/print-json.ts'
import { contentError, illegalArgument, memberError } from '../../refusals/refuse.ts'
import { join, nothing, num, type Sql, sql } from '../../sql/sql.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { asString, cellNumber } from '../shapes/metric-values.ts'
import { decimal, flag } from '../shapes/scalars.ts'
import { hdrUpperEnd } from './hdr-cells.ts'
import { numberField, requireField } from './metric-cells.ts'
import { numberMetricSchema } from './number-metric.ts'
import { countedPercentileOf, exactValuesMax, percentileOf, sortedValues } from './sorted-values.ts'

/** How many significant digits the cells of `hdr` have. */
const digitsDefault = 3
const defaultPercents = [1, 5, 25, 50, 75, 95, 99]

/** `percentiles`: t-digest estimates, as in Elasticsearch. With `hdr` they are upper ends of the cells of that histogram; `compression` changes nothing here. */
export const percentiles = defineAggregation({
  name: 'percentiles',
  kind: 'metric',
  schema: numberMetricSchema.extend({
    percents: z.array(decimal).optional(),
    keyed: flag.optional(),
    tdigest: z.strictObject({ compression: decimal.optional(), execution_hint: z.string().optional() }).optional(),
    hdr: z.strictObject({ number_of_significant_value_digits: decimal.optional() }).optional(),
  }),
  typedName: ({ hdr }) => (hdr ? 'hdr_percentiles' : 'tdigest_percentiles'),
  uses: ({ field }) => ({ fields: [requireField(field)] }),
  check({ percents, tdigest, hdr }, name) {
    checkDigest('percentiles', tdigest, hdr)
    if (percents?.length === 0) throw unbuilt('percentiles', `[percents] must not be an empty array: [${name}]`)
    for (const percent of percents ?? [])
      if (percent < 0 || percent > 100)
        throw unbuilt('percentiles', `percent must be in [0,100], got [${printDouble(percent)}]: [${name}]`)
  },
  plan(parameters, source) {
    const percents = [...(parameters.percents ?? defaultPercents)].sort((a, b) => a - b)
    const values = numberField(source, requireField(parameters.field), 'percentiles', parameters.missing)
    const format = parameters.format
    const digits = parameters.hdr && (parameters.hdr.number_of_significant_value_digits ?? digitsDefault)
    const estimates = digest(percents, values)
    const few = values.many
      ? sql`groupArrayArray(${num(exactValuesMax + 1)})(${values.sql})`
      : sql`groupArray(${num(exactValuesMax + 1)})(${values.sql})`
    return {
      cells: [estimates, few, ...(digits === undefined ? [] : [leastAboveZero(values.sql, values.many)])],
      render([estimated, found, lowest]) {
        const exact = exactPercentiles(found, percents, parameters.hdr !== undefined)
        const least = cellNumber(lowest)
        const shown = percents.map((percent, at) => {
          const estimate = exact ? (exact[at] ?? null) : cellNumber(Array.isArray(estimated) ? estimated[at] : null)
          const value =
            digits === undefined || estimate === null || least === null
              ? estimate
              : hdrUpperEnd(estimate, least, digits)
          return { percent, value, text: asString(values.field, value, format) }
        })
        return renderPercentiles(shown, parameters.keyed)
      },
      orderCell: (property) => (percents.includes(Number(property)) ? 0 : undefined),
      ordered(cell, property) {
        const estimate = sql`${cell}[${num(percents.indexOf(Number(property)) + 1)}]`
        return sql`if(isNaN(${estimate}), NULL, ${estimate})`
      },
    }
  },
})

/** What keeps an aggregation from being made of what was read of it. */
export function unbuilt(type: string, reason: string) {
  return contentError(`Failed to build [${type}] after last required field arrived`, illegalArgument(reason))
}

/** Refuses how exact an estimate shall be: a compression below nought, digits of `hdr` that are none. */
export function checkDigest(
  type: string,
  tdigest: { readonly compression?: number | undefined } | undefined,
  hdr: { readonly number_of_significant_value_digits?: number | undefined } | undefined,
): void {
  const refuse = (way: string, member: string, reason: string) =>
    memberError(type, way, memberError(way, member, illegalArgument(reason)))
  const { compression = 0 } = tdigest ?? {}
  if (compression < 0) {
    const found = printDouble(compression)
    throw refuse('tdigest', 'compression', `[compression] must be greater than or equal to 0. Found [${found}]`)
  }
  const { number_of_significant_value_digits: digits = digitsDefault } = hdr ?? {}
  if (!Number.isInteger(digits) || digits < 0 || digits > 5) {
    const reason = '[numberOfSignificantValueDigits] must be between 0 and 5'
    throw refuse('hdr', 'number_of_significant_value_digits', reason)
  }
}

/** A list of estimates, one for each percent, of one digest; of no values they are no numbers. */
function digest(percents: readonly number[], values: { readonly sql: Sql; readonly many: boolean }): Sql {
  const levels = join(
    percents.map((percent) => num(percent / 100)),
    ', ',
  )
  return sql`quantilesTDigest${values.many ? sql`Array` : nothing}(${levels})(${values.sql})`
}

function leastAboveZero(values: Sql, many: boolean): Sql {
  return many ? sql`minOrNullArray(arrayFilter(x -> x > 0, ${values}))` : sql`minOrNullIf(${values}, ${values} > 0)`
}

/** The sketch of `hdr` counts values up to a place, t-digest those before it. */
function exactPercentiles(cell: unknown, percents: readonly number[], hdr: boolean): number[] | undefined {
  const sorted = sortedValues(cell)
  return sorted && percents.flatMap((percent) => (hdr ? countedPercentileOf : percentileOf)(sorted, percent) ?? [])
}

interface Shown {
  readonly percent: number
  readonly value: number | null
  readonly text: string | undefined
}

/** The answer of percentiles or ranks: an object, or a list unless `keyed`. */
export function renderPercentiles(shown: readonly Shown[], asObject = true): JsonObject {
  return { values: asObject ? keyed(shown) : listed(shown) }
}

function keyed(shown: readonly Shown[]): JsonObject {
  const answer: JsonObject = {}
  for (const { percent, value, text } of shown) {
    const key = printDouble(percent)
    answer[key] = value === null ? null : new Double(value)
    if (text !== undefined) answer[`${key}_as_string`] = text
  }
  return answer
}

function listed(shown: readonly Shown[]): JsonObject[] {
  return shown.map(({ percent, value, text }) => ({
    key: new Double(percent),
    value: value === null ? null : new Double(value),
    ...(text === undefined ? {} : { value_as_string: text }),
  }))
}
