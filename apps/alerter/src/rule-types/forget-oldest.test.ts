import { expect, test } from 'vitest'
import { contextOf } from '../rule-context.testing.ts'
import { cardinality } from './cardinality.ts'
import { change } from './change.ts'
import type { RuleContext, RunningRule } from './define-rule-type.ts'
import { flatline } from './flatline.ts'
import { forgetOldest } from './forget-oldest.ts'
import { frequency } from './frequency.ts'
import { newTerm } from './new-term.ts'
import { spike } from './spike.ts'

test('takes the oldest out, and walks no further than it must', () => {
  class Walked extends Map<string, unknown> {
    steps = 0

    override *keys(): MapIterator<string> {
      for (const key of super.keys()) {
        this.steps++
        yield key
      }
      return undefined
    }
  }
  const map = new Walked([1, 2, 3, 4, 5].map((n) => [`key ${n}`, n]))
  let forgotten = 0
  const forgot = (): void => {
    forgotten++
  }
  forgetOldest(map, 5, forgot)
  expect([map.size, map.steps, forgotten]).toEqual([5, 0, 0])
  forgetOldest(map, 3, forgot)
  expect([[...map.values()], map.steps, forgotten]).toEqual([[3, 4, 5], 2, 2])
})

const timeframe = 3_600_000
const ofSpikes = { spike_height: 3, spike_type: 'up', threshold_ref: 0, threshold_cur: 0, alert_on_new_data: false }
const ofTerms = { fields: ['key'], terms_window_size: timeframe, window_step_size: timeframe }
const started: readonly [string, (context: RuleContext) => RunningRule][] = [
  ['frequency', (context) => frequency.start({ num_events: 5, timeframe }, undefined, context)],
  [
    'frequency that counts',
    (context) => frequency.start({ num_events: 5, timeframe, use_terms_query: true }, undefined, context),
  ],
  ['new_term', (context) => newTerm.start(ofTerms, undefined, context)],
  [
    'cardinality',
    (context) => cardinality.start({ cardinality_field: 'key', timeframe, max_cardinality: 5 }, undefined, context),
  ],
  ['change', (context) => change.start({ compare_key: ['key'], ignore_null: true }, undefined, context)],
  ['flatline', (context) => flatline.start({ threshold: 1, timeframe, forget_keys: false }, undefined, context)],
  ['spike', (context) => spike.start({ ...ofSpikes, timeframe }, undefined, context)],
]

test.each(started)('%s tells of each key that it forgets', (_name, start) => {
  let forgotten = 0
  const rule = start(
    contextOf({
      windowEventsMax: 10,
      queryKey: ['key'],
      forgot: () => {
        forgotten++
      },
    }),
  )
  for (let n = 0; n < 13; n++) {
    const key = `key ${n}`
    if (rule.addCounts && !rule.add) rule.addCounts(n, [{ key, count: 1 }])
    else rule.add?.({ index: 'logs', id: key, seqNo: n, time: n, key, source: { key } })
    expect(forgotten).toBe(Math.max(0, n - 9))
  }
})
