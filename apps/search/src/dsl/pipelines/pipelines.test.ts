import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../json/json-object.ts'
import { printJson } from '../../json/print-json.ts'
import { readAggregations } from '../aggregations/read.ts'
import { withParentPipelines, withSiblingPipelines } from './run-pipelines.ts'

const naming = { nameOf: ({ name }: { name: string }) => name, withMeta: (_: unknown, answer: JsonObject) => answer }
const histo = { date_histogram: { field: 't', fixed_interval: '1d' } }
const dayMs = 86_400_000

/** What pipelines make of a histogram whose daily sums are given; null is a day without documents. */
function days(pipelines: Record<string, unknown>, sums: readonly (number | null)[]): Record<string, unknown>[] {
  const aggs = { s: { sum: { field: 'x' } }, p: { percentiles: { field: 'x' } }, ...pipelines }
  const [node] = readAggregations({ h: { ...histo, aggs } })
  const buckets = sums.map((value, at) => ({
    key: at * dayMs,
    doc_count: value === null ? 0 : at + 1,
    s: { value },
    p: { values: { '50.0': value } },
  }))
  const answer = withParentPipelines(node?.children ?? [], { buckets }, naming)
  const parsed = JSON.parse(printJson(answer)) as { buckets: Record<string, unknown>[] }
  return parsed.buckets
}

const column = (buckets: readonly Record<string, unknown>[], name: string) =>
  buckets.map((bucket) => (bucket[name] as { value: unknown } | undefined)?.value)

/** What a sibling pipeline answers over keyed buckets of one value each. */
function over(pipeline: Record<string, unknown>, values: readonly (number | null)[]): unknown {
  const nodes = readAggregations({ h: { ...histo, aggs: { s: { sum: { field: 'x' } } } }, out: pipeline })
  const buckets = values.map((value, at) => ({ key: at, doc_count: value === null ? 0 : 1, s: { value } }))
  const answers = withSiblingPipelines(nodes, { h: { buckets } }, naming)
  return (JSON.parse(printJson(answers)) as { out: unknown }).out
}

describe('pipelines over the buckets they stand in', () => {
  it('derives, with gaps by their policy and a unit', () => {
    const found = days(
      {
        skip: { derivative: { buckets_path: 's' } },
        zero: { derivative: { buckets_path: 's.value', gap_policy: 'insert_zeros', unit: '12h' } },
        twice: { derivative: { buckets_path: 'skip' } },
      },
      [1, 4, null, 9],
    )
    expect(column(found, 'skip')).toEqual([undefined, 3, null, null])
    expect(column(found, 'zero')).toEqual([undefined, 3, -4, 9])
    expect(found[1]?.['zero']).toEqual({ value: 3, normalized_value: 1.5 })
  })

  it('sums up, also a pipeline that was declared after it', () => {
    const found = days(
      {
        total: { cumulative_sum: { buckets_path: 'double' } },
        double: { bucket_script: { buckets_path: { s: 's' }, script: 'params.s * 2' } },
        counts: { cumulative_sum: { buckets_path: '_count' } },
      },
      [1, 2, 3],
    )
    expect(column(found, 'total')).toEqual([2, 6, 12])
    expect(column(found, 'counts')).toEqual([1, 3, 6])
  })

  it('moves a window before each bucket', () => {
    const found = days(
      {
        avg: { moving_fn: { buckets_path: 's', window: 2, script: 'MovingFunctions.unweightedAvg(values)' } },
        now: { moving_fn: { buckets_path: 's', window: 2, shift: 1, script: 'return MovingFunctions.max(values);' } },
        deviation: {
          moving_fn: {
            buckets_path: 's',
            window: 2,
            shift: 1,
            script: 'MovingFunctions.stdDev(values, MovingFunctions.unweightedAvg(values))',
          },
        },
        half: { moving_fn: { buckets_path: 's', window: 1, shift: 1, script: 'values[0] / 2' } },
      },
      [1, 4, null, 9],
    )
    expect(column(found, 'avg')).toEqual([null, 1, undefined, 2.5])
    expect(column(found, 'now')).toEqual([1, 4, undefined, 9])
    expect(column(found, 'deviation')).toEqual([0, 1.5, undefined, 2.5])
    expect(column(found, 'half')).toEqual([0.5, 2, undefined, 4.5])
  })

  it('computes with doubles, and leaves out what has a gap', () => {
    const found = days(
      {
        share: {
          bucket_script: {
            buckets_path: { s: 's', n: '_count', median: 'p[50]' },
            script: { source: 'def half = params.s; half / params.by + params.median - params.s', params: { by: 2 } },
          },
        },
      },
      [1, null, 3],
    )
    expect(column(found, 'share')).toEqual([0.5, undefined, 1.5])
  })
})

