// Measures the dashboard in a browser: `node tools/run-ts.mjs bench/dashboard.ts [--documents N] [--rounds N] [--against FILE]`. A search and the built dashboard
// (`node tools/build.mjs dashboard web`) of its own, documents of the bench's corpus, headless Chromium. A dashboard of thirty panels, all of them in the
// window, and Discover's first page; each with what loading, search and drawing take. Prints Markdown and keeps the figures in bench/dashboard-last.json.
import { createHash, X509Certificate } from 'node:crypto'
import { existsSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { testCertificates } from '@logstack/testkit'
import type { Page } from 'playwright-core'
import { launchBrowser, logIn, openPage } from '../e2e/browser.ts'
import { type DashboardPart, startDashboardPart } from '../e2e/dashboard-part.ts'
import { dashboardId, dashboardObjects, dashboardTitle, panelCount } from './dashboard-panels.ts'
import { mapping, writeCorpus } from './documents.mjs'

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '2000000' },
    rounds: { type: 'string', default: '7' },
    against: { type: 'string' },
  },
})
const documents = Number(values.documents)
const rounds = Number(values.rounds)
const lastFile = join(process.cwd(), 'bench/dashboard-last.json')
const range = 'from=2023-01-01T00:00:00.000Z&to=2023-01-14T00:00:00.000Z'
const corpusMax = 100_000
const pageLimitMs = 120_000
// All thirty panels at once.
const tallPx = 3_400
const print = (line: string): boolean => process.stdout.write(`${line}\n`)

/** Milliseconds of one visit. */
interface Visit {
  /** Until the first search: the page's programs and objects. */
  readonly loadMs: number
  /** From the first search to the end of the last answer. */
  readonly answersMs: number
  /** From the last answer to the last panel on the page. */
  readonly drawMs: number
  /** From the start of the navigation, or from the click of who is on another page already. */
  readonly allMs: number
  /** From the end of the page's load event; undefined where nothing is loaded but data. */
  readonly afterLoadMs: number | undefined
  /** What search itself says it took for each search, added up; more than passed, as searches run side by side. */
  readonly tookMs: number
  /** Searches, and the requests they went in. */
  readonly searches: number
  readonly requests: number
  readonly bytes: number
}

async function seed({ client, importFile }: DashboardPart): Promise<void> {
  const from = performance.now()
  const template = { index_patterns: ['logs-*'], data_stream: {}, template: { mappings: mapping }, priority: 500 }
  await client.request({ method: 'PUT', path: '/_index_template/bench', body: template })
  const file = join(folder, 'corpus.ndjson')
  for (let sent = 0, seed = 1; sent < documents; sent += corpusMax, seed += 1) {
    const { bodies } = writeCorpus(file, Math.min(corpusMax, documents - sent), seed)
    const descriptor = openSync(file, 'r')
    for (const { offset, length } of bodies) {
      const body = Buffer.allocUnsafe(length)
      readSync(descriptor, body, 0, length, offset)
      const path = '/logs-bench-default/_bulk'
      await client.request({ method: 'POST', path, body, contentType: 'application/x-ndjson', timeoutMs: pageLimitMs })
    }
  }
  await client.request({ method: 'POST', path: '/logs-bench-default/_refresh' })
  const { body } = await client.request<{ count: number }>({ method: 'GET', path: '/logs-*/_count' })
  if (body.count !== documents) throw new Error(`${body.count} documents are there instead of ${documents}`)
  const objects = join(folder, 'objects.ndjson')
  writeFileSync(
    objects,
    dashboardObjects()
      .map((object) => `${JSON.stringify(object)}\n`)
      .join(''),
  )
  const imported = await importFile(objects)
  if (!imported.success) throw new Error(`the dashboard was not imported: ${JSON.stringify(imported)}`)
  print(`${documents} documents taken in within ${((performance.now() - from) / 1000).toFixed(0)} s`)
}

async function measure(part: DashboardPart): Promise<Record<string, Visit>> {
  const browser = await launchBrowser([`--ignore-certificate-errors-spki-list=${await keyHash()}`])
  try {
    const watched = await openPage(browser, { height: tallPx, timeZone: 'UTC' })
    const { page } = watched
    await logIn(watched, part.url, part.search)
    await page.getByTestId('document-count').waitFor()
    print(`${await firstLoad(page)}\n`)
    await page.addInitScript({ content: watching })
    const figures: Record<string, Visit> = {}
    for (const [name, way] of Object.entries(waysOf(part.url))) {
      await page.setViewportSize({ width: 1440, height: way.sight === 'thirty' ? tallPx : 900 })
      figures[name] = await visits(page, way)
    }
    if (watched.problems.length > 0) throw new Error(`the browser complained: ${watched.problems.join('; ')}`)
    return figures
  } finally {
    await browser.close()
  }
}

