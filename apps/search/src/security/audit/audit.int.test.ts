import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createLogger } from '@logstack/logging'
import { startSearch, type TestSearch } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../api/index.ts'
import { type WireClient, wireClient } from '../../testing/https-client.ts'
import { createAuditFile } from './audit-file.ts'
import { auditedChanges, unauditedRoutes } from './changes.ts'

const logger = createLogger('test', 'silent')

it('every route that changes security is told of, but for those that change nothing', () => {
  const changing = routes.filter(
    ({ name, methods }) => name.startsWith('security.') && methods.some((method) => !['GET', 'HEAD'].includes(method)),
  )
  const untold = changing.filter(({ name }) => !(unauditedRoutes.includes(name) || Object.hasOwn(auditedChanges, name)))
  expect(untold.map(({ name }) => name)).toEqual([])
})

let search: TestSearch
let client: WireClient
const put = (path: string, body: object) => client.send(path, { method: 'PUT', body })

afterAll(async () => {
  client?.close()
  await search?.stop()
})

type Event = Record<string, unknown>

/** The events, once one is among them that comes last: they are written behind the answers. */
async function events(isLast: (event: Event) => boolean): Promise<Event[]> {
  const path = join(search.dataDir, 'audit', 'audit.json')
  for (let tries = 0; ; tries++) {
    const lines = readFileSync(path, 'utf8').trim().split('\n')
    const found = lines.map((line) => JSON.parse(line) as Event)
    if (found.some(isLast) || tries >= 600) return found
    await setTimeout(50)
  }
}

/** A password that a client tries for somebody else. */
const guess = { grant_type: 'password', username: 'ann', password: 'guess-of-ann' }

describe('over the wire', () => {
  const secrets = [guess.password, 'password-of-ann', 'changed-of-ann', 'wrong-password', 'never-the-password']

  beforeAll(async () => {
    search = await startSearch()
    const auth = `${search.username}:${search.password}`
    client = wireClient({ port: Number(new URL(search.url).port), ca: search.ca, auth })
    const include =
      'authentication_success,authentication_failed,anonymous_access_denied,access_granted,access_denied,run_as_granted,run_as_denied,security_config_change'
    const persistent = { 'xpack.security.audit.logfile.events.include': include }
    await put('/_cluster/settings', { persistent })
    await put('/_security/role/reader', { indices: [{ names: ['web'], privileges: ['read'] }] })
    await put('/_security/user/ann', { password: 'password-of-ann', roles: ['reader'], full_name: 'Ann' })
    await client.send('/_security/user/ann/_password', { method: 'POST', body: { password: 'changed-of-ann' } })
    await client.send('/web/_search', { auth: 'ann:wrong-password' })
    await client.send('/web/_search?source=%7B%22a%22%3A%22never-the-password%22%7D', { auth: '' })
    await client.send('/other/_search', { auth: 'ann:changed-of-ann', headers: { 'x-opaque-id': 'tracked' } })
    const bulk = `{"create":{"_index":"web"}}\n{"n":1}\n`
    const headers = { 'content-type': 'application/x-ndjson' }
    await client.send('/_bulk', { method: 'POST', body: bulk, headers, auth: 'ann:changed-of-ann' })
    for (const name of ['ann', 'nobody'])
      await client.send('/web/_count', { headers: { 'es-security-runas-user': name } })
    const key = await client.send('/_security/api_key', { method: 'POST', body: { name: 'beat', expiration: '1d' } })
    secrets.push(...Object.values(key.json() as { api_key: string; encoded: string }).filter((one) => one.length > 21))
    const asked = { method: 'POST', body: guess, headers: { 'x-opaque-id': 'grant' } }
    expect((await client.send('/_security/oauth2/token', asked)).status).toBe(401)
    await client.send('/_security/user/ann', { method: 'DELETE' })
  })

  it('tells who came, who was refused what, and who changed what', async () => {
    const found = await events((event) => event['event.action'] === 'delete_user')
    const ofAnn = { 'user.name': 'ann', 'authentication.type': 'REALM' }
    const expected: readonly object[] = [
      {
        'event.type': 'security_config_change',
        'event.action': 'put_role',
        put: { role: expect.objectContaining({ name: 'reader' }) },
      },
      {
        'event.action': 'put_user',
        put: { user: expect.objectContaining({ name: 'ann', roles: ['reader'], has_password: true }) },
      },
      { 'event.action': 'change_password', change: { password: { user: { name: 'ann' } } }, 'user.name': 'elastic' },
      { 'event.action': 'authentication_failed', ...ofAnn, 'url.path': '/web/_search', 'origin.address': '127.0.0.1' },
      { 'event.action': 'authentication_failed', ...ofAnn, 'url.path': '/_security/oauth2/token', opaque_id: 'grant' },
      { 'event.action': 'anonymous_access_denied', 'url.query': 'source=[redacted]', 'request.method': 'GET' },
      { 'event.action': 'authentication_success', ...ofAnn },
      {
        ...{ 'event.action': 'access_denied', ...ofAnn, opaque_id: 'tracked' },
        ...{ action: 'indices:data/read/search', indices: ['other'], 'user.roles': ['reader'] },
      },
      { 'event.action': 'access_denied', action: 'indices:data/write/bulk', 'url.path': '/_bulk' },
      { 'event.action': 'run_as_granted', 'user.name': 'elastic', 'user.run_as.name': 'ann' },
      { 'event.action': 'run_as_denied', 'user.name': 'elastic', 'user.run_as.name': 'nobody' },
      {
        'event.action': 'create_apikey',
        create: { apikey: expect.objectContaining({ name: 'beat', expiration: '1d' }) },
      },
      { 'event.action': 'delete_user', delete: { user: { name: 'ann' } } },
      { 'event.action': 'access_granted', action: 'cluster:admin/xpack/security/role/put', 'user.name': 'elastic' },
    ]
    for (const one of expected) expect(found).toContainEqual(expect.objectContaining(one))
    expect(found.every((one) => one['type'] === 'audit' && one['node.name'] === 'logstack-search')).toBe(true)
    const ids = found.filter((one) => one['opaque_id'] === 'tracked').map((one) => one['request.id'])
    expect([ids.length, new Set(ids).size]).toEqual([2, 1])
  })

  it('holds no secret, and is for search alone', async () => {
    const text = JSON.stringify(await events(() => true))
    expect(secrets.length).toBeGreaterThan(6)
    for (const secret of secrets) expect(text).not.toContain(secret)
    expect(statSync(join(search.dataDir, 'audit', 'audit.json')).mode & 0o777).toBe(0o600)
  })

  it('leaves out what the cluster’s settings exclude', async () => {
    const exclude = { 'xpack.security.audit.logfile.events.exclude': 'access_granted,authentication_success' }
    await put('/_cluster/settings', { persistent: exclude })
    await client.send('/_cluster/health', { headers: { 'x-opaque-id': 'quiet' } })
    await client.send('/web/_search', { auth: 'ann:wrong-password', headers: { 'x-opaque-id': 'loud' } })
    const found = await events((event) => event['opaque_id'] === 'loud')
    expect(found.filter((one) => one['opaque_id'] === 'quiet')).toEqual([])
    expect(found.filter((one) => one['opaque_id'] === 'loud')).toHaveLength(1)
  })
})

