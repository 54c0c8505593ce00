import { once } from '../../sql/once.ts'
import { num, type Sql, sql } from '../../sql/sql.ts'
import { type Answer, defineFunction, type EsqlFunction, type FunctionParameter } from '../define-function.ts'
import { exception, missingReason, severalReason } from '../faults.ts'
import { finite, held } from '../operators.ts'
import { type EsqlType, numericTypes, wholeTypes } from '../types.ts'
import { single } from '../value.ts'
import { roundFunctions } from './rounding.ts'

const number = (name: string): FunctionParameter => ({ name, types: numericTypes })

function double(value: Sql = sql`NULL`): Sql {
  return sql`toFloat64(${value})`
}

/** A function of one number that answers a double, none where it has no value. */
function ofOne(name: string, compute: (value: Sql) => Sql, failed?: string): EsqlFunction {
  return defineFunction({
    name,
    params: [number('number')],
    fault: failed === undefined ? undefined : unanswered(failed),
    compile: ({ sql: [value] }) => ({ type: 'double', sql: finite(compute(double(value))) }),
  })
}

/** What is said of arguments that have no answer. */
function unanswered(reason: string): EsqlFunction['fault'] {
  return ({ sql: args }, { sql: answer }) =>
    missingReason(answer, args, exception('java.lang.ArithmeticException', reason))
}

function ofTwo(name: string, names: readonly [string, string], compute: (a: Sql, b: Sql) => Sql): EsqlFunction {
  return defineFunction({
    name,
    params: names.map(number),
    fault: name === 'pow' ? unanswered('not a finite double number: Infinity') : undefined,
    compile: ({ sql: [a, b] }) => ({ type: 'double', sql: finite(compute(double(a), double(b))) }),
  })
}

function constant(name: string, value: number): EsqlFunction {
  return defineFunction({ name, params: [], compile: () => ({ type: 'double', sql: num(value), literal: value }) })
}

/** The type of a number; doubles for what has none. */
function typeOf(type: EsqlType | undefined): EsqlType {
  return type === undefined || type === 'null' ? 'double' : type
}

const abs = defineFunction({
  name: 'abs',
  ofItsArgument: true,
  params: [number('number')],
  compile({ sql: [value = sql`NULL`], values: [given] }): Answer {
    const type = typeOf(given?.type)
    if (type === 'unsigned_long') return { type, sql: value }
    return { type, sql: type === 'double' ? sql`abs(${value})` : held(type, sql`abs(${value})`) }
  },
})

/** Whole numbers are what they are, also several of them. */
function toWhole(name: 'ceil' | 'floor'): EsqlFunction {
  return defineFunction({
    name,
    ofItsArgument: true,
    fault: ({ values }) => (values[0]?.type === 'double' ? severalReason(values) : undefined),
    params: [{ ...number('number'), many: true }],
    compile({ values: [given] }) {
      const type = typeOf(given?.type)
      if (!given || wholeTypes.includes(type)) return { type, sql: given?.sql ?? sql`NULL`, many: given?.many ?? false }
      return { type, sql: name === 'ceil' ? sql`ceil(${single(given)})` : sql`floor(${single(given)})` }
    },
  })
}

const log = defineFunction({
  name: 'log',
  fault: unanswered('Log of non-positive number'),
  params: [number('base'), { ...number('number'), optional: true }],
  compile: ({ sql: [first, second] }) => ({
    type: 'double',
    // Neither is a base that no power makes anything else of: the logarithm of 0 is endless, and what is divided by it is not.
    sql: finite(
      second
        ? sql`(log(${double(second)}) / log(nullIf(greatest(${double(first)}, 0), 0)))`
        : sql`log(${double(first)})`,
    ),
  }),
})

const copySign = defineFunction({
  name: 'copy_sign',
  params: [number('magnitude'), number('sign')],
  compile({ sql: [magnitude = sql`NULL`, sign], values: [given] }): Answer {
    const type = typeOf(given?.type)
    // A zero has a sign, too.
    const signed = once(
      'sign_of',
      double(sign),
      (of) => sql`multiIf(isNull(${of}), NULL, ${of} < 0 OR ${of} = 0 AND 1 / ${of} < 0, -1, 1)`,
    )
    const value = type === 'double' ? sql`abs(${magnitude})` : sql`abs(toInt128(${magnitude}))`
    return { type, sql: type === 'double' ? sql`(${value} * ${signed})` : held(type, sql`(${value} * ${signed})`) }
  },
})

const scalb = defineFunction({
  name: 'scalb',
  params: [number('d'), { name: 'scaleFactor', types: ['integer', 'long'] }],
  compile: ({ sql: [value, factor = sql`NULL`] }) => {
    // In two steps: 2^n alone may be too great, or nothing, where its product is neither.
    const half = sql`intDiv(${factor}, 2)`
    const within = sql`(${factor} BETWEEN -2147483648 AND 2147483647)`
    const scaled = sql`(${double(value)} * exp2(${half}) * exp2(${factor} - ${half}))`
    return { type: 'double', sql: finite(sql`if(${within}, ${scaled}, NULL)`) }
  },
})

/** The engine's own power of an exponent beyond 2^53 is none. */
function power(base: Sql, exponent: Sql): Sql {
  return sql`pow(${base}, greatest(least(${exponent}, 9007199254740992.), -9007199254740992.))`
}

/** Functions of numbers. */
export const mathFunctions: readonly EsqlFunction[] = [
  abs,
  toWhole('ceil'),
  toWhole('floor'),
  log,
  copySign,
  scalb,
  ...roundFunctions,
  constant('e', Math.E),
  constant('pi', Math.PI),
  constant('tau', 2 * Math.PI),
  ofOne('acos', (x) => sql`acos(${x})`, 'Acos input out of range'),
  ofOne('asin', (x) => sql`asin(${x})`, 'Asin input out of range'),
  ofOne('atan', (x) => sql`atan(${x})`),
  ofOne('cbrt', (x) => sql`cbrt(${x})`),
  ofOne('cos', (x) => sql`cos(${x})`),
  ofOne('cosh', (x) => sql`cosh(${x})`, 'cosh overflow'),
  ofOne('exp', (x) => sql`exp(${x})`),
  ofOne('log10', (x) => sql`log10(${x})`, 'Log of non-positive number'),
  ofOne('signum', (x) => double(sql`sign(${x})`)),
  ofOne('sin', (x) => sql`sin(${x})`),
  ofOne('sinh', (x) => sql`sinh(${x})`, 'sinh overflow'),
  ofOne('sqrt', (x) => sql`sqrt(${x})`, 'Square root of negative'),
  ofOne('tan', (x) => sql`tan(${x})`),
  ofOne('tanh', (x) => sql`tanh(${x})`),
  ofTwo('atan2', ['y_coordinate', 'x_coordinate'], (y, x) => sql`atan2(${y}, ${x})`),
  ofTwo('hypot', ['number1', 'number2'], (a, b) => sql`hypot(${a}, ${b})`),
  ofTwo('pow', ['base', 'exponent'], power),
]