/** How one comes to what is waited for: by the page's address, or by a click on another page that stands. */
interface Way {
  readonly url: string
  readonly sight: Sight
  /** The name of the link, and what is there when the page before it stands. */
  readonly link?: { readonly name: string; readonly on: string }
}

function waysOf(url: string): Readonly<Record<string, Way>> {
  const thirty = `${url}/app/dashboards/${dashboardId}?${range}`
  const list = `${url}/app/dashboards?${range}`
  const on = `a:has-text('${dashboardTitle}')`
  return {
    'thirty panels': { url: thirty, sight: 'thirty' },
    'their first screen': { url: thirty, sight: 'screen' },
    'Discover’s first page': { url: `${url}/app/discover?${range}`, sight: 'discover' },
    'thirty panels, from the list': { url: list, sight: 'thirty', link: { name: dashboardTitle, on } },
    'their first screen, from the list': { url: list, sight: 'screen', link: { name: dashboardTitle, on } },
    'Discover, from the list of dashboards': { url: list, sight: 'discover', link: { name: 'Discover', on } },
  }
}

/** The hash by which Chromium trusts the certificate: of pages it does not trust it keeps no program, which is not how people work who come every day. */
async function keyHash(): Promise<string> {
  const { cert } = await testCertificates()
  const key = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(key).digest('base64')
}