describe('pipelines that compare buckets', () => {
  it('selects, sorts and cuts buckets', () => {
    const sums = [5, 1, null, 7, 3]
    const select = { bucket_selector: { buckets_path: { s: 's' }, script: 'params.s > 2' } }
    expect(column(days({ select }, sums), 's')).toEqual([5, 7, 3])
    const sort = { bucket_sort: { sort: [{ s: { order: 'desc' } }], from: 1, size: 2 } }
    expect(column(days({ sort }, sums), 's')).toEqual([5, 3])
    const byKey = { bucket_sort: { sort: [{ _key: 'desc' }], size: 2 } }
    expect(column(days({ byKey }, sums), 's')).toEqual([3, 7])
    expect(column(days({ both: { bucket_sort: { size: 1 } }, select }, sums), 's')).toEqual([5])
  })

  it('compares with earlier buckets and with all', () => {
    const found = days(
      {
        diff: { serial_diff: { buckets_path: 's', lag: 2 } },
        share: { normalize: { buckets_path: 's', method: 'percent_of_sum' } },
        scaled: { normalize: { buckets_path: 's', method: 'rescale_0_100' } },
      },
      [1, 2, 5, 2],
    )
    expect(column(found, 'diff')).toEqual([undefined, undefined, 4, 0])
    expect(column(found, 'share')).toEqual([0.1, 0.2, 0.5, 0.2])
    expect(column(found, 'scaled')).toEqual([0, 25, 100, 25])
  })
})

describe('pipelines over the buckets beside them', () => {
  it('computes metrics of the buckets that have a value', () => {
    const values = [4, null, 1, 4, 3]
    expect(over({ avg_bucket: { buckets_path: 'h>s' } }, values)).toEqual({ value: 3 })
    expect(over({ sum_bucket: { buckets_path: 'h.s', gap_policy: 'insert_zeros' } }, values)).toEqual({ value: 12 })
    expect(over({ max_bucket: { buckets_path: 'h>s.value' } }, values)).toEqual({ value: 4, keys: ['0', '3'] })
    expect(over({ min_bucket: { buckets_path: 'h>s' } }, values)).toEqual({ value: 1, keys: ['2'] })
    expect(over({ stats_bucket: { buckets_path: 'h>s' } }, values)).toEqual({
      count: 4,
      min: 1,
      max: 4,
      avg: 3,
      sum: 12,
    })
    expect(over({ extended_stats_bucket: { buckets_path: 'h>s' } }, values)).toMatchObject({
      sum_of_squares: 42,
      variance: 1.5,
      variance_sampling: 2,
      std_deviation_bounds: { upper: 3 + 2 * Math.sqrt(1.5) },
    })
    expect(over({ percentiles_bucket: { buckets_path: 'h>s', percents: [0, 50, 99] } }, values)).toEqual({
      values: { '0.0': 1, '50.0': 4, '99.0': 4 },
    })
  })

  it('answers nothing of nothing', () => {
    expect(over({ avg_bucket: { buckets_path: 'h>s' } }, [])).toEqual({ value: null })
    expect(over({ max_bucket: { buckets_path: 'h>s' } }, [])).toEqual({ value: null, keys: [] })
    expect(over({ stats_bucket: { buckets_path: 'h>s' } }, [])).toEqual({
      count: 0,
      min: null,
      max: null,
      avg: null,
      sum: 0,
    })
  })
})

