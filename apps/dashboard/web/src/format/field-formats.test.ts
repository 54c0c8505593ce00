import { expect, test } from 'vitest'
import { fieldFormatsOf } from '../kibana/field-formats.ts'
import { formatAs } from './format-as.ts'
import { relativeTime } from './relative-time.ts'
import { valueColors } from './value-colors.ts'

const formatOf = (id: string, params: object) =>
  fieldFormatsOf({ fieldFormatMap: JSON.stringify({ f: { id, params } }) })?.['f']
const shown = (id: string, params: object, value: string | number | boolean): string =>
  formatAs(value, formatOf(id, params) ?? { id: 'text' })

const instant = Date.UTC(2026, 2, 1, 13, 5, 9, 7)

test.each([
  ['string', { transform: 'upper' }, 'web-1', 'WEB-1'],
  ['string', { transform: 'title' }, 'the quick FOX', 'The Quick Fox'],
  ['string', { transform: 'short' }, 'org.example.app.Main', 'o.e.a.Main'],
  ['string', { transform: 'base64' }, 'w6R0', '\u00e4t'],
  ['string', { transform: 'base64' }, 'no base64!', 'no base64!'],
  ['string', { transform: 'urlparam' }, 'a%20b', 'a b'],
  ['string', { transform: 'urlparam' }, '100%', '100%'],
  ['truncate', { fieldLength: 4 }, 'abcdef', 'abcd...'],
  ['truncate', { fieldLength: 4 }, 'abcd', 'abcd'],
  ['boolean', {}, 'yes', 'true'],
  ['boolean', {}, 0, 'false'],
  ['boolean', {}, 'maybe', 'maybe'],
  ['date', { pattern: 'MMM D, YYYY @ HH:mm:ss.SSS', timezone: 'UTC' }, instant, 'Mar 1, 2026 @ 13:05:09.007'],
  ['date', { pattern: '[on] dddd Do h:mm a Z', timezone: 'Asia/Kolkata' }, instant, 'on Sunday 1st 6:35 pm +05:30'],
  ['date', { pattern: 'DD/MM/YY Q DDD X', timezone: 'UTC' }, '2026-03-01T13:05:09.007Z', '01/03/26 1 60 1772370309'],
  ['date', { pattern: 'LL', timezone: 'no such zone' }, Date.UTC(2026, 2, 15, 12), 'March 15, 2026'],
  ['date', { pattern: 'YYYY' }, 'no date', 'no date'],
  ['color', { fieldType: 'number', colors: [] }, 8080, '8080'],
])('a field shown as %s %j: %s is %s', (id, params, value, expected) => {
  expect(shown(id, params, value)).toBe(expected)
})

test.each([
  [-120_000, '2 minutes ago'],
  [-7_200_000, '2 hours ago'],
  [86_400_000, 'in 1 day'],
  [-5_000, '5 seconds ago'],
])('an instant %d ms from now is %s', (apart, expected) => {
  expect(relativeTime(instant + apart, instant)).toBe(expected)
})

test('the last rule that fits paints a value', () => {
  const numbers = formatOf('color', {
    fieldType: 'number',
    colors: [
      { range: '-Infinity:Infinity', text: '#111111', background: '#eeeeee' },
      { range: '500:599', text: '#ffffff', background: '#cc0000' },
    ],
  })
  expect(valueColors(200, numbers)).toEqual({ color: '#111111', background: '#eeeeee' })
  expect(valueColors(503, numbers)).toEqual({ color: '#ffffff', background: '#cc0000' })
  const words = formatOf('color', { colors: [{ regex: '^(?:crit|alert)', text: '#c00' }] })
  expect(valueColors('critical', words)).toEqual({ color: '#c00' })
  expect(valueColors('not critical', words)).toBeUndefined()
  const truths = formatOf('color', { fieldType: 'boolean', colors: [{ boolean: 'true', background: '#0c0' }] })
  expect(valueColors(true, truths)).toEqual({ background: '#0c0' })
  expect(valueColors(true, undefined)).toBeUndefined()
})

test.each(['(a+)+$', '(a|aa)*b', 'a*a*a*a*b', '(.)\\1', '('])(
  'the pattern %s, which could hold the page up, paints nothing',
  (regex) => {
    const format = formatOf('color', { colors: [{ regex, text: '#c00' }] })
    expect(valueColors('a'.repeat(40), format)).toBeUndefined()
  },
)
