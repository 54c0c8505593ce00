import { parseQuery } from '@logstack/esql'
import { describe, expect, it } from 'vitest'
import { ident } from '../sql/sql.ts'
import { compile } from './compile.ts'
import type { EsqlType } from './types.ts'

/** Each operand stands once in a statement: an expression of 30 levels that doubled with each would have 2^30 letters. */

const columns: Readonly<Record<string, readonly [type: EsqlType, many: boolean]>> = {
  n: ['integer', false],
  ns: ['long', true],
  d: ['double', false],
  ds: ['double', true],
  s: ['keyword', false],
  ss: ['keyword', true],
  t: ['date', false],
  ts: ['date', true],
  at: ['date_nanos', false],
  ip: ['ip', false],
  b: ['boolean', false],
  bs: ['boolean', true],
}

/** What is put into itself (`X`), and what it begins with. */
const nested = [
  ['round(X)', 'd'],
  ['round(X, 1)', 'ds'],
  ['round(X, -1)', 'n'],
  ['round(n, X)', 'n'],
  ['copy_sign(X, 1)', 'd'],
  ['(X + 1) / 2 - 3 * -n', 'ns'],
  ['url_decode(X)', 's'],
  ['trim(split(X, ","))', 's'],
  ['mv_zip(mv_append(X, ss), ss)', 'ss'],
  ['split(mv_concat(X, ","), ",")', 'ss'],
  ['mv_percentile(ds, X)', 'd'],
  ['mv_append(X == true, bs)', 'bs'],
  ['mv_append(X, ns) + 1', 'ns'],
  ['replace("a", "a", X)', 's'],
  ['locate("abc", "b", X)', 'n'],
  ['hash(X, "x")', 's'],
  ['substring(left(right(X, 9), 8), 1, 7)', 'ss'],
  ['to_integer(to_string(X))', 'n'],
  ['to_double(to_string(X))', 'ds'],
  ['to_boolean(to_string(X))', 'b'],
  ['to_ip(to_string(ip_prefix(X, 24, 64)))', 'ip'],
  ['to_string(to_datetime(X))', 's'],
  ['date_trunc(1 month, X)', 't'],
  ['date_trunc(1 hour, X)', 'ts'],
  ['bucket(X, 1 year)', 'at'],
  ['to_datetime(date_extract("clock_hour_of_ampm", X))', 't'],
  ['to_datetime(date_extract("year", date_trunc(1 month, X)))', 't'],
  ['to_datetime(date_diff("month", X, t))', 't'],
  ['to_date_nanos(date_extract("nano_of_day", X))', 'at'],
  ['date_parse("yyyy-MM-dd", date_format("yyyy-MM-dd", X))', 't'],
  ['to_datetime(day_name(X))', 't'],
  ['X in (b, not b)', 'b'],
  ['(X in (bs, true, not b)) == b', 'b'],
  ['to_string(X like ("a*", "b"))', 'ss'],
  ['to_string(X rlike ("a.*", "b"))', 's'],
  ['case(X, b, false)', 'b'],
  ['case(X > 1, n, ns)', 'ns'],
  ['coalesce(greatest(least(X, n), ns), n)', 'ns'],
] as const

function lettersOf(expression: string): number {
  const text = `ROW x = ${expression}`
  const [row] = parseQuery(text).commands
  const of = row?.command === 'row' ? row.fields[0]?.of : undefined
  if (!of) throw new Error('BUG: a query without a row')
  const value = compile(of, {
    text,
    nowMs: 0,
    matches: undefined,
    past: [],
    fieldTypes: () => new Map(),
    variants: () => [],
    groups: true,
    column(name, { from, to }) {
      const [type, many] = columns[name] ?? ['null', false]
      return { type, many, sql: ident(name), text: name, from, to }
    },
  })
  return value.sql.text.length
}

describe('nested expressions', () => {
  it.each(nested)('grow by the same with each level: %s of %s', (pattern, begun) => {
    let text: string = begun
    const letters = [lettersOf(text)]
    for (let level = 1; level <= 30; level += 1) {
      text = pattern.replace('X', `(${text})`)
      letters.push(lettersOf(text))
    }
    const growth = letters.slice(1).map((each, at) => each - (letters[at] ?? 0))
    // The first level is about a column, which is short enough to stand there several times.
    expect(Math.max(...growth.slice(1))).toBeLessThanOrEqual((growth[1] ?? 0) * 1.1)
  })
})