describe('the file', () => {
  const make = (directory: string, waitingMax = 1000) =>
    createAuditFile({
      directory,
      limits: { fileBytesMax: 2_000, filesMax: 3, waitingMax },
      included: () => new Set(['access_denied']),
      node: {},
      now: () => 0,
      logger,
    })

  it('is rotated and bounded, the newest events stay, in order', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'logstack-audit-'))
    const trail = make(directory)
    for (let at = 0; at < 100; at++) {
      trail.record('access_denied', { at })
      await trail.close()
    }
    const names = readdirSync(directory).sort()
    expect(names).toEqual(['audit.json', 'audit.json.1', 'audit.json.2'])
    for (const name of names) expect(statSync(join(directory, name)).size).toBeLessThanOrEqual(2_000)
    const kept = names.reverse().flatMap((name) => readFileSync(join(directory, name), 'utf8').trim().split('\n'))
    const places = kept.map((line) => (JSON.parse(line) as { at: number }).at)
    expect(places).toEqual(places.map((_, at) => 100 - places.length + at))
    rmSync(directory, { recursive: true })
  })

  it('says how many events were lost while it could not be written, and holds nobody up', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'logstack-audit-'))
    // A file stands where the folder would be.
    const blocked = join(directory, 'blocked')
    writeFileSync(blocked, '')
    const trail = make(blocked, 5)
    for (let at = 0; at < 20; at++) trail.record('access_denied', { at })
    await trail.close()
    rmSync(blocked)
    trail.record('access_denied', { at: 'later' })
    await trail.close()
    const lines = readFileSync(join(blocked, 'audit.json'), 'utf8').trim().split('\n')
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { 'event.action': 'events_lost', count: 20 },
      { at: 'later' },
    ])
    rmSync(directory, { recursive: true })
  })
})
