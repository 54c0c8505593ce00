import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, openPage, screenshot, type WatchedPage } from './browser.ts'
import { type DashboardPage, fillIndex, openDashboardPage } from './dashboard-page.ts'
import type { DashboardPart } from './dashboard-part.ts'
import { hasProgram } from './stack.ts'

// Somebody builds a dashboard without writing JSON. The tests follow one dashboard's life: they run in order.

const skip = (await hasProgram('chromium')) ? false : 'chromium is not installed'
const named = (title: string): string => (skip ? `${title} (${skip})` : title)
const root = fileURLToPath(new URL('..', import.meta.url))
const reader = { username: 'reader', password: 'only-reads-1' }
let opened: DashboardPage | undefined
let part: DashboardPart
let browser: Browser
let watched: WatchedPage

beforeAll(async () => {
  if (skip) return
  opened = await openDashboardPage(prepare)
  ;({ part, browser, watched } = opened)
})

afterAll(() => opened?.stop())

async function prepare({ client, importFile }: DashboardPart): Promise<void> {
  const now = Date.now()
  const documents = Array.from({ length: 90 }, (_, at) => ({
    '@timestamp': new Date(now - at * 5_000).toISOString(),
    host: { name: `web-0${at % 3}` },
    message: `request ${at}`,
  }))
  const properties = {
    '@timestamp': { type: 'date' },
    host: { properties: { name: { type: 'keyword' } } },
    message: { type: 'text' },
  }
  await fillIndex(client, 'logs-test-default', properties, documents)
  expect(await importFile(join(root, 'dashboards/search/index-patterns.ndjson'))).toMatchObject({ success: true })
  const { username, password } = reader
  await client.request({ method: 'PUT', path: `/_security/user/${username}`, body: { password, roles: ['viewer'] } })
}

const panelNamed = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function choose(page: Page, label: string, option: string): Promise<void> {
  // The list that opens has the label of its input.
  await page.getByLabel(label, { exact: true }).and(page.locator('input')).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test.skipIf(skip)(named('a dashboard is made with a chart, seen before it is taken, and a text'), async () => {
  const { page } = watched
  await page.getByRole('link', { name: 'Dashboards', exact: true }).click()
  await page.getByRole('button', { name: 'Create dashboard' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('Web servers')
  await page.getByRole('dialog').getByRole('button', { name: 'Create dashboard' }).click()
  await page.getByRole('button', { name: 'Add panel' }).click()
  await page.getByRole('menuitem', { name: 'Chart' }).click()
  await page.getByLabel('Title of the panel').fill('By host')
  await page.getByText('Table', { exact: true }).click()
  await choose(page, 'By', 'Values of a field')
  await choose(page, 'Its field', 'host.name')
  const preview = page.getByRole('region', { name: 'Preview' })
  await preview.getByText('web-00').waitFor()
  await screenshot(page, 'chart-builder')
  await page.getByRole('button', { name: 'Take it' }).click()
  await panelNamed(page, 'By host').getByText('web-02').waitFor()
  await page.getByRole('button', { name: 'Add panel' }).click()
  await page.getByRole('menuitem', { name: 'Text' }).click()
  await page.getByLabel('Text (Markdown)').fill('# Who to call')
  await page.getByRole('button', { name: 'Take it' }).click()
  await page.getByRole('heading', { name: 'Who to call' }).waitFor()
})

test.skipIf(skip)(named('panels are moved and sized with keys and with the pointer, and saved'), async () => {
  const { page } = watched
  const chart = panelNamed(page, 'By host')
  const styleOf = (): Promise<string | null> => chart.getAttribute('style')
  expect(await styleOf()).toContain('--panel-column: 1 / span 24')
  await page.getByRole('button', { name: /^Resize By host/ }).press('ArrowRight')
  await expect.poll(styleOf).toContain('--panel-column: 1 / span 25')
  const handle = await page.getByRole('button', { name: /^Move By host/ }).boundingBox()
  if (!handle) throw new Error('the handle is not on the page')
  await page.mouse.move(handle.x + 5, handle.y + 5)
  await page.mouse.down()
  await page.mouse.move(handle.x + 305, handle.y + 5, { steps: 4 })
  await page.mouse.up()
  await expect.poll(styleOf).not.toContain('--panel-column: 1 /')
  const saved = await styleOf()
  await screenshot(page, 'dashboard-editing')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
  await page.goto(page.url().replace(/[?&]edit=true/, ''))
  await chart.getByText('web-02').waitFor()
  expect(await styleOf()).toBe(saved)
})

test.skipIf(skip)(named('a chart is edited in its form, and what was changed can be thrown away'), async () => {
  const { page } = watched
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('button', { name: 'Panel By host' }).click()
  await page.getByRole('menuitem', { name: 'Edit the chart' }).click()
  await page.getByLabel('Only events that fit (KQL)').fill('host.name: web-01')
  await page.getByRole('button', { name: 'Take it' }).click()
  const chart = panelNamed(page, 'By host')
  await expect.poll(() => chart.getByText('web-02').count()).toBe(0)
  await chart.getByText('web-01').waitFor()
  page.once('dialog', (dialog) => void dialog.accept())
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await chart.getByText('web-02').waitFor()
})

test.skipIf(skip)(named('where a dialog goes, the focus is where it was before'), async () => {
  const { page } = watched
  await page.getByRole('button', { name: 'Edit', exact: true }).press('Enter')
  const settings = page.getByRole('button', { name: 'Settings' })
  await settings.press('Enter')
  await page.getByRole('dialog').waitFor()
  const hasFocus = (of: typeof settings): Promise<boolean> =>
    of.evaluate((one) => one === one.ownerDocument.activeElement)
  await expect.poll(() => page.getByRole('dialog').locator(':focus').count()).toBe(1)
  await page.keyboard.press('Escape')
  await expect.poll(() => hasFocus(settings)).toBe(true)
  await page.getByRole('button', { name: 'Cancel', exact: true }).press('Enter')
})

test.skipIf(skip)(named('a dashboard is cloned and deleted in the list'), async () => {
  const { page } = watched
  await page.getByRole('link', { name: 'Dashboards', exact: true }).click()
  await page.getByRole('button', { name: 'Clone Web servers' }).click()
  await page.getByRole('link', { name: 'Web servers (copy)' }).waitFor()
  page.once('dialog', (dialog) => void dialog.accept())
  await page.getByRole('button', { name: 'Delete Web servers (copy)' }).click()
  await expect.poll(() => page.getByRole('link', { name: 'Web servers (copy)' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Web servers', exact: true }).waitFor()
})

test.skipIf(skip)(named('who may only read sees the dashboard and nothing to change it with'), async () => {
  const other = await openPage(browser)
  await logIn(other, part.url, reader)
  const { page } = other
  await page.getByRole('link', { name: 'Dashboards', exact: true }).click()
  expect(await page.getByRole('button', { name: 'Create dashboard' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Web servers', exact: true }).click()
  await panelNamed(page, 'By host').getByText('web-02').waitFor()
  expect(await page.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0)
  await page.goto(`${page.url().split('?')[0]}?edit=true`)
  await panelNamed(page, 'By host').getByText('web-02').waitFor()
  expect(await page.getByRole('button', { name: /^Move/ }).count()).toBe(0)
  expect(watched.problems).toEqual([])
  expect(other.problems).toEqual([])
})
