import { expect, test } from 'vitest'
import { contrastOf } from '../draw/contrast.ts'
import { paletteColor } from './palette-color.ts'

const stops = [
  { color: '#111111', stop: 20 },
  { color: '#222222', stop: 80 },
  { color: '#333333', stop: 100 },
]

test('a palette of numbers has the colour of the first stop at or above the value', () => {
  const palette = { name: 'custom', params: { rangeType: 'number', stops } }
  const span = { min: 0, max: 1 }
  expect([0, 20, 21, 500].map((value) => paletteColor(palette, value, span))).toEqual([
    '#111111',
    '#111111',
    '#222222',
    '#333333',
  ])
})

test('a palette of percentages is spread over the values', () => {
  const palette = { name: 'custom', params: { rangeType: 'percent', stops } }
  const span = { min: 1_000, max: 2_000 }
  expect([1_000, 1_500, 2_000].map((value) => paletteColor(palette, value, span))).toEqual([
    '#111111',
    '#222222',
    '#333333',
  ])
})

test('beyond its ends it may have no colour', () => {
  const params = { rangeType: 'number', stops, rangeMin: 10, rangeMax: 90, continuity: 'none' }
  const palette = { name: 'custom', params }
  expect([5, 50, 95].map((value) => paletteColor(palette, value, { min: 0, max: 1 }))).toEqual([
    undefined,
    '#222222',
    undefined,
  ])
})

test('letters can be read on every colour', () => {
  expect(contrastOf('#ff0000')).toBe('#000000')
  expect(contrastOf('#00008b')).toBe('#fff')
  expect(contrastOf('#ffff00')).toBe('#000000')
})

test('letters on the colour between light and dark are black: lighter ones would not stand out', () => {
  expect(contrastOf('#c75a72')).toBe('#000000')
})
