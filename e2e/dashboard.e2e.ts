import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sendBulk } from '@logstack/search-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { screenshot, type WatchedPage } from './browser.ts'
import { type DashboardPage, openDashboardPage } from './dashboard-page.ts'
import type { DashboardPart } from './dashboard-part.ts'
import { seedAlert, seedEvents } from './dashboard-seed.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
let opened: DashboardPage | undefined
let part: DashboardPart
let watched: WatchedPage

beforeAll(async () => {
  opened = await openDashboardPage(async ({ client, importFile }) => {
    await seedEvents(client)
    for (const file of ['search/host-overview', 'search/index-patterns', 'endpoint/host-metrics'])
      expect(await importFile(join(root, `dashboards/${file}.ndjson`))).toMatchObject({ success: true })
  })
  ;({ part, watched } = opened)
})

afterAll(() => opened?.stop())

test('Discover shows the newest events of the Default pattern, their fields and their number over time', async () => {
  const { page } = watched
  await page.getByTestId('document-count').waitFor()
  expect(await page.getByTestId('document-count').textContent()).toContain('240 documents')
  await expect.poll(() => page.getByTestId('histogram').getAttribute('data-bars')).not.toBe('0')
  await page.getByText('Failed password for root').first().waitFor()
  await screenshot(page, 'discover')
  await page.getByRole('button', { name: 'Show the whole document' }).first().click()
  await page.getByRole('tab', { name: 'JSON' }).waitFor()
  await screenshot(page, 'discover-document')
})

test('a KQL query narrows the events and stands in the address', async () => {
  const { page } = watched
  await page.getByLabel('Query (KQL)').fill('event.outcome: "failure" and host.name: web-*')
  await page.getByLabel('Query (KQL)').press('Enter')
  await expect.poll(() => page.getByTestId('document-count').textContent()).toMatch(/^\d\d? documents/)
  expect(page.url()).toContain('query=event.outcome:')
  await page.getByLabel('Query (KQL)').fill('host.name:')
  await page.getByLabel('Query (KQL)').press('Enter')
  await page.getByText('expected a field or a value').waitFor()
  await screenshot(page, 'discover-bad-query')
  await page.getByLabel('Query (KQL)').fill('hostname: web-1')
  await page.getByLabel('Query (KQL)').press('Enter')
  await page.getByText('No index here has the field hostname. Did you mean host.name?').waitFor()
  await screenshot(page, 'discover-unknown-field')
  await page.getByLabel('Query (KQL)').fill('host.name="web-1"')
  await page.getByLabel('Query (KQL)').press('Enter')
  await page.getByText('KQL writes a colon: host.name: "web-1"').waitFor()
  await page.getByLabel('Query (KQL)').fill('host.name: "web-1"')
  await page.getByLabel('Query (KQL)').press('Enter')
  await page.getByText('KQL writes a colon').waitFor({ state: 'detached' })
})

test('a query is completed while it is written, and may be written in Lucene', async () => {
  const { page } = watched
  await page.goto(`${part.url}/app/discover`)
  const query = page.getByLabel('Query (KQL)')
  const count = page.getByTestId('document-count')
  await query.pressSequentially('user.n')
  await page.getByRole('option', { name: 'user.name' }).waitFor()
  await query.press('ArrowDown')
  await query.press('Enter')
  await expect.poll(() => query.inputValue()).toBe('user.name: ')
  await page.getByRole('option', { name: 'admin' }).click()
  await expect.poll(() => query.inputValue()).toBe('user.name: admin ')
  await page.getByRole('option', { name: 'and', exact: true }).waitFor()
  await screenshot(page, 'discover-suggestions')
  await query.press('Enter')
  await expect.poll(() => count.textContent()).toContain('30 documents')
  await query.fill('user.name:(root OR adm?n)')
  await query.press('Enter')
  await expect.poll(() => page.url()).toContain('adm')
  await page.getByRole('button', { name: 'Language: KQL' }).click()
  await page.getByLabel('Query (Lucene)').waitFor()
  await expect.poll(() => count.textContent()).toContain('60 documents')
  expect(page.url()).toContain('language=lucene')
})

