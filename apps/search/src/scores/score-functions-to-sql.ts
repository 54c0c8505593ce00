import type { FieldColumns } from '../sql/field-columns.ts'
import { distanceSql } from '../sql/geo-to-sql.ts'
import { type ColumnLookup, columnsOf, predicateSql, truth } from '../sql/predicate-to-sql.ts'
import { refusalSql } from '../sql/refusal.ts'
import { num, type Sql, sql } from '../sql/sql.ts'
import type { ScoreFunction, ScoreFunctions } from './score-functions.ts'

const modifiers: Readonly<Record<string, (value: Sql) => Sql>> = {
  none: (value) => value,
  log: (value) => sql`log10(${value})`,
  log1p: (value) => sql`log10(${value} + 1)`,
  log2p: (value) => sql`log10(${value} + 2)`,
  ln: (value) => sql`log(${value})`,
  ln1p: (value) => sql`log1p(${value})`,
  ln2p: (value) => sql`log(${value} + 2)`,
  square: (value) => sql`(${value} * ${value})`,
  sqrt: (value) => sql`sqrt(${value})`,
  reciprocal: (value) => sql`(1 / ${value})`,
}

/** What the functions of a `function_score` make of a score: an expression over the rows of one table. */
export function scoreFunctionsSql(functions: ScoreFunctions, score: Sql, lookup: ColumnLookup): Sql {
  const { of, scoreMode, boostMode, boostMax } = functions
  // Bound once each, so that no expression is written out again for every mode that names it.
  const factor = of.length === 0 ? sql`1.` : combined(of, scoreMode, lookup)
  // What is no number stays none, as in Java; the engine's `least` and `greatest` would take the other one.
  const made = sql`if(isNaN(f), f, ${boosts[boostMode](sql`q`, sql`least(f, ${double(boostMax)})`)})`
  const changed = sql`arrayMap((q, f) -> ${made}, [toFloat64(${score})], [toFloat64(${factor})])`
  return sql`arraySum(arrayMap(s -> if(isNaN(s) OR s < 0, ${refusedScore}, s), ${changed}))`
}

const refusedScore = refusalSql(
  'function score query returned an invalid score: ',
  { number: sql`s` },
  ' for doc: ',
  sql`toString(_seq_no)`,
)

const boosts: Readonly<Record<ScoreFunctions['boostMode'], (score: Sql, factor: Sql) => Sql>> = {
  multiply: (score, factor) => sql`${score} * ${factor}`,
  replace: (_score, factor) => factor,
  sum: (score, factor) => sql`${score} + ${factor}`,
  avg: (score, factor) => sql`(${score} + ${factor}) / 2`,
  max: (score, factor) => sql`greatest(${score}, ${factor})`,
  min: (score, factor) => sql`least(${score}, ${factor})`,
}

/** The factor of the functions whose filters hold; 1 when none does. */
function combined(of: readonly ScoreFunction[], given: ScoreFunctions['scoreMode'], lookup: ColumnLookup): Sql {
  // One that always holds is the factor itself: there is nothing to take a weighted mean of.
  const mode = of.length === 1 && of[0]?.when.op === 'all' ? 'first' : given
  const pairs = of.map(({ when, weight, value }) => {
    const own = value ? sql`${double(weight)} * (${functionSql(value, lookup)})` : double(weight)
    const pair = sql`[(toFloat64(${own}), ${double(weight)})]`
    return when.op === 'all' ? pair : sql`if(${truth(predicateSql(when, lookup))}, ${pair}, [])`
  })
  const found = sql`arrayConcat(${pairs[0] ?? sql`[]`}${pairs.slice(1).reduce((text, pair) => sql`${text}, ${pair}`, sql``)})`
  return sql`arraySum(arrayMap(found -> if(empty(found), 1., ${modes[mode]}), [${found}]))`
}

const values = sql`arrayMap(pair -> pair.1, found)`
/** The greatest or least of numbers; none where one is none. */
const ofNumbers = (chosen: Sql) => sql`if(arrayExists(one -> isNaN(one), ${values}), nan, ${chosen})`
const modes: Readonly<Record<ScoreFunctions['scoreMode'], Sql>> = {
  multiply: sql`arrayProduct(${values})`,
  sum: sql`arraySum(${values})`,
  avg: sql`if(arraySum(pair -> pair.2, found) = 0, 1., arraySum(${values}) / arraySum(pair -> pair.2, found))`,
  first: sql`(found[1]).1`,
  max: ofNumbers(sql`arrayMax(${values})`),
  min: ofNumbers(sql`arrayMin(${values})`),
}

