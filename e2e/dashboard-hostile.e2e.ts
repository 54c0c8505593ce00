import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sendBulk } from '@logstack/search-client'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, logIn, openPage, type WatchedPage } from './browser.ts'
import { type DashboardPart, startDashboardPart } from './dashboard-part.ts'
import { hasProgram } from './stack.ts'

// What a page must bear: events and saved objects that try to run in it, a search that goes away, a dashboard that starts anew.

const skip = (await hasProgram('chromium')) ? false : 'chromium is not installed'
const named = (title: string): string => (skip ? `${title} (${skip})` : title)
const folder = mkdtempSync(join(tmpdir(), 'logstack-hostile-'))
// Each would set this when it ran.
const mark = 'globalThis.hostile=1'
const corpus = [
  `<script>${mark}</script>`,
  `<img src=x onerror="${mark}">`,
  `"><svg onload=${mark}>`,
  `javascript:${mark}`,
  `<iframe srcdoc="<script>parent.${mark}</script>"></iframe>`,
  `{{constructor.constructor('${mark}')()}}`,
  `</title><script>${mark}</script>`,
  `\u0002<b onmouseover=${mark}>\u0003`,
]

let part: DashboardPart
let browser: Browser
let watched: WatchedPage

beforeAll(async () => {
  if (skip) return
  part = await startDashboardPart()
  const keyword = { type: 'keyword' }
  const properties = {
    '@timestamp': { type: 'date' },
    message: { type: 'text' },
    host: { properties: { name: keyword } },
  }
  await part.client.request({ method: 'PUT', path: '/logs-hostile-default', body: { mappings: { properties } } })
  const actions = corpus.map((text, at) => ({
    action: 'create' as const,
    index: 'logs-hostile-default',
    document: {
      '@timestamp': new Date(Date.now() - at * 1_000).toISOString(),
      message: text,
      host: { name: text },
      user: { name: [text, text] },
      [`field <img src=x onerror=${mark}>`]: text,
    },
  }))
  const results = await sendBulk(part.client, actions, { refresh: 'true' })
  expect(results.filter(({ error }) => error)).toEqual([])
  writeFileSync(join(folder, 'hostile.ndjson'), hostileObjects())
  expect(await part.importFile(join(folder, 'hostile.ndjson'))).toMatchObject({ success: true })
  browser = await launchBrowser()
  watched = await openPage(browser)
  await logIn(watched, part.url, part.search)
})

afterAll(async () => {
  await browser?.close()
  await part?.stop()
  rmSync(folder, { recursive: true, force: true })
})

test.skipIf(skip)(named('nothing in an event or a saved object runs in the page'), async () => {
  const { page, problems } = watched
  const visits: readonly (readonly [path: string, shows: string])[] = [
    ['discover?columns=host.name,message', corpus[0] ?? ''],
    [`discover?query=${encodeURIComponent('message: script')}`, corpus[0] ?? ''],
    ['dashboards', corpus[1] ?? ''],
    ['dashboards/hostile', corpus[2] ?? ''],
    ['management/saved-objects', corpus[1] ?? ''],
    ['management/index-patterns', 'logs-*'],
  ]
  for (const [path, shows] of visits) {
    await page.goto(`${part.url}/app/${path}`)
    await page.getByText(shows).first().waitFor()
    await expect.poll(() => page.locator('[role=status]').count()).toBe(0)
    if (path.startsWith('discover')) {
      await page.getByRole('button', { name: 'Show the whole document' }).first().click()
      await page.getByRole('tab', { name: 'JSON' }).waitFor()
    }
    expect(await page.evaluate(() => 'hostile' in globalThis)).toBe(false)
  }
  expect(await page.locator('a[href^="javascript:" i]').count()).toBe(0)
  expect(problems).toEqual([])
})

test.skipIf(skip)(named('a session outlives a restart of the dashboard'), async () => {
  const { page } = watched
  await part.restart()
  await page.goto(`${part.url}/app/discover`)
  await page.getByTestId('document-count').waitFor()
  expect(await page.getByLabel('Password', { exact: true }).count()).toBe(0)
})

test.skipIf(skip)(named('a search that goes away is said, and asked again when it is back'), async () => {
  const { page } = watched
  await part.search.kill()
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  const alert = page
    .getByRole('alert')
    .filter({ has: page.getByRole('button', { name: 'Try again' }) })
    .first()
  await alert.waitFor({ timeout: 120_000 })
  await part.search.restart()
  await expect
    .poll(async () => {
      const again = page.getByRole('button', { name: 'Try again' })
      if ((await again.count()) > 0) await again.first().click({ timeout: 5_000 })
      return page.getByText(corpus[0] ?? '').count()
    })
    .toBeGreaterThan(0)
})

function hostileObjects(): string {
  const [script = '', image = '', svg = '', link = ''] = corpus
  const markdown = `${corpus.join('\n\n')}\n\n[${script}](${link}) ![x](${link})`
  const panels = [
    panel('words', 0, {
      savedVis: { type: 'markdown', title: svg, params: { markdown }, data: { aggs: [], searchSource: {} } },
    }),
    panel('rows', 20, {
      savedVis: {
        type: 'table',
        title: svg,
        params: {},
        data: {
          aggs: [
            { id: '1', enabled: true, type: 'count', schema: 'metric', params: { customLabel: image } },
            { id: '2', enabled: true, type: 'terms', schema: 'bucket', params: { field: 'host.name', size: 20 } },
          ],
          searchSource: { index: 'logs-*' },
        },
      },
    }),
  ]
  const attributes = {
    title: image,
    description: svg,
    timeRestore: false,
    optionsJSON: '{}',
    panelsJSON: JSON.stringify(panels),
    kibanaSavedObjectMeta: { searchSourceJSON: '{}' },
  }
  const view = { title: 'logs-*', name: 'logs-*', timeFieldName: '@timestamp' }
  const search = { title: script, columns: ['host.name'], sort: [], kibanaSavedObjectMeta: { searchSourceJSON: '{}' } }
  const objects = [
    { type: 'index-pattern', id: 'logs-*', attributes: view, references: [] },
    { type: 'search', id: 'hostile', attributes: search, references: [] },
    { type: 'dashboard', id: 'hostile', attributes, references: [] },
  ]
  return objects.map((object) => `${JSON.stringify(object)}\n`).join('')
}

function panel(id: string, y: number, config: Readonly<Record<string, unknown>>): unknown {
  const gridData = { x: 0, y, w: 48, h: 20, i: id }
  return { type: 'visualization', panelIndex: id, title: corpus[2], gridData, embeddableConfig: config }
}
