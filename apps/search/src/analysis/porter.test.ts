import { expect, it } from 'vitest'
import { porterStem } from './porter.ts'

// Pairs of the algorithm's publication.
it.each([
  ['caresses', 'caress'],
  ['ponies', 'poni'],
  ['cats', 'cat'],
  ['feed', 'feed'],
  ['agreed', 'agre'],
  ['plastered', 'plaster'],
  ['motoring', 'motor'],
  ['sing', 'sing'],
  ['conflated', 'conflat'],
  ['hopping', 'hop'],
  ['falling', 'fall'],
  ['filing', 'file'],
  ['happy', 'happi'],
  ['sky', 'sky'],
  ['relational', 'relat'],
  ['conditional', 'condit'],
  ['vietnamization', 'vietnam'],
  ['hopefulness', 'hope'],
  ['triplicate', 'triplic'],
  ['electrical', 'electr'],
  ['revival', 'reviv'],
  ['adoption', 'adopt'],
  ['probate', 'probat'],
  ['rate', 'rate'],
  ['controll', 'control'],
  ['roll', 'roll'],
])('%s becomes %s', (word, stem) => expect(porterStem(word)).toBe(stem))
