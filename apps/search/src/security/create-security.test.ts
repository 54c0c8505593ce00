import { AppError } from '@logstack/errors'
import { beforeEach, describe, expect, it } from 'vitest'
import { memoryStore } from '../testing/memory-store.ts'
import { bootstrapAdministrator, createSecurity } from './create-security.ts'
import { forbidden } from './denied.ts'
import { readRole as readNamedRole } from './read-role.ts'
import { roleFaults } from './role-faults.ts'
import { readRoleMapping } from './role-mappings.ts'
import type { Security } from './security.ts'

const readRole = (body: unknown) => readNamedRole({ name: 'tested' }, body)

let nowMs = 0
let store = memoryStore()
let security: Security

const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

async function failure(work: Promise<unknown>): Promise<AppError> {
  const thrown: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (thrown instanceof AppError) return thrown
  throw new Error(`not refused: ${String(thrown)}`)
}

beforeEach(async () => {
  nowMs = 1_000_000
  store = memoryStore()
  security = createSecurity({ store, now: () => nowMs, steadyMs: () => nowMs })
  await bootstrapAdministrator(store, 'elastic', 'first-password')
})

describe('passwords', () => {
  it('lets the administrator in, and says who is not known as Elasticsearch does', async () => {
    const scope = await security.authenticate(basic('elastic', 'first-password'), '/')
    expect(scope.principal).toMatchObject({ username: 'elastic', roles: ['superuser'], realm: 'reserved' })
    expect(scope.hasCluster('manage_security') && scope.hasIndex('delete_index', '.logstack-agents')).toBe(true)
    for (const authorization of [basic('elastic', 'wrong'), basic('nobody', 'first-password')]) {
      const error = await failure(security.authenticate(authorization, '/_cluster/health?pretty'))
      expect(error).toMatchObject({ code: 'security_exception', kind: 'unauthenticated' })
      expect(error.message).toMatch(
        /^unable to authenticate user \[(elastic|nobody)\] for REST request \[\/_cluster\/health\?pretty\]$/,
      )
      expect(error.detail['header']).toEqual({
        'WWW-Authenticate': ['Basic realm="security", charset="UTF-8"', 'Bearer realm="security"', 'ApiKey'],
      })
    }
    const missing = await failure(security.authenticate(undefined, '/'))
    expect(missing.message).toBe('missing authentication credentials for REST request [/]')
  })

  it('makes the administrator once', async () => {
    expect(await bootstrapAdministrator(store, 'elastic', 'second-password')).toBe(false)
    await expect(security.authenticate(basic('elastic', 'second-password'), '/')).rejects.toThrow(
      'unable to authenticate',
    )
  })

  it('lets a changed password fail at once, though it was remembered', async () => {
    await security.authenticate(basic('elastic', 'first-password'), '/')
    await security.changePassword('elastic', { password: 'second-password' })
    await expect(security.authenticate(basic('elastic', 'first-password'), '/')).rejects.toThrow(
      'unable to authenticate',
    )
    await expect(security.authenticate(basic('elastic', 'second-password'), '/')).resolves.toBeDefined()
  })

  it('stores no password', async () => {
    const text = JSON.stringify([...store.collection('security_user').entries()])
    expect(text).toContain('$argon2id$')
    expect(text).not.toContain('first-password')
  })

  it('slows guessing of one user from one address, not of others', async () => {
    for (let attempt = 0; attempt < 6; attempt++) {
      await failure(security.authenticate(basic('elastic', `guess${attempt}`), '/', '10.0.0.9'))
    }
    const error = await failure(security.authenticate(basic('elastic', 'first-password'), '/', '10.0.0.9'))
    expect(error).toMatchObject({ code: 'login_too_often', kind: 'too-many' })
    await expect(security.authenticate(basic('elastic', 'first-password'), '/', '10.0.0.1')).resolves.toBeDefined()
    nowMs += 60_000
    await expect(security.authenticate(basic('elastic', 'first-password'), '/', '10.0.0.9')).resolves.toBeDefined()
  })

  it('takes the same wrong password again and again for one guess, so that it keeps nobody out', async () => {
    const tried = async (secret: string) =>
      (await failure(security.authenticate(basic('elastic', secret), '/', '10.0.0.9'))).code
    for (let attempt = 0; attempt < 20; attempt++) expect(await tried("yesterday's")).toBe('security_exception')
    await expect(security.authenticate(basic('elastic', 'first-password'), '/', '10.0.0.9')).resolves.toBeDefined()
    for (let attempt = 0; attempt < 5; attempt++) expect(await tried(`guess${attempt}`)).toBe('security_exception')
    expect(await tried('guess5')).toBe('login_too_often')
  })

  it('refuses a disabled user', async () => {
    await security.putUser('ann', { password: 'password-of-ann', roles: ['viewer'] })
    await security.authenticate(basic('ann', 'password-of-ann'), '/')
    await security.putUser('ann', { enabled: false })
    await expect(security.authenticate(basic('ann', 'password-of-ann'), '/')).rejects.toThrow('unable to authenticate')
  })
})

