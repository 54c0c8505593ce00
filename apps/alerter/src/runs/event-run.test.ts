import { beforeEach, describe, expect, test } from 'vitest'
import { readRule } from '../rule-files/read-rule.ts'
import type { Rule } from '../rule-files/rule.ts'
import { EventRun } from './event-run.ts'
import { World } from './world.testing.ts'

const minute = 60_000

function ruleOf(text: string): Rule {
  const read = readRule('logins', text)
  if (read.kind !== 'rule') throw new Error(JSON.stringify(read))
  return read.rule
}

const frequencyText = `
type: frequency
index: logs
num_events: 3
timeframe: {minutes: 5}
query_key: host.name
realert: {minutes: 10}
alert: debug
`

let world: World
beforeEach(() => {
  world = new World()
})

test('an alert says what happened, where and how often', async () => {
  for (const id of ['a', 'b', 'c']) world.add(id)
  await world.run(ruleOf(frequencyText))
  const [alert] = [...world.alerts.values()]
  expect(alert?.document).toMatchObject({
    event: { kind: 'alert' },
    rule: { id: 'logins', name: 'logins' },
    host: { name: 'web1' },
    message: expect.stringMatching(/^logins: At least 3 events occurred between .* for host.name web1$/),
    logstack: {
      alert: {
        status: 'open',
        severity: 'medium',
        rule_type: 'frequency',
        key: 'web1',
        key_field: 'host.name',
        count: 3,
        events: ['a', 'b', 'c'].map((id) => ({ index: 'logs', id })),
        delivery: 'pending',
        notifications: [{ channel: 'debug', state: 'pending', attempts: 0 }],
      },
    },
  })
  expect(world.delivered).toEqual([alert?.id])
})

test('events are counted across pages, runs and restarts, each once', async () => {
  world.pageEventsMax = 1
  const rule = ruleOf(frequencyText)
  world.add('a')
  await world.run(rule)
  await world.run(rule)
  world.add('b')
  await world.run(rule)
  expect(world.alerts.size).toBe(0)
  world.add('c')
  await world.run(rule)
  expect(world.alerts.size).toBe(1)
})

test('counts that lead to no alert are not written at once, and are counted again after a crash', async () => {
  const rule = ruleOf(
    'type: frequency\nindex: logs\nnum_events: 3\ntimeframe: {minutes: 5}\nuse_count_query: true\nalert: debug\n',
  )
  world.add('a')
  await world.run(rule)
  world.add('b')
  await world.run(rule)
  expect([world.state, world.alerts.size]).toEqual([undefined, 0])
  world.add('c')
  await world.run(rule)
  await world.run(rule)
  expect(world.state).toBeDefined()
  expect(world.alerts.size).toBe(1)
})

test('where writing takes long, events that lead to no alert are written now and then, and one that does at once', async () => {
  world.saveMs = 1000
  const run = await EventRun.resume(ruleOf(frequencyText), world.surroundings())
  const savesAfter = async (...ids: string[]): Promise<number> => {
    for (const id of ids) world.add(id, id[0])
    await run.round(world.shards, world.surroundings())
    return world.saves
  }
  expect(await savesAfter('a1')).toBe(1)
  expect(await savesAfter('b1')).toBe(1)
  await world.clock.advance(20_000)
  expect(await savesAfter('b2')).toBe(2)
  expect(await savesAfter('c1')).toBe(2)
  expect(await savesAfter('b3')).toBe(3)
  expect(world.alerts.size).toBe(1)
})

test('people are told for an hour that a rule had to forget keys', async () => {
  const run = await EventRun.resume(ruleOf(frequencyText), world.surroundings())
  const round = () => run.round(world.shards, world.surroundings())
  for (let n = 0; n < 100; n++) world.add(`${n}`, `host ${n}`)
  await round()
  expect(run.notice).toBeUndefined()
  world.add('one more', 'another host')
  await round()
  expect(run.notice).toContain('its windows are full [100]')
  await world.clock.advance(60 * minute)
  expect(run.notice).toBeUndefined()
})

