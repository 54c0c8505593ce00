import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type AlertDocument, alertsIndex } from '@logstack/contracts'
import { ensureHiddenIndex, type SearchClient, sendBulk } from '@logstack/search-client'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, logIn, openPage, screenshot, type WatchedPage } from './browser.ts'
import { type DashboardPart, startDashboardPart } from './dashboard-part.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
let part: DashboardPart
let browser: Browser
let watched: WatchedPage

beforeAll(async () => {
  part = await startDashboardPart()
  await seedEvents(part.client)
  for (const file of ['search/host-overview', 'search/index-patterns', 'endpoint/host-metrics']) {
    expect(await part.importFile(join(root, `dashboards/${file}.ndjson`))).toMatchObject({ success: true })
  }
  browser = await launchBrowser()
  watched = await openPage(browser)
  await logIn(watched, part.url, part.search)
})

afterAll(async () => {
  await browser?.close()
  await part?.stop()
})

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
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
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
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByLabel('User name').waitFor()
  await screenshot(page, 'login')
})

async function seedAlert(client: SearchClient): Promise<void> {
  await ensureHiddenIndex(client, alertsIndex)
  const now = new Date().toISOString()
  const document: AlertDocument = {
    '@timestamp': now,
    event: { kind: 'alert' },
    rule: { id: 'repeated-failed-logins', name: 'Repeated failed logins' },
    message: '5 logins failed on web-1',
    host: { name: 'web-1' },
    logstack: {
      alert: {
        status: 'open',
        severity: 'high',
        reason: 'at least 5 events in 5 minutes',
        rule_type: 'frequency',
        key: 'web-1',
        key_field: 'host.name',
        count: 5,
        first_event: now,
        last_event: now,
        events: [],
        delivery: 'done',
        notifications: [{ channel: 'http_post', state: 'sent', attempts: 1, sent_at: now }],
      },
    },
  }
  const [result] = await sendBulk(client, [{ action: 'create', index: alertsIndex.name, document }], {
    refresh: 'true',
  })
  expect(result?.error).toBeUndefined()
}

async function seedEvents(client: SearchClient): Promise<void> {
  const keyword = { type: 'keyword' }
  const properties = {
    '@timestamp': { type: 'date' },
    message: { type: 'text' },
    host: { properties: { name: keyword } },
    event: { properties: { dataset: keyword, category: keyword, outcome: keyword } },
    log: { properties: { level: keyword } },
    user: { properties: { name: keyword } },
    source: { properties: { ip: { type: 'ip' } } },
  }
  await client.request({ method: 'PUT', path: '/logs-system-default', body: { mappings: { properties } } })
  const actions = Array.from({ length: 240 }, (_, at) => ({
    action: 'create' as const,
    index: 'logs-system-default',
    document: eventAt(at),
  }))
  const results = await sendBulk(client, actions, { refresh: 'true' })
  expect(results.filter(({ status }) => status !== 201)).toEqual([])
}

function eventAt(at: number): unknown {
  const failed = at % 4 === 0
  const host = { name: `web-${(at * 7) % 3}` }
  const when = new Date(Date.now() - 5_000 - at * 3_000).toISOString()
  if (!failed) {
    const dataset = at % 3 === 0 ? 'system.journal' : 'system.syslog'
    const level = at % 40 === 1 ? 'error' : 'info'
    return { '@timestamp': when, host, event: { dataset }, log: { level }, message: `unit ${at} started` }
  }
  return {
    '@timestamp': when,
    host,
    event: { dataset: 'system.auth', category: 'authentication', outcome: 'failure' },
    log: { level: 'info' },
    user: { name: at % 8 === 0 ? 'root' : 'admin' },
    source: { ip: `203.0.113.${at % 5}` },
    message: `Failed password for ${at % 8 === 0 ? 'root' : 'admin'} from 203.0.113.${at % 5} port 4222 ssh2`,
  }
}
