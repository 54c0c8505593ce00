import { num, type Sql, sql } from '../../sql/sql.ts'
import { type Answer, defineFunction, type EsqlFunction, type FunctionParameter } from '../define-function.ts'
import { finite } from '../operators.ts'
import { type EsqlType, numericTypes } from '../types.ts'
import { nullOf, type Value } from '../value.ts'
import { bound, listOf } from './one-type.ts'

const number: FunctionParameter = { name: 'number', types: numericTypes, many: true }
const nothing: Value = { type: 'double', sql: nullOf('double'), many: false, text: 'null', from: 0, to: 0 }

/** The numbers of a list (`l`), wide enough that no sum is lost; NULL where there is none. */
function ofNumbers(value: Value, use: Sql): Sql {
  const wide = value.type === 'double' ? sql`toFloat64(x)` : sql`toInt128(x)`
  return bound(sql`arrayMap(x -> ${wide}, ${listOf(value)})`, sql`l`, sql`if(empty(l), NULL, ${use})`)
}

const ranges: Readonly<Partial<Record<EsqlType, readonly [engineType: Sql, least: bigint, most: bigint]>>> = {
  integer: [sql`toInt64`, -(2n ** 31n), 2n ** 31n - 1n],
  long: [sql`toInt64`, -(2n ** 63n), 2n ** 63n - 1n],
  unsigned_long: [sql`toUInt64`, 0n, 2n ** 64n - 1n],
}

/** A number as its type holds it: NULL where it does not. */
function held(type: EsqlType, of: Sql): Sql {
  const range = ranges[type]
  if (!range) return bound(of, sql`r`, finite(sql`r`))
  const [engineType, least, most] = range
  return bound(of, sql`r`, sql`if(r BETWEEN ${num(least)} AND ${num(most)}, ${engineType}(r), NULL)`)
}

/** The mean of the two in the middle of a list; of whole numbers the whole number below. */
function median(type: EsqlType, list: Sql): Sql {
  const [low, high] = [sql`s[intDiv(length(s) + 1, 2)]`, sql`s[intDiv(length(s), 2) + 1]`]
  const sum = sql`(${low} + ${high})`
  const half = type === 'double' ? sql`${sum} / 2` : sql`intDiv(${sum} - positiveModulo(${sum}, 2), 2)`
  return bound(sql`arraySort(${list})`, sql`s`, sql`if(length(s) % 2 = 1, ${high}, ${half})`)
}

function simple(name: string, type: EsqlType | undefined, make: (type: EsqlType) => Sql): EsqlFunction {
  return defineFunction({
    name,
    ...(type === undefined ? { ofItsArgument: true } : {}),
    params: [number],
    compile({ values: [value = nothing] }) {
      const own = type ?? value.type
      return { type: own, sql: held(own, ofNumbers(value, make(value.type))) }
    },
  })
}

const deviation = simple('mv_median_absolute_deviation', undefined, (type) =>
  bound(median(type, sql`l`), sql`m`, median(type, sql`arrayMap(x -> abs(x - m), l)`)),
)

/** Between two values the share of the way between them. */
const percentile = defineFunction({
  name: 'mv_percentile',
  params: [
    { ...number, shown: 'numeric except unsigned_long' },
    { name: 'percentile', types: numericTypes, shown: 'numeric except unsigned_long' },
  ],
  compile({ values: [value = nothing], sql: [, percent = nullOf('double')] }): Answer {
    const place = sql`(p / 100 * (length(s) - 1))`
    const low = sql`s[toInt64(floor(${place})) + 1]`
    const high = sql`s[toInt64(ceil(${place})) + 1]`
    const between = sql`(toFloat64(${low}) + (${place} - floor(${place})) * (toFloat64(${high}) - toFloat64(${low})))`
    const found = value.type === 'double' ? between : sql`toInt128(trunc(${between}))`
    const read = sql`if(${low} = ${high}, ${low}, ${found})`
    // Another percentage than 0 to 100 has no place.
    const safe = sql`ifNull(if(toFloat64(${percent}) BETWEEN 0 AND 100, toFloat64(${percent}), NULL), -1)`
    const within = sql`arrayMap((s, p) -> if(p < 0, NULL, ${read}), [arraySort(l)], [${safe}])[1]`
    return { type: value.type, sql: held(value.type, ofNumbers(value, within)) }
  },
})

/** Each number by its place (from 1) to the power of `p`. */
const weightedSum = defineFunction({
  name: 'mv_pseries_weighted_sum',
  params: [number, { name: 'p', types: numericTypes, constant: true }],
  compile({ values: [value = nothing, power] }): Answer {
    const exponent = num(Number(power?.literal ?? 0))
    const each = sql`arrayMap((x, i) -> toFloat64(x) / pow(i, ${exponent}), l, arrayEnumerate(l))`
    return { type: 'double', sql: held('double', ofNumbers(value, sql`arraySum(${each})`)) }
  },
})

/** Functions of the numbers of a list. */
export const multiValueNumberFunctions: readonly EsqlFunction[] = [
  simple('mv_avg', 'double', () => sql`(toFloat64(arraySum(l)) / length(l))`),
  simple('mv_sum', undefined, () => sql`arraySum(l)`),
  simple('mv_median', undefined, (type) => median(type, sql`l`)),
  deviation,
  percentile,
  weightedSum,
]
