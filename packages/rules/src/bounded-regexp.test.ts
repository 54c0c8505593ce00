import { expect, it } from 'vitest'
import { boundedRegExp, RefusedPattern } from './bounded-regexp.ts'
import { luceneRegexp } from './lucene-regexp.ts'
import { regexpShape } from './regexp-shape.ts'

it('compiles what this runtime reads', () => {
  expect(boundedRegExp('^(?<key>\\w+)=', 'g').exec('a=b')?.groups).toEqual({ key: 'a' })
  const long = boundedRegExp(`^${'a'.repeat(1_000)}$`, 'g')
  expect([long.lastIndex, long.test('a'.repeat(1_000))]).toEqual([0, true])
})

it.each([
  ['a fault', '(a', /Unterminated group/],
  [
    'letters without end',
    'a'.repeat(70_000),
    /has \[70000\] characters, which is more than the allowed maximum of \[20000\]/,
  ],
  ['groups in groups', `${'(?:a'.repeat(3_000)}${')?'.repeat(3_000)}`, /stand \[3000\] deep/],
  ['groups that are never closed', '('.repeat(15_000), /stand \[15000\] deep/],
  ['look-ahead in look-ahead', `${'(?=a'.repeat(3_000)}${')'.repeat(3_000)}`, /stand \[3000\] deep/],
  ['properties', '\\p{L}'.repeat(2_000), /\[2000\] classes by property/],
  ['properties in a class', `[${'\\p{L}'.repeat(2_000)}]`, /\[2000\] classes by property/],
])('refuses %s', (_what, source, reason) => {
  expect(() => boundedRegExp(source, 'su')).toThrow(RefusedPattern)
  expect(() => boundedRegExp(source, 'su')).toThrow(reason)
})

it('refuses or can use what is as long as may be: the stack left to the compiler of the runtime decides', () => {
  const source = 'a?'.repeat(10_000)
  const outcome = (() => {
    try {
      return boundedRegExp(source, 'su').exec('aab')?.[0]
    } catch (thrown) {
      return thrown
    }
  })()
  if (outcome instanceof RefusedPattern) expect(outcome.message).toMatch(/Stack overflow|too large/)
  else expect(outcome).toBe('aa')
})

it.each([
  ['letters', 'a'.repeat(70_000), /more than 10000 characters/],
  ['groups', `${'('.repeat(4_000)}a${')'.repeat(4_000)}`, /more than 100 groups stand in each other/],
  ['open groups', '('.repeat(9_999), /more than 100 groups stand in each other/],
  ['quantifiers', `a${'?'.repeat(4_000)}`, /more than 10 quantifiers stand one after the other/],
  ['intervals', '<1-999>'.repeat(1_000), /more than 19000 characters/],
  ['repeated repetitions', '((a|b){1,900}){1,900}', /expression too large/],
])('refuses too many %s of Lucene', (_what, text, error) => {
  expect(luceneRegexp(text)).toEqual({ error: expect.stringMatching(error) })
})

it('sees how deep groups stand, also those that are not closed, and not those in classes', () => {
  expect(['a(b(c)d)', '((((', '[((((]', '\\(\\(', ')))('].map((source) => regexpShape(source).depth)).toEqual([
    2, 4, 0, 0, 1,
  ])
})