function functionSql(value: NonNullable<ScoreFunction['value']>, lookup: ColumnLookup): Sql {
  switch (value.kind) {
    case 'field':
      return factorSql(value, lookup)
    case 'decay':
      return decaySql(value, lookup)
    case 'random': {
      const columns = value.field && columnsOf(value.field, lookup)
      const seed = columns ? sql`toString(${columns.one})` : sql`_id`
      return sql`(sipHash64(${seed}, _index, ${num(value.seed)}) % 16777216) / 16777216`
    }
    case 'computed': {
      const columns = columnsOf(value.field, lookup)
      return columns ? sql`ifNull(toFloat64(${columns.one}), 0.)` : sql`0.`
    }
  }
}

type Factor = Extract<NonNullable<ScoreFunction['value']>, { readonly kind: 'field' }>

/** What is better where a modifier makes small values negative. */
const advice: Readonly<Record<string, string>> = {
  ln: '; consider using ln1p or ln2p instead of ln to avoid negative scores',
  log: '; consider using log1p or log2p instead of log to avoid negative scores',
}

function factorSql({ field, factor, modifier, missing }: Factor, lookup: ColumnLookup): Sql {
  const columns = columnsOf(field, lookup)
  const plain = columns ? sql`toFloat64(${firstValue(columns)})` : sql`CAST(NULL, 'Nullable(Float64)')`
  // What hangs on no row the engine reckons for all of them, where scores are a condition.
  const ofRow = sql`left(toString(_seq_no), 0)`
  const other = missing === undefined ? refusalSql(`Missing value for field [${field.path}]`, ofRow) : double(missing)
  const modify = modifiers[modifier] ?? ((given: Sql) => given)
  const refused = refusalSql(
    'field value function must not produce negative scores, but got: [',
    { number: sql`r` },
    '] for field value: [',
    { number: sql`v` },
    `]${advice[modifier] ?? ''}`,
  )
  const made = sql`arrayMap(v -> ${modify(sql`(${double(factor)} * v)`)}, given)`
  const checked = sql`arraySum(arrayMap((v, r) -> if(r < 0, ${refused}, r), given, ${made}))`
  return sql`arraySum(arrayMap(given -> ${checked}, [[if(isNull(${plain}), ${other}, assumeNotNull(${plain}))]]))`
}

function firstValue({ one, many }: FieldColumns): Sql {
  return many ? sql`if(empty(${many}), ${one}, toNullable(arrayMin(${many})))` : one
}

type Decay = Extract<NonNullable<ScoreFunction['value']>, { readonly kind: 'decay' }>

/** A decay over the distances of all values; a document without a value is not made less. */
function decaySql(decay: Decay, lookup: ColumnLookup): Sql {
  const columns = columnsOf(decay.field, lookup)
  if (!columns) return sql`1.`
  const away = (value: Sql) => {
    const whole = decay.point
      ? distanceSql(value, decay.point)
      : sql`abs(toFloat64(${value}) - ${double(decay.origin)})`
    return sql`greatest(0., ${whole} - ${double(decay.offset)})`
  }
  const one = sql`if(isNull(${columns.one}), [], [${away(sql`assumeNotNull(${columns.one})`)}])`
  const distances = columns.many
    ? sql`if(empty(${columns.many}), ${one}, arrayMap(x -> ${away(sql`x`)}, ${columns.many}))`
    : one
  const nearest = { min: sql`arrayMin(d)`, max: sql`arrayMax(d)`, avg: sql`arrayAvg(d)`, sum: sql`arraySum(d)` }
  return sql`arraySum(arrayMap(d -> if(empty(d), 1., ${shaped(nearest[decay.mode], decay)}), [${distances}]))`
}

function shaped(distance: Sql, { shape, scale, decay }: Decay): Sql {
  if (shape === 'pivot') return sql`${double(scale)} / (${double(scale)} + ${distance})`
  if (shape === 'exp') return sql`exp(${double(Math.log(decay) / scale)} * ${distance})`
  if (shape === 'gauss') return sql`exp(${double(Math.log(decay) / scale ** 2)} * ${distance} * ${distance})`
  const reach = scale / (1 - decay)
  return sql`greatest(0., (${double(reach)} - ${distance}) / ${double(reach)})`
}

function double(value: number): Sql {
  return sql`toFloat64(${num(value)})`
}
