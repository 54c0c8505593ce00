import { z } from 'zod'
import type { JsonObject } from '../../json/json-object.ts'
import { Double } from '../../json/print-json.ts'
import type { Sql } from '../../sql/sql.ts'
import { defineAggregation, type RowField } from '../define-aggregation.ts'
import { asString, cellNumber } from '../shapes/metric-values.ts'
import { decimal } from '../shapes/scalars.ts'
import { numberField, requireField } from './metric-cells.ts'

/** The body of a metric on one numeric field. */
export const numberMetricSchema = z.strictObject({
  field: z.string().optional(),
  missing: z.union([decimal, z.string()]).optional(),
  format: z.string().optional(),
})
export type NumberMetric = z.infer<typeof numberMetricSchema>

/** What one value computed from a numeric field is. */
export interface SingleValue {
  readonly name: string
  cells(values: Sql, many: boolean): readonly Sql[]
  /** The value; null is "there was none". */
  value(cells: readonly unknown[]): number | null
  /** Whether the value is of the field's kind, so that dates show as dates. */
  readonly keepsKind: boolean
}

/** Declares a metric that computes one value from a numeric field. */
export function defineNumberMetric(metric: SingleValue) {
  return defineAggregation<NumberMetric>({
    name: metric.name,
    kind: 'metric',
    schema: numberMetricSchema,
    uses: ({ field }) => ({ fields: [requireField(field)] }),
    plan(parameters, source) {
      const values = numberField(source, requireField(parameters.field), metric.name, parameters.missing)
      return {
        cells: metric.cells(values.sql, values.many),
        render: (cells) => single(metric, metric.value(cells), values.field, parameters.format),
        orderCell: (property) => (property === undefined || property === 'value' ? 0 : undefined),
      }
    },
  })
}

function single(metric: SingleValue, value: number | null, field: RowField, format: string | undefined): JsonObject {
  const shown = metric.keepsKind || format !== undefined ? asString(field, value, format) : undefined
  return {
    value: value === null ? null : new Double(value),
    ...(shown === undefined ? {} : { value_as_string: shown }),
  }
}

/** The first cell. */
export function firstCell(cells: readonly unknown[]): number | null {
  return cellNumber(cells[0])
}