test('a key that matched is silent for realert, then heard again', async () => {
  const rule = ruleOf(frequencyText)
  const burst = async (round: number): Promise<number> => {
    for (const id of ['a', 'b', 'c']) world.add(`${id}${round}`)
    await world.run(rule)
    return world.alerts.size
  }
  expect(await burst(1)).toBe(1)
  await world.clock.advance(9 * minute)
  expect(await burst(2)).toBe(1)
  await world.clock.advance(minute)
  expect(await burst(3)).toBe(2)
})

test('what is older than the lookback when an index is first read does not count', async () => {
  for (const id of ['a', 'b', 'c']) world.add(id, 'web1', world.clock.now() - 16 * minute)
  await world.run(ruleOf(frequencyText))
  expect(world.alerts.size).toBe(0)
})

test('an event that comes late, with a time of yesterday, is seen as it comes by its number', async () => {
  const rule = ruleOf('type: any\nindex: logs\nrealert: {minutes: 0}\nalert: debug\n')
  world.add('on time')
  await world.run(rule)
  world.add('late', 'web1', world.clock.now() - 20 * 60 * minute)
  world.add('far too late', 'web1', world.clock.now() - 48 * 60 * minute)
  await world.run(rule)
  expect([...world.alerts.values()].map(({ document }) => document.logstack.alert.events[0]?.id)).toEqual([
    'on time',
    'late',
  ])
})

test('what came while it was away is told once it is back, each event once', async () => {
  const rule = ruleOf('type: any\nindex: logs\nrealert: {minutes: 0}\nalert: debug\n')
  world.pageEventsMax = 7
  world.add('0')
  await world.run(rule)
  for (let n = 1; n <= 50; n++) {
    await world.clock.advance(10 * minute)
    world.add(String(n))
  }
  world.failNext = 'create-after'
  await expect(world.run(rule)).rejects.toThrow('create-after')
  await world.run(rule)
  await world.run(rule)
  expect([...world.alerts.values()].map(({ document }) => document.logstack.alert.events[0]?.id)).toEqual(
    Array.from({ length: 51 }, (_, n) => String(n)),
  )
})

test('an index that came while it was away is read from when it went, not only from a while ago', async () => {
  const rule = ruleOf('type: any\nindex: logs\nrealert: {minutes: 0}\nalert: debug\n')
  world.add('of yesterday')
  await world.run(rule)
  world.index = 'logs-of-today'
  await world.clock.advance(30 * minute)
  world.add('while away')
  await world.clock.advance(90 * minute)
  await world.run(rule)
  expect([...world.alerts.values()].map(({ document }) => document.logstack.alert.events[0]?.id)).toEqual([
    'of yesterday',
    'while away',
  ])
})

test.each([365 * 24 * 60, 6])(
  'a clock that was %i minutes ahead and is set back leaves no rule blind',
  async (minutes) => {
    const rule = ruleOf(frequencyText)
    world.set = minutes * minute
    world.add('of the wrong time')
    await world.run(rule)
    world.set = 0
    for (const id of ['a', 'b', 'c']) world.add(id)
    await world.run(rule)
    expect([...world.alerts.values()].map(({ document }) => document.logstack.alert.count)).toEqual([3])
  },
)