describe('tokens', () => {
  it('are good for their time, can be refreshed once, and end', async () => {
    const first = await security.issueToken('elastic')
    expect((await security.authenticate(`Bearer ${first.accessToken}`, '/')).principal.realm).toBe('token')
    nowMs += 20 * 60_000
    expect((await failure(security.authenticate(`Bearer ${first.accessToken}`, '/'))).message).toBe('token expired')
    const second = await security.refreshToken(first.refreshToken)
    expect(second.principal.username).toBe('elastic')
    await expect(security.refreshToken(first.refreshToken)).rejects.toMatchObject({ code: 'invalid_grant' })
    expect(await security.invalidateToken(second.accessToken, 'access')).toBe(1)
    await expect(security.authenticate(`Bearer ${second.accessToken}`, '/')).rejects.toThrow('token expired')
  })

  it('do not live on that a clock issued which was a year ahead, and do where it was set back by little', async () => {
    const first = await security.issueToken('elastic')
    nowMs -= 60_000
    await expect(security.authenticate(`Bearer ${first.accessToken}`, '/')).resolves.toBeDefined()
    nowMs -= 365 * 86_400_000
    await expect(security.authenticate(`Bearer ${first.accessToken}`, '/')).rejects.toThrow('token expired')
    await expect(security.refreshToken(first.refreshToken)).rejects.toMatchObject({ code: 'invalid_grant' })
  })

  it('end when the password is changed', async () => {
    const { accessToken } = await security.issueToken('elastic')
    await security.changePassword('elastic', { password: 'second-password' })
    await expect(security.authenticate(`Bearer ${accessToken}`, '/')).rejects.toThrow('token expired')
  })

  it('are stored as hashes', async () => {
    const { accessToken, refreshToken } = await security.issueToken('elastic')
    const text = JSON.stringify([...store.collection('security_token').entries()])
    expect(text).not.toContain(accessToken)
    expect(text).not.toContain(refreshToken)
  })
})

describe('api keys', () => {
  it('do what both the key and its owner may do', async () => {
    await security.putRole(
      'logs',
      readRole({ cluster: ['monitor'], indices: [{ names: ['logs-*'], privileges: ['all'] }] }),
    )
    await security.putUser('ann', { password: 'password-of-ann', roles: ['logs'] })
    const owner = await security.authenticate(basic('ann', 'password-of-ann'), '/')
    const roles = {
      writer: readRole({ cluster: ['manage_security'], indices: [{ names: '*', privileges: ['create_doc'] }] }),
    }
    const made = await security.createApiKey({ owner, name: 'beat', roles, expiresAtMs: nowMs + 1000, metadata: {} })
    const header = `ApiKey ${Buffer.from(`${made.id}:${made.key}`).toString('base64')}`
    const scope = await security.authenticate(header, '/')
    expect(scope.hasIndex('create_doc', 'logs-a')).toBe(true)
    expect(scope.hasIndex('read', 'logs-a')).toBe(false)
    expect(scope.hasIndex('create_doc', 'metrics-a')).toBe(false)
    expect(scope.hasCluster('manage_security')).toBe(false)
    nowMs += 2000
    await expect(security.authenticate(header, '/')).rejects.toMatchObject({ kind: 'unauthenticated' })
  })
})

