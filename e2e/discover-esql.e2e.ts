import { readFileSync } from 'node:fs'
import type { Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { violationsOf } from './accessibility.ts'
import { screenshot } from './browser.ts'
import { exportedObjects, fillIndex, importObjects, pageForTests } from './dashboard-page.ts'
import { discoverObjects, savedId } from './esql/discover-objects.ts'
import { byHost, events, properties, range, startMs, sumOf } from './kinds/events.ts'

// Discover in ES|QL over the events of the dashboard of kinds.

const objects = discoverObjects()
const many = Array.from({ length: 1_010 }, (_, at) => ({ '@timestamp': new Date(startMs + at).toISOString(), at }))
const tests = await pageForTests(
  async (part) => {
    await fillIndex(part.client, 'web-events', properties, events)
    await fillIndex(part.client, 'many-events', { '@timestamp': { type: 'date' }, at: { type: 'long' } }, many)
    await importObjects(part, objects)
  },
  { timeZone: 'UTC' },
)
const { skip, named } = tests
const url = (): string => `${tests.address}/app/discover`

const editor = () => tests.watched.page.getByLabel('Query (ES|QL)')
const count = () => tests.watched.page.getByTestId('row-count').textContent()
const parameter = (name: string): string | null => new URL(tests.watched.page.url()).searchParams.get(name)
const cells = () =>
  tests.watched.page
    .locator('.documents-row')
    .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td')].slice(1).map((cell) => cell.textContent)))

async function run(esql: string): Promise<void> {
  await editor().fill(esql)
  await editor().press('Control+Enter')
}

const grouped = 'FROM web-events\n| STATS n = COUNT(*), total = SUM(bytes) BY host.name\n| SORT host.name'
const hosts = [...byHost()]
  .sort(([left], [right]) => left.localeCompare(right))
  .map(([name, some]) => ({ name, n: some.length, total: sumOf(some, ({ bytes }) => bytes) }))

test.skipIf(skip)(named('the switch asks for the documents of the pattern in ES|QL'), async () => {
  const { page } = tests.watched
  await page.goto(`${url()}?index=web-pattern&${range}`)
  await expect.poll(() => page.getByTestId('document-count').textContent()).toContain(`${events.length} documents`)
  await screenshot(page, 'esql-discover-before')
  await page.getByRole('button', { name: 'Ask in ES|QL' }).click()
  await expect.poll(() => editor().inputValue()).toBe('FROM web-events | LIMIT 100')
  await expect.poll(count).toBe(`${events.length} rows`)
  const names = await page.locator('.documents-head th').allTextContents()
  expect(names.slice(1)).toEqual(['Time', 'bytes', 'host.name', 'http.status', 'sent'])
  expect(parameter('language')).toBe('esql')
  await screenshot(page, 'esql-discover')
  expect(await violationsOf(page)).toEqual([])
})

test.skipIf(skip)(named('a query of several lines answers its columns, and is kept in the address'), async () => {
  const { page } = tests.watched
  await run(grouped)
  await expect.poll(count).toBe('3 rows')
  const expected = hosts.map(({ name, n, total }) => [String(n), total.toLocaleString('en-US'), name])
  await expect.poll(cells).toEqual(expected)
  await page.reload()
  await expect.poll(() => editor().inputValue()).toBe(grouped)
  await expect.poll(cells).toEqual(expected)
  await page.getByRole('button', { name: 'Sort by n' }).click()
  await expect
    .poll(async () => (await cells()).map(([n]) => Number(n)))
    .toEqual(hosts.map(({ n }) => n).sort((left, right) => right - left))
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  const lines = readFileSync(await (await downloading).path(), 'utf8')
    .trim()
    .split('\r\n')
  expect([lines[0], ...lines.slice(1).sort()]).toEqual([
    'n,total,host.name',
    ...hosts.map(({ name, n, total }) => `${n},${total},${name}`).sort(),
  ])
  await screenshot(page, 'esql-discover-grouped')
})

test.skipIf(skip)(
  named('the editor offers indices, commands, fields and functions while a query is written'),
  async () => {
    const { page } = tests.watched
    const option = (name: string) => page.getByRole('option', { name, exact: true })
    // A field's name comes behind that of its type.
    const field = (name: string) => page.getByRole('option', { name: new RegExp(` ${name}$`) })
    const type = (text: string) => editor().pressSequentially(text)
    await editor().fill('')
    await type('fr')
    await option('FROM').click()
    await type('web-ev')
    await option('web-events').click()
    await type(' | sta')
    await option('STATS').click()
    await type('n = su')
    await option('SUM(number)').waitFor()
    await screenshot(page, 'esql-discover-suggestions')
    expect(await violationsOf(page)).toEqual([])
    // By the keyboard alone.
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await type('byt')
    await field('bytes').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await type(') by host')
    await field('host.name').click()
    await type(' | SORT ')
    await option('n').waitFor()
    await page.keyboard.press('Escape')
    await type('host.name')
    expect(await editor().inputValue()).toBe('FROM web-events | STATS n = SUM(bytes) by host.name | SORT host.name')
    await editor().press('Control+Enter')
    await expect.poll(cells).toEqual(hosts.map(({ name, total }) => [total.toLocaleString('en-US'), name]))
  },
)

test.skipIf(skip)(named('what is typed right behind an option is written behind it, on a slow page too'), async () => {
  const { page } = tests.watched
  await page.evaluate(
    'globalThis.requestAnimationFrame = ((drawn) => (then) => drawn(() => setTimeout(then, 300)))(requestAnimationFrame)',
  )
  await editor().fill('')
  await editor().pressSequentially('FROM web-ev')
  await page.getByRole('option', { name: 'web-events', exact: true }).click()
  await editor().pressSequentially(' | LIMIT 7')
  // Until the late frame is drawn.
  await page.waitForTimeout(600)
  await editor().pressSequentially('1')
  expect(await editor().inputValue()).toBe('FROM web-events | LIMIT 71')
  await page.reload()
})

test.skipIf(skip)(named('a mistake is told with its place, and mended'), async () => {
  const { page } = tests.watched
  await run('FROM web-events\n| WHERE nothing == 1')
  await page.locator('p', { hasText: 'line 2:9: Unknown column [nothing]' }).waitFor()
  await screenshot(page, 'esql-discover-mistake')
  expect(await violationsOf(page)).toEqual([])
  await run('FROM web-events | EVAL')
  await page.locator('p', { hasText: /line 1:\d+: / }).waitFor()
  await run('FROM web-events | WHERE http.status == 500')
  await expect.poll(count).toBe(`${events.filter(({ http }) => http.status === 500).length} rows`)
})

test.skipIf(skip)(named('values narrow: of a field as a filter, of a column of the query behind it'), async () => {
  const { page } = tests.watched
  const opener = page.getByRole('button', { name: 'Show the whole document' }).first()
  await run(grouped)
  await expect.poll(count).toBe('3 rows')
  await opener.click()
  await page.getByRole('button', { name: 'Only this value: host.name' }).click()
  await expect.poll(count).toBe('1 row')
  expect(JSON.parse(parameter('filters') ?? '')).toEqual([{ field: 'host.name', value: 'web-0' }])
  await page.getByRole('button', { name: 'Remove filter host.name: web-0' }).click()
  await expect.poll(count).toBe('3 rows')
  // The row is the same, and still open.
  await page.getByRole('button', { name: 'Not this value: n', exact: true }).click()
  await expect.poll(() => editor().inputValue()).toBe(`${grouped}\n| WHERE n != ${hosts[0]?.n}`)
  await expect.poll(count).toBe('2 rows')
})

test.skipIf(skip)(named('the limit that search sets is told, the range is kept'), async () => {
  await run('FROM many-events')
  await expect.poll(count).toBe('1,000 rowsthe first 1,000: the query sets no LIMIT')
  await run('FROM many-events | LIMIT 2000')
  await expect.poll(count).toBe('1,010 rows')
  const { page } = tests.watched
  const to = new Date(startMs + 9).toISOString()
  const query = encodeURIComponent('FROM many-events | LIMIT 2000')
  await page.goto(`${url()}?language=esql&query=${query}&from=${new Date(startMs).toISOString()}&to=${to}`)
  await expect.poll(count).toBe('10 rows')
})

test.skipIf(skip)(
  named('documents have bars above them where search counts them, and no error where it does not'),
  async () => {
    const { page } = tests.watched
    await page.goto(`${url()}?language=esql&query=FROM+web-events+%7C+LIMIT+5&${range}`)
    await expect.poll(count).toBe('5 rows')
    // A bar for every half minute, also of what the LIMIT cuts off.
    await expect.poll(() => page.getByTestId('histogram').getAttribute('data-bars')).toBe(String(events.length))
    await screenshot(page, 'esql-discover-counted')
    const isCounting = (route: Route): boolean => (route.request().postData() ?? '').includes('BUCKET(')
    const answer = async (status: number, body: unknown): Promise<void> => {
      await page.unroute('**/api/search**')
      await page.route('**/api/search**', (route) =>
        isCounting(route) ? route.fulfill({ status, json: body }) : route.fallback(),
      )
    }
    await answer(400, { error: { type: 'verification_exception', reason: 'Unknown function [BUCKET]' }, status: 400 })
    await page.goto(`${url()}?language=esql&query=FROM+web-events&${range}`)
    await expect.poll(count).toBe(`${events.length} rows`)
    expect(await page.getByTestId('histogram').count()).toBe(0)
    expect(await page.getByRole('main').getByRole('alert').count()).toBe(0)
    const columns = ['results', 'timestamp'].map((name, at) => ({ name, type: at === 0 ? 'long' : 'date' }))
    const values = [0, 10, 20].map((minute) => [20, new Date(startMs + minute * 60_000).toISOString()])
    await answer(200, { took: 1, is_partial: false, columns, values })
    await page.reload()
    await expect.poll(() => page.getByTestId('histogram').getAttribute('data-bars')).toBe('3')
    await screenshot(page, 'esql-discover-bars')
    await run(grouped)
    await expect.poll(count).toBe('3 rows')
    expect(await page.getByTestId('histogram').count()).toBe(0)
    await page.unroute('**/api/search**')
  },
)

test.skipIf(skip)(named('a search of Kibana in ES|QL opens as one, and one is saved and opened again'), async () => {
  const { page } = tests.watched
  await page.goto(`${url()}?saved=${savedId}&${range}`)
  await expect.poll(() => editor().inputValue()).toBe('FROM web-events | KEEP host.name, bytes | LIMIT 5')
  await expect.poll(count).toBe('5 rows')
  await run(grouped)
  await expect.poll(count).toBe('3 rows')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('Events by host')
  await dialog.getByLabel('Save as a new search').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Close Events by host' }).waitFor()
  const id = parameter('saved') ?? ''
  const [object] = await exportedObjects(page, tests.address, [{ type: 'search', id }])
  expect(object).toMatchObject({ attributes: { isTextBasedQuery: true }, references: [] })
  await page.goto(`${url()}?index=web-pattern&${range}`)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByRole('button', { name: 'Events by host' }).click()
  await expect.poll(() => editor().inputValue()).toBe(grouped)
  await expect.poll(count).toBe('3 rows')
})

test.skipIf(skip)(named('a dashboard shows the rows of such a search; there is a way back to KQL'), async () => {
  const { page } = tests.watched
  await page.goto(`${tests.address}/app/dashboards/with-search?${range}`)
  const panel = page.locator('[data-panel-id="search"]')
  await expect.poll(() => panel.locator('tbody tr').count()).toBe(5)
  await screenshot(page, 'esql-search-panel')
  await panel.getByRole('button', { name: /^Options of/ }).click()
  await page.getByRole('menuitem', { name: 'Explore in Discover' }).click()
  await expect.poll(count).toBe('5 rows')
  await page.getByRole('button', { name: 'Use dark colours' }).click()
  await screenshot(page, 'esql-discover-dark')
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Back to KQL' }).click()
  await expect.poll(() => page.getByTestId('document-count').textContent()).toContain(`${events.length} documents`)
  expect(parameter('index')).toBe('web-pattern')
  // The browser notes every refused request itself.
  expect(tests.watched.problems.filter((problem) => !problem.includes('400 (Bad Request)'))).toEqual([])
})
