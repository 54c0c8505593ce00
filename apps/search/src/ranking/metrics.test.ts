import { describe, expect, it } from 'vitest'
import { Double } from '../json/print-json.ts'
import { type FoundRatings, readMetric } from './metrics.ts'

const found: FoundRatings = [1, 3, undefined]
const all = [0, 1, 3]
const measured = (metric: Record<string, unknown>, of: FoundRatings = found) => readMetric(metric).measure(of, all)
const detail = (details: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(details).map(([name, value]) => [name, value instanceof Double ? value.value : value]),
  )

// The numbers are those that Elasticsearch gives.
describe('the measures of a ranking', () => {
  it('precision is the share of what was found that is relevant', () => {
    expect(measured({ precision: {} })).toEqual({
      score: 2 / 3,
      details: { relevant_docs_retrieved: 2, docs_retrieved: 3 },
    })
    expect(measured({ precision: { ignore_unlabeled: true } }).score).toBe(1)
    expect(measured({ precision: { relevant_rating_threshold: '2' } }).score).toBe(1 / 3)
    expect(measured({ precision: {} }, []).score).toBe(0)
  })

  it('recall is the share of what is relevant that was found', () => {
    expect(measured({ recall: {} }, [1])).toEqual({
      score: 0.5,
      details: { relevant_docs_retrieved: 1, relevant_docs: 2 },
    })
    expect(measured({ recall: { relevant_rating_threshold: 9 } }).score).toBe(0)
  })

  it('mean_reciprocal_rank is how soon something relevant comes', () => {
    expect(measured({ mean_reciprocal_rank: { relevant_rating_threshold: 3 } })).toEqual({
      score: 0.5,
      details: { first_relevant: 2 },
    })
    expect(measured({ mean_reciprocal_rank: { relevant_rating_threshold: 9 } })).toEqual({
      score: 0,
      details: { first_relevant: -1 },
    })
  })

  it('dcg adds gains, also as a share of those of the best order', () => {
    expect(measured({ dcg: {} }).score).toBeCloseTo(5.416508275000202, 13)
    expect(detail(measured({ dcg: { normalize: true } }).details)).toEqual({
      dcg: expect.closeTo(5.416508275000202, 13),
      ideal_dcg: expect.closeTo(7.630929753571458, 13),
      normalized_dcg: expect.closeTo(0.7098097413968654, 13),
      unrated_docs: 1,
    })
    expect(measured({ dcg: { unknown_doc_rating: 1, normalize: true } }).score).toBeCloseTo(0.7753325565906479, 15)
    expect(measured({ dcg: { normalize: true } }, [1]).score).toBe(1 / 7)
  })

  it('expected_reciprocal_rank is how soon someone is likely to be satisfied', () => {
    expect(measured({ expected_reciprocal_rank: { maximum_relevance: 3 } })).toEqual({
      score: 0.5078125,
      details: { unrated_docs: 1 },
    })
    const guessed = { expected_reciprocal_rank: { maximum_relevance: 3, unknown_doc_rating: 1 } }
    expect(measured(guessed).score).toBe(0.5123697916666666)
  })

  it('look at the first ten documents unless told otherwise', () => {
    expect(readMetric({ dcg: {} }).k).toBe(10)
    expect(readMetric({ recall: { k: 3 } }).k).toBe(3)
  })

  it.each([
    [{ precision: { k: 0 } }, 'Failed to build [precision]'],
    [{ recall: { relevant_rating_threshold: -1 } }, 'Failed to build [recall]'],
    [{ mean_reciprocal_rank: { k: -1 } }, 'Failed to build [reciprocal_rank]'],
    [{ expected_reciprocal_rank: {} }, 'Required [maximum_relevance]'],
    [{ precision: { foo: 1 } }, '[precision] unknown field [foo]'],
    [{ dcg: { k: 'x' } }, '[dcg] failed to parse field [k]'],
    [{ nope: {} }, 'unknown field [nope]'],
    [{}, 'expecting token of type [FIELD_NAME]'],
    [{ precision: {}, recall: {} }, 'expecting token of type [END_OBJECT]'],
    ['precision', "metric doesn't support values of this type"],
  ])('refuse %j', (metric, reason) => {
    expect(() => readMetric(metric)).toThrow(reason)
  })
})
