import { readFileSync } from 'node:fs'
import { alertDocumentSchema } from '@logstack/contracts'
import type { Logger } from '@logstack/logging'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { InputLosses } from '../outputs/input-losses.ts'
import { detectionAlert } from './detection-alert.ts'
import { readDetections } from './detection-set.ts'
import { tellForgotten } from './detections.ts'
import { type DetectionMatch, Detector, type DetectorLimits, detectorBounds, type StoredEvent } from './detector.ts'

const rules = new URL('../../../../rules', import.meta.url).pathname
const set = readDetections(rules)
const stepSchema = z.strictObject({ times: z.number().default(1), event: z.record(z.string(), z.unknown()) })
const { cases } = z
  .strictObject({
    cases: z.array(z.strictObject({ title: z.string(), events: z.array(stepSchema), raises: z.array(z.string()) })),
  })
  .parse(parseYaml(readFileSync(`${rules}/detections/tests/shipped.yml`, 'utf8')))
const start = Date.UTC(2026, 0, 1)
const limitsAt = (now: () => number): DetectorLimits => ({
  ...detectorBounds,
  silenceMs: () => 600_000,
  now,
  forgot: () => undefined,
})

function eventsOf(steps: z.output<typeof stepSchema>[]): StoredEvent[] {
  return steps
    .flatMap(({ times, event }) =>
      Array.from({ length: times }, (_, n) => JSON.parse(JSON.stringify(event).replaceAll('{n}', String(n))) as object),
    )
    .map((event, at) => ({
      index: 'logs-test-default',
      id: `${at}`,
      document: { '@timestamp': new Date(start + at * 1000).toISOString(), ...event },
    }))
}

const named = ({ rule, key }: DetectionMatch): string => [rule.title, ...key].join(' ')

describe('shipped detections', () => {
  it('can all be read', () => {
    expect(set.problems).toEqual([])
  })

  it('are all tried', () => {
    const raised = cases.flatMap(({ raises }) => raises)
    const titles = [...set.alerting.values()].map(({ title }) => title)
    expect(titles.filter((title) => !raised.some((text) => text.startsWith(title)))).toEqual([])
  })

  it.each(cases)('$title', ({ events, raises }) => {
    const detector = new Detector(set, limitsAt(Date.now))
    const matches = eventsOf(events).flatMap((event) => detector.inspect(event))
    expect(matches.map(named).sort()).toEqual([...raises].sort())
    for (const match of matches)
      expect(() => alertDocumentSchema.parse(detectionAlert(match, start).document)).not.toThrow()
  })
})

describe('a detector', () => {
  const [guessing] = cases
  const events = guessing ? eventsOf(guessing.events) : []

  it('goes on from what it saved, and says the same thing once', () => {
    const before = new Detector(set, limitsAt(Date.now))
    const first = events.slice(0, 6).flatMap((event) => before.inspect(event))
    const after = new Detector(set, limitsAt(Date.now), JSON.parse(JSON.stringify(before.save())))
    const rest = events.slice(6).flatMap((event) => after.inspect(event))
    expect(first).toEqual([])
    expect(rest.map(named)).toEqual([
      'Many failed logins from one address 203.0.113.9',
      'A password was guessed 203.0.113.9',
    ])
    const again = eventsOf(guessing?.events ?? []).map((event) => ({ ...event, id: `again-${event.id}` }))
    expect(again.flatMap((event) => after.inspect(event))).toEqual([])
  })

  it('is blinded neither by an event of the future nor by its own clock', () => {
    const rest = events.map((event) => ({
      ...event,
      document: { ...event.document, '@timestamp': '2026-11-22T04:00:00Z' },
    }))
    const [first] = rest
    if (!first) throw new Error('no events')
    const ahead = { ...first, id: 'ahead', document: { ...first.document, '@timestamp': '2028-11-22T04:00:00Z' } }
    let now = Date.parse('2026-11-22T04:00:00Z')
    const detector = new Detector(
      set,
      limitsAt(() => now),
    )
    const raised = [ahead, ...rest].flatMap((event) => detector.inspect(event)).map(named)
    expect(raised).toContain('Many failed logins from one address 203.0.113.9')

    now += 365 * 86_400_000
    const late = new Detector(
      set,
      limitsAt(() => now),
    )
    late.inspect({ ...ahead, id: 'of the wrong time' })
    now -= 365 * 86_400_000
    const saved: unknown = JSON.parse(JSON.stringify(late.save()))
    for (const after of [
      late,
      new Detector(
        set,
        limitsAt(() => now),
        saved,
      ),
    ])
      expect(rest.flatMap((event) => after.inspect(event)).map(named)).toEqual(raised)
  })

  it('gives a match of the same events the same alert', () => {
    const [one, other] = [new Detector(set, limitsAt(Date.now)), new Detector(set, limitsAt(Date.now))].map(
      (detector) => events.flatMap((event) => detector.inspect(event)).map((match) => detectionAlert(match, start).id),
    )
    expect(one).toEqual(other)
    expect(new Set(one).size).toBe(2)
  })
})

