import { describe, expect, it } from 'vitest'
import { openLogs } from './functions.fixture.ts'

const rows = openLogs()

const ofConstants = [
  ['case(true, "a", "b")', 'a'],
  ['case(false, "a")', null],
  ['case(null, 1, 2)', 2],
  ['case(false, 1, true, 2, 3)', 2],
  ['case(true, 1, 2.5)', 1],
  ['case(true, [1, 2], 3)', [1, 2]],
  ['case(false, [1, 2], 3)', 3],
  ['coalesce(null, null)', null],
  ['coalesce(null, [1, 2], 3)', [1, 2]],
  ['coalesce(null, 2.5, 1)', 2.5],
  ['greatest(1, null)', null],
  ['greatest("a", "c", "b")', 'c'],
  ['greatest([1, 5], 3)', 5],
  ['greatest(true, false)', true],
  ['least(3, 1.5)', 1.5],
] as const

const ofColumns = [
  ['case(n == 1, "one", n == 2, "two")', ['one', 'two', null, null]],
  ['case(b, s, "other")', ['a', 'other', 'other', 'other']],
  ['case(s == "a", "yes", "no")', ['yes', 'no', 'no', 'no']],
  ['case(n > 1, s)', [null, null, ['a', 'b', '😀'], '']],
  ['case(b, l, 2.5)', [10, 2.5, 2.5, 2.5]],
  ['case(n == 1, ip)', ['10.0.0.1', null, null, null]],
  ['case(n == 1, t)', ['2026-01-01T00:00:00.000Z', null, null, null]],
  ['case(n > 2, b, n == 1)', [true, false, [false, true], false]],
  ['coalesce(s, "none")', ['a', 'none', ['a', 'b', '😀'], '']],
  ['coalesce(null, l, n)', [10, 2, [1, 2, 2, 3], 9223372036854775807n]],
  ['coalesce(d, n)', [1.5, 2, [1, 2.5], 0]],
  ['coalesce(ip, ip)', ['10.0.0.1', null, ['10.0.0.2', '2001:db8::1'], '192.168.1.77']],
  ['greatest(n, 2)', [2, 2, 3, 4]],
  ['greatest(s, "b")', ['b', null, '😀', 'b']],
  ['greatest(b, false)', [true, null, true, false]],
  ['least(l, n)', [1, null, 1, 4]],
] as const

const refused = [
  ['case(1, 2, 3)', 'first argument of [case(1, 2, 3)] must be [boolean], found value [1] type [integer]'],
  ['case(true, 1, "x")', 'third argument of [case(true, 1, "x")] must be [integer], found value ["x"] type [keyword]'],
  ['case(b, l, n, 2)', 'third argument of [case(b, l, n, 2)] must be [boolean], found value [n] type [integer]'],
  ['case(true)', 'error building [case]: expects at least two arguments'],
  ['coalesce(n, s)', 'second argument of [coalesce(n, s)] must be [integer], found value [s] type [keyword]'],
  ['coalesce()', 'error building [coalesce]: expects at least one argument'],
  ['greatest(t, n)', 'second argument of [greatest(t, n)] must be [datetime], found value [n] type [integer]'],
] as const

describe('functions that choose', () => {
  it.each(ofConstants)('%s', async (text, expected) => {
    expect(await rows(`ROW x = ${text}`)).toEqual([[expected]])
  })

  it.each(ofColumns)('%s of columns', async (text, expected) => {
    expect((await rows(`FROM logs | EVAL x = ${text} | SORT n | KEEP x`)).map(([x]) => x)).toEqual(expected)
  })

  it('takes columns that are null in every row', async () => {
    const calls = [
      'length(x)',
      'concat(x, "a")',
      'case(x, 1, 2)',
      'mv_count(x)',
      'greatest(x, 1)',
      'coalesce(x, 1)',
      'mv_append(x, 1)',
      'cidr_match(x, "10.0.0.0/8")',
      'split(x, ",")',
      'mv_sum(x)',
      'mv_zip(x, "a")',
      'replace(x, "a", "b")',
      'hash("md5", x)',
      'mv_concat(x, ",")',
      'mv_slice(x, 0)',
      'to_upper(x)',
      'mv_percentile(x, 50)',
      'mv_contains("a", x)',
      'mv_dedupe(x)',
    ]
    const fields = calls.map((call, at) => `y${at} = ${call}`)
    const names = calls.map((_, at) => `y${at}`)
    const answer = [
      null,
      null,
      2,
      null,
      null,
      1,
      null,
      null,
      null,
      null,
      'a',
      null,
      null,
      null,
      null,
      null,
      null,
      true,
      null,
    ]
    expect(await rows(`ROW x = null | EVAL ${fields.join(', ')} | KEEP ${names.join(', ')}`)).toEqual([answer])
  })

  it.each(refused)('refuses %s', async (text, reason) => {
    await expect(rows(`FROM logs | EVAL x = ${text}`)).rejects.toThrow(reason)
  })
})
