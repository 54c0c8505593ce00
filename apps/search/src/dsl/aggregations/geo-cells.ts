import { latitudeSql, longitudeSql } from '../../sql/geo-to-sql.ts'
import { num, type Sql, sql } from '../../sql/sql.ts'
import type { BucketPlan, FoundBucket, RowField } from '../define-aggregation.ts'
import { unsupportedType } from './metric-cells.ts'

/** A point field; throws `illegal_argument_exception` for a field of another type. */
export function pointField(field: RowField, name: string): RowField {
  if (field.field !== undefined && field.field.wireType !== 'geo_point') throw unsupportedType(field, name)
  return field
}

/** Latitude and longitude of a field's points, one array each. */
export function coordinates(field: RowField): { readonly lat: Sql; readonly lon: Sql } {
  const points = field.many ? field.sql : sql`if(isNull(${field.sql}), [], [assumeNotNull(${field.sql})])`
  return {
    lat: sql`arrayMap(x -> ${latitudeSql(sql`x`)}, ${points})`,
    lon: sql`arrayMap(x -> ${longitudeSql(sql`x`)}, ${points})`,
  }
}

/** A plan of one bucket a cell of a grid; the fullest cells first. */
export function gridPlan(field: RowField, cell: (point: Sql) => Sql, size: number): BucketPlan {
  const key = field.many
    ? sql`arrayMap(x -> ${cell(sql`x`)}, ${field.sql})`
    : sql`if(isNull(${field.sql}), NULL, toNullable(${cell(sql`assumeNotNull(${field.sql})`)}))`
  return {
    parts: [{ sql: key, many: field.many, type: 'string' }],
    size,
    order: ({ count, keys }) => [sql`${count} DESC`, sql`${keys[0] ?? num(0)} ASC`],
    render: (found) => ({ buckets: found.map(gridBucket) }),
  }
}

function gridBucket({ key, count, body }: FoundBucket) {
  return { key: String(key[0]), doc_count: count, ...body }
}
