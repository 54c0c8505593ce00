import { expect, it } from 'vitest'
import { durationWords } from './duration.ts'

const s = 1000
const h = 3600 * s

it.each([
  [0, 'Less than a second'],
  [999, 'Less than a second'],
  [s, '1 second'],
  [2 * s, '2 seconds'],
  [59 * s, '59 seconds'],
  [60 * s, 'About a minute'],
  [119 * s, 'About a minute'],
  [120 * s, '2 minutes'],
  [59 * 60 * s, '59 minutes'],
  [h, 'About an hour'],
  [1.49 * h, 'About an hour'],
  [1.5 * h, '2 hours'],
  [19 * h, '19 hours'],
  [47 * h, '47 hours'],
  [48 * h, '2 days'],
  [13 * 24 * h, '13 days'],
  [14 * 24 * h, '2 weeks'],
  [59 * 24 * h, '8 weeks'],
  [60 * 24 * h, '2 months'],
  [729 * 24 * h, '24 months'],
  [730 * 24 * h, '2 years'],
])('%d ms reads "%s", as in podman', (ms, words) => {
  expect(durationWords(ms)).toBe(words)
})
