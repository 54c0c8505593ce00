import { describe, expect, it } from 'vitest'
import { openLogs } from './functions.fixture.ts'

const rows = openLogs()
const most = 9223372036854775807n

const ofConstants = [
  ['mv_append(1, null)', null],
  ['mv_append([1, 2], 3)', [1, 2, 3]],
  ['mv_append("a", "b")', ['a', 'b']],
  ['mv_append(1, 2.5)', [1, 2.5]],
  ['mv_contains(null, "a")', false],
  ['mv_contains(null, null)', true],
  ['mv_contains(["a", "b"], ["b", "b"])', true],
  ['mv_contains(["a", "b"], "c")', false],
  ['mv_count([1, 1])', 2],
  ['mv_count(null)', null],
  ['mv_dedupe(["b", "a", "b"])', ['b', 'a']],
  ['mv_first([3, 1])', 3],
  ['mv_last([3, 1])', 1],
  ['mv_max(["a", "c", "b"])', 'c'],
  ['mv_min([3, 1])', 1],
  ['mv_concat(["a", "😀"], ", ")', 'a, 😀'],
  ['mv_concat("a", ",")', 'a'],
  ['mv_concat(["a", "b"], null)', null],
  ['mv_slice([1, 2, 3], 0)', 1],
  ['mv_slice([1, 2, 3], 1, 99)', [2, 3]],
  ['mv_slice([1, 2, 3], -2, -1)', [2, 3]],
  ['mv_slice([1, 2, 3], -9, -3)', 1],
  ['mv_slice([1, 2, 3], 5)', null],
  ['mv_sort([2, 3, 1])', [1, 2, 3]],
  ['mv_sort(["a", "b"], "DESC")', ['b', 'a']],
  ['mv_sort(3)', 3],
  ['mv_zip(["a", "b", "c"], ["x"])', ['a,x', 'b', 'c']],
  ['mv_zip(["a"], ["x", "y"], "-")', ['a-x', 'y']],
  ['mv_avg([1, 2])', 1.5],
  ['mv_avg(3)', 3],
  ['mv_sum([1, 2, 3])', 6],
  ['mv_sum([2147483647, 1])', null],
  ['mv_sum([9223372036854775807, 1])', null],
  ['mv_sum([1e308, 1e308])', null],
  ['mv_median([0, 2, 5, 6])', 3],
  ['mv_median([-3, -2])', -3],
  ['mv_median([1.0, 2.0])', 1.5],
  ['mv_median_absolute_deviation([0, 2, 5, 6])', 2],
  ['mv_median_absolute_deviation([0.0, 2.0, 5.0, 6.0])', 2],
  ['mv_percentile([5, 5, 10, 12, 5000], 50)', 10],
  ['mv_percentile([1.0, 2.0], 25)', 1.25],
  ['mv_percentile([9223372036854775807, 9223372036854775806], 0)', 9223372036854775806n],
  ['mv_percentile([1, 2], 101)', null],
  ['mv_pseries_weighted_sum([70.0, 45.0, 21.0, 21.0, 21.0], 1.5)', 94.45465156212452],
] as const

const ofColumns = [
  ['mv_append(s, "z")', [['a', 'z'], null, ['a', 'b', '😀', 'z'], ['', 'z']]],
  ['mv_concat(s, "-")', ['a', null, 'a-b-😀', '']],
  ['mv_concat(s, m)', ['a', null, null, '']],
  ['mv_contains(s, "a")', [true, false, true, false]],
  ['mv_count(s)', [1, null, 3, 1]],
  ['mv_dedupe(l)', [10, null, [1, 2, 3], most]],
  ['mv_first(ip)', ['10.0.0.1', null, '10.0.0.2', '192.168.1.77']],
  ['mv_last(s)', ['a', null, '😀', '']],
  ['mv_max(ip)', ['10.0.0.1', null, '2001:db8::1', '192.168.1.77']],
  ['mv_min(t)', ['2026-01-01T00:00:00.000Z', null, '2026-01-02T00:00:00.000Z', null]],
  ['mv_max(b)', [true, null, true, false]],
  ['mv_slice(s, 0, 1)', ['a', null, ['a', 'b'], '']],
  ['mv_slice(l, n)', [null, null, 3, null]],
  ['mv_slice(l, -n, n)', [null, null, null, null]],
  ['mv_sort(b)', [true, null, [false, true], false]],
  ['mv_sort(l, "desc")', [10, null, [3, 2, 2, 1], most]],
  ['mv_zip(s, s)', ['a,a', null, ['a,a', 'b,b', '😀,😀'], ',']],
  ['mv_avg(l)', [10, null, 2, 2 ** 63]],
  ['mv_sum(l)', [10, null, 8, most]],
  ['mv_median(d)', [1.5, null, 1.75, 0]],
  ['mv_percentile(l, n)', [10, null, 1, most]],
  ['mv_pseries_weighted_sum(l, 1)', [10, null, 1 + 2 / 2 + 2 / 3 + 3 / 4, 2 ** 63]],
] as const

const refused = [
  ['mv_append(n, s)', 'second argument of [mv_append(n, s)] must be [integer], found value [s] type [keyword]'],
  ['mv_sum(s)', 'argument of [mv_sum(s)] must be [numeric], found value [s] type [keyword]'],
  ['mv_concat(n, ",")', 'first argument of [mv_concat(n, ",")] must be [string], found value [n] type [integer]'],
  ['mv_sort(s, "up")', 'Invalid order value in [mv_sort(s, "up")], expected one of [ASC, DESC] but got [up]'],
  ['mv_sort(s, s)', 'second argument of [mv_sort(s, s)] must be a constant, received [s]'],
  ['mv_slice(s, 1, 0)', 'Start offset is greater than end offset'],
  ['mv_slice(s, -1, 1)', 'Start and end offset have different signs'],
] as const

describe('functions of lists', () => {
  it.each(ofConstants)('%s', async (text, expected) => {
    expect(await rows(`ROW x = ${text}`)).toEqual([[expected]])
  })

  it.each(ofColumns)('%s of columns', async (text, expected) => {
    expect((await rows(`FROM logs | EVAL x = ${text} | SORT n | KEEP x`)).map(([x]) => x)).toEqual(expected)
  })

  it.each(refused)('refuses %s', async (text, reason) => {
    await expect(rows(`FROM logs | EVAL x = ${text}`)).rejects.toThrow(reason)
  })

  it('takes long lists', async () => {
    const list = 'ROW a = split(repeat("a,", 40000), ",")'
    const text = `${list} | EVAL b = mv_count(mv_zip(a, a)), c = length(mv_concat(a, "xx")) | KEEP b, c`
    expect(await rows(text)).toEqual([[40_001, 120_000]])
  })

  it('stands deep in each other', async () => {
    const deep = `${'mv_append('.repeat(40)}s${', "x")'.repeat(40)}`
    expect(await rows(`FROM logs | WHERE n == 1 | EVAL x = mv_count(${deep}) | KEEP x`)).toEqual([[41]])
  })
})
