import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAppError } from '@logstack/errors'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RouteRequest } from '../api/define-route.ts'
import { readRestore } from '../api/snapshots/restore-body.ts'
import { openTestServices, type TestServices } from '../testing/search-services.ts'
import { deleteSnapshots } from './collect-garbage.ts'
import { beginSnapshot, type SnapshotServices } from './create-snapshot.ts'
import { filesOf, putRepository } from './repositories.ts'
import { beginRestore } from './restore-snapshot.ts'
import { snapshotRequest } from './snapshot-request.ts'
import { readCredentials } from './storage/credentials.ts'
import { type S3Server, startS3Server } from './storage/s3-server.fixture.ts'
import { verifyIntegrity } from './verify-integrity.ts'

const keys = { id: 'TESTKEY', secret: 'a/secret+with=signs' }
const folder = mkdtempSync(join(tmpdir(), 'logstack-s3-'))
const credentialsFile = join(folder, 'credentials')
const settings = { bucket: 'backups', base_path: 'site a/&logs' }
let store: S3Server
let opened: TestServices
let services: TestServices & SnapshotServices

const writeKeys = (secret = keys.secret) =>
  writeFileSync(
    credentialsFile,
    `[other]\naws_access_key_id = WRONG\n[default]\n# kept here\naws_access_key_id = ${keys.id}\naws_secret_access_key = ${secret}\n`,
  )

beforeAll(async () => {
  store = await startS3Server('backups', keys)
  opened = await openTestServices()
  const s3 = {
    url: new URL(store.url),
    region: 'eu-west-7',
    pathStyle: true,
    silenceMsMax: 250,
    authorities: undefined,
    credentials: () => readCredentials(credentialsFile),
  }
  services = { ...opened, s3 }
  await services.create('logs', { properties: { n: { type: 'long' }, text: { type: 'text' } } })
})

beforeEach(async () => {
  writeKeys()
  store.objects.clear()
  store.faults.length = 0
  await putRepository(services, 'cloud', { type: 's3', settings }, true)
})

afterAll(async () => {
  await opened?.close()
  await store?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function snapshot(name: string): Promise<void> {
  const asked = snapshotRequest(services, 'cloud', name, { indices: 'logs', include_global_state: false })
  await (await beginSnapshot(services, asked)).complete
}

const write = (...numbers: number[]) =>
  services.write(
    'logs',
    numbers.map((n) => [String(n), { n, text: `text ${n}` }] as const),
  )

async function refusal(work: () => Promise<unknown>): Promise<string> {
  try {
    await work()
  } catch (thrown) {
    if (isAppError(thrown)) return `${thrown.code}: ${thrown.message}`
    throw thrown
  }
  return 'none'
}

describe('a repository in a bucket', () => {
  it('holds snapshots, of which the second is only what is new, and gives them back', async () => {
    await write(1, 2, 3)
    await snapshot('one')
    const first = new Set(store.objects.keys())
    expect([...first].every((key) => key.startsWith('site a/&logs/'))).toBe(true)
    await snapshot('again')
    const added = [...store.objects.keys()].filter((key) => !first.has(key))
    expect(added.filter((key) => key.includes('/blobs/'))).toEqual([])
    await write(4)
    await snapshot('two')
    const asked = { indices: 'logs', rename_pattern: '(.+)', rename_replacement: 'back-$1' }
    const request = { params: { repository: 'cloud', snapshot: 'one' }, json: () => asked }
    await (await beginRestore(services, readRestore(request as unknown as RouteRequest))).complete
    const restored = services.catalogue.index('back-logs')
    expect(restored).toBeDefined()
    if (!restored) return
    const found = await services.documents.get(restored, ['1', '3', '4'])
    expect(found.map((document) => document?.source?.toString())).toEqual([
      '{"n":1,"text":"text 1"}',
      '{"n":3,"text":"text 3"}',
      undefined,
    ])
    expect((await verifyIntegrity(services, 'cloud', new AbortController().signal)).anomalies).toEqual([])
  })

  it('is empty again when its snapshots are deleted', async () => {
    await write(1, 2)
    await snapshot('one')
    await snapshot('two')
    await deleteSnapshots(services, 'cloud', ['one'])
    expect((await (await filesOf(services, 'cloud')).records()).records.map((each) => each.snapshot)).toEqual(['two'])
    await deleteSnapshots(services, 'cloud', ['*'])
    expect([...store.objects.keys()]).toEqual([])
  })
})

describe('a store with faults', () => {
  it('is asked again when the store is busy, and not when it refuses', async () => {
    store.faults.push(503, 500)
    await snapshot('busy')
    store.asked.length = 0
    writeKeys('not the secret')
    expect(await refusal(() => snapshot('refused'))).toMatch(
      /^repository_exception: \[cloud\] cannot read folder \[snapshots\]: GET of \[\]: status \[403\] SignatureDoesNotMatch$/u,
    )
    expect(store.asked).toEqual(['GET '])
  })

  it('is asked again when the store says nothing', async () => {
    await write(1)
    await snapshot('one')
    store.stalls = 1
    store.asked.length = 0
    await snapshot('slow')
    expect(store.asked.slice(0, 2)).toEqual(['GET ', 'GET '])
    expect((await (await filesOf(services, 'cloud')).records()).records.map((each) => each.snapshot).sort()).toEqual([
      'one',
      'slow',
    ])
  })

  it('says of a damaged and of a lost file what it is', async () => {
    await write(1)
    await snapshot('one')
    const [blob = ''] = [...store.objects.keys()].filter((key) => key.includes('/blobs/'))
    const bytes = store.objects.get(blob) ?? Buffer.alloc(0)
    store.objects.set(blob, Buffer.concat([bytes.subarray(1), Buffer.from('x')]))
    const looked = async () =>
      JSON.stringify((await verifyIntegrity(services, 'cloud', new AbortController().signal)).anomalies)
    expect(await looked()).toContain('is damaged')
    store.objects.delete(blob)
    expect(await looked()).toContain('it is not there')
  })
})

describe('a repository in a bucket is refused', () => {
  const put = (given: Record<string, string>, on: SnapshotServices = services) =>
    refusal(() => putRepository(on, 'wrong', { type: 's3', settings: given }, true))

  it.each([
    [{}, 'missing bucket'],
    [{ bucket: 'UP' }, '[UP] is no name of a bucket'],
    [{ bucket: 'backups', endpoint: 'http://10.0.0.1' }, 'unknown setting [endpoint]'],
    [{ bucket: 'backups', client: 'other' }, 'there is no client [other]'],
    [{ bucket: 'backups', base_path: 'a/../b' }, 'is no path'],
    [{ bucket: 'elsewhere' }, 'there is no bucket [elsewhere]'],
  ])('for %j', async (given, reason) => {
    expect(await put(given as Record<string, string>)).toContain(reason)
  })

  it('without a store, or without keys', async () => {
    const { s3: _, ...without } = services
    expect(await put({ bucket: 'backups' }, without)).toContain('set [s3.client.default.endpoint]')
    writeFileSync(credentialsFile, '[default]\n')
    expect(await put({ bucket: 'backups' })).toContain('has no aws_access_key_id')
    rmSync(credentialsFile)
    expect(await put({ bucket: 'backups' })).toContain('s3.client.default.credentials_file')
  })
})
