import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSearch, type TestSearch, testCertificates } from '@logstack/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type WireClient, wireClient } from '../../testing/https-client.ts'

/** Copies from one search to another, of which either ends as a crash does while it goes on. */

const documents = 3_000
const perBatch = 100
const clientOf = ({ url, ca, username, password }: TestSearch) =>
  wireClient({ port: Number(new URL(url).port), ca, auth: `${username}:${password}` })

let source: TestSearch
let target: TestSearch
let there: WireClient
let here: WireClient

beforeAll(async () => {
  const { dir } = await testCertificates()
  source = await startSearch()
  target = await startSearch({
    env: {
      LOGSTACK_SEARCH_REINDEX_REMOTE_WHITELIST: '127.0.0.1:*',
      LOGSTACK_SEARCH_REINDEX_SSL_CERTIFICATE_AUTHORITIES: join(dir, 'root-ca.crt'),
    },
  })
  there = clientOf(source)
  here = clientOf(target)
  const lines = Array.from({ length: documents }, (_, n) => `{"index":{"_id":"${n}"}}\n{"n":${n}}\n`)
  const headers = { 'content-type': 'application/x-ndjson' }
  const written = await there.send('/old/_bulk?refresh=true', { method: 'POST', body: lines.join(''), headers })
  expect(written.json()).toMatchObject({ errors: false })
})

afterAll(async () => {
  here?.close()
  there?.close()
  await target?.stop()
  await source?.stop()
})

interface Shown {
  readonly completed: boolean
  readonly task: { readonly status: { readonly created: number } }
  readonly error?: { readonly type: string; readonly reason: string }
  readonly response?: Readonly<Record<string, unknown>>
}

/** Begins the copy of what is missing; slowly, so that something can happen meanwhile. */
async function begin(): Promise<string> {
  const remote = { host: source.url, username: source.username, password: source.password }
  const body = {
    source: { remote, index: 'old', size: perBatch },
    dest: { index: 'new', op_type: 'create' },
    conflicts: 'proceed',
  }
  const path = '/_reindex?wait_for_completion=false&requests_per_second=1000'
  return Object((await here.send(path, { method: 'POST', body })).json()).task
}

async function shownWhen(task: string, isSo: (shown: Shown) => boolean): Promise<Shown> {
  for (;;) {
    const shown = (await here.send(`/_tasks/${task}`)).json() as Shown
    if (isSo(shown)) return shown
    await sleep(50)
  }
}
const midway = (task: string) => shownWhen(task, (shown) => shown.task.status.created >= 3 * perBatch)
const ended = (task: string) => shownWhen(task, ({ completed }) => completed)
const counted = async () => {
  await here.send('/new/_refresh', { method: 'POST' })
  return Object((await here.send('/new/_count')).json()).count
}

it('says why it ended when the other search died, and goes on with what is missing', { timeout: 180_000 }, async () => {
  const first = await begin()
  await midway(first)
  await source.kill()
  await source.restart()
  // Its point in time died with it.
  const { error, response } = await ended(first)
  expect([error?.type, response]).toEqual(['status_exception', undefined])
  expect(error?.reason).toContain('search_context_missing_exception')
  const before = await counted()
  expect(before).toBeGreaterThanOrEqual(3 * perBatch)
  const again = await ended(await begin())
  expect(again.response).toMatchObject({ created: documents - before, version_conflicts: before, failures: [] })
  expect(await counted()).toBe(documents)
})

it('loses and doubles nothing when it died itself', { timeout: 180_000 }, async () => {
  await here.send('/new', { method: 'DELETE' })
  await midway(await begin())
  await target.kill()
  await target.restart()
  const before = await counted()
  expect(before).toBeGreaterThanOrEqual(3 * perBatch)
  const again = await ended(await begin())
  expect(again.response).toMatchObject({ created: documents - before, version_conflicts: before, failures: [] })
  expect(await counted()).toBe(documents)
})
