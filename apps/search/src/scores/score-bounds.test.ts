import type { Field } from '@logstack/rules'
import { describe, expect, it } from 'vitest'
import type { Score } from './score.ts'
import { bestWords, scoreBounds } from './score-bounds.ts'
import type { Statistics } from './score-statistics.ts'

const field: Field = { path: 'message', type: 'text' }
const text = (token: string, boost = 1): Score => ({ op: 'text', field, token, boost })
const sum = (...of: Score[]): Score => ({ op: 'sum', of })
const statistics: Statistics = new Map([
  [
    'text message',
    {
      documents: 10_000,
      words: 100_000,
      matching: new Map(),
      holding: new Map([
        ['often', 5_000],
        ['also', 4_800],
        ['some', 1_000],
        ['rare', 5],
      ]),
    },
  ],
])
const boundsOf = (score: Score) => scoreBounds(score, statistics)

describe('bounds of a score', () => {
  it('add what words and the rest can be worth', () => {
    const rarity = Math.log(1 + 9_995.5 / 5.5)
    const constant: Score = { op: 'constant', value: 3, when: { op: 'all' } }
    const bounds = boundsOf(sum(text('often'), sum(text('rare', 2)), constant, text('often')))
    expect(bounds?.words.map(({ token }) => token)).toEqual(['rare', 'often'])
    expect(bounds?.words[0]?.most).toBeCloseTo(2 * 2.2 * rarity, 10)
    expect(bounds?.words[1]?.most).toBeCloseTo(2 * 2.2 * Math.log(2), 10)
    expect(bounds?.rest).toBe(3)
  })

  it('are not known of what multiplies, and of less than nothing', () => {
    expect(boundsOf({ op: 'scaled', when: { op: 'all' }, by: 2, of: text('often') })).toBeUndefined()
    expect(boundsOf(sum(text('often'), { op: 'constant', value: -1, when: { op: 'all' } }))).toBeUndefined()
    expect(boundsOf(text('often', -1))).toBeUndefined()
    expect(boundsOf({ op: 'max', of: [text('often'), text('rare')], tie: 2 })).toBeUndefined()
  })
})

describe('the best words', () => {
  const chosen = (score: Score, needed = 0) => {
    const bounds = boundsOf(score)
    return bounds && bestWords(bounds, needed)
  }

  it('are those beside which the others do not matter', () => {
    const best = chosen(sum(text('often'), text('rare'), text('also')))
    expect(best?.predicate).toEqual({ op: 'or', of: [{ op: 'tokens', field, tokens: ['rare'], count: 1 }] })
    expect(best?.othersMost).toBeCloseTo(2.2 * (Math.log(2) + Math.log(1 + 5_200.5 / 4_800.5)), 10)
  })

  it('are two of words that are worth about the same', () => {
    const best = chosen(sum(text('often'), text('also')))
    const word = (token: string) => ({ op: 'tokens', field, tokens: [token], count: 1 })
    expect(best?.predicate).toEqual({ op: 'or', of: [{ op: 'and', of: [word('also'), word('often')] }] })
    expect(best?.share).toBeCloseTo(0.24, 10)
  })

  it('are not looked for where too few hold them, or nearly all matches do', () => {
    expect(chosen(sum(text('often'), text('rare')), 0.01)).toBeUndefined()
    expect(chosen(text('often'))).toBeUndefined()
    expect(
      chosen(sum(text('rare'), text('also'), text('often'), { op: 'constant', value: 50, when: { op: 'all' } })),
    ).toBeUndefined()
  })
})
