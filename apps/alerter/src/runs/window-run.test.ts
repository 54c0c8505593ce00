import { fakeClock } from '@logstack/testkit'
import { expect, test } from 'vitest'
import type { RuleState } from '../alerts/rule-state.ts'
import { readRule } from '../rule-files/read-rule.ts'
import { Silence } from '../silence.ts'
import type { RunSurroundings } from './run.ts'
import { WindowRun } from './window-run.ts'

const minute = 60_000
const day = 24 * 60 * minute

const rule = readRule(
  'load',
  'type: metric_aggregation\nindex: logs\nmetric_agg_key: load\nmetric_agg_type: avg\nmax_threshold: 1\nbuffer_time: {minutes: 10}\nuse_run_every_query_size: true\nrun_every: {minutes: 10}\nalert: debug\n',
)

test('windows that passed while the clock was days ahead are asked for once it is set back', async () => {
  const clock = fakeClock()
  let set = 0
  let state: string | undefined
  const ends: number[] = []
  const now = (): number => clock.now() + set
  const start = now()
  const round = async (): Promise<void> => {
    const from: RunSurroundings = {
      now,
      startedAt: now(),
      windowEventsMax: 100,
      firstLookbackMs: 15 * minute,
      catchUpMsMax: day,
      bufferMs: 10 * minute,
      runEveryMs: 10 * minute,
      pageEventsMax: 100,
      webhookUrl: '',
      silencedBy: () => undefined,
      sharedSilence: () => new Silence(),
      deliver: () => undefined,
      lookUps: {
        window: async (_rule, _query, _from, end) => {
          ends.push((end - start) / minute)
          return []
        },
        baseline: async () => undefined,
        topCounts: async () => ({}),
        related: async () => [],
      },
      reader: { readEvents: async () => ({ events: [], upTo: 0 }), countEvents: async () => [] },
      states: {
        load: async () => (state === undefined ? undefined : (JSON.parse(state) as RuleState)),
        save: async (_id, saved, at) => {
          state = JSON.stringify({ ...saved, savedAt: at })
        },
      },
      alerts: { create: async () => [], saveNotifications: async () => undefined, pending: async () => [] },
    }
    if (rule.kind !== 'rule') throw new Error(JSON.stringify(rule))
    const run = await WindowRun.resume(rule.rule, from)
    await run.round([], from)
  }
  await round()
  expect(ends).toEqual([0])
  set = 3 * day
  await clock.advance(30 * minute)
  await round()
  expect(ends.length).toBeGreaterThan(1)
  expect(ends.slice(1).every((end) => end > (2 * day) / minute)).toBe(true)
  const asked = ends.length
  set = 0
  await round()
  expect(ends.slice(asked)).toEqual([10, 20, 30])
})
