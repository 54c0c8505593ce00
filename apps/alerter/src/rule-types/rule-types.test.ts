import { describe, expect, test } from 'vitest'
import { contextOf } from '../rule-context.testing.ts'
import type { RuleEvent, RuleMatch, RunningRule } from './define-rule-type.ts'
import { ruleTypes } from './registry.ts'

const minute = 60_000
let next = 0

function start(name: string, options: Record<string, unknown>, queryKey: string[] = [], saved?: unknown): RunningRule {
  const type = ruleTypes.get(name)
  if (!type) throw new Error(name)
  return type.start(options, saved, contextOf({ queryKey }))
}

const event = (time: number, source: Record<string, unknown> = {}, key = ''): RuleEvent => ({
  index: 'logs',
  id: `e${next++}`,
  seqNo: next,
  time,
  key,
  source,
})
const reasons = (matches: readonly RuleMatch[] | undefined) => matches?.map(({ reason }) => reason)
const again = (rule: RunningRule): unknown => JSON.parse(JSON.stringify(rule.save()))

test('blacklist and whitelist look a value up in a list', () => {
  const black = start('blacklist', { compare_key: 'user.name', blacklist: ['eve', '7'] })
  expect(
    [{ user: { name: 'eve' } }, { user: { name: 7 } }, { user: { name: 'bob' } }, {}].map(
      (source) => black.add?.(event(0, source)).length,
    ),
  ).toEqual([1, 1, 0, 0])
  const white = start('whitelist', { compare_key: 'user.name', whitelist: ['bob'], ignore_null: false })
  expect(
    [{ user: { name: 'eve' } }, { user: { name: 'bob' } }, {}].map((source) => white.add?.(event(0, source)).length),
  ).toEqual([1, 0, 1])
  const lenient = start('whitelist', { compare_key: 'user.name', whitelist: ['bob'], ignore_null: true })
  expect(lenient.add?.(event(0))).toEqual([])
})

test('change tells the old value from the new one, within the timeframe, through JSON', () => {
  const options = { compare_key: ['ip'], ignore_null: true, timeframe: 5 * minute }
  const rule = start('change', options, ['user'])
  expect(rule.add?.(event(0, { ip: 'a' }, 'bob'))).toEqual([])
  expect(rule.add?.(event(1, { ip: 'b' }, 'eve'))).toEqual([])
  expect(rule.add?.(event(2, {}, 'bob'))).toEqual([])
  const later = start('change', options, ['user'], again(rule))
  expect(later.add?.(event(minute, { ip: 'b' }, 'bob'))?.[0]).toMatchObject({
    fields: { old_value: 'a', new_value: 'b' },
  })
  expect(later.add?.(event(10 * minute, { ip: 'c' }, 'bob'))).toEqual([])
  expect(later.add?.(event(9 * minute, { ip: 'b' }, 'bob'))).toEqual([])
})

describe('spike', () => {
  const options = {
    spike_height: 3,
    spike_type: 'both',
    timeframe: 10 * minute,
    threshold_ref: 0,
    threshold_cur: 0,
    alert_on_new_data: false,
  }

  test('up: matches when the window holds three times what the one before held', () => {
    const rule = start('spike', { ...options, threshold_cur: 5 })
    const found: number[] = []
    for (let at = 0; at < 21; at++) found.push(...(rule.add?.(event(at * minute)) ?? []).map(({ time }) => time))
    expect(found).toEqual([])
    for (let at = 0; at < 40; at++) found.push(...(rule.add?.(event(21 * minute + at)) ?? []).map(({ time }) => time))
    expect(found).toHaveLength(1)
  })

  test('down: matches when events stay away, told by time alone', () => {
    const rule = start('spike', { ...options, spike_type: 'down' })
    for (let at = 0; at < 25; at++) rule.add?.(event(at * minute))
    const found: RuleMatch[] = []
    for (let at = 25; at < 45; at++) found.push(...(rule.tick?.(at * minute) ?? []))
    expect(found.length).toBeGreaterThanOrEqual(1)
    expect(found[0]?.fields).toMatchObject({ reference_count: expect.any(Number) })
  })
})

describe('flatline', () => {
  test('matches when a whole timeframe held less than the threshold, and goes on', () => {
    const rule = start('flatline', { threshold: 2, timeframe: 10 * minute, forget_keys: false })
    expect(rule.tick?.(0)).toEqual([])
    rule.add?.(event(minute))
    rule.add?.(event(2 * minute))
    expect(rule.tick?.(10 * minute)).toEqual([])
    expect(rule.tick?.(11 * minute + 1)).toHaveLength(1)
    expect(rule.tick?.(12 * minute)).toHaveLength(1)
  })

  test('forgets a key that was told when it says so', () => {
    const rule = start('flatline', { threshold: 1, timeframe: 10 * minute, forget_keys: true }, ['host'])
    rule.add?.(event(0, {}, 'web1'))
    expect(rule.tick?.(5 * minute)).toEqual([])
    expect(rule.tick?.(11 * minute)?.map(({ key }) => key)).toEqual(['web1'])
    expect(rule.tick?.(30 * minute)).toEqual([])
  })
})

