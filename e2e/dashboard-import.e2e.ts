import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { screenshot } from './browser.ts'
import { exportedObjects, pageForTests } from './dashboard-page.ts'

// Files that are not what an export of today is: each is taken whole, or refused with the reason and the place.

const tests = await pageForTests(async () => undefined)
const { skip, named } = tests
const dashboard = (id: string, more: object = {}, references: readonly object[] = []) => ({
  type: 'dashboard',
  id,
  attributes: { title: `Title of ${id}`, panelsJSON: '[]', ...more },
  references,
})
const ndjson = (...objects: readonly object[]): string => objects.map((one) => JSON.stringify(one)).join('\n')

/** Chooses a file in the page's dialog and imports it; what the dialog says then. */
async function importHere(page: Page, text: string): Promise<string> {
  await page.goto(`${tests.address}/app/management/saved-objects`)
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import saved objects' })
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), dialog.getByTestId('import-file').click()])
  await chooser.setFiles({ name: 'file.ndjson', mimeType: 'application/ndjson', buffer: Buffer.from(text) })
  await dialog.getByRole('button', { name: 'Import' }).click()
  await dialog.getByRole('alert').first().waitFor()
  return (await dialog.getByRole('alert').allTextContents()).join(' ')
}

test.skipIf(skip)(named('a file that cannot be read is refused with the place and the reason'), async () => {
  const { page } = tests.watched
  const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
  const refused: readonly (readonly [text: string, says: string])[] = [
    ['<html></html>', 'line 1 is not JSON'],
    [ndjson(dashboard('a'), dashboard('a')), 'Non-unique import objects detected: [dashboard:a]'],
    [`{"type":"dashboard","id":"deep","attributes":${deep}}`, 'line 1 is nested deeper than 200 levels'],
  ]
  for (const [text, says] of refused) expect(await importHere(page, text)).toContain(says)
})

test.skipIf(skip)(
  named('an object whose index pattern is missing is named, and imported all the same by a click'),
  async () => {
    const { page } = tests.watched
    const lost = dashboard('lost', {}, [{ type: 'index-pattern', id: 'gone', name: 'pattern' }])
    expect(await importHere(page, ndjson(lost, dashboard('whole')))).toMatch(
      /1 object imported.*Title of lost.*index-pattern gone/s,
    )
    await screenshot(page, 'import-missing')
    await page.getByRole('button', { name: 'Import 1 object all the same' }).click()
    // The dialog says "1 object imported" of the other one already.
    await expect.poll(async () => (await exportedObjects(page, tests.address, [lost]))[0]).toEqual(lost)
  },
)

test.skipIf(skip)(
  named('objects of Kibana 5 and 6 and ids of any signs are taken, and their dashboards opened'),
  async () => {
    const { page } = tests.watched
    const text = {
      panelIndex: 1,
      type: 'visualization',
      id: 'words',
      col: 7,
      row: 1,
      size_x: 6,
      size_y: 3,
    }
    const visState = JSON.stringify({ type: 'markdown', params: { markdown: '# Words of old' } })
    const file = {
      version: '5.6.0',
      objects: [
        { type: 'visualization', id: 'words', attributes: { title: 'Words', visState } },
        dashboard('a/b?c#d%e', { panelsJSON: JSON.stringify([text]) }, [
          { type: 'visualization', id: 'words', name: 'panel_0' },
        ]),
      ],
    }
    expect(await importHere(page, JSON.stringify(file, null, 2))).toContain('2 objects imported')
    await page.goto(`${tests.address}/app/dashboards`)
    await page.getByRole('link', { name: 'Title of a/b?c#d%e' }).click()
    await page.getByRole('heading', { name: 'Words of old' }).waitFor()
    const box = await page.locator('.dashboard-panel').first().boundingBox()
    const grid = await page.locator('.dashboard-grid').boundingBox()
    expect(Math.abs((box?.x ?? 0) - (grid?.x ?? 0) - (grid?.width ?? 0) / 2)).toBeLessThan(20)
    await page.reload()
    await page.getByRole('heading', { name: 'Words of old' }).waitFor()
  },
)

test.skipIf(skip)(
  named('a dashboard whose panels cannot be read says so, is not edited, and is exported as it came'),
  async () => {
    const { page } = tests.watched
    const broken = dashboard('broken', { panelsJSON: '[{"panelIndex":"1"' })
    expect(await importHere(page, ndjson(broken))).toContain('1 object imported')
    await page.goto(`${tests.address}/app/dashboards/broken?edit=true`)
    await page.getByRole('alert').getByText('The panels of this dashboard cannot be read').waitFor()
    expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0)
    expect(await exportedObjects(page, tests.address, [broken])).toEqual([broken])
    expect(tests.watched.problems.filter((problem) => !problem.includes('400'))).toEqual([])
  },
)
