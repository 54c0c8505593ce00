import { once } from '../../sql/once.ts'
import { join, type Sql, sql } from '../../sql/sql.ts'
import { type Answer, defineFunction, type EsqlFunction } from '../define-function.ts'
import { severalReason } from '../faults.ts'
import { finite, held } from '../operators.ts'
import { commonType, dateTypes, type EsqlType, numericTypes } from '../types.ts'
import { literalSql, nullOf, refuse, single, type Value } from '../value.ts'

const round = defineFunction({
  name: 'round',
  // Whole numbers without digits to be cut are what they are, also several of them.
  fault: ({ values }) => (values.length > 1 || values[0]?.type === 'double' ? severalReason(values) : undefined),
  ofItsArgument: true,
  params: [
    { name: 'number', types: numericTypes, many: true },
    {
      name: 'decimals',
      types: ['integer', 'long'],
      optional: true,
      shown: 'whole number except unsigned_long or counter types',
    },
  ],
  compile({ sql: [, digits], values: [given] }): Answer {
    if (!given) return { type: 'double', sql: nullOf('double') }
    const { type } = given
    if (type === 'double') return { type, sql: roundedDouble(single(given), digits ?? sql`toInt64(0)`) }
    return digits
      ? { type, sql: roundedWhole(single(given), digits, type) }
      : { type, sql: given.sql, many: given.many }
  },
})

/** Halves go away from zero, as in Java's decimals. What has no digits to lose stays as it is. */
function roundedDouble(value: Sql, digits: Sql): Sql {
  return once('round_x', value, (x) =>
    once('round_digits', digits, (places) =>
      once('round_scale', sql`exp10(toFloat64(abs(${places})))`, (scale) =>
        once('round_scaled', sql`if(${places} < 0, abs(${x}) / ${scale}, abs(${x}) * ${scale})`, (scaled) => {
          const nearest = sql`floor(${scaled} + 0.5)`
          const magnitude = sql`if(${places} < 0, ${nearest} * ${scale}, ${nearest} / ${scale})`
          // Of 2^52 and above, every double is whole.
          const small = sql`${scaled} < 4503599627370496`
          // A scale without end leaves nothing of a number, which 0 * inf is not.
          const rest = sql`if(${places} < 0 AND NOT isFinite(${scale}), 0., ${finite(sql`(sign(${x}) * ${magnitude})`)})`
          return sql`multiIf(isNull(${places}), NULL, ${small}, ${rest}, ${x})`
        }),
      ),
    ),
  )
}

function roundedWhole(value: Sql, digits: Sql, type: EsqlType): Sql {
  return once('round_x', sql`toInt128(${value})`, (x) =>
    once('round_digits', digits, (places) =>
      once('round_scale', sql`toInt128(intExp10(greatest(-${places}, 0)))`, (scale) => {
        const nearest = sql`(sign(${x}) * intDiv(abs(${x}) + intDiv(${scale}, 2), ${scale}) * ${scale})`
        // Of a number with no more figures than are rounded nothing is left, not even where half of them would be rounded up.
        const rest = sql`if(abs(${x}) < ${scale}, toInt128(0), toInt128(${nearest}))`
        const rounded = sql`multiIf(isNull(${places}), NULL, ${places} >= 0, ${x}, ${places} < -19, ${x} * 0, ${rest})`
        // An integer that leaves its 32 bits goes round, as in Elasticsearch.
        return type === 'integer' ? sql`toInt64(toInt32(${rounded}))` : held(type, rounded)
      }),
    ),
  )
}

const roundTo = defineFunction({
  name: 'round_to',
  params: [
    { name: 'field', types: [...numericTypes, ...dateTypes] },
    { name: 'points', types: [...numericTypes, ...dateTypes], constant: true, rest: true },
  ],
  compile({ sql: [value = sql`NULL`], values: [field, ...points] }): Answer {
    const type = points.reduce<EsqlType | undefined>(
      (all, point) => all && commonType(all, point.type),
      field?.type ?? 'null',
    )
    const first = points[0]
    if (!first || !field) throw new Error('BUG: one point at least is asked for')
    if (type === undefined)
      return refuse(first, `points must be of the type of the field [${field.type}], found [${first.type}]`)
    const sorted = points.map((point) => literalOf(point, type)).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    if (sorted.length === 0 || type === 'null') return { type, sql: nullOf(type) }
    return { type, sql: once('round_field', valueAs(value, field.type, type), (of) => highest(of, sorted, type)) }
  },
})

function literalOf(point: Value, type: EsqlType): number | bigint {
  const { literal } = point
  if (typeof literal !== 'bigint' && typeof literal !== 'number')
    return refuse(point, `a point must be a single constant, found [${point.text}]`)
  return type === 'date_nanos' && point.type === 'date' ? BigInt(literal) * 1_000_000n : literal
}

function valueAs(value: Sql, from: EsqlType, to: EsqlType): Sql {
  if (to === 'double') return sql`toFloat64(${value})`
  return to === 'date_nanos' && from === 'date' ? held('long', sql`(toInt128(${value}) * 1000000)`) : value
}

/** The greatest point that is not above a value; the least where all are. */
function highest(of: Sql, sorted: readonly (number | bigint)[], type: EsqlType): Sql {
  const points = sorted.map((point) => literalSql(point, type))
  const least = points[0] ?? nullOf(type)
  const cases = points
    .slice(1)
    .reverse()
    .flatMap((point) => [sql`${of} >= ${point}`, point])
  return sql`if(isNull(${of}), NULL, ${cases.length === 0 ? least : sql`multiIf(${join([...cases, least], ', ')})`})`
}

/** Functions that round numbers, and moments to given ones. */
export const roundFunctions: readonly EsqlFunction[] = [round, roundTo]
