import { expect, test } from 'vitest'
import { screenshot } from './browser.ts'
import { dashboardForTests } from './dashboard-page.ts'
import { cities, connections, properties, range } from './maps/documents.ts'
import { coloursOf } from './maps/look.ts'
import { dashboardId, index, mapObjects } from './maps/objects.ts'

// Specifications in Vega are drawn over the answers of search, and reach nothing else.

const objects = mapObjects('vega')
const tests = await dashboardForTests({
  index,
  properties,
  documents: connections,
  objects,
  dashboardId,
  range,
  height: 1_800,
  drawn: 'bars',
})
const { skip, named, url, open, panel } = tests

test.skipIf(skip)(named('specifications in both languages are drawn, as wide as their numbers'), async () => {
  const { page } = tests.watched
  await expect.poll(() => page.locator('.dashboard-panel [role=status]').count()).toBe(0)
  await panel('squares').locator('canvas').waitFor()
  await screenshot(page, 'vega')
  await expect.poll(async () => (await coloursOf(page, 'bars')).get('#7b1fa2') ?? 0).toBeGreaterThan(2_000)
  await expect.poll(async () => (await coloursOf(page, 'squares')).get('#00838f') ?? 0).toBeGreaterThan(2_000)
  const whole = (await coloursOf(page, 'squares')).get('#00838f') ?? 0
  // The dashboard's query holds: eight of the 29 connections are left.
  const [brazil] = cities.filter(({ iso2 }) => iso2 === 'BR')
  await page.goto(`${url()}&query=${encodeURIComponent(`source.geo.country_iso_code: ${brazil?.iso2}`)}`)
  await panel('squares').locator('canvas').waitFor()
  await expect.poll(async () => (await coloursOf(page, 'squares')).get('#00838f') ?? 0).not.toBe(whole)
})

test.skipIf(skip)(
  named('a specification neither loads from elsewhere nor runs a script, and says why it is not drawn'),
  async () => {
    const { page } = tests.watched
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await open()
    await expect.poll(() => panel('script').locator('[role=alert]').count()).toBe(1)
    await expect.poll(() => panel('loading').textContent()).toContain('https://example.org/secret.json')
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    expect(asked.filter((address) => !address.startsWith(tests.address))).toEqual([])
    expect(tests.watched.problems.filter((problem) => /Content Security Policy|eval/.test(problem))).toEqual([])
  },
)
