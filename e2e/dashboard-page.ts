import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SearchClient } from '@logstack/search-client'
import { sendBulk } from '@logstack/search-client'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { launchBrowser, logIn, openPage, type WatchedPage } from './browser.ts'
import { type DashboardPart, startDashboardPart } from './dashboard-part.ts'
import { hasProgram } from './stack.ts'

/** A dashboard on a search, with a browser whose page the administrator is logged in on. */
export interface DashboardPage {
  readonly part: DashboardPart
  readonly browser: Browser
  readonly watched: WatchedPage
  stop(): Promise<void>
}

/** Starts all of it. `prepare` fills search and imports objects before the browser opens. */
export async function openDashboardPage(
  prepare: (part: DashboardPart) => Promise<void>,
  options: Parameters<typeof openPage>[1] = {},
): Promise<DashboardPage> {
  const part = await startDashboardPart()
  let browser: Browser | undefined
  const stop = async (): Promise<void> => {
    await browser?.close()
    await part.stop()
  }
  try {
    await prepare(part)
    browser = await launchBrowser()
    const watched = await openPage(browser, options)
    await logIn(watched, part.url, part.search)
    return { part, browser, watched, stop }
  } catch (thrown) {
    await stop()
    throw thrown
  }
}

/** The page of a file of tests. */
export interface PageForTests {
  /** Why they cannot run; false where they can. */
  readonly skip: string | false
  /** The name of a test, with the reason where it is skipped. */
  named(title: string): string
  readonly watched: WatchedPage
  /** `https://127.0.0.1:port` of the dashboard. */
  readonly address: string
  /** The administrator. */
  readonly user: { readonly username: string; readonly password: string }
}

/** Opens a page before the tests of a file and closes it after them; they are skipped where there is no browser. */
export async function pageForTests(...given: Parameters<typeof openDashboardPage>): Promise<PageForTests> {
  const skip = (await hasProgram('chromium')) ? false : 'chromium is not installed'
  let opened: DashboardPage | undefined
  beforeAll(async () => {
    if (!skip) opened = await openDashboardPage(...given)
  })
  afterAll(async () => {
    await opened?.stop()
  })
  const page = (): DashboardPage => {
    if (!opened) throw new Error('BUG: the page is there for tests alone')
    return opened
  }
  return {
    skip,
    named: (title) => (skip ? `${title} (${skip})` : title),
    get watched() {
      return page().watched
    },
    get address() {
      return page().part.url
    },
    get user() {
      return page().part.search
    },
  }
}

/** A dashboard of saved objects over an index of their own. */
export interface DashboardGiven {
  readonly index: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly documents: readonly unknown[]
  readonly objects: readonly object[]
  readonly dashboardId: string
  /** The time it shows, as its address has it. */
  readonly range: string
  /** Of the page, in pixels. */
  readonly height: number
  /** A panel whose chart says that the dashboard is drawn; any panel at all unless told. */
  readonly drawn?: string
}

/** The same page, and its dashboard. */
export interface DashboardForTests extends PageForTests {
  /** The address of the dashboard, with a query in KQL. */
  url(query?: string): string
  /** Opens it, and waits until it is drawn and nothing is waited for. */
  open(query?: string): Promise<void>
  panel(id: string): Locator
}

