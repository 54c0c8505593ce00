import { fileURLToPath } from 'node:url'
import { containerName, parts, serviceAccounts } from '@logstack/contracts'
import { expect, it } from 'vitest'
import { loadDefinitions } from './load.ts'

const quadletDir = fileURLToPath(new URL('../../../../quadlet', import.meta.url))
const definitions = loadDefinitions({ quadletDir, dropInDir: '/nonexistent' })

it('defines the five containers with the keys of the interface', () => {
  expect([...definitions.keys()]).toEqual([...parts])
  for (const [part, definition] of definitions) {
    expect(definition.name).toBe(containerName(part))
    expect(definition.image).toBe('localhost/logstack:LOGSTACK_LATEST')
    expect(definition.environmentFiles).toEqual(['/opt/logstack/logstack-environment.env'])
    expect(definition.volumes.map((volume) => volume.source)).toContain('logstack_certs')
    expect(definition.podmanArgs).toContain(definition.name)
  }
})

it('checks the health of search and dashboard every two seconds, and of nothing else', () => {
  const checked = [...definitions].filter(([, definition]) => definition.health)
  expect(checked.map(([part]) => part)).toEqual(['search', 'dashboard'])
  for (const [, definition] of checked) expect(definition.health?.intervalMs).toBe(2000)
})

it('gives every part the secret of its account and no other account', () => {
  for (const account of serviceAccounts) {
    const accounts = serviceAccounts.map((other) => other.username)
    const given = definitions.get(account.part)?.secrets.filter((secret) => accounts.includes(secret))
    expect(given).toEqual([account.username])
  }
  expect(definitions.get('search')?.secrets).toEqual(['elastic'])
})
