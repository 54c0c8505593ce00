import { expect, test } from 'vitest'
import { violationsOf } from './accessibility.ts'
import { screenshot } from './browser.ts'
import { dashboardForTests, exportedObjects, inspectedRows, sortedById } from './dashboard-page.ts'
import { cities, connections, properties, range } from './maps/documents.ts'
import { coloursOf, toldBy } from './maps/look.ts'
import { dashboardId, index, mapObjects } from './maps/objects.ts'

// Maps show what is counted here from their documents: as colours on the canvas, and in words under the mouse.

const objects = mapObjects()
const tests = await dashboardForTests({
  index,
  properties,
  documents: connections,
  objects,
  dashboardId,
  range,
  height: 1_800,
  drawn: 'regions',
})
const { skip, named, url, panel } = tests

const outlines: Readonly<Record<string, string>> = {
  DE: 'Germany',
  US: 'United States of America',
  BR: 'Brazil',
}

test.skipIf(skip)(named('no map fails, and what has no outline is named'), async () => {
  const { page } = tests.watched
  await expect.poll(() => page.locator('.dashboard-panel [role=status]').count()).toBe(0)
  await screenshot(page, 'maps')
  expect(await page.locator('.dashboard-panel [role=alert]').allTextContents()).toEqual([])
  expect(await page.getByText(/cannot be (drawn|calculated) yet/).allTextContents()).toEqual([])
  expect(await panel('regions').getByTestId('map-note').allTextContents()).toEqual(['Not on this map (1): GF'])
  expect(await panel('choropleth').getByTestId('map-note').allTextContents()).toEqual([
    'Not on this map (1): French Guiana',
  ])
  expect((await panel('states').getByTestId('map-note').allTextContents())[0]).toContain('USA States')
  expect(await violationsOf(page)).toEqual([])
})

test.skipIf(skip)(named('countries have the colour of their value, by code and by name'), async () => {
  const { page } = tests.watched
  expect((await inspectedRows(page, 'regions')).map((row) => row.join(' ')).sort()).toEqual(
    cities.map(({ iso2, connections: number }) => `${iso2} ${number}`).sort(),
  )
  // The ends of the ramps: most come from the United States. The least, French Guiana's, has no outline.
  const colours = await coloursOf(page, 'regions')
  expect(colours.get('#209280') ?? 0).toBeGreaterThan(500)
  expect((await coloursOf(page, 'choropleth')).get('#1d6f90') ?? 0).toBeGreaterThan(500)
  for (const id of ['regions', 'choropleth']) {
    const told = (await toldBy(page, id)).map(({ lines }) => lines.join(': '))
    const label = id === 'regions' ? 'Count' : 'Connections'
    for (const { iso2, connections: number } of cities.filter((city) => !['GF', 'SG'].includes(city.iso2))) {
      expect(told, id).toContain(`${outlines[iso2]}: ${label}: ${number}`)
    }
    expect(told, 'a country without a value says its name').toContain('Canada')
  }
  expect((await panel('regions').getByTestId('map-legend').textContent()) ?? '').toMatch(/Count.*1.*12/)
})

test.skipIf(skip)(named('a click on a country filters, and the buttons zoom'), async () => {
  const { page } = tests.watched
  const brazil = (await toldBy(page, 'regions')).find(({ lines }) => lines[0] === 'Brazil')
  if (!brazil) throw new Error('Brazil is not on the map')
  const before = await coloursOf(page, 'regions')
  await panel('regions').getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(async () => (await coloursOf(page, 'regions')).get('#209280')).not.toBe(before.get('#209280'))
  await panel('regions').getByRole('button', { name: 'Show all again' }).click()
  await expect.poll(async () => (await coloursOf(page, 'regions')).get('#209280')).toBe(before.get('#209280'))
  await page.mouse.click(brazil.x, brazil.y)
  await expect
    .poll(() => JSON.parse(new URL(page.url()).searchParams.get('filters') ?? '[]') as unknown)
    .toEqual([{ field: 'source.geo.country_iso_code', value: 'BR' }])
  await expect.poll(() => inspectedRows(page, 'regions')).toEqual([['BR', '8']])
  await page.goto(url())
})

