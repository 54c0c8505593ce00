import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { violationsOf } from './accessibility.ts'
import { screenshot } from './browser.ts'
import { dashboardForTests, exportedObjects, inspectedRows, sortedById } from './dashboard-page.ts'
import { byHost, events, properties, range, startMs, sumOf, type WebEvent } from './kinds/events.ts'
import { dashboardId, timelionObjects } from './timelion/objects.ts'

// Expressions of Timelion are drawn with the numbers that are counted here from their events, and none of them keeps the page from being used.

const objects = timelionObjects()
const tests = await dashboardForTests({
  index: 'web-events',
  properties,
  documents: events,
  objects,
  dashboardId,
  range,
  height: 2_800,
  drawn: 'pattern',
})
const { skip, named, open, panel } = tests

/** What each stretch of so many minutes has, beside its start as tables show instants. */
function perMinutes(minutes: number, ...numbersOf: ((some: readonly WebEvent[]) => number | string)[]): string[][] {
  return Array.from({ length: 30 / minutes }, (_, at) => {
    const fromMs = startMs + at * minutes * 60_000
    const some = events.filter((event) => {
      const ms = Date.parse(event['@timestamp'])
      return ms >= fromMs && ms < fromMs + minutes * 60_000
    })
    const time = new Date(fromMs).toISOString().slice(0, 19).replace('T', ' ')
    return [time, ...numbersOf.map((numberOf) => numberOf(some).toLocaleString('en-US'))]
  })
}

const failed = (some: readonly WebEvent[]): WebEvent[] => some.filter(({ http }) => http.status === 500)
const bytesOf = (some: readonly WebEvent[]): number => sumOf(some, ({ bytes }) => bytes)
const most = (some: readonly WebEvent[]): number => Math.max(...some.map(({ bytes }) => bytes))

test.skipIf(skip)(named('series have the numbers of their documents'), async () => {
  const { page } = tests.watched
  await open()
  await screenshot(page, 'timelion')
  expect(await inspectedRows(page, 'counts')).toEqual(
    perMinutes(
      10,
      ({ length }) => length,
      (some) => failed(some).length,
    ),
  )
  const hosts = [...byHost().keys()]
  expect(await inspectedRows(page, 'stacked')).toEqual(
    perMinutes(
      5,
      ...hosts.map((host) => (some: readonly WebEvent[]) => some.filter((one) => one.host.name === host).length),
    ),
  )
  expect((await inspectedRows(page, 'marks')).map(([time, largest, limit]) => [time, largest, limit])).toEqual(
    perMinutes(5, most, () => 300),
  )
  const share = (some: readonly WebEvent[]): number => failed(some).length / some.length
  expect(await inspectedRows(page, 'share')).toEqual(perMinutes(10, share, bytesOf, most))
  expect(await inspectedRows(page, 'everything')).toEqual([['2026-03-01 12:00:00', '60']])
})

test.skipIf(skip)(named('an offset shows the time before, calculations go along time'), async () => {
  const { page } = tests.watched
  const sums = perMinutes(10, bytesOf)
  expect(await inspectedRows(page, 'before')).toEqual(
    sums.map(([time, sum], at) => [time, sum, at === 0 ? '0' : sums[at - 1]?.[1]]),
  )
  const rows = await inspectedRows(page, 'smooth')
  expect(rows).toHaveLength(30)
  // Two events a minute: their sum rises along a line, from which its own mean and trend do not differ.
  for (const [at, [, sum, mean, distance, trend]] of rows.entries()) {
    expect(sum).toBe(String(2 * (at + 1)))
    const isWithin = at >= 2 && at <= 27
    expect([mean, distance]).toEqual(isWithin ? [sum, '0'] : ['-', '-'])
    expect(trend).toBe(at < 10 ? '-' : sum)
  }
})

