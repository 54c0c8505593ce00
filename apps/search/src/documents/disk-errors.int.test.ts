import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { SearchClient } from '@logstack/search-client'
import { startSearch, type TestSearch } from '@logstack/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'

// The kernel answers calls of a running search with EIO, as it does for a disk that is dying. What was answered must be there all the same, and no more.

const seconds = Number(process.env['LOGSTACK_DISK_ERROR_SECONDS'] ?? 2)
const isPossible = process.getuid?.() === 0 && existsSync('/usr/bin/strace')
const clients = 4
const idsOfClient = 200
/** Call, and which of each thread's calls fail: segments and catalogue, folders and parts, reads of parts, the catalogue's pages. */
const faults = ['fdatasync:when=2+3', 'fsync:when=2+3', 'pread64:when=2+5', 'pwrite64:when=2+3'] as const

let search: TestSearch
let client: SearchClient
/** The value that each document was last acknowledged with, and those that nobody knows of. */
const acknowledged = new Map<string, number>()
const unknown = new Map<string, Set<number>>()
let written = 0
let ended = false

beforeAll(async () => {
  if (!isPossible) return
  search = await startSearch()
  const { url, ca, username, password } = search
  client = new SearchClient({ url, ca, credentials: { username, password } })
})
afterAll(async () => {
  // A test that failed leaves its writers at work.
  ended = true
  client?.close()
  await search?.stop()
})

const isDead = (): boolean => {
  try {
    process.kill(search.pid(), 0)
    return false
  } catch {
    return true
  }
}

/** Writes over and over until the end; what is refused or cut off may have been stored or not. */
async function write(number: number): Promise<void> {
  for (let at = 0; !ended; at += 1) {
    const id = `${number}-${at % idsOfClient}`
    written += 1
    const value = written
    const open = unknown.get(id) ?? new Set()
    unknown.set(id, open.add(value))
    try {
      await client.request({ method: 'PUT', path: `/kept/_doc/${id}`, body: { value } })
      acknowledged.set(id, value)
      unknown.delete(id)
    } catch {
      await sleep(50)
    }
    await sleep(5)
  }
}

/** Lets calls fail for a while. */
async function fail(fault: string): Promise<void> {
  const [call = '', when = ''] = fault.split(':')
  const argv = ['-f', '-qq', '-I1', '-o/dev/null', `-etrace=${call}`, `-einject=${call}:error=EIO:${when}`]
  const strace: ChildProcess = spawn('strace', [...argv, '-p', String(search.pid())], { stdio: 'ignore' })
  const gone = once(strace, 'exit')
  await sleep(seconds * 1000)
  strace.kill('SIGTERM')
  const late = setTimeout(() => strace.kill('SIGKILL'), 2_000)
  await gone
  clearTimeout(late)
}

/** The newest value that was acknowledged; a search that ended itself is started again before, as its runtime would. */
async function newest(fault: string): Promise<number> {
  if (isDead()) {
    // Only a catalogue whose pages cannot be written may be beyond mending in the same process.
    expect(fault, search.log().slice(-3000)).toContain('pwrite64')
    await search.restart()
  }
  return Math.max(0, ...acknowledged.values())
}

interface Found {
  readonly hits: { readonly hits: readonly { readonly _id: string; readonly _source: { readonly value: number } }[] }
}

/** Documents that are not as they were acknowledged, and those that are there twice. */
async function wrong(): Promise<string[]> {
  await client.request({ method: 'POST', path: '/kept/_refresh' })
  const { body } = await client.request<Found>({ method: 'POST', path: '/kept/_search?size=10000' })
  const values = new Map<string, number[]>()
  for (const { _id: id, _source: source } of body.hits.hits) values.set(id, [...(values.get(id) ?? []), source.value])
  return [...acknowledged].flatMap(([id, value]) => {
    const found = values.get(id) ?? []
    const isRight = found.length === 1 && (found[0] === value || unknown.get(id)?.has(found[0] ?? -1))
    return isRight ? [] : [`${id}: acknowledged ${value}, found ${found.join(', ') || 'nothing'}`]
  })
}

/** The same of a search that may end itself upon the last fault when writes were taken again already. */
async function wrongInTheEnd(): Promise<string[]> {
  try {
    return await wrong()
  } catch (thrown) {
    await expect.poll(isDead, { timeout: 10_000, message: String(thrown) }).toBe(true)
    await newest(faults.at(-1) ?? '')
    return wrong()
  }
}

it.skipIf(!isPossible)(
  'keeps what it acknowledged while the disk fails, takes more when it does not, and is whole after a kill (needs root and strace)',
  async () => {
    await client.request({
      method: 'PUT',
      path: '/kept',
      body: { mappings: { properties: { value: { type: 'long' } } } },
    })
    const writing = Array.from({ length: clients }, (_, number) => write(number))
    for (const fault of faults) {
      await fail(fault)
      const before = await newest(fault)
      await expect.poll(() => newest(fault), { timeout: 60_000, message: fault }).toBeGreaterThan(before)
    }
    ended = true
    await Promise.all(writing)
    expect(acknowledged.size).toBeGreaterThan(clients)
    expect(await wrongInTheEnd()).toEqual([])
    await search.kill()
    await search.restart()
    expect(await wrong()).toEqual([])
  },
  240_000 + faults.length * seconds * 1000,
)
