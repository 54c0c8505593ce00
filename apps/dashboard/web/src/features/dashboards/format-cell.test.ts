import { expect, test } from 'vitest'
import { formatMetric } from '../../format/format-as.ts'
import { linkOf } from '../../format/value-link.ts'
import { fieldFormatsOf } from '../../kibana/field-formats.ts'
import { formatCell } from './format-cell.ts'
import { formatOf } from './model/lens.ts'

const shownBy = (format: object, value: number): string => formatMetric(value, formatOf(format))
const ofField = (id: string, params: object) =>
  fieldFormatsOf({ fieldFormatMap: JSON.stringify({ f: { id, params } }) })?.['f']

test.each([
  [{ id: 'number', params: { decimals: 2 } }, 1234.5, '1,234.50'],
  [{ id: 'number', params: { decimals: 1, compact: true } }, 1_234_567, '1.2m'],
  [{ id: 'bytes', params: { decimals: 2 } }, 1536, '1.50 KB'],
  [{ id: 'bits', params: { decimals: 0 } }, 1_500_000, '2Mbit'],
  [{ id: 'percent', params: { decimals: 0 } }, 0.256, '26%'],
  [{ id: 'duration', params: { fromUnit: 'milliseconds', toUnit: 'asSeconds', decimals: 1 } }, 1500, '1.5 s'],
  [{ id: 'duration', params: { fromUnit: 'nanoseconds', toUnit: 'humanize', decimals: 0 } }, 120_000_000_000, '2 m'],
  [{ id: 'custom', params: { pattern: '0,0.[00]' } }, 1234.5, '1,234.5'],
  [{ id: 'number', params: { decimals: 0, suffix: 'ms' } }, 3, '3 ms'],
  [{ id: 'string', params: {} }, 1234.5678, '1,234.568'],
])('Lens shows %j of %d as %s', (format, value, shown) => {
  expect(shownBy(format, value)).toBe(shown)
})

test.each([
  ['bytes', {}, 1536, '1.5 KB'],
  ['number', { pattern: '0.0a' }, 2500, '2.5k'],
  ['percent', { pattern: '0.[00]%' }, 0.5, '50%'],
  ['duration', { inputFormat: 'seconds', outputFormat: 'asMinutes', outputPrecision: 1 }, 90, '1.5 m'],
  ['static_lookup', { lookupEntries: [{ key: '3', value: 'Network' }] }, 3, 'Network'],
])('an index pattern shows a field as %s %j: %d as %s', (id, params, value, shown) => {
  expect(formatMetric(value, ofField(id, params))).toBe(shown)
})

test('words stand for texts, too, and unknown formats change nothing', () => {
  const format = ofField('static_lookup', { lookupEntries: [{ key: 'a', value: 'Alpha' }], unknownKeyValue: 'other' })
  expect(formatCell('a', { type: 'text', format })).toBe('Alpha')
  expect(formatCell('b', { type: 'text', format })).toBe('other')
  expect(formatCell('Ab', { type: 'text', format: ofField('string', { transform: 'upper' }) })).toBe('AB')
  expect(ofField('histogram', {})).toBeUndefined()
})

test('numbers that are names have no thousands', () => {
  expect(formatMetric(8080, ofField('string', {}))).toBe('8080')
})

test.each([
  [{ urlTemplate: 'https://example.org/?q={{value}}' }, 'a b&c', 'https://example.org/?q=a%20b%26c', 'a b&c'],
  [
    { urlTemplate: '/app/dashboards#/view/{{rawValue}}', labelTemplate: 'see {{value}}' },
    'x',
    '/app/dashboards#/view/x',
    'see x',
  ],
  [{ urlTemplate: '{{rawValue}}' }, 'https://example.org/a', 'https://example.org/a', 'https://example.org/a'],
  [{}, 'https://example.org/a', 'https://example.org/a', 'https://example.org/a'],
])('a value with the address %j is a link', (params, value, href, label) => {
  expect(linkOf(value, ofField('url', params))).toEqual({ href, label })
  expect(linkOf(value, undefined)).toBeUndefined()
  expect(linkOf(null, ofField('url', params))).toBeUndefined()
})
