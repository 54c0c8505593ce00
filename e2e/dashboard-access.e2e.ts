import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsOf } from './accessibility.ts'
import { launchBrowser, logIn, openPage, screenshot } from './browser.ts'
import { type DashboardPart, startDashboardPart } from './dashboard-part.ts'
import { seedAlert, seedEvents } from './dashboard-seed.ts'
import { layoutFaultsOf } from './layout.ts'
import { hasProgram } from './stack.ts'

// Every page as people with a screen reader, with weak eyes or with a keyboard alone meet it, in both colour schemes; and as it lies on a
// telephone, a laptop and a wall.

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
const widths = [360, 1280, 3840]
// Colours change no layout: the second scheme is laid out anew for pictures only.
const isLaidOut = (scheme: string): boolean => scheme === 'light' || process.env['LOGSTACK_SCREENSHOTS'] !== undefined
let part: DashboardPart
let browser: Browser

beforeAll(async () => {
  if (skip) return
  part = await startDashboardPart()
  await seedEvents(part.client)
  await seedAlert(part.client)
  await part.client.request({
    method: 'PUT',
    path: '/.logstack-health/_doc/disk-space?refresh=true',
    body: {
      '@timestamp': new Date().toISOString(),
      check: 'disk-space',
      title: 'Space on the disks that the parts write to',
      status: 'healthy',
      message: 'Every disk has room: /var/lib/logstack is used to 12 %, the watermark is at 90 %.',
      since: new Date().toISOString(),
    },
  })
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
    if (isLaidOut(scheme)) found['login'] = [...(found['login'] ?? []), ...(await faultsByWidth(page, scheme, 'login'))]
    await logIn(watched, part.url, part.search)
    for (const path of pages) {
      await page.goto(`${part.url}/app/${path}`)
      await page.getByRole('heading').first().waitFor()
      await expect.poll(() => page.locator('[role=status]').count()).toBe(0)
      found[path] = await violationsOf(page)
      await screenshot(page, `access-${scheme}-${path.replaceAll('/', '-')}`)
      if (isLaidOut(scheme)) found[path] = [...(found[path] ?? []), ...(await faultsByWidth(page, scheme, path))]
    }
    expect(Object.entries(found).filter(([, violations]) => violations.length > 0)).toEqual([])
    await page.context().close()
  },
)

test.skipIf(skip)(`on a telephone every page is reached through the menu${skip ? ` (${skip})` : ''}`, async () => {
  const watched = await openPage(browser, { width: 360, height: 740 })
  const { page } = watched
  await page.goto(`${part.url}/`)
  await page.getByLabel('User name').fill(part.search.username)
  await page.getByLabel('Password', { exact: true }).fill(part.search.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  const menu = page.getByRole('button', { name: 'Navigation' })
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await menu.click()
  await expect.poll(() => links.count()).toBe(8)
  for (const name of await links.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''))) {
    if (!(await links.first().isVisible())) await menu.click()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click()
    // It goes away by itself, and leaves the page that was chosen.
    await expect.poll(() => links.first().isVisible()).toBe(false)
    await page.getByRole('main').getByRole('heading').first().waitFor({ state: 'attached' })
  }
  expect(watched.problems).toEqual([])
  await page.context().close()
})

/** What is wrong with the layout at each width; the window is as wide as before afterwards. */
async function faultsByWidth(page: Page, scheme: string, path: string): Promise<string[]> {
  const before = page.viewportSize() ?? { width: 1440, height: 900 }
  const found: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 600 ? 740 : before.height })
    // Charts follow a frame after their boxes.
    await page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
    )
    found.push(...(await layoutFaultsOf(page)).map((fault) => `${width} px: ${fault}`))
    await screenshot(page, `width-${width}-${scheme}-${path.replaceAll('/', '-')}`)
  }
  await page.setViewportSize(before)
  return found
}

test.skipIf(skip)(
  `who may not see alerts, rules and agents is told so, not that there are none${skip ? ` (${skip})` : ''}`,
  async () => {
    const user = { username: 'vera', password: 'sees-some-of-it' }
    const body = { password: user.password, roles: ['viewer'] }
    await part.client.request({ method: 'PUT', path: `/_security/user/${user.username}`, body })
    const watched = await openPage(browser)
    const { page } = watched
    await logIn(watched, part.url, user)
    for (const [path, index] of [
      ['alerts', '.logstack-alerts'],
      ['rules', '.logstack-alerts-rules'],
      ['agents', '.logstack-agents'],
    ] as const) {
      await page.goto(`${part.url}/app/${path}`)
      await page.getByText('You may not see this').waitFor()
      await page.getByText(`None of your roles lets you read ${index}.`).waitFor()
    }
    await page.context().close()
  },
)
