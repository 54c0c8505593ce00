import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { violationsOf } from './accessibility.ts'
import { screenshot } from './browser.ts'
import { dashboardId, labelsObjects } from './dashboard-labels/objects.ts'
import { dashboardForTests, exportedObjects, sortedById } from './dashboard-page.ts'
import { byHost, events, properties, range, sumOf } from './kinds/events.ts'
import { view } from './kinds/objects.ts'

// What an exported dashboard calls things, where its author left that to Kibana, and where its links lead.

const objects = labelsObjects()
const tests = await dashboardForTests({
  index: 'web-events',
  properties: { ...properties, note: { type: 'keyword' }, absent: { type: 'long' } },
  documents: events.map((event, at) => ({ ...event, note: at % 2 === 0 ? '' : 'x' })),
  objects,
  dashboardId,
  range,
  height: 1_900,
})
const { skip, named, panel, url } = tests
const heads = (id: string): Promise<string[]> => panel(id).locator('thead th').allTextContents()
const query = 'http.status >= 200'
const filter = { field: 'host.name', value: 'web-0' }

test.skipIf(skip)(named('groups and numbers have the names that Kibana gives them'), async () => {
  await expect.poll(() => tests.watched.page.locator('.dashboard-panel [role=status]').count()).toBe(0)
  await screenshot(tests.watched.page, 'labels')
  expect(await tests.watched.page.locator('.dashboard-panel [role=alert]').allTextContents()).toEqual([])
  expect(await heads('named')).toEqual([
    'Machine: Descending',
    '@timestamp per 30 seconds',
    'Count',
    'Max How large',
    'Max How large percentages',
  ])
  expect(await heads('timed')).toEqual(['Time per 10 minutes', 'Events'])
  await panel('series').getByText('Max of bytes').waitFor()
  expect(await panel('empty').locator('tbody td.bucket').allTextContents()).toEqual(['(empty)', 'x'])
})

test.skipIf(skip)(named('tiles have their colour, all their words, and how the number went'), async () => {
  const tile = panel('tiles').locator('.metric-tile').first()
  expect(await tile.getAttribute('style')).toContain('background: rgb(18, 52, 86)')
  const [, most = []] = [...byHost()].sort(([, left], [, right]) => right.length - left.length)[0] ?? []
  const bytes = sumOf(most, (event) => event.bytes).toLocaleString('en-US')
  for (const words of ['web-0', 'in half an hour', `Bytes ${bytes}`]) expect(await tile.textContent()).toContain(words)
  const path = await tile.getByRole('img', { name: 'web-0 over time' }).locator('path').getAttribute('d')
  // Three of ten minutes, and the two corners on the ground.
  expect(path?.match(/[ML]/g)).toHaveLength(5)
})

test.skipIf(skip)(named('a value that is meant to be clicked filters by itself'), async () => {
  const { page } = tests.watched
  await panel('clicked').getByRole('button', { name: 'Host: web-1' }).getByText('web-1').click()
  await expect
    .poll(() => new URL(page.url()).searchParams.get('filters'))
    .toBe('[{"field":"host.name","value":"web-1"}]')
})

test.skipIf(skip)(
  named('links take the range, the query and the filters along, unless their author said otherwise'),
  async () => {
    const { page } = tests.watched
    const own = `${url(query)}&filters=${encodeURIComponent(JSON.stringify([filter]))}`
    await page.goto(own)
    const links = panel('links')
    await links.getByRole('link', { name: 'Elsewhere' }).waitFor()
    expect(await links.getByRole('link', { name: 'Elsewhere' }).getAttribute('target')).toBe('_blank')
    expect(await links.getByRole('link', { name: 'Here', exact: true }).getAttribute('aria-current')).toBe('page')
    const bare = links.getByRole('link', { name: 'Its own range and all' })
    expect(await bare.getAttribute('href')).toBe('/app/dashboards/other')
    expect(await bare.getAttribute('target')).toBe('_blank')
    expect(await links.getByText('Gone (this dashboard is not stored)').count()).toBe(1)
    expect(await links.getByText('Runs (no web address)').count()).toBe(1)
    expect(await violationsOf(page)).toEqual([])
    await links.getByRole('link', { name: 'The other one' }).click()
    await page.getByRole('heading', { name: 'The other one', level: 1 }).waitFor()
    const { searchParams } = new URL(page.url())
    expect(searchParams.get('query')).toBe(query)
    expect(JSON.parse(searchParams.get('filters') ?? '')).toEqual([filter])
    expect(searchParams.get('from')).toBe(new URLSearchParams(range).get('from'))
  },
)

test.skipIf(skip)(
  named('documents have the names of fields, and not those fields that the index pattern leaves out'),
  async () => {
    const { page } = tests.watched
    await page.goto(url())
    const row = panel('rows').locator('.documents-row').first()
    await row.waitFor()
    expect(await panel('rows').locator('thead th').allTextContents()).toEqual(['', 'Time', 'Machine', 'http.status'])
    expect((await row.locator('td').allTextContents()).slice(2)).toEqual([events.at(-1)?.host.name, '-'])
    await page.goto(
      `${tests.address}/app/discover?index=${view}&${range}&query=${encodeURIComponent('http.status: 500')}`,
    )
    // It is searched all the same.
    const failed = events.filter(({ http }) => http.status === 500).length
    await expect.poll(() => page.getByTestId('document-count').textContent()).toBe(`${failed} documents`)
    const summary = page.locator('.documents-summary').first()
    expect(await summary.locator('.documents-key').allTextContents()).toEqual(['Machine', 'How large', 'sent', 'note'])
    await page.getByRole('textbox', { name: 'Find a field' }).fill('machine')
    await page.locator('.discover-field-name').getByText('Machine').waitFor()
    await page.getByRole('button', { name: 'Show the whole document' }).first().click()
    await page.getByRole('rowheader', { name: 'Machine' }).waitFor()
    const why = page.getByRole('row', { name: /^twice/ })
    await why.getByText('Its script fails here:').waitFor()
    await screenshot(page, 'script-error')
    expect(await why.textContent()).toMatch(/doesn.t have a value for a field/)
    const downloaded = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV' }).click()
    const path = await (await downloaded).path()
    expect(readFileSync(path, 'utf8').split('\r\n')[0]).toBe('@timestamp,bytes,host.name,note,sent')
  },
)

test.skipIf(skip)(named('what was imported is exported as it came'), async () => {
  const { page } = tests.watched
  expect(await exportedObjects(page, tests.address, objects)).toEqual(sortedById(objects))
  // That search refuses the script which fails is what the page asked for.
  expect(tests.watched.problems.filter((problem) => !problem.includes('status of 400'))).toEqual([])
})