test('a filter is added, disabled, turned round, edited, pinned and removed', async () => {
  const { page } = watched
  const count = page.getByTestId('document-count')
  const change = async (filter: string, item: string): Promise<void> => {
    await page.getByRole('button', { name: `Filter ${filter}: options`, exact: true }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await page.goto(`${part.url}/app/discover`)
  await page.getByRole('button', { name: 'Add filter' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Field' }).fill('user.name')
  await page.getByRole('option', { name: 'user.name' }).click()
  await dialog
    .getByRole('textbox', { name: 'Value' })
    .or(dialog.getByRole('combobox', { name: 'Value' }))
    .fill('root')
  await dialog.getByRole('button', { name: 'Apply filter' }).click()
  await expect.poll(() => count.textContent()).toContain('30 documents')
  await change('user.name: root', 'Disable for now')
  await expect.poll(() => count.textContent()).toContain('240 documents')
  await change('user.name: root, disabled', 'Enable again')
  await change('user.name: root', 'Exclude what fits')
  await expect.poll(() => count.textContent()).toContain('210 documents')
  await change('not user.name: root', 'Edit filter')
  await dialog.getByLabel('Show what does not fit').uncheck()
  await screenshot(page, 'discover-filter')
  await dialog.getByRole('button', { name: 'Apply filter' }).click()
  await expect.poll(() => count.textContent()).toContain('30 documents')
  await change('user.name: root', 'Pin')
  await page.getByRole('button', { name: 'Filter user.name: root, pinned: options' }).waitFor()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboards' }).click()
  await page.getByRole('link', { name: 'Host overview' }).click()
  await page.getByRole('button', { name: 'Filter user.name: root, pinned: options' }).waitFor()
  await page.getByRole('button', { name: 'Remove filter user.name: root' }).click()
  await expect.poll(() => page.url()).not.toContain('filters=')
  await page.goto(`${part.url}/app/discover`)
})

test('the documents are sorted by a column, resized, seen among their neighbours, and marked where they fit', async () => {
  const { page } = watched
  await page.getByLabel('Query (KQL)').fill('message: failed')
  await page.getByLabel('Query (KQL)').press('Enter')
  await expect.poll(() => page.getByTestId('document-count').textContent()).toContain('60 documents')
  const fields = page.getByRole('complementary', { name: 'Fields' })
  await fields.getByRole('button', { name: 'Show as a column: host.name' }).click()
  await fields.getByRole('button', { name: 'Show as a column: message' }).click()
  await expect.poll(() => page.locator('.documents mark').first().textContent()).toBe('Failed')
  await page.getByRole('button', { name: 'Sort by host.name' }).click()
  const firstHost = page.locator('.documents-row td:nth-child(3)').first()
  await expect.poll(() => firstHost.textContent()).toBe('web-2')
  await page.getByRole('button', { name: 'Sort by host.name' }).click()
  await expect.poll(() => firstHost.textContent()).toBe('web-0')
  const head = page.locator('.documents-head th').nth(2)
  const before = (await head.boundingBox())?.width ?? 0
  await page.getByRole('button', { name: /^Width of host.name/ }).press('ArrowRight')
  await expect.poll(async () => (await head.boundingBox())?.width ?? 0).toBeGreaterThan(before)
  await page.getByRole('button', { name: 'Show the whole document' }).first().click()
  await page.getByRole('tab', { name: 'Surrounding documents' }).first().click()
  await expect.poll(() => page.locator('.documents-around tr').count()).toBeGreaterThan(5)
  await screenshot(page, 'discover-columns')
})

test('a search is saved, left and opened again; its documents are downloaded', async () => {
  const { page } = watched
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Title').fill('Failed passwords')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Close Failed passwords' }).waitFor()
  await page.getByRole('link', { name: 'Discover', exact: true }).click()
  await expect.poll(() => page.getByTestId('document-count').textContent()).toContain('240 documents')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByRole('button', { name: 'Failed passwords' }).click()
  await expect.poll(() => page.getByTestId('document-count').textContent()).toContain('60 documents')
  await page.locator('.documents-head').getByText('message', { exact: true }).waitFor()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  const lines = readFileSync(await (await downloading).path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(lines).toHaveLength(61)
  expect(lines[0]).toBe('@timestamp,host.name,message')
})

test('new documents are watched arriving', async () => {
  const { page } = watched
  await page.goto(`${part.url}/app/discover?query=event.dataset:live`)
  await page.getByText('No documents match').waitFor()
  await page.getByRole('button', { name: 'Live' }).click()
  const document = { '@timestamp': new Date().toISOString(), event: { dataset: 'live' }, message: 'just now' }
  await sendBulk(part.client, [{ action: 'create', index: 'logs-system-default', document }], { refresh: 'true' })
  await page.getByText('just now').first().waitFor()
  await page.getByRole('button', { name: 'Live' }).click()
})

test('a panel is looked behind, maximised and taken along', async () => {
  const { page } = watched
  await page.goto(`${part.url}/app/dashboards/logstack-host-overview`)
  const panel = page.getByRole('region', { name: 'Data sets', exact: true })
  await panel.getByRole('button', { name: 'Options of Data sets' }).click()
  await page.getByRole('menuitem', { name: 'Inspect' }).click()
  await page.getByTestId('inspect-data').getByText('system.auth').waitFor()
  await page.getByRole('tab', { name: 'Request' }).click()
  await page.getByText('POST /logs-*/_search').waitFor()
  await screenshot(page, 'inspect')
  await page.keyboard.press('Escape')
  await panel.getByRole('button', { name: 'Options of Data sets' }).click()
  await page.getByRole('menuitem', { name: 'Maximise' }).click()
  await expect.poll(() => page.locator('.dashboard-panel').count()).toBe(1)
  await screenshot(page, 'maximised')
  await panel.getByRole('button', { name: 'Options of Data sets' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Download CSV' }).click()
  expect(readFileSync(await (await downloading).path(), 'utf8')).toContain('system.auth,')
  await page.getByRole('menuitem', { name: 'Download CSV' }).waitFor({ state: 'detached' })
  await panel.getByRole('button', { name: 'Options of Data sets' }).click()
  const saving = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Download picture' }).click()
  const picture = readFileSync(await (await saving).path())
  expect(picture.subarray(1, 4).toString('latin1')).toBe('PNG')
  // Its width and height, in pixels: that of a maximised chart.
  expect([picture.readUInt32BE(16) > 400, picture.readUInt32BE(20) > 200]).toEqual([true, true])
})

test('the shipped dashboard draws every panel from its NDJSON', async () => {
  const { page } = watched
  await page.getByRole('link', { name: 'Dashboards', exact: true }).click()
  await page.getByRole('link', { name: 'Host overview' }).waitFor()
  await screenshot(page, 'dashboards')
  await page.getByRole('link', { name: 'Host overview' }).click()
  await expect.poll(() => page.getByTestId('panel-drawn').count()).toBe(10)
  const failed = page.getByRole('region', { name: 'Failed logins', exact: true })
  expect(await failed.getByTestId('metric-value').textContent()).toBe('60')
  await screenshot(page, 'dashboard')
  await page.getByRole('button', { name: 'Use dark colours' }).click()
  await sleep(300)
  await screenshot(page, 'dashboard-dark')
  await page.getByRole('link', { name: 'Discover', exact: true }).click()
  await page.getByTestId('document-count').waitFor()
  await screenshot(page, 'discover-dark')
  await page.getByRole('button', { name: 'Use light colours' }).click()
})

test('the console runs the request at the cursor', async () => {
  const { page } = watched
  await page.getByRole('link', { name: 'Dev Tools' }).click()
  const editor = page.getByRole('textbox', { name: 'Requests' })
  await editor.fill('GET _cluster/health?filter_path=status,*_shards\n')
  await editor.press('Control+Enter')
  await expect.poll(() => page.getByTestId('console-answer').textContent()).toContain('"active_shards"')
  await screenshot(page, 'console')
})

test('management shows the index patterns with exactly one Default', async () => {
  const { page } = watched
  await page.getByRole('link', { name: 'Management' }).click()
  await page.getByTestId('saved-object').first().waitFor()
  await screenshot(page, 'saved-objects')
  await page.getByRole('tab', { name: 'Index Patterns' }).click()
  await page.getByTestId('index-pattern').first().waitFor()
  expect(await page.getByText('Default', { exact: true }).count()).toBe(1)
  expect(await page.getByTestId('index-pattern').first().textContent()).toContain('logs-*')
  await screenshot(page, 'index-patterns')
})

test('management lists what search keeps, and deletes one thing of it', async () => {
  const { page } = watched
  await part.client.request({ method: 'PUT', path: '/to-be-deleted', body: {} })
  for (const [name, entry] of [
    ['Users', 'elastic'],
    ['Roles', 'superuser'],
    ['Indices', 'logs-system-default'],
  ] as const) {
    await page.getByRole('tab', { name, exact: true }).click()
    await page.getByTestId('stored-entry').filter({ hasText: entry }).first().waitFor()
  }
  await page.getByRole('button', { name: 'Delete to-be-deleted' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect.poll(() => page.getByText('to-be-deleted').count()).toBe(0)
  await screenshot(page, 'indices')
  for (const name of ['Data Streams', 'Lifecycle', 'Pipelines', 'API Keys']) {
    await page.getByRole('tab', { name, exact: true }).click()
    await page.getByRole('tab', { name, exact: true, selected: true }).waitFor()
    await expect.poll(() => page.getByRole('main').locator('[role=status]').count()).toBe(0)
    expect(await page.getByRole('main').locator('[role=alert]').count()).toBe(0)
  }
})

test('without an agent server the page to add agents says so in the exact words', async () => {
  const { page } = watched
  await page.getByRole('link', { name: 'Agents' }).click()
  await page.getByRole('link', { name: 'Add agent' }).first().waitFor()
  await screenshot(page, 'agents')
  await page.getByRole('link', { name: 'Add agent' }).first().click()
  await page.getByText('Missing URL for Fleet Server host', { exact: true }).waitFor()
  await screenshot(page, 'add-agent')
})

test('an alert is shown, in full, and can be acknowledged', async () => {
  const { page } = watched
  await page.getByRole('link', { name: 'Alerts' }).click()
  await page.getByText('No alerts in this time range').waitFor()
  await seedAlert(part.client)
  // Nobody asks: the list looks for new ones by itself.
  await page.getByRole('button', { name: 'Repeated failed logins' }).click()
  await page.getByRole('dialog').getByText('Show the events in Discover').waitFor()
  await screenshot(page, 'alert')
  await page.getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByRole('button', { name: 'Open again' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByTestId('alert-row').textContent()).toContain('Acknowledged')
  await screenshot(page, 'alerts')
})

test('health is there, and no page made the browser complain', async () => {
  const { page, problems } = watched
  await page.getByRole('link', { name: 'Health' }).click()
  await expect.poll(() => page.getByTestId('cluster-status').textContent()).toMatch(/green/i)
  await screenshot(page, 'health')
  expect(problems).toEqual([])
})

test('logging out ends the session', async () => {
  const { page } = watched
  await page.getByRole('button', { name: 'User elastic' }).click()
  const ended = page.waitForResponse((answer) => answer.request().method() === 'DELETE')
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  expect((await ended).status()).toBe(200)
  await page.getByLabel('User name').waitFor()
  // The login page, not the dialog over a page whose session ended.
  expect(await page.getByRole('dialog').count()).toBe(0)
  const { username } = part.search
  const path = '/_security/oauth2/token'
  const left = await part.client.request({ method: 'DELETE', path, body: { username } })
  expect(left.body).toMatchObject({ invalidated_tokens: 0 })
  await screenshot(page, 'login')
})
