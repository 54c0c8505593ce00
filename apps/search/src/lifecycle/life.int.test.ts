import { writeFileSync } from 'node:fs'
import { startSearch, type TestSearch } from '@logstack/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { growthMax, type Hour, hoursOfDay, liveOneDay } from './life.fixture.ts'

// A day of events, searches, rollovers and retention in a few minutes: what a search holds stays as much as it was. docs/reliability.md has a long run.

const minutes = Number(process.env['LOGSTACK_LIFE_MINUTES'] ?? 0.6)
/** Between two bulks, in milliseconds. */
const eachMs = Number(process.env['LOGSTACK_LIFE_EACH_MS'] ?? 100)
const reportFile = process.env['LOGSTACK_LIFE_REPORT']

let search: TestSearch
beforeAll(async () => {
  search = await startSearch()
})
afterAll(() => search.stop())

/** The middle one of an hour's figure over some hours. */
function usual(hours: readonly Hour[], name: keyof Hour): number {
  const values = hours.map((hour) => hour[name]).sort((left, right) => left - right)
  return values[values.length >> 1] ?? 0
}

it(
  'takes in, searches, rolls over and deletes for a day without growing',
  async () => {
    const hours = await liveOneDay(search, (minutes * 60_000) / hoursOfDay, eachMs)
    if (reportFile !== undefined) writeFileSync(reportFile, JSON.stringify(hours, undefined, 1))
    const last = hours.at(-1)
    expect(last?.refused).toBe(0)
    expect(last?.stored).toBeGreaterThan(0)
    // Retention took events away: what is stored is less than what came.
    expect(last?.stored).toBeLessThan(last?.events ?? 0)
    const [before, after] = [hours.slice(9, 16), hours.slice(17)]
    for (const [name, { share, more }] of Object.entries(growthMax)) {
      const [was, is] = [usual(before, name as keyof Hour), usual(after, name as keyof Hour)]
      expect(is, `${name} of the hours 18 to 24, ${was} of the hours 10 to 16`).toBeLessThanOrEqual(was * share + more)
    }
  },
  minutes * 60_000 * 4 + 400_000,
)
