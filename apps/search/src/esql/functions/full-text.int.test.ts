import { describe, expect, it } from 'vitest'
import { openLogs } from './functions.fixture.ts'

const rows = openLogs()

const conditions = [
  ['match(m, "quick")', [1, 3]],
  ['match(m, "quick fox", {"operator": "AND"})', [1]],
  ['match(m, "quikc", {"fuzziness": 2, "prefix_length": 1, "boost": 1.5})', [1, 3]],
  ['m : "dog" OR s : "a"', [1, 3]],
  ['NOT m : "quick"', [2, 4]],
  ['n : 2', [2]],
  ['n : "2" OR n : "abc"', [2]],
  ['l : 9223372036854775807', [4]],
  ['match(ip, "10.0.0.2")', [3]],
  ['match(t, "2026-01-01")', [1]],
  ['match(b, true) AND n < 3', [1]],
  ['match_phrase(m, "brown fox")', [1]],
  ['match_phrase(m, "fox brown")', []],
  ['match_phrase(m, "quick fox", {"slop": 2})', [1]],
  ['multi_match("quick", m, s)', [1, 3]],
  ['multi_match("a", m, s, {"type": "best_fields"})', [1, 3]],
  ['qstr("m: lazy OR s: a")', [1, 3]],
  ['qstr("lazy", {"default_field": "m"})', [3]],
  ['kql("m: lazy and s: *")', [3]],
  ['kql("n >= 3")', [3, 4]],
  ['kql("t > 2026-01-01", {"time_zone": "Europe/Berlin"})', [3]],
  ['term(s, "a")', [1, 3]],
  ['match(e, "run") AND e : "fox"', [1]],
  ['match_phrase(e, "runs fox") OR multi_match("dog", e, m)', [1, 3]],
] as const

const queries = [
  ['FROM logs | STATS c = COUNT(*) WHERE m : "quick"', [[2]]],
  ['FROM logs | EVAL z = 1 | WHERE s : "a" | SORT n | KEEP n', [[1], [3]]],
  ['FROM logs | RENAME s AS x | WHERE match(x, "a") | SORT n | KEEP n', [[1], [3]]],
  ['FROM logs | SORT n | WHERE n > 1 | WHERE qstr("s:a") | KEEP n', [[3]]],
] as const

const refused = [
  ['EVAL x = s | WHERE match(x, "a")', '[MATCH] function cannot operate on [x], which is not a field from an index'],
  ['WHERE concat(s, "a") : "x"', '[:] operator cannot operate on [concat(s, "a")], which is not a field from an index'],
  ['LIMIT 2 | WHERE match(s, "a")', '[MATCH] function cannot be used after LIMIT'],
  ['STATS c = COUNT(*) BY s | WHERE match(s, "a")', 'which is not a field from an index mapping'],
  ['EVAL z = 1 | WHERE qstr("x")', '[QSTR] function cannot be used after EVAL'],
  ['LIMIT 1 | WHERE kql("x")', '[KQL] function cannot be used after LIMIT'],
  ['WHERE kql("(")', 'Failed to parse KQL query [(]'],
  [
    'WHERE match(m, "x", {"nope": 1})',
    'Invalid option [nope] in [match(m, "x", {"nope": 1})], expected one of [analyzer',
  ],
  ['WHERE match(m, "x", {"boost": "abc"})', 'cannot cast [abc] to [float]'],
  ['WHERE match(m, "x", 5)', 'third argument of [match(m, "x", 5)] must be a map expression, received [5]'],
  ['WHERE match(m, s)', 'second argument of [match(m, s)] must be a constant, received [s]'],
  ['WHERE match(m, null)', 'second argument of [match(m, null)] cannot be null, received [null]'],
  ['WHERE match_phrase(n, "x")', 'found value [n] type [integer]'],
  ['WHERE multi_match("x", {"type": "phrase"})', 'expects at least two arguments'],
  ['WHERE match(l, "abc", {"lenient": false})', 'For input string: "abc"'],
  ['WHERE match(m, "x", {"boost": 1, "boost": 2})', 'Duplicated function arguments with the same name [boost]'],
  ['WHERE match(m, "x", {"boost": n})', 'Invalid named parameter [boost], only constant values are supported'],
  ['WHERE concat(s, {"a": 1}) == "x"', 'second argument of [concat(s, {"a": 1})] must be [string]'],
  ['constructor', "mismatched input 'constructor' expecting"],
  ['EVAL x = 1::constructor', 'Unknown data type named [constructor]'],
  ['EVAL x = 1 constructor', "extraneous input 'constructor' expecting <EOF>"],
  ['WHERE match(m, "x", {"constructor": 1})', 'Invalid option [constructor]'],
  ['EVAL x = {"a": 1}', "mismatched input '{' expecting {QUOTED_STRING"],
] as const

describe('full text functions', () => {
  it.each(conditions)('WHERE %s', async (text, expected) => {
    expect((await rows(`FROM logs | WHERE ${text} | SORT n | KEEP n`)).flat()).toEqual(expected)
  })

  it.each(queries)('%s', async (text, expected) => {
    expect(await rows(text)).toEqual(expected)
  })

  it.each(refused)('refuses %s', async (text, reason) => {
    await expect(rows(`FROM logs | ${text}`)).rejects.toThrow(reason)
  })

  it.each(['ROW a = "x" | WHERE a : "x"', 'ROW a = "x" | WHERE qstr("x")'])('refuses %s', async (text) => {
    await expect(rows(text)).rejects.toThrow(/which is not a field|cannot be used after ROW/u)
  })
})
