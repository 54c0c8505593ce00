import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sendBulk } from '@logstack/search-client'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser, logIn, openPage, screenshot, type WatchedPage } from './browser.ts'
import { exportedObjects, inspectedRows, sortedById } from './dashboard-page.ts'
import { type DashboardPart, startDashboardPart } from './dashboard-part.ts'
import { everyKindId, exampleObjects } from './imported/objects.ts'
import { type ExpectedPanel, expectedPanels } from './imported/panels.ts'

// The predecessor's own exports with its seed documents; they are not part of this repository.
const fixtures = fileURLToPath(new URL('../../shared/fixtures/dashboards/', import.meta.url))
const range = 'from=2026-01-14T00:00:00.000Z&to=2026-01-17T00:00:00.000Z'
const isThere = existsSync(fixtures)
const expected = isThere ? expectedPanels(fixtures) : []
const tallest = 6_000
const folder = mkdtempSync(join(tmpdir(), 'logstack-imported-'))

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
    rmSync(folder, { recursive: true, force: true })
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
      await openDashboard(part, page, id)
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

  test('every example of a kind is imported, drawn or given its place, and exported as it came', async () => {
    const { page, problems } = watched
    const examples = exampleObjects(join(fixtures, '../saved-objects'))
    const file = join(folder, 'examples.ndjson')
    writeFileSync(file, examples.map((one) => `${JSON.stringify(one)}\n`).join(''))
    // Some refer to what is not among them: that is said, and they are taken all the same.
    expect((await part.importFile(file)).successCount).toBe(examples.length)
    await openDashboard(part, page, everyKindId)
    await pictureWhole(page, everyKindId)
    expect(await page.locator('.dashboard-panel [role=alert]').allTextContents()).toEqual([])
    const unknown = await page.getByText(/^Panels of the kind .* cannot be drawn yet$/).allTextContents()
    const kinds = unknown.map((one) => /“(.*)”/.exec(one)?.[1]).sort()
    expect(kinds).toEqual([])
    expect(await exportedObjects(page, part.url, examples)).toEqual(sortedById(examples))
    expect(problems).toEqual([])
  })
})

async function openDashboard(part: DashboardPart, page: Page, id: string): Promise<void> {
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

/** The whole dashboard in one picture, named by its title. */
async function pictureWhole(page: Page, id: string): Promise<void> {
  if (!process.env['LOGSTACK_SCREENSHOTS']) return
  const height = await page.locator('.dashboard-grid').evaluate((grid) => grid.scrollHeight + grid.offsetTop)
  await page.setViewportSize({ width: 1440, height: Math.min(tallest, height + 16) })
  const title = (await page.getByRole('heading', { level: 1 }).first().textContent()) ?? id
  await screenshot(page, `imported-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`)
}

/** How a panel's own data table, and a number it shows, differ from what was counted. */
async function differences(page: Page, { panel, title, kind, rows }: ExpectedPanel): Promise<string[]> {
  const section = page.locator(`[data-panel-id="${panel}"]`)
  const shown = await section.getByTestId('metric-value').allTextContents()
  const cells = await inspectedRows(page, panel)
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