/** Opens what a panel's menu offers, and its data. */
async function inspecting(id: string, look: () => Promise<void>): Promise<void> {
  const { page } = tests.watched
  await expect.poll(() => page.getByRole('menuitem').count()).toBe(0)
  await panel(id)
    .getByRole('button', { name: `Options of ${id}` })
    .click()
  await page.getByRole('menuitem', { name: 'Download picture' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Download CSV' }).count()).toBe(1)
  await page.getByRole('menuitem', { name: 'Inspect' }).click()
  await look()
  // What has just been drawn does not listen to keys yet.
  await expect
    .poll(async () => {
      await page.keyboard.press('Escape')
      return page.getByRole('dialog').count()
    })
    .toBe(0)
}

test.skipIf(skip)(
  named('labels come from patterns, titles stand above, several searches can be looked at'),
  async () => {
    const { page } = tests.watched
    await panel('hosts').getByText('Mean bytes of hosts').waitFor()
    await inspecting('hosts', async () => {
      const heads = page.getByTestId('inspect-data').locator('thead th')
      await expect.poll(() => heads.allTextContents()).toEqual(['Time', ...byHost().keys()])
    })
    await inspecting('share', async () => {
      await page.getByRole('tab', { name: 'Request' }).click()
      await page.getByText('POST /_msearch').waitFor()
    })
  },
)

test.skipIf(skip)(named('a title that stands above a chart stands in its picture'), async () => {
  const { page } = tests.watched
  await panel('hosts').getByRole('button', { name: 'Options of hosts' }).click()
  const downloading = page.waitForEvent('download')
  // The menu of the panel before may be closing still.
  const menu = page.getByRole('menu', { name: 'Options of hosts' })
  await menu.getByRole('menuitem', { name: 'Download picture' }).click()
  const picture = readFileSync(await (await downloading).path(), 'base64')
  const chartPx = Number(await panel('hosts').locator('canvas').getAttribute('height'))
  const [heightPx, inked] = await page.evaluate<[number, number]>(`(async () => {
    const bytes = Uint8Array.from(atob('${picture}'), (letter) => letter.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
    pen.drawImage(bitmap, 0, 0)
    const above = pen.getImageData(0, 0, bitmap.width, bitmap.height - ${chartPx})
    const pixels = new Uint32Array(above.data.buffer)
    return [bitmap.height, pixels.filter((pixel) => pixel !== pixels[0]).length]
  })()`)
  expect(heightPx - chartPx).toBeGreaterThan(10)
  expect(inked).toBeGreaterThan(200)
})

test.skipIf(skip)(named('the query of the dashboard holds, unless an expression does not want it'), async () => {
  await open('host.name: web-1')
  const ofHost = byHost().get('web-1') ?? []
  expect(await inspectedRows(tests.watched.page, 'alone')).toEqual([
    ['2026-03-01 12:00:00', String(events.length), String(ofHost.length)],
  ])
  await open()
})

test.skipIf(skip)(named('what is wrong is told in its panel, and what is too much is not begun'), async () => {
  const told = async (id: string): Promise<string> => (await panel(id).getByRole('alert').textContent()) ?? ''
  expect(await told('misspelt')).toContain(
    'There is no function .mvag(): did you mean .mvavg()?\nat character 47: .mvag(3)',
  )
  expect(await told('unfinished')).toContain('Expected “)”\nat character 30 (its end)')
  expect(await told('absent')).toContain('There is no index “no-such-index”')
  expect(await told('lucene')).toContain('http.status:[')
  expect(await told('elsewhere')).toContain('.quandl() asks quandl.com, which is elsewhere')
  expect(await told('fine')).toContain('18000 of 2000 allowed')
  expect(await told('deep')).toContain('more than 50 levels deep')
  expect(await told('many')).toContain('at most 20000 are read')
  expect(await told('doubled')).toContain('more than 500 series')
  expect(await tests.watched.page.locator('.dashboard-panel [role=alert]').count()).toBe(9)
  await panel('nosplit').getByText('none of them has a value to split by').waitFor()
  await panel('nodata').getByText('No data in this time range').waitFor()
  expect(await inspectedRows(tests.watched.page, 'windows')).toEqual(
    perMinutes(10, ...['-', '-', '-', 1].map((one) => () => one)),
  )
  expect(await violationsOf(tests.watched.page)).toEqual([])
})

test.skipIf(skip)(named('names and units are text, wherever they stand'), async () => {
  const { page } = tests.watched
  const canvas = panel('markup').locator('canvas').first()
  await canvas.scrollIntoViewIfNeeded()
  const box = await canvas.boundingBox()
  if (!box) throw new Error('the chart has no place')
  await page.mouse.move(box.x + box.width * 0.4, box.y + box.height * 0.6)
  await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.6)
  await screenshot(page, 'timelion-markup')
  await panel('markup').getByText("<img src=x onerror='window.hacked=1'>1").waitFor()
  expect(await page.evaluate('window.hacked')).toBeUndefined()
})

test.skipIf(skip)(named('a drag over a chart zooms into its time'), async () => {
  const { page } = tests.watched
  const box = await panel('before').locator('canvas').first().boundingBox()
  if (!box) throw new Error('the chart has no place')
  await page.mouse.move(box.x + box.width * 0.4, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2, { steps: 4 })
  await page.mouse.up()
  const chosen = (name: string): number => Date.parse(new URL(page.url()).searchParams.get(name) ?? '') - startMs
  await expect.poll(() => chosen('from')).toBeGreaterThan(5 * 60_000)
  expect(chosen('to')).toBeLessThan(25 * 60_000)
  expect(chosen('to')).toBeGreaterThan(chosen('from'))
})

test.skipIf(skip)(named('what was imported is exported as it came, old sheets of Timelion with it'), async () => {
  expect(await exportedObjects(tests.watched.page, tests.address, objects)).toEqual(sortedById(objects))
  expect(tests.watched.problems).toEqual([])
})
