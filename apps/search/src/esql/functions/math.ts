import { num, type Sql, sql } from '../../sql/sql.ts'
import { defineFunction, type EsqlFunction } from '../define-function.ts'
import { finite } from '../operators.ts'
import { type EsqlType, numericTypes, wholeTypes } from '../types.ts'
import type { Value } from '../value.ts'

const nothing = sql`NULL`
const double = (value: Sql): Sql => sql`toFloat64(${value})`

/** A function from doubles to a double; NULL outside its domain. */
function doubles(name: string, arity: 1 | 2, of: (a: Sql, b: Sql) => Sql): EsqlFunction {
  const params = ['number', 'second'].slice(0, arity).map((each) => ({ name: each, types: numericTypes }))
  return defineFunction({
    name,
    params,
    compile: ({ sql: [a = nothing, b = nothing] }) => ({ type: 'double', sql: finite(of(double(a), double(b))) }),
  })
}

/** A function that leaves whole numbers as they are. */
function ofFractions(name: string, of: (value: Sql) => Sql): EsqlFunction {
  return defineFunction({
    name,
    params: [{ name: 'number', types: numericTypes }],
    compile: ({ values: [value], sql: [number = nothing] }) =>
      value && isWhole(value) ? { type: value.type, sql: number } : { type: 'double', sql: of(number) },
  })
}

function isWhole({ type }: Value): boolean {
  return wholeTypes.includes(type)
}

function constant(name: string, value: number): EsqlFunction {
  return defineFunction({ name, params: [], compile: () => ({ type: 'double', sql: num(value) }) })
}

const abs = defineFunction({
  name: 'abs',
  params: [{ name: 'number', types: numericTypes }],
  compile({ values: [value], sql: [number = nothing] }) {
    const type = value?.type ?? 'double'
    if (type === 'unsigned_long') return { type, sql: number }
    return { type, sql: type === 'double' ? sql`abs(${number})` : sql`toInt64(abs(${number}))` }
  },
})

const log = defineFunction({
  name: 'log',
  params: [
    { name: 'base', types: numericTypes },
    { name: 'number', types: numericTypes, optional: true },
  ],
  compile: ({ sql: [first = nothing, second] }) => ({
    type: 'double',
    sql: finite(second ? sql`log(${double(second)}) / log(${double(first)})` : sql`log(${double(first)})`),
  }),
})

const round = defineFunction({
  name: 'round',
  params: [
    { name: 'number', types: numericTypes },
    { name: 'decimals', types: ['integer', 'long'], optional: true },
  ],
  compile({ values: [value, decimals], sql: [number = nothing, places] }) {
    const type = value?.type ?? 'double'
    const digits = places ?? sql`0`
    if (value && isWhole(value)) {
      const isKept = decimals === undefined || (typeof decimals.literal === 'bigint' && decimals.literal >= 0n)
      return { type, sql: isKept ? number : wholeRounded(type, number, digits) }
    }
    // Away from zero at a half, as people round.
    const size = sql`exp10(${digits})`
    return {
      type: 'double',
      sql: sql`if(abs(${number}) < 1e15, sign(${number}) * floor(abs(${number}) * ${size} + 0.5) / ${size}, ${number})`,
    }
  },
})

function wholeRounded(type: EsqlType, number: Sql, digits: Sql): Sql {
  const size = sql`toInt64(exp10(greatest(-${digits}, 0)))`
  const rounded = sql`sign(${number}) * intDiv(toInt128(abs(${number})) + intDiv(${size}, 2), ${size}) * ${size}`
  return sql`accurateCastOrNull(${rounded}, ${type === 'unsigned_long' ? sql`'UInt64'` : sql`'Int64'`})`
}

const signum = doubles('signum', 1, (a) => sql`toFloat64(sign(${a}))`)

/** Functions of numbers. */
export const mathFunctions: readonly EsqlFunction[] = [
  abs,
  doubles('acos', 1, (a) => sql`acos(${a})`),
  doubles('asin', 1, (a) => sql`asin(${a})`),
  doubles('atan', 1, (a) => sql`atan(${a})`),
  doubles('atan2', 2, (a, b) => sql`atan2(${a}, ${b})`),
  doubles('cbrt', 1, (a) => sql`cbrt(${a})`),
  ofFractions('ceil', (value) => sql`ceil(${value})`),
  doubles('copy_sign', 2, (a, b) => sql`if(${b} < 0, -abs(${a}), abs(${a}))`),
  doubles('cos', 1, (a) => sql`cos(${a})`),
  doubles('cosh', 1, (a) => sql`cosh(${a})`),
  constant('e', Math.E),
  doubles('exp', 1, (a) => sql`exp(${a})`),
  ofFractions('floor', (value) => sql`floor(${value})`),
  doubles('hypot', 2, (a, b) => sql`hypot(${a}, ${b})`),
  log,
  doubles('log10', 1, (a) => sql`log10(${a})`),
  constant('pi', Math.PI),
  doubles('pow', 2, (a, b) => sql`pow(${a}, ${b})`),
  round,
  doubles('scalb', 2, (a, b) => sql`${a} * pow(2, ${b})`),
  signum,
  doubles('sin', 1, (a) => sql`sin(${a})`),
  doubles('sinh', 1, (a) => sql`sinh(${a})`),
  doubles('sqrt', 1, (a) => sql`sqrt(${a})`),
  doubles('tan', 1, (a) => sql`tan(${a})`),
  doubles('tanh', 1, (a) => sql`tanh(${a})`),
  constant('tau', 2 * Math.PI),
  doubles('to_degrees', 1, (a) => sql`degrees(${a})`),
  doubles('to_radians', 1, (a) => sql`radians(${a})`),
]
