import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsOf } from './accessibility.ts'
import { launchBrowser, logIn, openPage, screenshot } from './browser.ts'
import { type DashboardPart, startDashboardPart } from './dashboard-part.ts'
import { seedAlert, seedEvents } from './dashboard-seed.ts'
import { hasProgram } from './stack.ts'

// Every page as people with a screen reader, with weak eyes or with a keyboard alone meet it, in both colour schemes.

const skip = (await hasProgram('chromium')) ? false : 'chromium is not installed'
const root = fileURLToPath(new URL('..', import.meta.url))
const pages = [
  'discover',
  'dashboards',
  'dashboards/logstack-host-overview',
  'alerts',
  'rules',
  'agents',
  'dev_tools',
  'health',
  'management/saved-objects',
  'management/index-patterns',
  'management/data-streams',
  'management/indices',
  'management/pipelines',
  'management/lifecycle',
  'management/users',
  'management/roles',
  'management/api-keys',
]
let part: DashboardPart
let browser: Browser

beforeAll(async () => {
  if (skip) return
  part = await startDashboardPart()
  await seedEvents(part.client)
  await seedAlert(part.client)
  for (const file of ['search/host-overview', 'search/index-patterns'])
    expect(await part.importFile(join(root, `dashboards/${file}.ndjson`))).toMatchObject({ success: true })
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  await part?.stop()
})

test.skipIf(skip).each(['light', 'dark'] as const)(
  `no page keeps anybody out, in %s colours${skip ? ` (${skip})` : ''}`,
  async (scheme) => {
    const watched = await openPage(browser, { scheme })
    const { page } = watched
    // Colours on their way from one to another are neither.
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.goto(`${part.url}/`)
    await page.getByLabel('User name').waitFor()
    const found: Record<string, string[]> = { login: await violationsOf(page) }
    await logIn(watched, part.url, part.search)
    for (const path of pages) {
      await page.goto(`${part.url}/app/${path}`)
      await page.getByRole('heading').first().waitFor()
      await expect.poll(() => page.locator('[role=status]').count()).toBe(0)
      found[path] = await violationsOf(page)
      await screenshot(page, `access-${scheme}-${path.replaceAll('/', '-')}`)
    }
    expect(Object.entries(found).filter(([, violations]) => violations.length > 0)).toEqual([])
    await page.context().close()
  },
)
