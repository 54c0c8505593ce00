import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { screenshot } from './browser.ts'
import { type DashboardPage, fillIndex, openDashboardPage } from './dashboard-page.ts'
import { hasProgram } from './stack.ts'

// As many documents as Discover can show at all: they are scrolled through with the wheel and with keys, and the page does not grow with them.

const skip = (await hasProgram('chromium')) ? false : 'chromium is not installed'
const named = (title: string): string => (skip ? `${title} (${skip})` : title)
const stored = 10_500
const reachable = 10_000
const rowsInPageMax = 120
// Ten thousand small documents are held as they came; the rows that show them are not.
const heapGrowthBytesMax = 60_000_000
const range = 'from=2026-01-01T00:00:00.000Z&to=2026-01-02T00:00:00.000Z'

let opened: DashboardPage | undefined
let page: Page

beforeAll(async () => {
  if (skip) return
  opened = await openDashboardPage(async ({ client, importFile }) => {
    const properties = { '@timestamp': { type: 'date' }, message: { type: 'text' }, number: { type: 'integer' } }
    const start = Date.parse('2026-01-01T00:00:00.000Z')
    const documents = Array.from({ length: stored }, (_, number) => ({
      '@timestamp': new Date(start + number * 1_000).toISOString(),
      message: `event ${number} of a long day`,
      number,
    }))
    await fillIndex(client, 'logs-long-default', properties, documents)
    expect(await importFile('dashboards/search/index-patterns.ndjson')).toMatchObject({ success: true })
  })
  ;({ page } = opened.watched)
})

afterAll(() => opened?.stop())

const rows = () => page.locator('.documents-row')
/** The row that has the focus, counted from 0; -1 where none has. */
const focusedRow = (): Promise<number> =>
  page.evaluate("Number(document.activeElement?.closest('[data-index]')?.dataset.index ?? -1)")
const numberIn = async (row: number): Promise<number> => {
  const text = await page.locator(`[data-index="${row}"] .documents-row td`).nth(2).textContent()
  return Number(text?.replaceAll(',', ''))
}

test.skipIf(skip)(
  named('ten thousand rows are scrolled through, and only those in sight are in the page'),
  async () => {
    await page.goto(`${opened?.part.url}/app/discover?${range}&columns=number`)
    await rows().first().waitFor()
    const session = await page.context().newCDPSession(page)
    const before = await heapBytes(session)
    const table = page.locator('.documents')
    let most = 0
    await expect
      .poll(async () => {
        await table.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
        most = Math.max(most, await rows().count())
        return table.getAttribute('data-rows')
      })
      .toBe(String(reachable))
    await table.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
    await expect.poll(() => page.locator(`[data-index="${reachable - 1}"]`).count()).toBe(1)
    expect(await numberIn(reachable - 1)).toBe(stored - reachable)
    expect(await page.getByTestId('document-end').textContent()).toContain('10,000')
    expect(most).toBeLessThan(rowsInPageMax)
    expect((await heapBytes(session)) - before).toBeLessThan(heapGrowthBytesMax)
    await screenshot(page, 'discover-ten-thousand')
  },
)

test.skipIf(skip)(named('keys go from row to row, to both ends, and into a document that is open'), async () => {
  const last = page
    .locator(`[data-index="${reachable - 1}"]`)
    .getByRole('button')
    .first()
  await last.focus()
  await page.keyboard.press('ArrowUp')
  await expect.poll(focusedRow).toBe(reachable - 2)
  await page.keyboard.press('Home')
  await expect.poll(focusedRow).toBe(0)
  await expect.poll(() => numberIn(0)).toBe(stored - 1)
  await page.keyboard.press('ArrowUp')
  await expect.poll(focusedRow).toBe(0)
  await page.keyboard.press('PageDown')
  await expect.poll(focusedRow).toBeGreaterThan(3)
  const middle = await focusedRow()
  await expect.poll(() => isInSight(middle)).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByRole('tab', { name: 'JSON' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await expect.poll(focusedRow).toBe(middle + 1)
  await page.keyboard.press('End')
  await expect.poll(focusedRow).toBe(reachable - 1)
  await expect.poll(() => isInSight(reachable - 1)).toBe(true)
})

test.skipIf(skip)(named('a row keeps the focus when the wheel takes it out of sight'), async () => {
  await page.keyboard.press('Home')
  await expect.poll(focusedRow).toBe(0)
  await page.locator('.documents').hover()
  await page.mouse.wheel(0, 90_000)
  await expect.poll(() => page.locator('[data-index="3000"]').count()).toBe(1)
  expect(await focusedRow()).toBe(0)
  await page.keyboard.press('ArrowDown')
  await expect.poll(focusedRow).toBe(1)
  await expect.poll(() => isInSight(1)).toBe(true)
  expect(opened?.watched.problems).toEqual([])
})

/** Whether a row lies below the head of the table and above its end. */
function isInSight(row: number): Promise<boolean> {
  return page.evaluate(`(() => {
    const row = document.querySelector('[data-index="${row}"] .documents-row')?.getBoundingClientRect()
    const head = document.querySelector('.documents-head').getBoundingClientRect()
    const table = document.querySelector('.documents').getBoundingClientRect()
    return row !== undefined && row.top >= head.bottom - 1 && row.bottom <= table.bottom + 1
  })()`)
}

/** What the page's program holds once nobody's leftovers are counted. */
async function heapBytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  await session.send('Performance.enable')
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN
}
