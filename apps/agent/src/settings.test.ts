import { readFileSync } from 'node:fs'
import { readSettingsText } from '@logstack/settings'
import { expect, test } from 'vitest'
import { agentSettings } from './settings.ts'

test('config/agent.yml names every setting with its default', () => {
  const file = readFileSync(new URL('../../../config/agent.yml', import.meta.url), 'utf8')
  const found = readSettingsText(agentSettings, file.replace(/^#(?=\S)/gm, ''), 'agent.yml')
  const shown = Object.fromEntries([...found].map(([key, { value }]) => [key, value]))
  const defaults = Object.fromEntries(Object.entries(agentSettings.table).map(([key, entry]) => [key, entry.default]))
  expect(shown).toEqual(defaults)
})
