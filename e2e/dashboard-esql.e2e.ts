import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { violationsOf } from './accessibility.ts'
import { screenshot } from './browser.ts'
import { exportedObjects, fillIndex, importObjects, inspectedRows, pageForTests, sortedById } from './dashboard-page.ts'
import { dashboardId, esqlObjects } from './esql/objects.ts'
import { byHost, events, properties, range, startMs, sumOf } from './kinds/events.ts'

// An imported dashboard whose panels ask in ES|QL: each shows what is counted here from its events.

const objects = esqlObjects()
const tests = await pageForTests(
  async (part) => {
    await fillIndex(part.client, 'web-events', properties, events)
    await importObjects(part, objects)
  },
  { height: 1_500, timeZone: 'UTC' },
)
const { skip, named } = tests
const url = (): string => `${tests.address}/app/dashboards/${dashboardId}`

beforeAll(async () => {
  if (skip) return
  await tests.watched.page.goto(`${url()}?${range}`)
  await tests.watched.page.locator('.dashboard-panel').first().waitFor()
})

const panel = (id: string) => tests.watched.page.locator(`[data-panel-id="${id}"]`)
const sorted = (rows: readonly (readonly string[])[]): string[] => rows.map((row) => row.join(' | ')).sort()
const shownNumber = (number: number): string => number.toLocaleString('en-US')
const numberIn = (id: string) => panel(id).getByTestId('metric-value').textContent()
const instant = (time: string): string => time.slice(0, 19).replace('T', ' ')

test.skipIf(skip)(named('every panel draws; a query that is wrong says where'), async () => {
  const { page } = tests.watched
  await expect.poll(() => page.locator('.dashboard-panel [role=status]').count()).toBe(0)
  for (const id of ['time', 'lines', 'bars', 'heat', 'gauge']) await panel(id).locator('canvas').first().waitFor()
  await screenshot(page, 'esql-dashboard')
  const alerts = page.locator('.dashboard-panel [role=alert]')
  expect(await alerts.count()).toBe(1)
  expect(await panel('wrong').getByRole('alert').textContent()).toMatch(/line 1:\d+: Unknown column \[no_such_field\]/)
  expect(await violationsOf(page)).toEqual([])
})

test.skipIf(skip)(named('charts, numbers and tables show what the queries answer'), async () => {
  const { page } = tests.watched
  const hosts = [...byHost()].map(([name, some]) => [
    name,
    shownNumber(some.length),
    shownNumber(sumOf(some, ({ bytes }) => bytes)),
  ])
  for (const id of ['bars', 'table', 'pie', 'tags'])
    expect(sorted(await inspectedRows(page, id)), id).toEqual(sorted(hosts))
  const bytes = events.map((event) => [instant(event['@timestamp']), event.host.name, shownNumber(event.bytes)])
  expect(sorted(await inspectedRows(page, 'time'))).toEqual(sorted(bytes))
  const tenMinutes = [0, 1, 2].map((at) => [instant(new Date(startMs + at * 600_000).toISOString()), '20'])
  expect(sorted(await inspectedRows(page, 'buckets'))).toEqual(sorted(tenMinutes))
  expect(await numberIn('metric')).toBe(shownNumber(sumOf(events, (event) => event.bytes)))
  expect(await numberIn('range')).toBe(String(events.length))
  expect(await inspectedRows(page, 'gauge')).toEqual([[shownNumber(Math.max(...events.map((event) => event.bytes)))]])
  const pairs = new Map<string, number>()
  for (const { host, http } of events) {
    const pair = `${host.name} | ${http.status}`
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  const cells = [...pairs].map(([pair, number]) => `${pair} | ${number}`)
  expect(sorted(await inspectedRows(page, 'heat'))).toEqual(cells.sort())
  expect(await panel('table').locator('tbody td:first-child').allTextContents()).toEqual(
    [...byHost()].sort(([, left], [, right]) => right.length - left.length).map(([name]) => name),
  )
})

test.skipIf(skip)(named('the range, the query bar and the controls hold for them'), async () => {
  const { page } = tests.watched
  const to = new Date(startMs + 600_000 - 1).toISOString()
  await page.goto(`${url()}?from=${new Date(startMs).toISOString()}&to=${to}`)
  const first = events.slice(0, 20)
  await expect.poll(() => numberIn('metric')).toBe(shownNumber(sumOf(first, ({ bytes }) => bytes)))
  await expect.poll(() => numberIn('range')).toBe(String(first.length))
  // Buckets that the range sizes are of the range, too.
  const counted = (await inspectedRows(page, 'buckets')).map(([, count]) => Number(count))
  expect(counted.reduce((sum, count) => sum + count, 0)).toBe(first.length)
  await page.goto(`${url()}?${range}`)
  await page.getByLabel('Query (KQL)').fill('host.name: web-1')
  await page.getByLabel('Query (KQL)').press('Enter')
  const some = events.filter(({ host }) => host.name === 'web-1')
  await expect.poll(() => numberIn('range')).toBe(String(some.length))
  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: '500' }).click()
  const failed = some.filter(({ http }) => http.status === 500)
  await expect.poll(() => numberIn('range')).toBe(String(failed.length))
  await expect.poll(() => numberIn('metric')).toBe(shownNumber(sumOf(failed, ({ bytes }) => bytes)))
})