test('new_term knows what was there before, and each new value once', () => {
  const options = {
    fields: ['user', ['user', 'host']],
    terms_window_size: 30 * 86_400_000,
    window_step_size: 86_400_000,
    alert_on_missing_field: false,
  }
  const rule = start('new_term', options)
  expect(rule.baseline?.()).toMatchObject({ fields: [['user'], ['user', 'host']] })
  rule.addBaseline?.(['user'], [['bob']], 0)
  rule.addBaseline?.(['user', 'host'], [['bob', 'web1']], 0)
  expect(rule.baseline?.()).toBeUndefined()
  expect(rule.add?.(event(1, { user: 'bob', host: 'web1' }))).toEqual([])
  expect(rule.add?.(event(1, { user: 'bob', host: 'web2' }))?.map(({ fields }) => fields)).toEqual([
    { new_field: 'user,host' },
  ])
  expect(rule.add?.(event(2, { user: 'eve' }))?.map(({ fields }) => fields)).toEqual([{ new_field: 'user' }])
  const later = start('new_term', options, [], again(rule))
  expect(later.add?.(event(3, { user: 'eve', host: 'web2' }))?.map(({ fields }) => fields)).toEqual([
    { new_field: 'user,host' },
  ])
})

test('cardinality counts different values within the timeframe, above and below', () => {
  const above = start('cardinality', { cardinality_field: 'port', timeframe: 5 * minute, max_cardinality: 2 })
  expect([1, 1, 2].map((port) => above.add?.(event(0, { port })).length)).toEqual([0, 0, 0])
  expect(above.add?.(event(6 * minute, { port: 3 }))).toEqual([])
  expect([4, 5].map((port) => above.add?.(event(7 * minute, { port })).length)).toEqual([0, 1])
  const below = start('cardinality', { cardinality_field: 'host', timeframe: 5 * minute, min_cardinality: 2 })
  expect(below.add?.(event(0, { host: 'a' }))).toEqual([])
  expect(below.tick?.(5 * minute)).toEqual([])
  expect(below.tick?.(5 * minute + 1)).toHaveLength(1)
})

test('metric_aggregation compares each key and bucket with its thresholds', () => {
  const options = {
    metric_agg_key: 'cpu',
    metric_agg_type: 'avg',
    max_threshold: 0.9,
    metric_format_string: '{:.1%}',
    sync_bucket_interval: false,
  }
  const rule = start('metric_aggregation', options, ['host'])
  expect(rule.windowQuery?.aggs).toEqual({ metric_cpu_avg: { avg: { field: 'cpu' } } })
  const answers = [0.95, 0.5, null].map((value, at) => ({
    key: `h${at}`,
    time: 0,
    aggregations: { metric_cpu_avg: { value } },
  }))
  expect(reasons(rule.addWindow?.(answers, 0))).toEqual(['Threshold violation, avg:cpu 95.0% (min: None max : 0.9)'])
})

test('spike_aggregation compares the metric of windows', () => {
  const options = {
    metric_agg_key: 'n',
    metric_agg_type: 'max',
    spike_height: 2,
    spike_type: 'up',
    timeframe: 10 * minute,
    threshold_ref: 0,
    threshold_cur: 0,
    alert_on_new_data: false,
  }
  const rule = start('spike_aggregation', options)
  const at = (time: number, value: number) =>
    rule.addWindow?.([{ key: '', time, aggregations: { metric_n_max: { value } } }], time)
  for (let time = 0; time < 25; time += 5) expect(at(time * minute, 10)).toEqual([])
  expect(reasons(at(25 * minute, 30))?.[0]).toContain('An abnormal max of n (30.00) occurred')
})

test('percentage_match reckons with the share of the matching', () => {
  const rule = start('percentage_match', {
    match_bucket_filter: [{ term: { a: 'b' } }],
    max_percentage: 50,
    min_denominator: 10,
  })
  const answer = (matching: number, others: number) => ({
    key: '',
    time: 0,
    aggregations: {
      percentage_match_aggs: { buckets: { match_bucket: { doc_count: matching }, _other_: { doc_count: others } } },
    },
  })
  expect([answer(6, 4), answer(5, 5), answer(5, 1)].map((each) => rule.addWindow?.([each], 0).length)).toEqual([
    1, 0, 0,
  ])
})

test.each([
  ['change', { compare_key: ['a'], ignore_null: true }, 'change needs query_key'],
  ['new_term', {}, 'new_term needs fields or query_key'],
  ['cardinality', { cardinality_field: 'a', timeframe: 1 }, 'cardinality needs'],
  ['metric_aggregation', { metric_agg_key: 'a', metric_agg_type: 'max' }, 'metric_aggregation needs'],
  ['metric_aggregation', { metric_agg_key: 'a', metric_agg_type: 'percentiles', max_threshold: 1 }, 'percentile_range'],
  ['percentage_match', { match_bucket_filter: [] }, 'percentage_match needs'],
  ['frequency', { num_events: 20_000, timeframe: 1 }, 'use_count_query'],
])('%s says which options it lacks', (name, options, words) => {
  expect(ruleTypes.get(name)?.check(options, { queryKey: [], bufferMs: 900_000, useTermsQuery: false })).toContain(
    words,
  )
})
