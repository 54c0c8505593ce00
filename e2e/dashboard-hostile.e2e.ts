import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@logstack/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, openPage, screenshot, type WatchedPage } from './browser.ts'
import { type DashboardPage, fillIndex, openDashboardPage } from './dashboard-page.ts'
import type { DashboardPart } from './dashboard-part.ts'
import { startPathProxy } from './path-proxy.ts'
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
// Turns what follows it round: `drawkcab`.
const turned = '\u202edrawkcab'

let opened: DashboardPage | undefined
let part: DashboardPart
let watched: WatchedPage

beforeAll(async () => {
  if (skip) return
  opened = await openDashboardPage(prepare)
  ;({ part, watched } = opened)
})

afterAll(async () => {
  await opened?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function prepare({ client, importFile }: DashboardPart): Promise<void> {
  const properties = {
    '@timestamp': { type: 'date' },
    message: { type: 'text' },
    host: { properties: { name: { type: 'keyword' } } },
  }
  const documents = [...corpus, turned].map((text, at) => ({
    '@timestamp': new Date(Date.now() - at * 1_000).toISOString(),
    message: text,
    host: { name: text },
    user: { name: [text, text] },
    [`field <img src=x onerror=${mark}>`]: text,
  }))
  await fillIndex(client, 'logs-hostile-default', properties, documents)
  writeFileSync(join(folder, 'hostile.ndjson'), hostileObjects())
  expect(await importFile(join(folder, 'hostile.ndjson'))).toMatchObject({ success: true })
}

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

test.skipIf(skip)(named('a value that is written from right to left turns nothing but itself'), async () => {
  const { page } = watched
  await page.goto(`${part.url}/app/discover`)
  const row = page.locator('.documents-summary').filter({ hasText: 'drawkcab' })
  await row.waitFor()
  // In the browser: the first letter of each name lies left of its last.
  const places = await row.locator('.documents-key').evaluateAll((keys) =>
    keys.map((key) => {
      const edgeOf = (from: number): number => {
        const range = key.ownerDocument.createRange()
        range.setStart(key.firstChild ?? key, from)
        range.setEnd(key.firstChild ?? key, from + 1)
        return range.getBoundingClientRect().left
      }
      return edgeOf(0) < edgeOf((key.textContent ?? '').length - 1)
    }),
  )
  expect(places.length).toBeGreaterThan(2)
  expect(new Set(places)).toEqual(new Set([true]))
})

test.skipIf(skip)(named('an index that cannot answer is left out, and the page says which and why'), async () => {
  const { page, problems } = watched
  const index = 'logs-otherwise-default'
  const properties = { '@timestamp': { type: 'date' }, host: { properties: { name: { type: 'text' } } } }
  const document = { '@timestamp': new Date().toISOString(), host: { name: 'in words' } }
  await fillIndex(part.client, index, properties, [document])
  for (const path of ['dashboards/hostile', 'discover?columns=host.name&sort=host.name:asc']) {
    await page.goto(`${part.url}/app/${path}`)
    await page
      .getByText(corpus[0] ?? '')
      .first()
      .waitFor()
    const note = page.getByTestId('left-out')
    await expect.poll(() => note.allTextContents()).toEqual(['Without 1 index'])
    await note.click()
    await page.getByText(index).waitFor()
    await screenshot(page, `left-out-${path.startsWith('discover') ? 'discover' : 'panel'}`)
  }
  await part.client.request({ method: 'DELETE', path: `/${index}` })
  await page.reload()
  await page.getByTestId('document-count').waitFor()
  expect(await page.getByTestId('left-out').count()).toBe(0)
  expect(problems).toEqual([])
})

/** Hands connections on as `ssh -L` does: the browser sees another port, the dashboard a connection of its own. */
async function forwardPort(url: string): Promise<{ readonly url: string; close(): void }> {
  const { hostname, port } = new URL(url)
  const server = createServer((incoming) => {
    const outgoing = connect(Number(port), hostname)
    incoming.pipe(outgoing).pipe(incoming)
    for (const socket of [incoming, outgoing])
      socket.on('error', () => [incoming, outgoing].map((one) => one.destroy()))
  })
  const forwarded = await freePort()
  await new Promise<void>((resolve) => server.listen(forwarded, '127.0.0.1', resolve))
  return { url: `https://localhost:${forwarded}`, close: () => void server.close() }
}

test.skipIf(skip)(named('through a forwarded port one logs in and works'), async () => {
  if (!opened) throw new Error('BUG: not opened')
  const forwarded = await forwardPort(part.url)
  const other = await openPage(opened.browser)
  try {
    const { page, problems } = other
    await logIn(other, forwarded.url, part.search)
    await page.getByTestId('document-count').waitFor()
    await page.getByRole('link', { name: 'Dashboards', exact: true }).click()
    await page.getByRole('link', { name: corpus[1] ?? '' }).waitFor()
    expect(page.url()).toContain(`${forwarded.url}/app/dashboards`)
    await page.reload()
    await page.getByRole('link', { name: corpus[1] ?? '' }).waitFor()
    expect(problems).toEqual([])
  } finally {
    await other.page.context().close()
    forwarded.close()
  }
})

test.skipIf(skip)(
  named('behind another name, port and path one logs in and works, and a search nobody waits for ends'),
  async () => {
    if (!opened) throw new Error('BUG: not opened')
    const proxy = await startPathProxy(part.url, '/watch/logs')
    const other = await openPage(opened.browser)
    try {
      const { page, problems } = other
      await logIn(other, proxy.url, part.search)
      await page.getByTestId('document-count').waitFor()
      await page.getByRole('link', { name: 'Dashboards', exact: true }).click()
      await page.getByRole('link', { name: corpus[1] ?? '' }).click()
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(page.url()).toContain(`${proxy.url}/app/dashboards/hostile`)
      await page.reload()
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.goto(`${proxy.url}/app/discover`)
      await page.getByTestId('document-count').waitFor()
      proxy.holdsSearches = true
      await page.getByLabel('Query (KQL)').fill('message: script')
      await page.getByLabel('Query (KQL)').press('Enter')
      await expect.poll(() => proxy.held.waiting).toBeGreaterThan(0)
      const waited = proxy.held.waiting
      proxy.holdsSearches = false
      await page.getByLabel('Query (KQL)').fill('message: iframe')
      await page.getByLabel('Query (KQL)').press('Enter')
      await expect.poll(() => proxy.held.dropped).toBeGreaterThanOrEqual(waited)
      await expect.poll(() => page.getByTestId('document-count').textContent()).toContain('1 document')
      expect(problems).toEqual([])
    } finally {
      await other.page.context().close()
      await proxy.close()
    }
  },
)

test.skipIf(skip)(
  named('a session that ended asks for a login over the page, which then goes on with what was typed'),
  async () => {
    if (!opened) throw new Error('BUG: not opened')
    const other = await openPage(opened.browser)
    const { page } = other
    try {
      await logIn(other, part.url, part.search)
      const { form, login } = await typedAtTheEnd(page, 'typed-*')
      await login.getByLabel('Password', { exact: true }).fill('wrong')
      await login.getByRole('button', { name: 'Log in' }).click()
      await login.getByRole('alert').waitFor()
      await page.keyboard.press('Escape')
      await motionEnd(page)
      expect(await form.getByLabel('Indices').inputValue()).toBe('typed-*')
      await screenshot(page, 'session-ended')
      await login.getByLabel('Password', { exact: true }).fill(part.search.password)
      await login.getByRole('button', { name: 'Log in' }).click()
      const made = page.getByTestId('index-pattern').filter({ hasText: 'typed-*' })
      await expect.poll(() => made.count()).toBe(1)
      expect(await login.count()).toBe(0)
    } finally {
      await page.context().close()
    }
  },
)

test.skipIf(skip)(named('who logs in where another session ended begins anew, and sends nothing of it'), async () => {
  if (!opened) throw new Error('BUG: not opened')
  const reader = { username: 'reader', password: 'reader-password' }
  const body = { password: reader.password, roles: ['viewer'] }
  await part.client.request({ method: 'PUT', path: `/_security/user/${reader.username}`, body })
  const other = await openPage(opened.browser)
  const { page } = other
  try {
    await logIn(other, part.url, part.search)
    const { form, login } = await typedAtTheEnd(page, 'not-mine-*')
    await login.getByLabel('User name').fill(reader.username)
    await login.getByLabel('Password', { exact: true }).fill(reader.password)
    await login.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('button', { name: 'User reader' }).waitFor()
    await page.getByText('Your roles allow reading only.').waitFor()
    expect(await form.count()).toBe(0)
    expect(await page.getByText('not-mine-*').count()).toBe(0)
  } finally {
    await page.context().close()
  }
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

/** Ends the session as it ends by itself: the page is not told. */
async function endSession(page: WatchedPage['page']): Promise<void> {
  await page.evaluate(() => fetch('/api/session', { method: 'DELETE', headers: { 'kbn-xsrf': 'true' } }).then(() => 1))
}

/** Types the name of an index pattern and sends it when the session has ended; answers the form, and the login that is asked for. */
async function typedAtTheEnd(page: WatchedPage['page'], pattern: string) {
  await page.goto(`${part.url}/app/management/index-patterns`)
  await page.getByRole('button', { name: 'Create index pattern' }).click()
  const form = page.getByRole('dialog', { name: 'Create index pattern' })
  await form.getByLabel('Indices').fill(pattern)
  await endSession(page)
  await form.getByRole('button', { name: 'Create index pattern' }).click()
  return { form, login: page.getByRole('dialog', { name: 'Your session has ended' }) }
}

/** Waits until nothing on the page is on its way in or out. */
async function motionEnd(page: WatchedPage['page']): Promise<void> {
  const frames = 'for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)'
  // Spinners have no end.
  const ending = 'document.getAnimations().filter(({ effect }) => Number.isFinite(effect.getComputedTiming().endTime))'
  const motion = `await Promise.allSettled(${ending}.map(({ finished }) => finished))`
  await page.evaluate(`(async () => { ${frames}; ${motion}; ${frames} })()`)
}

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
