import { describe, expect, it } from 'vitest'
import { openLogs } from './functions.fixture.ts'

const rows = openLogs()

const ofConstants = [
  ['bit_length("é") | byte_length("😀") | length("a😀é") | length("")', [16, 4, 3, 0]],
  ['concat("a", "b", "c") | concat("a", null)', ['abc', null]],
  ['contains("abc", "bc") | contains("abc", "") | contains("abc", "x")', [true, true, false]],
  ['starts_with("abc", "ab") | starts_with("abc", "b") | ends_with("abc", "c")', [true, false, true]],
  ['left("a😀bc", 2) | left("abc", -1) | left("abc", 99) | left("abc", null)', ['a😀', '', 'abc', null]],
  ['right("a😀b", 2) | right("abc", 0) | right("abc", 9) | right(null, 1)', ['😀b', '', 'abc', null]],
  ['substring("a😀bc", 2, 2) | substring("abc", 2) | substring("abc", 0, 2)', ['😀b', 'bc', 'ab']],
  ['substring("abc", -2) | substring("abc", -9, 2) | substring("abc", -1, 5)', ['bc', 'ab', 'c']],
  ['substring("abc", 9) | substring("abc", 1, 0) | substring("abc", 2, -1)', ['', '', null]],
  ['locate("a😀b😀", "😀") | locate("a😀b😀", "😀", 3) | locate("abc", "z")', [2, 4, 0]],
  ['locate("abc", "a", -4) | locate("abc", "a", 2) | locate("abc", "c", null)', [1, 0, null]],
  ['repeat("ab", 3) | repeat("a", 0) | repeat("a", -1) | repeat("", 1000000000)', ['ababab', '', null, '']],
  ['repeat("a", 1000000000) | repeat("a", 9223372036854775807) | space(2000000)', [null, null, null]],
  ['length(repeat("a", 1048576)) | length(space(1048576)) | space(3) | space(-1)', [1048576, 1048576, '   ', null]],
  ['length(concat(repeat("a", 600000), repeat("b", 600000)))', [null]],
  ['split("a;b;;c;", ";") | split("", ",") | split("a😀b", "😀")', [['a', 'b', '', 'c', ''], '', ['a', 'b']]],
  ['reverse("aé😀") | reverse("👨‍👩‍👧é🇩🇪👍🏽a") | reverse("")', ['😀éa', 'a👍🏽🇩🇪é👨‍👩‍👧', '']],
  ['trim("  \\t a b \\n") | ltrim("  a ") | rtrim(" a  ") | trim("  ")', ['a b', 'a ', ' a', '']],
  ['to_lower("ÀÉ😀") | to_upper("straße") | to_lower(["A", "B"])', ['àé😀', 'STRASSE', ['a', 'b']]],
  ['to_base64("a😀") | from_base64("YfCfmIA=") | from_base64("YQ") | from_base64("")', ['YfCfmIA=', 'a😀', 'a', '']],
  ['from_base64("!!") | from_base64("Y") | from_base64("YQ===")', [null, null, null]],
  ['url_encode("a b*~.-_/é") | url_encode_component("a b*~")', ['a+b%2A~.-_%2F%C3%A9', 'a%20b%2A~']],
  [
    'url_decode("a+b%20%C3%A9") | url_decode("%zz") | url_decode("100%") | url_decode("%2")',
    ['a b é', null, null, null],
  ],
  ['replace("foo bar", "o+", "0") | replace("abc", "(?i)B", "x")', ['f0 bar', 'axc']],
  ['replace("John Smith", "(\\\\w+) (\\\\w+)", "$2, $1") | replace("a.b", "\\\\.", "\\\\$")', ['Smith, John', 'a$b']],
  ['replace("ab", "", "-") | replace("a\\nb", "a.b", "x") | replace("a", "a", null)', ['-a-b-', 'a\nb', null]],
  ['replace(repeat("a", 1000000), "a", repeat("b", 1000000))', [null]],
] as const

const ofColumns = [
  ['length(s)', [1, null, null, 0]],
  ['concat(s, "-", m)', ['a-quick brown fox', null, null, '-']],
  ['contains(s, "a")', [true, null, null, false]],
  ['left(m, n)', ['q', null, null, '']],
  ['right(m, l)', [' brown fox', null, null, '']],
  ['substring(m, l)', ['wn fox', null, null, '']],
  ['substring(m, -n, n)', ['x', null, null, '']],
  ['locate(m, "o", n)', [9, null, null, 0]],
  ['repeat(s, n)', ['a', null, null, '']],
  ['space(l)', [' '.repeat(10), null, null, null]],
  ['split(m, " ")', [['quick', 'brown', 'fox'], null, null, '']],
  ['reverse(m)', ['xof nworb kciuq', null, null, '']],
  ['to_upper(s)', ['A', null, ['A', 'B', '😀'], '']],
  ['to_base64(s)', ['YQ==', null, null, '']],
  ['replace(m, "o(.)", "<$1>")', ['quick br<w>n f<x>', null, null, '']],
  ['replace(m, "q", s)', ['auick brown fox', null, null, '']],
  ['url_encode(m)', ['quick+brown+fox', null, null, '']],
] as const

const refused = [
  ['concat(s, n)', 'second argument of [concat(s, n)] must be [string], found value [n] type [integer]'],
  ['length(n)', 'argument of [length(n)] must be [string], found value [n] type [integer]'],
  ['split(m, s)', 'second argument of [split(m, s)] must be a constant, received [s]'],
  ['split(m, "")', 'delimiter of [split(m, "")] must not be empty'],
  ['repeat(s, 1.5)', 'found value [1.5] type [double]'],
  ['concat("a")', 'error building [concat]: expects at least two arguments'],
  ['replace(s, "[", "x")', 'Invalid regex pattern [[] in [replace(s, "[", "x")]'],
  ['replace(s, "(?=b)", "x")', 'invalid or unsupported Perl syntax'],
  ['replace(s, "(((a{0,100}){0,100}){0,100}){0,100}", "x")', 'invalid repeat count'],
  ['replace(s, "(a)", "$9")', 'Invalid replacement [$9]: No group 9'],
] as const

describe('functions of texts', () => {
  it.each(ofConstants)('%s', async (text, expected) => {
    const fields = text.split(' | ')
    expect(fields.length).toBe(expected.length)
    expect(await rows(`ROW ${fields.map((field, at) => `x${at} = ${field}`).join(', ')}`)).toEqual([expected])
  })

  it.each(ofColumns)('%s of columns', async (text, expected) => {
    expect((await rows(`FROM logs | EVAL x = ${text} | SORT n | KEEP x`)).flat()).toEqual(expected)
  })

  it('reads groups and signs of a replacement that is a column', async () => {
    const text =
      'ROW a = "$9", b = "<$1>", c = "\\\\" | EVAL d = replace("xay", "(a)", a), e = replace("xay", "(a)", b), f = replace("xay", "(a)", c)'
    expect(await rows(`${text} | KEEP d, e, f`)).toEqual([[null, 'x<a>y', 'x\\y']])
  })

  it('takes no long time for patterns that others do not end with', async () => {
    const text = 'ROW a = repeat("a", 30000) | EVAL b = length(replace(a, "(a*)*(a*)*(a*)*b", "x")) | KEEP b'
    expect(await rows(text)).toEqual([[30_000]])
  })

  it.each(refused)('refuses %s', async (text, reason) => {
    await expect(rows(`FROM logs | EVAL x = ${text}`)).rejects.toThrow(reason)
  })
})
