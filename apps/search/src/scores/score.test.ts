import { all, and, type Field, not, or, type Predicate } from '@logstack/rules'
import { describe, expect, it } from 'vitest'
import { constantScore, type Score } from './score.ts'

const tag: Field = { path: 'tag', type: 'string' }
const equals = (...values: string[]): Predicate => ({ op: 'equals', field: { ...tag }, values })
const exact = (value: string, boost = 1): Extract<Score, { op: 'exact' }> => ({ op: 'exact', field: tag, value, boost })
const constant = (value: number, when: Predicate): Score => ({ op: 'constant', value, when })
const text: Score = { op: 'text', field: { path: 'message', type: 'text' }, token: 'word', boost: 1 }
const worth = ({ value, boost }: { value: unknown; boost: number }): number => boost * (value === 'a' ? 2 : 3)
const year: Predicate = { op: 'range', field: { path: 'year', type: 'long' }, bounds: { gte: 1 } }

describe('a score that is the same for all matches', () => {
  it('is the rarity of a value that the query asks for, once that is known', () => {
    expect(constantScore(exact('a', 1.5), equals('a'), worth)).toBe(3)
    expect(constantScore(exact('a'), and([year, equals('a')]), worth)).toBe(2)
    expect(constantScore(exact('a'), equals('a'))).toBeUndefined()
  })

  it('is none of a value that a match may be without', () => {
    for (const query of [all, equals('b'), equals('a', 'b'), or([equals('a'), year]), not(equals('a')), year])
      expect(constantScore(exact('a'), query, worth)).toBeUndefined()
    const other: Predicate = { op: 'equals', field: { path: 'tag.raw', type: 'string' }, values: ['a'] }
    expect(constantScore(exact('a'), other, worth)).toBeUndefined()
  })

  it('is the sum or the best of such scores', () => {
    const query = and([equals('a'), year, equals('b')])
    const parts = [exact('a'), exact('b'), constant(7, year)]
    expect(constantScore({ op: 'sum', of: parts }, query, worth)).toBe(12)
    expect(constantScore({ op: 'max', of: parts, tie: 0.5 }, query, worth)).toBe(9.5)
    expect(constantScore({ op: 'max', of: [], tie: 0 }, query, worth)).toBe(0)
    for (const op of ['sum', 'max'] as const) {
      expect(constantScore({ op, of: [...parts, text], tie: 0 }, query, worth)).toBeUndefined()
      expect(constantScore({ op, of: [...parts, exact('c')], tie: 0 }, query, worth)).toBeUndefined()
    }
  })

  it('holds within a condition that every match meets, and not within one that a match may fail', () => {
    const within = (when: Predicate): Score => ({ op: 'within', when, of: constant(1, all) })
    const query = and([and([equals('a'), year]), not(equals('b'))])
    expect(constantScore(within(and([year, equals('a')])), query)).toBe(1)
    expect(constantScore(within(and([year, equals('c')])), query)).toBeUndefined()
    expect(constantScore(within(year), all)).toBeUndefined()
    expect(constantScore({ op: 'within', when: year, of: constant(0, all) }, all)).toBe(0)
  })
})
