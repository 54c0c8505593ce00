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
    const detector = new Detector(set, silenceMs)
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
    const before = new Detector(set, silenceMs)
    const first = events.slice(0, 6).flatMap((event) => before.inspect(event))
    const after = new Detector(set, silenceMs, JSON.parse(JSON.stringify(before.save())))
    const rest = events.slice(6).flatMap((event) => after.inspect(event))
    expect(first).toEqual([])
    expect(rest.map(named)).toEqual([
      'Many failed logins from one address 203.0.113.9',
      'A password was guessed 203.0.113.9',
    ])
    const again = eventsOf(guessing?.events ?? []).map((event) => ({ ...event, id: `again-${event.id}` }))
    expect(again.flatMap((event) => after.inspect(event))).toEqual([])
  })

  it('gives a match of the same events the same alert', () => {
    const [one, other] = [new Detector(set, silenceMs), new Detector(set, silenceMs)].map((detector) =>
      events.flatMap((event) => detector.inspect(event)).map((match) => detectionAlert(match, start).id),
    )
    expect(one).toEqual(other)
    expect(new Set(one).size).toBe(2)
  })
})