test.skipIf(skip)(named('controls give values, fields and intervals to the queries that name them'), async () => {
  const { page } = tests.watched
  await page.goto(`${url()}?${range}`)
  const shown = async () => sorted(await inspectedRows(page, 'chosen'))
  const hour = instant(new Date(startMs - (startMs % 3_600_000)).toISOString())
  const of = (host: string) => events.filter((event) => event.host.name === host)
  expect(await shown()).toEqual([`web-1 | ${hour} | ${of('web-1').length}`])
  const choose = async (label: string, option: string) => {
    await page.getByRole('combobox', { name: label, exact: true }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  await choose('Host', 'web-2')
  await expect.poll(shown).toEqual([`web-2 | ${hour} | ${of('web-2').length}`])
  await choose('By', 'http.status')
  await choose('Every', '10 minutes')
  const counts = new Map<string, number>()
  for (const event of of('web-2')) {
    const ms = Date.parse(event['@timestamp'])
    const row = `${event.http.status} | ${instant(new Date(ms - (ms % 600_000)).toISOString())}`
    counts.set(row, (counts.get(row) ?? 0) + 1)
  }
  await expect.poll(shown).toEqual([...counts].map(([row, count]) => `${row} | ${count}`).sort())
  // The menu that the rows were asked by fades away.
  await expect.poll(() => page.getByRole('menu', { includeHidden: true }).count()).toBe(0)
  await screenshot(page, 'esql-variables')
  expect(await violationsOf(page)).toEqual([])
  // The address holds what was chosen, so that a link shows the same.
  expect(JSON.parse(new URL(page.url()).searchParams.get('variables') ?? '')).toEqual({
    host: ['web-2'],
    by: ['http.status'],
    every: ['10 minutes'],
  })
  await page.reload()
  await expect.poll(shown).toEqual([...counts].map(([row, count]) => `${row} | ${count}`).sort())
})

test.skipIf(skip)(named('a click on a value filters, a value that the query made does not'), async () => {
  const { page } = tests.watched
  await page.goto(`${url()}?${range}`)
  await panel('table').getByRole('row', { name: /web-2/ }).hover()
  await panel('table').getByRole('button', { name: 'host.name: web-2' }).click()
  const ofHost = events.filter(({ host }) => host.name === 'web-2').length
  await expect.poll(() => numberIn('range')).toBe(String(ofHost))
  expect(JSON.parse(new URL(page.url()).searchParams.get('filters') ?? '')).toEqual([
    { field: 'host.name', value: 'web-2' },
  ])
  await page.goto(`${url()}?${range}`)
  await panel('pie').getByRole('button', { name: /web-1/ }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('filters')).toContain('web-1')
})

test.skipIf(skip)(named('a panel tells its query and gives its data away'), async () => {
  const { page } = tests.watched
  await page.goto(`${url()}?${range}`)
  await panel('table').getByRole('button', { name: 'Options of Hosts', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Inspect' }).click()
  await page.getByRole('tab', { name: 'Query' }).click()
  await page.getByRole('dialog').getByText('| SORT n DESC').waitFor()
  await screenshot(page, 'esql-inspect')
  await page.getByRole('tab', { name: 'Request' }).click()
  await page.getByRole('dialog').getByText('POST /_query').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await expect
    .poll(async () => {
      await page.keyboard.press('Escape')
      return page.getByRole('dialog').count()
    })
    .toBe(0)
  await panel('table').getByRole('button', { name: 'Options of Hosts', exact: true }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Download CSV' }).click()
  const lines = readFileSync(await (await downloading).path(), 'utf8')
    .trim()
    .split('\r\n')
  const hosts = [...byHost()].map(([name, some]) => [name, some.length, sumOf(some, ({ bytes }) => bytes)].join(','))
  expect([lines[0], ...lines.slice(1).sort()]).toEqual(['host.name,n,total', ...hosts.sort()])
})

test.skipIf(skip)(named('what was imported is exported as it came, and dark colours read as well'), async () => {
  const { page } = tests.watched
  expect(await exportedObjects(page, tests.address, objects)).toEqual(sortedById(objects))
  await page.goto(`${url()}?${range}`)
  await page.getByRole('button', { name: 'Use dark colours' }).click()
  await expect.poll(() => page.locator('.dashboard-panel [role=status]').count()).toBe(0)
  await screenshot(page, 'esql-dashboard-dark')
  expect(await violationsOf(page)).toEqual([])
  // The browser notes every refused request itself.
  expect(tests.watched.problems.filter((problem) => !problem.includes('400 (Bad Request)'))).toEqual([])
})