describe('events that came with right times while the clock was days ahead', () => {
  const rule = ruleOf('type: any\nindex: logs\nrealert: {minutes: 0}\nalert: debug\n')

  async function ahead(): Promise<void> {
    world.add('before')
    await world.run(rule)
    world.set = 3 * 24 * 60 * minute
    world.add('right', 'web1', world.clock.now())
    world.add('of the wrong time')
    await world.run(rule)
    expect(world.read).toEqual(['before', 'of the wrong time'])
  }

  test('are read once it is set back, and no others a second time', async () => {
    await ahead()
    world.set = 0
    world.add('after')
    for (let round = 0; round < 3; round += 1) await world.run(rule)
    expect(world.read).toEqual(['before', 'of the wrong time', 'right', 'after'])
  })

  test('are told once where it crashes at that', async () => {
    await ahead()
    world.set = 0
    world.add('after')
    for (const point of ['save', 'create', 'create-after'] as const) {
      world.failNext = point
      await expect(world.run(rule)).rejects.toThrow(`failed at ${point}`)
    }
    await world.run(rule)
    expect([...world.alerts.values()].map(({ document }) => document.logstack.alert.events[0]?.id)).toEqual([
      'before',
      'of the wrong time',
      'right',
      'after',
    ])
  })

  test('are counted by rules that count', async () => {
    const counting = ruleOf(
      'type: frequency\nindex: logs\nnum_events: 3\ntimeframe: {minutes: 5}\nuse_count_query: true\nalert: debug\n',
    )
    await world.run(counting)
    world.set = 3 * 24 * 60 * minute
    for (const id of ['a', 'b', 'c']) world.add(id, 'web1', world.clock.now())
    await world.run(counting)
    expect(world.alerts.size).toBe(0)
    world.set = 0
    await world.run(counting)
    await world.run(counting)
    expect([...world.alerts.values()].map(({ document }) => document.logstack.alert.count)).toEqual([3])
  })
})

test('a rule with a schedule does not rest until the time of a clock that was ahead', async () => {
  const rule = ruleOf('type: any\nindex: logs\nlimit_execution: "* * * * *"\nrealert: {minutes: 0}\nalert: debug\n')
  const run = await EventRun.resume(rule, world.surroundings())
  world.set = 365 * 24 * 60 * minute
  await run.round(world.shards, world.surroundings())
  world.set = 0
  world.add('a')
  await run.round(world.shards, world.surroundings())
  await world.clock.advance(minute)
  await run.round(world.shards, world.surroundings())
  expect(world.alerts.size).toBe(1)
})

test('an index that was made again under its name is read from its start', async () => {
  const rule = ruleOf(frequencyText)
  for (let count = 0; count < 5; count++) world.add(`old${count}`, `host${count}`)
  await world.run(rule)
  world.events.length = 0
  for (const id of ['a', 'b', 'c']) world.add(id)
  await world.run(rule)
  expect(world.alerts.size).toBe(1)
})

test('a rule that looks for something else starts with an empty window', async () => {
  world.add('a')
  world.add('b')
  await world.run(ruleOf(frequencyText))
  world.add('c')
  await world.run(ruleOf(frequencyText.replace('minutes: 5', 'minutes: 6')))
  expect(world.alerts.size).toBe(0)
})

describe('a crash', () => {
  test.each(['save', 'create', 'create-after'] as const)('at %s loses no alert and doubles none', async (point) => {
    const rule = ruleOf(frequencyText)
    for (const id of ['a', 'b', 'c']) world.add(id)
    world.failNext = point
    await expect(world.run(rule)).rejects.toThrow(`failed at ${point}`)
    world.add('d')
    await world.run(rule)
    await world.run(rule)
    expect(
      [...world.alerts.values()].map(({ document }) => document.logstack.alert.events.map(({ id }) => id)),
    ).toEqual([['a', 'b', 'c']])
  })

  test('keeps a key silent', async () => {
    const rule = ruleOf(frequencyText)
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) world.add(id)
    world.failNext = 'create'
    await expect(world.run(rule)).rejects.toThrow()
    await world.run(rule)
    expect(world.alerts.size).toBe(1)
  })
})

test('`any` without realert makes one alert an event', async () => {
  const rule = ruleOf('type: any\nindex: logs\nrealert: {minutes: 0}\nalert: debug\n')
  world.add('a')
  world.add('b')
  await world.run(rule)
  expect(world.alerts.size).toBe(2)
})
