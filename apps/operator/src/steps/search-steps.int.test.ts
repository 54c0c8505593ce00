import { readFileSync } from 'node:fs'
import { serviceAccounts } from '@logstack/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { changePassword } from '../passwords/change-password.ts'
import { listUsers } from '../passwords/list-users.ts'
import { leafFilesOf } from '../places/paths.ts'
import type { EmbeddedStack } from '../stack.ts'
import { type FakeSearch, startFakeSearch } from '../testing/fake-search.ts'
import { runStep, testStack } from '../testing/test-stack.ts'
import { accounts } from './accounts.ts'
import { certificates } from './certificates.ts'
import { indexTemplatesStep } from './index-templates.ts'
import { secrets } from './secrets.ts'

let test: ReturnType<typeof testStack>
let stack: EmbeddedStack
let search: FakeSearch

beforeEach(async () => {
  test = testStack()
  await runStep(secrets, test.stack)
  await runStep(certificates, test.stack)
  const { cert, key } = leafFilesOf(test.stack.paths, 'search')
  const tls = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
  search = await startFakeSearch(tls, { name: 'elastic', password: test.stack.vault.read('elastic') })
  // The stack whose search port is the one the fake was given.
  stack = test.reopen({ portOffset: Math.max(search.port - 9200, 0) })
})

afterEach(async () => {
  stack.clients.close()
  await search.close()
  test.remove()
})

describe('accounts', () => {
  it('are made once with the stored passwords and the least role', async () => {
    expect(await runStep(accounts, stack)).toBe(true)
    for (const { username, role } of serviceAccounts) {
      expect(search.users.get(username)).toMatchObject({ password: stack.vault.read(username), roles: [role.name] })
      expect(search.roles.get(role.name)).toMatchObject({ cluster: role.cluster, indices: role.indices })
    }
    const changes = search.changes.length
    expect(await runStep(accounts, stack)).toBe(false)
    expect(search.changes).toHaveLength(changes)
  })

  it('whose password drifted or whose role is another are written again, the others are left alone', async () => {
    await runStep(accounts, stack)
    const drifted = search.users.get('logstack_alerter')
    if (drifted) drifted.password = 'changed behind the back'
    search.roles.set('logstack_dashboard', { cluster: ['all'], indices: [] })
    search.changes.length = 0
    expect(await runStep(accounts, stack)).toBe(true)
    expect(search.changes.map((change) => change.path)).toEqual([
      '/_security/role/logstack_dashboard',
      '/_security/user/logstack_dashboard',
      '/_security/role/logstack_alerter',
      '/_security/user/logstack_alerter',
    ])
  })

  it("cannot be made when the administrator's stored password is not the one search holds", async () => {
    const administrator = search.users.get('elastic')
    if (administrator) administrator.password = 'changed behind the back'
    await expect(runStep(accounts, stack)).rejects.toMatchObject({
      code: 'part_refused',
      message: expect.stringContaining('refuses the stored password of [elastic]'),
    })
  })
})

describe('index templates', () => {
  it('are stored once; an older version is replaced, a newer one kept', async () => {
    expect(await runStep(indexTemplatesStep, stack)).toBe(true)
    expect([...search.templates.keys()]).toEqual(
      expect.arrayContaining(['logstack-logs', 'logstack-metrics', 'logstack-winlogbeat']),
    )
    expect(await runStep(indexTemplatesStep, stack)).toBe(false)
    search.templates.set('logstack-logs', { version: 0 })
    search.templates.set('logstack-metrics', { version: 9_999 })
    search.changes.length = 0
    expect(await runStep(indexTemplatesStep, stack)).toBe(true)
    expect(search.changes).toEqual([{ method: 'PUT', path: '/_index_template/logstack-logs' }])
  })

  it('come with the parts that they and others are composed of; what has the name of one and is not ours stays', async () => {
    search.parts.set('logs@settings', { version: 0 })
    expect(await runStep(indexTemplatesStep, stack)).toBe(true)
    const paths = search.changes.map(({ path }) => path)
    expect(paths).toEqual(
      expect.arrayContaining(['/_component_template/logs@mappings', '/_ingest/pipeline/logs@default-pipeline']),
    )
    expect(paths).not.toContain('/_component_template/logs@settings')
    const own = paths.indexOf('/_component_template/logstack-logs@package')
    expect(own).toBeLessThan(paths.indexOf('/_index_template/logstack-logs'))
    search.parts.set('logs@mappings', { version: 0, _meta: { managed_by: 'logstack' } })
    search.changes.length = 0
    expect(await runStep(indexTemplatesStep, stack)).toBe(true)
    expect(search.changes).toEqual([{ method: 'PUT', path: '/_component_template/logs@mappings' }])
  })
})

describe('a changed password', () => {
  it('is the same in search and store, for the administrator and for a person without a secret', async () => {
    const awkward = `quo"te's $pace`
    await changePassword(stack, 'elastic', awkward)
    expect([search.users.get('elastic')?.password, stack.vault.read('elastic')]).toEqual([awkward, awkward])
    search.users.set('anna', { password: 'before', roles: [] })
    await changePassword(stack, 'anna', 'after-that')
    expect(search.users.get('anna')?.password).toBe('after-that')
    expect(stack.vault.has('anna')).toBe(false)
    const listed = await listUsers(stack)
    // Built in, and nobody's here.
    expect(listed.map(({ username }) => username)).not.toContain('kibana_system')
    expect(listed).toEqual(
      expect.arrayContaining([
        { username: 'anna', inSearch: true, hasSecret: false },
        { username: 'elastic', inSearch: true, hasSecret: true },
        { username: 'logstack_alerter', inSearch: false, hasSecret: true },
      ]),
    )
  })

  it('that is too short or too long is refused before anything is asked', async () => {
    for (const password of ['12345', 'x'.repeat(1025)]) {
      await expect(changePassword(stack, 'elastic', password)).rejects.toMatchObject({ code: 'option_invalid' })
    }
    expect(search.changes).toEqual([])
  })
})
