import { readFileSync } from 'node:fs'
import { readSettingsText } from '@logstack/settings'
import { expect, test } from 'vitest'
import { dashboardSettings } from './settings.ts'

test('config/dashboard.yml names every setting with its default', () => {
  const file = readFileSync(new URL('../../../../config/dashboard.yml', import.meta.url), 'utf8')
  const uncommented = file.replace(/^#(?=\S)/gm, '')
  const found = readSettingsText(dashboardSettings, uncommented, 'dashboard.yml')
  const shown = Object.fromEntries([...found].map(([key, { value }]) => [key, value]))
  const defaults = Object.fromEntries(
    Object.entries(dashboardSettings.table).map(([key, entry]) => [key, entry.default]),
  )
  expect(shown).toEqual(defaults)
})
