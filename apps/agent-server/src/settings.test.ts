import { readFileSync } from 'node:fs'
import { readSettingsText } from '@logstack/settings'
import { expect, test } from 'vitest'
import { agentServerSettings } from './settings.ts'

test('config/agent-server.yml names every setting with its default', () => {
  const file = readFileSync(new URL('../../../config/agent-server.yml', import.meta.url), 'utf8')
  const found = readSettingsText(agentServerSettings, file.replace(/^#(?=\S)/gm, ''), 'agent-server.yml')
  const shown = Object.fromEntries([...found].map(([key, { value }]) => [key, value]))
  const defaults = Object.fromEntries(
    Object.entries(agentServerSettings.table).map(([key, entry]) => [key, entry.default]),
  )
  expect(shown).toEqual(defaults)
})
