import { readFileSync } from 'node:fs'
import { readSettingsText } from '@logstack/settings'
import { expect, test } from 'vitest'
import { endpointManagerSettings } from './settings.ts'

test('config/endpoint-manager.yml names every setting with its default', () => {
  const file = readFileSync(new URL('../../../config/endpoint-manager.yml', import.meta.url), 'utf8')
  const found = readSettingsText(endpointManagerSettings, file.replace(/^#(?=\S)/gm, ''), 'endpoint-manager.yml')
  const shown = Object.fromEntries([...found].map(([key, { value }]) => [key, value]))
  const defaults = Object.fromEntries(
    Object.entries(endpointManagerSettings.table).map(([key, entry]) => [key, entry.default]),
  )
  expect(shown).toEqual(defaults)
})
