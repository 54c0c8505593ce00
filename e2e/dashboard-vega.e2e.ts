import { afterAll, beforeAll, expect, test } from 'vitest'
import { screenshot, type WatchedPage } from './browser.ts'
import { type DashboardPage, fillIndex, importObjects, openDashboardPage } from './dashboard-page.ts'
import { cities, connections, properties, range } from './maps/documents.ts'
import { coloursOf } from './maps/look.ts'
import { dashboardId, index, mapObjects } from './maps/objects.ts'
import { hasProgram } from './stack.ts'

// Specifications in Vega are drawn over the answers of search, and reach nothing else.

const skip = (await hasProgram('chromium')) ? false : 'chromium is not installed'
const named = (title: string): string => (skip ? `${title} (${skip})` : title)
const objects = mapObjects('vega')
let opened: DashboardPage | undefined
let watched: WatchedPage
let url: string

beforeAll(async () => {
  if (skip) return
  opened = await openDashboardPage(
    async (part) => {
      await fillIndex(part.client, index, properties, connections)
      await importObjects(part, objects)
    },
    { height: 1_800, timeZone: 'UTC' },
  )
  watched = opened.watched
  url = `${opened.part.url}/app/dashboards/${dashboardId}?${range}`
  await open()
})

afterAll(async () => {
  await opened?.stop()
})

const panel = (id: string) => watched.page.locator(`[data-panel-id="${id}"]`)

async function open(): Promise<void> {
  await watched.page.goto(url)
  await panel('bars').locator('canvas').waitFor()
}

test.skipIf(skip)(named('specifications in both languages are drawn, as wide as their numbers'), async () => {
  const { page } = watched
  await expect.poll(() => page.locator('.dashboard-panel [role=status]').count()).toBe(0)
  await panel('squares').locator('canvas').waitFor()
  await screenshot(page, 'vega')
  await expect.poll(async () => (await coloursOf(page, 'bars')).get('#7b1fa2') ?? 0).toBeGreaterThan(2_000)
  await expect.poll(async () => (await coloursOf(page, 'squares')).get('#00838f') ?? 0).toBeGreaterThan(2_000)
  const whole = (await coloursOf(page, 'squares')).get('#00838f') ?? 0
  // The dashboard's query holds: eight of the 29 connections are left.
  const [brazil] = cities.filter(({ iso2 }) => iso2 === 'BR')
  await page.goto(`${url}&query=${encodeURIComponent(`source.geo.country_iso_code: ${brazil?.iso2}`)}`)
  await panel('squares').locator('canvas').waitFor()
  await expect.poll(async () => (await coloursOf(page, 'squares')).get('#00838f') ?? 0).not.toBe(whole)
})

test.skipIf(skip)(
  named('a specification neither loads from elsewhere nor runs a script, and says why it is not drawn'),
  async () => {
    const { page } = watched
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await open()
    await expect.poll(() => panel('script').locator('[role=alert]').count()).toBe(1)
    await expect.poll(() => panel('loading').textContent()).toContain('https://example.org/secret.json')
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    expect(asked.filter((address) => !address.startsWith(opened?.part.url ?? ''))).toEqual([])
    expect(watched.problems.filter((problem) => /Content Security Policy|eval/.test(problem))).toEqual([])
  },
)
