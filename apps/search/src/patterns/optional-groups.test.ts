import { boundedRegExp } from '@logstack/rules'
import { expect, test } from 'vitest'
import { withOptionalGroups } from './optional-groups.ts'

test.each([
  ['(a)?', '(?:(a)|)'],
  ['(?:a(b)?)?c', '(?:(?:a(?:(b)|))|)c'],
  ['(a)??', '(?:|(a))'],
  ['(?<n>a)?', '(?:(?<n>a)|)'],
  ['(?=a)?', '(?=a)?'],
  ['(?<!a)?', '(?<!a)?'],
  ['[()?]?\\(a\\)?', '[()?]?\\(a\\)?'],
  ['(a)*(b)+(c){0,1}', '(a)*(b)+(c){0,1}'],
  ['[a', '[a'],
])('%s becomes %s', (given, expected) => {
  expect(withOptionalGroups(given)).toBe(expected)
})

test('an optional group may read nothing', () => {
  expect(/^(.*?)?=(.*)$/u.exec('=b=c')?.slice(1)).toEqual(['=b', 'c'])
  expect(boundedRegExp(withOptionalGroups('^(.*?)?=(.*)$'), 'u').exec('=b=c')?.slice(1)).toEqual(['', 'b=c'])
})