test.skipIf(skip)(named('the coordinate map has a circle, or a cell, for each city'), async () => {
  const { page } = tests.watched
  for (const id of ['circles', 'cells']) {
    const told = (await toldBy(page, id, 4)).map(({ lines }) => lines.join(': '))
    for (const { connections: number } of cities.filter(({ iso2 }) => iso2 !== 'GF')) {
      expect(told, id).toContain(`Count: ${number}`)
    }
    expect((await panel(id).getByTestId('map-legend').textContent()) ?? '').toMatch(/Count.*1.*12/)
  }
})

test.skipIf(skip)(named('a map has its layers above each other, and names the one it does not draw'), async () => {
  const { page } = tests.watched
  expect(await panel('layers').getByTestId('map-note').allTextContents()).toEqual([
    'The layer “Streets” (MVT_SINGLE_LAYER) is not drawn.',
    'Not on this map (1): GF',
  ])
  const bytes = (iso2: string): number =>
    connections
      .filter(({ source }) => source.geo.country_iso_code === iso2)
      .reduce((sum, { source }) => sum + source.bytes, 0)
  const told = (await toldBy(page, 'layers', 4)).map(({ lines }) => lines.join(' | '))
  expect(told).toContain(`Clusters | Count: 12 | sum of source.bytes: ${bytes('US').toLocaleString('en-US')}`)
  expect(told).toContain(`Brazil | Bytes: ${bytes('BR').toLocaleString('en-US')}`)
  const colours = await coloursOf(page, 'layers')
  expect(colours.get('#8a2be2') ?? 0, 'the largest cluster in the last colour of its ramp').toBeGreaterThan(20)
  expect(colours.get('#209280') ?? 0, 'the country with the most bytes in the last of its').toBeGreaterThan(200)
})

test.skipIf(skip)(
  named('documents are labelled circles of their layer’s query, lines lead to their end, heat is warm'),
  async () => {
    const { page } = tests.watched
    const large = connections.filter(({ source }) => source.bytes > 2_500)
    expect((await inspectedRows(page, 'documents')).length).toBeGreaterThan(0)
    const found = await toldBy(page, 'documents', 4)
    const told = found.map(({ lines }) => lines.join(' | '))
    const cityNames = new Set(large.map(({ source }) => source.geo.city_name))
    for (const city of cityNames) {
      expect(told.some((tip) => tip.startsWith(`Large connections | source.geo.city_name: ${city}`))).toBe(true)
    }
    expect(told.some((tip) => tip.includes('Chicago') && tip.startsWith('Large'))).toBe(false)
    for (const { connections: number } of cities) expect(told).toContain(`Lines | Count: ${number}`)
    expect((await coloursOf(page, 'documents')).get('#d11141') ?? 0).toBeGreaterThan(50)
    const [warm, land] = [await coloursOf(page, 'heat'), await coloursOf(page, 'states')]
    expect([...warm.keys()].filter((colour) => !land.has(colour)).length).toBeGreaterThan(0)
    const cayenne = found.find(({ lines }) => lines[0] === 'Large connections' && lines.join().includes('Cayenne'))
    if (!cayenne) throw new Error('Cayenne is not on the map')
    await page.mouse.click(cayenne.x, cayenne.y)
    await expect
      .poll(() => JSON.parse(new URL(page.url()).searchParams.get('filters') ?? '[]') as unknown)
      .toEqual([{ field: 'source.geo.city_name', value: 'Cayenne' }])
    await page.goto(url())
  },
)

test.skipIf(skip)(named('what was imported is exported as it came'), async () => {
  const { page } = tests.watched
  expect(await exportedObjects(page, tests.address, objects)).toEqual(sortedById(objects))
  expect(tests.watched.problems).toEqual([])
})
