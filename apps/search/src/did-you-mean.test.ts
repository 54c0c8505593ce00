import { expect, it } from 'vitest'
import { didYouMean, nearest, unrecognized } from './did-you-mean.ts'

it('suggests names that are like the one given', () => {
  expect(didYouMean('tern', ['terms', 'term', 'range'])).toBe(' did you mean any of [term, terms]?')
  expect(didYouMean('xyz', ['term', 'range'])).toBe('')
})

it('takes names that are just like enough where that is asked', () => {
  expect(nearest('ab', ['ac'])).toEqual([])
  expect(nearest('ab', ['ac'], { isJustEnough: true })).toEqual(['ac'])
  expect(nearest('abc', ['abd'], { likenessMin: 0.7 })).toEqual([])
})

it('names all that nobody knows, each with what is like it', () => {
  expect(unrecognized('/_stats', 'metric', ['dogs', 'x'], ['docs', 'get'])).toBe(
    'request [/_stats] contains unrecognized metrics: [dogs] -> did you mean [docs]?, [x]',
  )
})