describe('refusals of pipelines', () => {
  const within = (parent: Record<string, unknown>, pipeline: Record<string, unknown>) => () =>
    readAggregations({ h: { ...parent, aggs: { s: { sum: { field: 'x' } }, it: pipeline } } })

  it('refuses what stands in the wrong place', () => {
    expect(() => readAggregations({ d: { derivative: { buckets_path: 's' } } })).toThrow(
      'derivative aggregation [d] must be declared inside of another aggregation',
    )
    expect(within({ terms: { field: 'x' } }, { cumulative_sum: { buckets_path: 's' } })).toThrow(
      'cumulative_sum aggregation [it] must have a histogram, date_histogram or auto_date_histogram as parent',
    )
    const sparse = { histogram: { field: 'x', interval: 1, min_doc_count: 1 } }
    expect(within(sparse, { derivative: { buckets_path: 's' } })).toThrow(
      'parent histogram of derivative aggregation [it] must have min_doc_count of 0',
    )
    expect(within(sparse, { serial_diff: { buckets_path: 's' } })).not.toThrow()
    expect(within({ filter: { match_all: {} } }, { bucket_sort: { size: 1 } })).toThrow('multi-bucket')
  })

  it('refuses paths and parameters that mean nothing', () => {
    expect(within(histo, { derivative: { buckets_path: 'absent' } })).toThrow('No aggregation found for path [absent]')
    expect(() => over({ avg_bucket: { buckets_path: 'absent>s' } }, [])).toThrow(
      'No aggregation found for path [absent>s]',
    )
    expect(() => over({ avg_bucket: { buckets_path: 'h>typo' } }, [])).toThrow(
      'No aggregation [typo] found for path [h>typo]',
    )
    expect(within(histo, { moving_fn: { buckets_path: 's', window: -1, script: 'x' } })).toThrow(
      '[window] must be a positive, non-zero integer.',
    )
    expect(within(histo, { moving_avg: { buckets_path: 's' } })).toThrow('Use the [moving_fn] aggregation instead.')
    expect(within(histo, { bucket_sort: {} })).toThrow('is configured to perform nothing')
    expect(within(histo, { bucket_script: { buckets_path: { a: 's' }, script: 'params.' } })).toThrow('compile error')
    expect(within(histo, { it: { derivative: { buckets_path: 'it' } } })).toThrow('Unknown aggregation type [it]')
  })

  it('refuses a metric of several values and pipelines that read each other', () => {
    expect(() => days({ bad: { cumulative_sum: { buckets_path: 'p' } } }, [1])).toThrow(
      'but [p] contains multiple values. Please specify which to use.',
    )
    const circle = { a: { derivative: { buckets_path: 'b' } }, b: { derivative: { buckets_path: 'a' } } }
    expect(() => days(circle, [1])).toThrow('Cyclical dependency found with pipeline aggregator [a]')
  })
})

describe('numbers in a format', () => {
  it('stand as text beside those of buckets and of siblings', () => {
    const script = { buckets_path: { s: 's' }, script: 'params.s / 3', format: '0.00' }
    const found = days(
      { third: { bucket_script: script }, grown: { derivative: { buckets_path: 's', format: '#%' } } },
      [1, 2],
    )
    expect(found.map(({ third }) => third)).toEqual([
      { value: 1 / 3, value_as_string: '0.33' },
      { value: 2 / 3, value_as_string: '0.67' },
    ])
    expect(found[1]?.['grown']).toEqual({ value: 1, value_as_string: '100%' })
    const total = { sum_bucket: { buckets_path: 'h>s', format: '#,##0' } }
    expect(over(total, [1_000, 234])).toEqual({ value: 1_234, value_as_string: '1,234' })
    const parts = { percentiles_bucket: { buckets_path: 'h>s', percents: [50], format: '0.0' } }
    expect(over(parts, [1, 2, 3])).toEqual({ values: { '50.0': 2, '50.0_as_string': '2.0' } })
  })

  it('are refused when the format is none', () => {
    const broken = { bucket_script: { buckets_path: { s: 's' }, script: 'params.s', format: '0.0.0' } }
    expect(() => days({ broken }, [1])).toThrow('Malformed pattern "0.0.0"')
  })
})
