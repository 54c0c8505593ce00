import { createLogger } from '@logstack/logging'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AlertingRule } from './rule-files/rule.ts'
import type { RulesInEffect } from './rules-in-effect.ts'
import type { Run } from './runs/run.ts'
import type { Work } from './runs/work.ts'
import { Scheduler, type SchedulerSurroundings } from './scheduler.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

let works: Work[]
let log: string

function workOf(id: string, revision: string, run: Run): Work {
  return { id, index: 'logs', revision, rules: [], resume: async () => run }
}

/** A run that counts its rounds; `round` says what each does. */
function counting(round: () => Promise<void> = async () => undefined): Run & { rounds: number; stops: number } {
  const run = {
    rounds: 0,
    stops: 0,
    round: () => {
      run.rounds++
      return round()
    },
    stop: async () => {
      run.stops++
    },
  }
  return run
}

function schedulerOf(clock: Partial<SchedulerSurroundings> = {}): Scheduler {
  log = ''
  const roundSurroundings = () => ({ shardsOf: async () => [] })
  return new Scheduler({
    now: Date.now,
    logger: createLogger('alerter', 'info', {
      write: (line) => {
        log += line
      },
    }),
    statuses: { setRules: () => undefined, ran: () => undefined, matched: () => undefined },
    readRules: async () => ({ works, listed: new Map(), broken: [] }) as unknown as RulesInEffect,
    rulesRescanMs: () => 0,
    worksAtOnceMax: () => 2,
    roundSurroundings: roundSurroundings as unknown as SchedulerSurroundings['roundSurroundings'],
    ...clock,
  })
}

async function round(scheduler: Scheduler): Promise<void> {
  const done = scheduler.round()
  await vi.advanceTimersByTimeAsync(5000)
  await done
}

test('rules that never come back keep no other waiting, nor does their removal', async () => {
  const stuck = [counting(() => new Promise(() => undefined)), counting(() => new Promise(() => undefined))]
  const others = Array.from({ length: 10 }, () => counting())
  const all = [...stuck, ...others].map((run, at) => workOf(`rule${at}`, '1', run))
  works = all
  const scheduler = schedulerOf()
  await scheduler.readRules(true)
  for (let n = 0; n < 3; n++) await round(scheduler)
  expect(stuck.map(({ rounds }) => rounds)).toEqual([1, 1])
  expect(Math.min(...others.map(({ rounds }) => rounds))).toBeGreaterThan(1)
  const before = others.map(({ rounds }) => rounds)
  works = all.slice(1)
  await scheduler.readRules(true)
  await round(scheduler)
  expect(others.map(({ rounds }, at) => rounds > (before[at] ?? 0))).toEqual(others.map(() => true))
})

test('a rule that fails is told once and starts over, and the others run', async () => {
  const broken = counting(async () => {
    throw new Error('no such field')
  })
  const fine = counting()
  works = [workOf('broken', '1', broken), workOf('fine', '1', fine)]
  const scheduler = schedulerOf()
  await scheduler.readRules(true)
  for (let n = 0; n < 3; n++) await round(scheduler)
  expect([broken.rounds, fine.rounds]).toEqual([3, 3])
  expect(log.match(/broken: no such field/g)).toHaveLength(1)
})

test('a rule whose clock was set back starts over from what is written, and is not left to rest until then', async () => {
  let now = 1_000_000_000
  const runs: ReturnType<typeof counting>[] = []
  works = [{ ...workOf('a', '1', counting()), resume: async () => runs[runs.push(counting()) - 1] as Run }]
  const scheduler = schedulerOf({ now: () => now, rulesRescanMs: () => 1000 })
  await scheduler.readRules(true)
  await round(scheduler)
  now -= 60_000
  await round(scheduler)
  expect(runs.map(({ rounds }) => rounds)).toEqual([2])
  now -= 500_000_000
  works = [...works, workOf('b', '1', counting())]
  await scheduler.readRules()
  await round(scheduler)
  expect(runs.map(({ rounds }) => rounds)).toEqual([2, 1])
  expect(scheduler.patterns).toHaveLength(2)
})

test('a changed rule takes the place of the old one, which stops first', async () => {
  const [old, changed, gone] = [counting(), counting(), counting()]
  works = [workOf('a', '1', old), workOf('b', '1', gone)]
  const scheduler = schedulerOf()
  await scheduler.readRules(true)
  await round(scheduler)
  works = [workOf('a', '2', changed)]
  await scheduler.readRules(true)
  await round(scheduler)
  await round(scheduler)
  expect([old.rounds, old.stops, changed.rounds, changed.stops]).toEqual([1, 1, 2, 0])
  expect([gone.rounds, gone.stops]).toEqual([1, 1])
})

test('rules that a round has no time for are first in the next: none waits for ever', async () => {
  const took = () => new Promise<void>((resolve) => setTimeout(resolve, 500))
  const many = Array.from({ length: 40 }, () => counting(took))
  works = many.map((run, at) => workOf(`rule${at}`, '1', run))
  const scheduler = schedulerOf()
  await scheduler.readRules(true)
  const told: boolean[] = []
  for (let n = 0; n < 12; n++) {
    const done = scheduler.round()
    await vi.advanceTimersByTimeAsync(2100)
    told.push(await done)
  }
  expect(new Set(told)).toEqual(new Set([false]))
  const rounds = many.map((run) => run.rounds)
  expect(Math.min(...rounds)).toBeGreaterThan(0)
  expect(Math.max(...rounds) - Math.min(...rounds)).toBeLessThan(2)
  works = works.slice(0, 3)
  await scheduler.readRules(true)
  for (let n = 0; n < 20; n++) await round(scheduler)
  const last = scheduler.round()
  await vi.advanceTimersByTimeAsync(5000)
  expect(await last).toBe(true)
})

test('what is to be known of one rule of a set is shown at that rule', async () => {
  const run = { ...counting(), notices: new Map([['many', 'its windows are full']]) }
  works = [
    {
      ...workOf('~sigma', '1', run),
      rules: ['one', 'many'].map((id) => ({ id }) as AlertingRule),
      resume: async () => run,
    },
  ]
  const told: unknown[] = []
  const ran = (ids: readonly string[], _now: number, error?: string): void => {
    told.push([ids, error])
  }
  const scheduler = schedulerOf({ statuses: { setRules: () => undefined, ran, matched: () => undefined } })
  await scheduler.readRules(true)
  await round(scheduler)
  expect(told).toEqual([
    [['one'], undefined],
    [['many'], 'its windows are full'],
  ])
  expect(log).toContain('many: its windows are full')
})

test('what a rule gives notice of is told once, and is shown while it lasts', async () => {
  const told: (string | undefined)[] = []
  const run = { ...counting(), notice: 'its windows are full' as string | undefined }
  works = [{ ...workOf('rule', '1', run), resume: async () => run }]
  const statuses = {
    setRules: () => undefined,
    ran: (_ids: readonly string[], _now: number, error?: string) => {
      told.push(error)
    },
    matched: () => undefined,
  }
  const scheduler = schedulerOf({ statuses })
  await scheduler.readRules(true)
  await round(scheduler)
  await round(scheduler)
  run.notice = undefined
  await round(scheduler)
  expect(told).toEqual(['its windows are full', 'its windows are full', undefined])
  expect(log.split('rule: its windows are full')).toHaveLength(2)
})