describe('what a detector forgets', () => {
  it('is told where it was still needed, and not where it was over', () => {
    const told: string[] = []
    const small = { silencesMax: 1, windowEventsMax: 10, forgot: (...what: string[]) => void told.push(what.join(' ')) }
    const failed = eventsOf(cases[0]?.events ?? []).slice(0, 6)
    const from = (at: number, minutes: number): StoredEvent[] =>
      failed.map((event, n) => ({
        ...event,
        id: `${at}-${n}`,
        document: {
          ...(JSON.parse(JSON.stringify(event.document).replaceAll('203.0.113.9', `203.0.113.${at}`)) as object),
          '@timestamp': new Date(start + minutes * 60_000 + n).toISOString(),
        },
      }))
    const feed = (detector: Detector, ...all: StoredEvent[][]): void => {
      for (const event of all.flat()) detector.inspect(event)
    }
    feed(new Detector(set, { ...limitsAt(Date.now), ...small }), from(20, 0), from(21, 0), from(22, 0))
    expect(told).toContain('windows Many failed logins from one address')
    told.length = 0
    feed(new Detector(set, { ...limitsAt(Date.now), ...small }), from(20, 0), from(21, 600), from(22, 1200))
    expect(told).toEqual([])
    const guessed = (at: number, minutes: number): StoredEvent[] =>
      [...from(at, minutes), ...from(at + 100, minutes)].map((event, n) => ({
        ...event,
        id: `${event.id}-${n}`,
        document: {
          ...(JSON.parse(
            JSON.stringify(event.document).replaceAll(`203.0.113.${at + 100}`, `203.0.113.${at}`),
          ) as object),
          '@timestamp': new Date(start + minutes * 60_000 + n).toISOString(),
        },
      }))
    const roomy = { ...limitsAt(Date.now), ...small, windowEventsMax: 1000 }
    feed(new Detector(set, roomy), guessed(20, 0), guessed(21, 600))
    expect(told).toEqual([])
    feed(new Detector(set, roomy), guessed(20, 0), guessed(21, 0))
    expect(told).toEqual(['silences Many failed logins from one address'])
  })

  it('is told once an hour of each rule, and counted each time', () => {
    const told: unknown[] = []
    let now = 0
    const losses = new InputLosses(() => now)
    const logger = { warn: (...words: unknown[]) => void told.push(words[0]) } as unknown as Logger
    const tell = tellForgotten({ logger, losses, now: () => now })
    tell('windows', 'One')
    tell('windows', 'One')
    tell('silences', 'One')
    tell('windows', 'Other')
    expect(told).toHaveLength(3)
    expect(told[0]).toContain('the windows of [One] are full (200000 events)')
    now = 3_600_000
    tell('windows', 'One')
    expect(told).toHaveLength(4)
    expect(losses.take().map(({ document }) => document['logstack'])).toEqual([
      { input: { name: 'One', place: 'windows', lost: 3 } },
      { input: { name: 'One', place: 'silences', lost: 1 } },
      { input: { name: 'Other', place: 'windows', lost: 1 } },
    ])
  })
})
