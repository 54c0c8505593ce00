import { expect, it } from 'vitest'
import { didYouMean, unrecognized } from './did-you-mean.ts'

it('suggests names that are like the one given', () => {
  expect(didYouMean('tern', ['terms', 'term', 'range'])).toBe(' did you mean any of [term, terms]?')
  expect(didYouMean('xyz', ['term', 'range'])).toBe('')
})

it('suggests as many as it is asked for', () => {
  expect(didYouMean('tern', ['terms', 'term'], { suggestedMax: 1 })).toBe(' did you mean [term]?')
})

it('names all that nobody knows, each with what is like it', () => {
  expect(unrecognized('/_stats', 'metric', ['dogs', 'x'], ['docs', 'get'])).toBe(
    'request [/_stats] contains unrecognized metrics: [dogs] -> did you mean [docs]?, [x]',
  )
})
