import { describe, expect, it } from 'vitest'
import { readAggregations } from './read.ts'

describe('reading aggregations', () => {
  const reading = (body: unknown) => () => readAggregations({ it: body })

  it('refuses parameters that mean nothing in the name of the aggregation', () => {
    expect(reading({ extended_stats: { field: 'x', sigma: -1 } })).toThrow(
      '[sigma] must be greater than or equal to 0. Found [-1.0] in [it]',
    )
    expect(reading({ cardinality: { field: 'x', precision_threshold: -1 } })).toThrow(
      '[precisionThreshold] must be greater than or equal to 0. Found [-1] in [it]',
    )
    expect(reading({ median_absolute_deviation: { field: 'x', compression: 0 } })).toThrow(
      '[compression] must be greater than 0. Found [0.0] in [it]',
    )
    expect(reading({ filters: {} })).toThrow('[filters] cannot be empty')
  })

  it('refuses composite below other buckets', () => {
    const sources = [{ k: { terms: { field: 'x' } } }]
    expect(reading({ terms: { field: 'x' }, aggs: { c: { composite: { sources } } } })).toThrow(
      '[composite] aggregation cannot be used with a parent aggregation',
    )
  })
})