/** What the browser loaded until the first page stood, compressed. */
async function firstLoad(page: Page): Promise<string> {
  const [all, charts] = await page.evaluate(() => {
    const assets = performance.getEntriesByType('resource') as unknown as { name: string; encodedBodySize: number }[]
    const sizeOf = (wanted: RegExp): number =>
      assets.filter(({ name }) => wanted.test(name)).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
    return [sizeOf(/\/assets\//), sizeOf(/\/assets\/charts-/)]
  })
  const [before = 0, after = 0] = [(all ?? 0) - (charts ?? 0), charts]
  return `first load: ${(before / 1000).toFixed(0)} kB compressed, and ${(after / 1000).toFixed(0)} kB of charts`
}

type Sight = 'thirty' | 'screen' | 'discover'

// The addresses of searches, alone and together; the fields of a pattern are asked for under the same route.
const searchPattern = /api\/search\?path=[^&]*_m?search\b/

// Runs in the page. The moments are noted there, in the frame that shows what is waited for: asking from outside would take its own time.
const watching = `{
  const panels = () => [...document.querySelectorAll('.dashboard-panel')]
  const hasCharts = (panel) => [...panel.querySelectorAll('[role=img]')].every((chart) => chart.querySelector('canvas') !== null)
  const isDrawn = (panel) => panel.querySelector('[data-testid=panel-drawn]') !== null && hasCharts(panel)
  const sights = {
    thirty: () => panels().filter(isDrawn).length === ${panelCount},
    screen: () => {
      const seen = panels().filter((one) => one.getBoundingClientRect().top < innerHeight)
      return seen.length > 0 && seen.every(isDrawn)
    },
    discover: () => document.querySelector('.documents-row') !== null && document.querySelector('[data-testid=document-count]') !== null,
  }
  globalThis.seen = {}
  let from = 0
  addEventListener('click', () => {
    from = performance.now()
    globalThis.seen = {}
  }, { capture: true })
  const look = () => {
    for (const [name, isThere] of Object.entries(sights)) {
      if (globalThis.seen[name] !== undefined || !isThere()) continue
      const end = performance.now()
      const searches = performance.getEntriesByType('resource').filter(({ name: url, startTime }) => ${searchPattern}.test(url) && startTime >= from && startTime < end)
      globalThis.seen[name] = {
        from,
        end,
        loaded: performance.getEntriesByType('navigation')[0].loadEventEnd,
        first: Math.min(end, ...searches.map(({ startTime }) => startTime)),
        last: Math.max(0, ...searches.map(({ responseEnd }) => Math.min(end, responseEnd || end))),
        requests: searches.length,
      }
    }
    requestAnimationFrame(look)
  }
  look()
}`

interface Seen {
  readonly from: number
  readonly end: number
  readonly loaded: number
  readonly first: number
  readonly last: number
  readonly requests: number
}

/** The median visit of several, by the time of all of it; programs and data are warm, as they are for who works with the page. */
async function visits(page: Page, way: Way): Promise<Visit> {
  const found: Visit[] = []
  for (let round = 0; round < rounds + 2; round += 1) {
    const visit = await visitOnce(page, way)
    if (round >= 2) found.push(visit)
  }
  const sorted = found.sort((left, right) => left.allMs - right.allMs)
  const median = sorted[Math.floor(sorted.length / 2)]
  if (!median) throw new Error('BUG: no visit was made')
  return median
}

async function visitOnce(page: Page, { url, sight, link }: Way): Promise<Visit> {
  let tookMs = 0
  let searches = 0
  let bytes = 0
  let isOver = false
  const reads: Promise<void>[] = []
  page.removeAllListeners('response')
  page.on('response', (response) => {
    if (!searchPattern.test(response.url())) return
    const read = response.body().then(
      (body) => {
        if (isOver) return
        bytes += body.length
        const answer = JSON.parse(body.toString('utf8')) as Answer
        for (const { took } of answer.responses ?? [answer]) {
          tookMs += took
          searches += 1
        }
      },
      (thrown: unknown) => {
        // What the page still asked for when it was left has no answer any more.
        if (!isOver) throw thrown
      },
    )
    reads.push(read)
  })
  await page.goto('about:blank')
  await page.goto(url, { waitUntil: 'commit' })
  if (link) {
    await page.locator(link.on).first().waitFor()
    await page.waitForLoadState('networkidle')
    await page.getByRole('link', { name: link.name, exact: true }).click()
  }
  const handle = await page.waitForFunction(
    (name) => (globalThis as unknown as { seen?: Record<string, Seen> }).seen?.[name],
    sight,
    { timeout: pageLimitMs },
  )
  const seen = (await handle.jsonValue()) as Seen
  await Promise.all(reads)
  isOver = true
  const { from, first, last, end, loaded, requests } = seen
  if (requests === 0) throw new Error(`no search was seen while ${url} was drawn: does the page ask another way now?`)
  const afterLoadMs = link ? undefined : end - loaded
  const spans = { loadMs: first - from, answersMs: last - first, drawMs: end - last, allMs: end - from, afterLoadMs }
  return { ...spans, tookMs, searches, requests, bytes }
}

/** An answer of `_search`, or of `_msearch` with one for each search. */
interface Answer {
  readonly took: number
  readonly responses?: readonly { readonly took: number }[]
}

function report(figures: Readonly<Record<string, Visit>>): void {
  const against = values.against ?? lastFile
  const before = existsSync(against) ? (JSON.parse(readFileSync(against, 'utf8')) as Partial<typeof figures>) : {}
  print(
    `load of the machine ${loadavg()[0]?.toFixed(1)}; median of ${rounds} visits after 2, milliseconds; the ratio is to the run before\n`,
  )
  print(
    '| page | all | ratio | after the load event | to the first search | answers | drawing after them | took, added up | searches | in requests | kB |',
  )
  print('|---|---|---|---|---|---|---|---|---|---|---|')
  for (const [name, visit] of Object.entries(figures)) {
    const ratio = before[name] ? (visit.allMs / before[name].allMs).toFixed(2) : '–'
    const { allMs, afterLoadMs, loadMs, answersMs, drawMs, tookMs } = visit
    const cells = [allMs, afterLoadMs, loadMs, answersMs, drawMs, tookMs].map((ms) => ms?.toFixed(0) ?? '–')
    const [all, ...others] = cells
    print(
      `| ${name} | ${all} | ${ratio} | ${others.join(' | ')} | ${visit.searches} | ${visit.requests} | ${(visit.bytes / 1000).toFixed(0)} |`,
    )
  }
  writeFileSync(lastFile, `${JSON.stringify(figures, null, 2)}\n`)
}

const folder = mkdtempSync(join(tmpdir(), 'logstack-bench-dashboard-'))
const part = await startDashboardPart(process.cwd())
try {
  await seed(part)
  const figures = await measure(part)
  report(figures)
} finally {
  await part.stop()
  rmSync(folder, { recursive: true, force: true })
}