describe('roles', () => {
  const scopeOf = async (role: unknown) => {
    await security.putRole('tested', readRole(role))
    await security.putUser('ann', { password: 'password-of-ann', roles: ['tested'] })
    return security.authenticate(basic('ann', 'password-of-ann'), '/')
  }

  it('imply smaller privileges and keep to their names', async () => {
    const scope = await scopeOf({ cluster: ['manage'], indices: [{ names: ['logs-*'], privileges: ['write'] }] })
    expect(['monitor', 'manage_ilm', 'read_ilm', 'manage_security'].map((name) => scope.hasCluster(name))).toEqual([
      true,
      true,
      true,
      false,
    ])
    expect(['index', 'create_doc', 'delete', 'read'].map((name) => scope.hasIndex(name, 'logs-a'))).toEqual([
      true,
      true,
      true,
      false,
    ])
    expect(scope.hasIndex('index', 'metrics-a')).toBe(false)
    expect(scope.hasIndex('index', '.ds-logs-a-2026.11.21-000001')).toBe(true)
  })

  it("reach the stack's own state only when told so", async () => {
    const wide = await scopeOf({ indices: [{ names: ['*'], privileges: ['read'] }] })
    expect([wide.hasIndex('read', 'logs'), wide.hasIndex('read', '.logstack-agents')]).toEqual([true, false])
    const own = await scopeOf({
      indices: [{ names: ['.logstack-agents*'], privileges: ['read'], allow_restricted_indices: true }],
    })
    expect([own.hasIndex('read', '.logstack-agents'), own.hasIndex('read', '.logstack-alerts')]).toEqual([true, false])
  })

  it('filter documents and fields', async () => {
    const scope = await scopeOf({
      indices: [
        {
          names: ['logs'],
          privileges: ['read'],
          query: { term: { team: 'a' } },
          field_security: { grant: ['*'], except: ['secret*'] },
        },
      ],
    })
    expect(scope.documentFilters('logs')).toEqual([{ term: { team: 'a' } }])
    expect([scope.canSeeField('logs', 'message'), scope.canSeeField('logs', 'secret.key')]).toEqual([true, false])
  })

  it('are refused with unknown privileges or keys', () => {
    expect(roleFaults(readRole({ cluster: ['everything'] }))).toEqual([
      expect.stringContaining('unknown cluster privilege [everything]'),
    ])
    expect(() => readRole({ indexes: [] })).toThrow('unexpected field [indexes]')
  })

  it('that are reserved cannot be changed', async () => {
    await expect(security.putRole('superuser', readRole({}))).rejects.toThrow('Role [superuser] is reserved')
    await expect(security.deleteUser('elastic')).rejects.toThrow('reserved')
  })
})

it('says what would allow a refused request', async () => {
  await security.putUser('ann', { password: 'password-of-ann', roles: ['viewer'] })
  const scope = await security.authenticate(basic('ann', 'password-of-ann'), '/')
  const error = forbidden(scope, 'indices:data/write/index', 'index', 'create_doc', ['logs'])
  expect(error.kind).toBe('forbidden')
  expect(error.message).toBe(
    'action [indices:data/write/index] is unauthorized for user [ann] with effective roles [viewer] on indices [logs], ' +
      'this action is granted by the index privileges [create_doc,create,index,write,all]',
  )
})

describe('roles by rules', () => {
  const mapping = (rules: object, roles: readonly string[]) => readRoleMapping({ enabled: true, roles, rules })
  const ann = (password = 'password-of-ann') => security.authenticate(basic('ann', password), '/')

  it('follow each change of the rules and of the user at once', async () => {
    await security.putUser('ann', { password: 'password-of-ann', roles: ['viewer'], metadata: { team: 'web' } })
    expect((await ann()).principal.roles).toEqual(['viewer'])
    await security.roleMappings.put('web', mapping({ field: { 'metadata.team': 'web' } }, ['editor']))
    expect((await ann()).principal.roles).toEqual(['viewer', 'editor'])
    await security.putUser('ann', { metadata: { team: 'db' } })
    expect((await ann()).principal.roles).toEqual(['viewer'])
    await security.roleMappings.put('web', mapping({ field: { username: 'a*' } }, ['editor', 'viewer']))
    expect((await ann()).principal.roles).toEqual(['viewer', 'editor'])
    await security.roleMappings.remove('web')
    expect((await ann()).principal.roles).toEqual(['viewer'])
  })

  it('hold for whoever acts as the user, who learns nothing else of that user', async () => {
    await security.putUser('ann', { password: 'password-of-ann', roles: [], fullName: 'Ann' })
    await security.putRole('monitor', readRole({ cluster: ['monitor'] }))
    await security.roleMappings.put('all', mapping({ field: { username: 'ann' } }, ['monitor']))
    const elastic = await security.authenticate(basic('elastic', 'first-password'), '/')
    const scope = security.runAs(elastic, 'ann', '/')
    expect([scope.principal.roles, scope.hasCluster('monitor')]).toEqual([['monitor'], true])
    expect(scope.principal.details).toEqual({ fullName: 'Ann', email: undefined, metadata: {} })
  })
})

it('lets nobody wait for a clock that was set back', async () => {
  let steadyMs = 0
  security = createSecurity({ store, now: () => nowMs, steadyMs: () => steadyMs })
  for (let attempt = 0; attempt < 6; attempt++)
    await failure(security.authenticate(basic('elastic', `guess${attempt}`), '/', '10.0.0.9'))
  nowMs -= 365 * 86_400_000
  steadyMs += 1000
  await expect(security.authenticate(basic('elastic', 'first-password'), '/', '10.0.0.9')).resolves.toBeDefined()
})