/** Fills an index, imports a dashboard over it and opens that before the tests of a file. */
export async function dashboardForTests(given: DashboardGiven): Promise<DashboardForTests> {
  const { index, properties, documents, objects, dashboardId, range, height, drawn } = given
  const tests = await pageForTests(
    async (part) => {
      await fillIndex(part.client, index, properties, documents)
      await importObjects(part, objects)
    },
    { height, timeZone: 'UTC' },
  )
  const panel = (id: string): Locator => tests.watched.page.locator(`[data-panel-id="${id}"]`)
  const url = (query?: string): string => {
    const asked = query === undefined ? '' : `&query=${encodeURIComponent(query)}`
    return `${tests.address}/app/dashboards/${dashboardId}?${range}${asked}`
  }
  const open = async (query?: string): Promise<void> => {
    await tests.watched.page.goto(url(query))
    const first = drawn === undefined ? tests.watched.page.locator('.dashboard-panel') : panel(drawn).locator('canvas')
    await first.first().waitFor()
    await tests.watched.page.locator('.dashboard-panel [role=status]').first().waitFor({ state: 'detached' })
  }
  beforeAll(async () => {
    if (!tests.skip) await open()
  })
  return {
    skip: tests.skip,
    named: tests.named,
    get watched() {
      return tests.watched
    },
    get address() {
      return tests.address
    },
    get user() {
      return tests.user
    },
    url,
    open,
    panel,
  }
}

/** Makes an index with a mapping and stores documents in it, all of them. */
export async function fillIndex(
  client: SearchClient,
  index: string,
  properties: Readonly<Record<string, unknown>>,
  documents: readonly unknown[],
): Promise<void> {
  await client.request({ method: 'PUT', path: `/${index}`, body: { mappings: { properties } } })
  const actions = documents.map((document) => ({ action: 'create' as const, index, document }))
  const results = await sendBulk(client, actions, { refresh: 'true' })
  expect(results.filter(({ error }) => error)).toEqual([])
}

/** Imports saved objects as their NDJSON, all of them. */
export async function importObjects({ importFile }: DashboardPart, objects: readonly object[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'logstack-objects-'))
  const file = join(folder, 'objects.ndjson')
  writeFileSync(file, objects.map((object) => `${JSON.stringify(object)}\n`).join(''))
  try {
    expect(await importFile(file)).toMatchObject({ success: true, successCount: objects.length })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The cells of a panel's own data table, as its menu's Inspect shows them. */
export async function inspectedRows(page: Page, panel: string): Promise<string[][]> {
  const section = page.locator(`[data-panel-id="${panel}"]`)
  // The menu of the panel before may still be on its way out.
  await expect.poll(() => page.getByRole('menuitem').count()).toBe(0)
  await section.getByRole('button', { name: /^Options of / }).click()
  await page.getByRole('menuitem', { name: 'Inspect' }).click()
  const data = page.getByTestId('inspect-data')
  await data.waitFor()
  const cells = await data
    .locator('tbody tr')
    .evaluateAll((lines) => lines.map((line) => [...line.querySelectorAll('td')].map((cell) => cell.textContent ?? '')))
  // What has just been drawn does not listen to keys yet.
  await expect
    .poll(async () => {
      await page.keyboard.press('Escape')
      return data.count()
    })
    .toBe(0)
  return cells
}

/** A saved object as far as an export must give it back. */
export interface KeptObject {
  readonly type: string
  readonly id: string
  readonly attributes: unknown
  readonly references: unknown
}

/** What the dashboard's API exports of some objects, by id. */
export async function exportedObjects(
  page: Page,
  url: string,
  wanted: readonly { readonly type: string; readonly id: string }[],
): Promise<KeptObject[]> {
  const body = JSON.stringify({ objects: wanted.map(({ type, id }) => ({ type, id })) })
  const text = await page.evaluate(
    async ([address = '', sent = '']) => {
      const headers = { 'kbn-xsrf': 'test', 'content-type': 'application/json' }
      const answer = await fetch(address, { method: 'POST', headers, body: sent })
      return answer.text()
    },
    [`${url}/api/saved_objects/_export`, body],
  )
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as KeptObject)
  const objects = lines.filter(({ type }) => type !== undefined)
  return sortedById(objects.map(({ type, id, attributes, references }) => ({ type, id, attributes, references })))
}

/** Objects in the order of their ids. */
export function sortedById<Item extends { readonly id: string }>(objects: readonly Item[]): Item[] {
  return [...objects].sort((left, right) => left.id.localeCompare(right.id))
}
