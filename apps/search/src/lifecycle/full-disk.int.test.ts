import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSearch, type TestSearch } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type WireClient, wireClient } from '../testing/https-client.ts'

/** Search on a small file system that is filled by what is written to it: it slows, refuses, blocks, and goes on by itself. */

const isPossible = process.getuid?.() === 0 && existsSync('/usr/bin/unshare')
const mebibyte = 1024 ** 2
/**
 * The marks lie so far apart that merges, which hold what they merge twice, take search over none of them: documents are refused from 100 MB on,
 * the flood begins at 256 MB, and 128 MB are kept for deletions alone.
 */
const diskBytes = 512 * mebibyte
const marksUsed = { low: '17%', high: '20%', flood_stage: '50%' }
const floodedFreeBytes = 200 * mebibyte
const patienceMs = 240_000
const limitMs = 600_000
const dayMs = 86_400_000
const ndjson = { 'content-type': 'application/x-ndjson' }

let search: TestSearch
let client: WireClient
let days = 0

async function until<T>(look: () => Promise<T>, isDone: (found: T) => boolean): Promise<T> {
  const end = performance.now() + patienceMs
  for (;;) {
    const found = await look()
    if (isDone(found) || performance.now() > end) return found
    await sleep(200)
  }
}

/** Takes or gives what leaves so many bytes free, whatever merges took or gave back meanwhile. */
async function leaveFree(wantedBytes: number): Promise<void> {
  const path = join('/proc', String(search.pid()), 'root', search.dataDir, 'filler')
  const file = await open(path, 'a+')
  try {
    const [{ bavail, bsize }, { size }] = [await statfs(path), await file.stat()]
    const more = bavail * bsize - wantedBytes
    if (more > 0) await file.appendFile(Buffer.alloc(more))
    else await file.truncate(Math.max(0, size + more))
  } finally {
    await file.close()
  }
}

/** Four megabytes of events of one day, which do not shrink much; answers the errors of its items. */
async function bulk(): Promise<readonly { type: string; reason: string; status: number }[]> {
  const at = new Date(Date.now() - (40 - days) * dayMs)
  const index = `app-${at.toISOString().slice(0, 10).replaceAll('-', '.')}`
  const lines = Array.from({ length: 200 }, (_, n) => {
    const source = { '@timestamp': at.toISOString(), n, message: randomBytes(10_000).toString('hex') }
    return `${JSON.stringify({ create: { _index: index } })}\n${JSON.stringify(source)}\n`
  })
  const answer = await client.send('/_bulk', { method: 'POST', body: lines.join(''), headers: ndjson })
  const { items } = answer.json() as {
    items: { create: { status: number; error?: { type: string; reason: string } } }[]
  }
  return items.flatMap(({ create: { status, error } }) => (error ? [{ ...error, status }] : []))
}

const put = (path: string, body: object) => client.send(path, { method: 'PUT', body })
const blocked = async (): Promise<boolean> =>
  (await client.send('/app-*/_settings?filter_path=*.settings.index.blocks')).text.includes('read_only_allow_delete')

const marks = 'cluster.routing.allocation.disk.watermark.'

beforeAll(async () => {
  if (!isPossible) return
  search = await startSearch({ diskBytes })
  const auth = `${search.username}:${search.password}`
  client = wireClient({ port: Number(new URL(search.url).port), ca: search.ca, auth })
  const transient = Object.fromEntries(Object.entries(marksUsed).map(([mark, used]) => [`${marks}${mark}`, used]))
  expect((await put('/_cluster/settings', { transient })).status).toBe(200)
  // So much is kept in any case that nothing goes before this is changed.
  await put('/_logstack/retention', { max_age: 'never', keep_at_least: '365d' })
})

afterAll(async () => {
  client?.close()
  await search?.stop()
})

describe.skipIf(!isPossible)('a disk that fills (needs root)', { timeout: limitMs }, () => {
  it('is filled by events until they are refused for a while', async () => {
    const errors = await until(
      async () => {
        days = Math.min(days + 1, 30)
        return bulk()
      },
      (found) => found.length > 0,
    )
    expect(errors[0]).toMatchObject({ type: 'es_rejected_execution_exception', status: 429 })
    expect(errors[0]?.reason).toContain('disk usage exceeded the high watermark')
    expect(await blocked()).toBe(false)
  })

  it('is blocked when something else takes the rest; login, search, deletion and passwords go on', async () => {
    const filler = join('/proc', String(search.pid()), 'root', search.dataDir, 'filler')
    const pressed = async (): Promise<boolean> => {
      await leaveFree(floodedFreeBytes)
      return blocked()
    }
    expect(await until(pressed, (found) => found)).toBe(true)
    const [first] = await bulk()
    expect(first).toMatchObject({ type: 'cluster_block_exception', status: 429 })
    expect(first?.reason).toMatch(
      /blocked by: \[TOO_MANY_REQUESTS\/12\/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block\];$/,
    )
    const login = await client.send('/_security/oauth2/token', {
      method: 'POST',
      body: { grant_type: 'password', username: search.username, password: search.password },
    })
    expect(login.status).toBe(200)
    const found = (await client.send('/app-*/_search?size=1')).json() as {
      hits: { hits: { _index: string; _id: string }[] }
    }
    const [hit] = found.hits.hits
    expect((await client.send(`/${hit?._index}/_doc/${hit?._id}`, { method: 'DELETE' })).json()).toMatchObject({
      result: 'deleted',
    })
    expect((await put('/_security/user/ann', { password: 'password-of-ann', roles: ['viewer'] })).status).toBe(200)
    const change = { method: 'POST', body: { password: 'another-password' }, auth: 'ann:password-of-ann' }
    expect((await client.send('/_security/user/ann/_password', change)).status).toBe(200)
    await leaveFree(floodedFreeBytes)
    expect((await put('/.logstack-test/_doc/1', { n: 1 })).status).toBe(201)
    await rm(filler)
  })

  it('has room again when retention takes the oldest events, and only those', async () => {
    const names = async () =>
      ((await client.send('/_cat/indices/app-*?h=index&s=index&format=json')).json() as { index: string }[]).map(
        ({ index }) => index,
      )
    const before = await names()
    await put('/_cluster/settings', { transient: { 'indices.lifecycle.poll_interval': '1s' } })
    // By the watermarks alone the merges that go on might make room before retention has to.
    await put('/_logstack/retention', { keep_at_least: '1d', max_disk_share: '12%' })
    const left = await until(names, (now) => now.length < before.length)
    expect(left.length).toBeGreaterThan(0)
    expect(left.length).toBeLessThan(before.length)
    expect(left).toEqual(before.slice(before.length - left.length))
    const isBlocked = await until(blocked, (is) => !is)
    const space = (await client.send('/_logstack/retention')).text
    expect(isBlocked, `${space}\n${search.log().slice(-6000)}`).toBe(false)
    expect(await until(bulk, (errors) => errors.length === 0)).toEqual([])
  })
})
