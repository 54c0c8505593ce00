import { beforeAll, expect, test } from 'vitest'
import { screenshot } from './browser.ts'
import { fillIndex, importObjects, pageForTests } from './dashboard-page.ts'
import { cities, connections, properties, range } from './maps/documents.ts'
import { coloursOf } from './maps/look.ts'
import { dashboardId, index, mapObjects } from './maps/objects.ts'

// Specifications in Vega are drawn over the answers of search, and reach nothing else.

const objects = mapObjects('vega')
const tests = await pageForTests(
  async (part) => {
    await fillIndex(part.client, index, properties, connections)
    await importObjects(part, objects)
  },
  { height: 1_800, timeZone: 'UTC' },
)
const { skip, named } = tests
const url = (): string => `${tests.address}/app/dashboards/${dashboardId}?${range}`

beforeAll(async () => {
  if (skip) return
  await open()
})

const panel = (id: string) => tests.watched.page.locator(`[data-panel-id="${id}"]`)

async function open(): Promise<void> {
  await tests.watched.page.goto(url())
  await panel('bars').locator('canvas').waitFor()
}

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
