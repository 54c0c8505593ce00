import { readFileSync } from 'node:fs'
import { alertDocumentSchema } from '@logstack/contracts'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { detectionAlert } from './detection-alert.ts'
import { readDetections } from './detection-set.ts'
import { type DetectionMatch, Detector, type StoredEvent } from './detector.ts'

const rules = new URL('../../../../rules', import.meta.url).pathname
const set = readDetections(rules)
const stepSchema = z.strictObject({ times: z.number().default(1), event: z.record(z.string(), z.unknown()) })
const { cases } = z
  .strictObject({
    cases: z.array(z.strictObject({ title: z.string(), events: z.array(stepSchema), raises: z.array(z.string()) })),
  })
  .parse(parseYaml(readFileSync(`${rules}/detections/tests/shipped.yml`, 'utf8')))
const start = Date.UTC(2026, 0, 1)
const silenceMs = (): number => 600_000

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
    const detector = new Detector(set, silenceMs, Date.now)
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
    const before = new Detector(set, silenceMs, Date.now)
    const first = events.slice(0, 6).flatMap((event) => before.inspect(event))
    const after = new Detector(set, silenceMs, Date.now, JSON.parse(JSON.stringify(before.save())))
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
    const detector = new Detector(set, silenceMs, () => now)
    const raised = [ahead, ...rest].flatMap((event) => detector.inspect(event)).map(named)
    expect(raised).toContain('Many failed logins from one address 203.0.113.9')

    now += 365 * 86_400_000
    const late = new Detector(set, silenceMs, () => now)
    late.inspect({ ...ahead, id: 'of the wrong time' })
    now -= 365 * 86_400_000
    const saved: unknown = JSON.parse(JSON.stringify(late.save()))
    for (const after of [late, new Detector(set, silenceMs, () => now, saved)])
      expect(rest.flatMap((event) => after.inspect(event)).map(named)).toEqual(raised)
  })

  it('gives a match of the same events the same alert', () => {
    const [one, other] = [new Detector(set, silenceMs, Date.now), new Detector(set, silenceMs, Date.now)].map(
      (detector) => events.flatMap((event) => detector.inspect(event)).map((match) => detectionAlert(match, start).id),
    )
    expect(one).toEqual(other)
    expect(new Set(one).size).toBe(2)
  })
})
