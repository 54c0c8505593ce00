import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sendBulk } from '@logstack/search-client'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser, logIn, openPage, screenshot, type WatchedPage } from './browser.ts'
import { type DashboardPart, startDashboardPart } from './dashboard-part.ts'
import { type ExpectedPanel, expectedPanels } from './imported/panels.ts'

// The predecessor's own exports with its seed documents; they are not part of this repository.
const fixtures = fileURLToPath(new URL('../../shared/fixtures/dashboards/', import.meta.url))
const range = 'from=2026-01-14T00:00:00.000Z&to=2026-01-17T00:00:00.000Z'
const isThere = existsSync(fixtures)
const expected = isThere ? expectedPanels(fixtures) : []
const tallest = 6_000

describe.skipIf(!isThere)('the exports of the predecessor (fixtures/dashboards)', () => {
  let part: DashboardPart
  let browser: Browser
  let watched: WatchedPage
  let ids: string[]

  beforeAll(async () => {
    part = await startDashboardPart()
    await seed(part)
    for (const name of ['elastic.ndjson', 'wazuh.ndjson']) {
      expect(await part.importFile(join(fixtures, name))).toMatchObject({ success: true })
    }
    ids = dashboardIds()
    browser = await launchBrowser()
    watched = await openPage(browser, { height: 2400, timeZone: 'UTC' })
    await logIn(watched, part.url, part.search)
  })

  afterAll(async () => {
    await browser?.close()
    await part?.stop()
  })

  test('132 panels with data are known', () => {
    expect(ids).toHaveLength(16)
    expect(expected).toHaveLength(132)
  })

  test('every panel draws without an error and shows what was counted in the documents', {
    timeout: 1_200_000,
  }, async () => {
    const { page, problems } = watched
    const failures: string[] = []
    for (const id of ids) {
      await openDashboard(page, id)
      for (const problem of await page.locator('.dashboard-panel [role=alert]').allTextContents()) {
        failures.push(`${id}: ${problem.slice(0, 300)}`)
      }
      const unknown = await page.getByText(/^Panels of the kind .* cannot be drawn yet$/).allTextContents()
      failures.push(...unknown.map((text) => `${id}: ${text}`))
      await pictureWhole(page, id)
      for (const panel of expected.filter(({ dashboard }) => dashboard === id)) {
        failures.push(...(await differences(page, panel)))
      }
    }
    expect(failures).toEqual([])
    expect(problems).toEqual([])
  })

  async function openDashboard(page: Page, id: string): Promise<void> {
    await page.goto(`${part.url}/app/dashboards/${encodeURIComponent(id)}?${range}`)
    try {
      await page.locator('.dashboard-panel').first().waitFor()
    } catch (thrown) {
      await screenshot(page, 'stuck')
      const log = part.search.log().slice(-3000)
      throw new Error(`dashboard ${id} does not appear; search said: ${log}`, { cause: thrown })
    }
    await expect.poll(() => page.locator('.dashboard-panel [role=status]').count()).toBe(0)
  }
})

/** The whole dashboard in one picture, named by its title. */
async function pictureWhole(page: Page, id: string): Promise<void> {
  if (!process.env['LOGSTACK_SCREENSHOTS']) return
  const height = await page.locator('.dashboard-grid').evaluate((grid) => grid.scrollHeight + grid.offsetTop)
  await page.setViewportSize({ width: 1440, height: Math.min(tallest, height + 16) })
  const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? id
  await screenshot(page, `imported-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`)
}

/** How a panel's own data table, and a number it shows, differ from what was counted. */
async function differences(page: Page, { panel, title, kind, rows }: ExpectedPanel): Promise<string[]> {
  const section = page.locator(`[data-panel-id="${panel}"]`)
  const shown = await section.getByTestId('metric-value').allTextContents()
  // The menu of the panel before may still be on its way out.
  await expect.poll(() => page.getByRole('menuitem').count()).toBe(0)
  await section.getByRole('button', { name: /^Options of / }).click()
  await page.getByRole('menuitem', { name: 'Inspect' }).click()
  const data = page.getByTestId('inspect-data')
  await data.waitFor()
  const cells = await data
    .locator('tbody tr')
    .evaluateAll((lines) => lines.map((line) => [...line.querySelectorAll('td')].map((cell) => cell.textContent ?? '')))
  await page.keyboard.press('Escape')
  await data.waitFor({ state: 'detached' })
  const [found, wanted] = [comparable(cells), comparable(rows)]
  const named = `${kind} ${title} (${panel})`
  const wrong = JSON.stringify(found) === JSON.stringify(wanted) ? [] : [`${named}: ${found} instead of ${wanted}`]
  const numbers = comparable(rows.map((row) => row.slice(-1))).join()
  const isNumber = kind === 'metric' || kind === 'lnsMetric' || kind === 'lnsLegacyMetric'
  const drawn = comparable(shown.map((text) => [text])).join()
  return isNumber && drawn !== numbers ? [...wrong, `${named}: draws ${drawn} instead of ${numbers}`] : wrong
}

/** Rows as sorted texts: how a number is written and the order of equals say nothing of the value. */
function comparable(rows: readonly (readonly string[])[]): string[] {
  return rows.map((row) => row.map(plain).join(' | ')).sort()
}

function plain(cell: string): string {
  if (/^-?[\d,]+(\.\d+)?$/.test(cell)) return String(Number(cell.replaceAll(',', '')))
  if (!cell.startsWith('{')) return cell
  return JSON.stringify(Object.entries(JSON.parse(cell) as object).sort(([left], [right]) => (left < right ? -1 : 1)))
}

async function seed({ client }: DashboardPart): Promise<void> {
  const strings = { match_mapping_type: 'string', mapping: { type: 'keyword' } }
  const ips = { match: '*ip', match_mapping_type: 'string', mapping: { type: 'ip' } }
  const withText = { type: 'keyword', fields: { text: { type: 'text' } } }
  const properties = {
    '@timestamp': { type: 'date' },
    file: { properties: { path: withText } },
    process: { properties: { command_line: withText } },
  }
  const body = {
    index_patterns: ['logs-*', 'wazuh-*'],
    template: { mappings: { dynamic_templates: [{ ips }, { strings }], properties } },
    priority: 500,
  }
  await client.request({ method: 'PUT', path: '/_index_template/seed', body })
  const actions = readFileSync(join(fixtures, 'seed-docs.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const { _index: index, ...fields } = JSON.parse(line) as { _index: string }
      // The analysed sub-fields stand in the documents as keys of their own; in an index they come from the mapping.
      const document = Object.fromEntries(Object.entries(fields).filter(([name]) => !name.endsWith('.text')))
      return { action: 'create' as const, index, document }
    })
  const results = await sendBulk(client, actions, { refresh: 'true' })
  expect(results.filter(({ error }) => error)).toEqual([])
}

function dashboardIds(): string[] {
  const lines = ['elastic.ndjson', 'wazuh.ndjson'].flatMap((name) =>
    readFileSync(join(fixtures, name), 'utf8').split('\n'),
  )
  const objects = lines
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as { type?: string; id: string })
  return objects.filter(({ type }) => type === 'dashboard').map(({ id }) => id)
}
