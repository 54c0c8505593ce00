import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Spool } from '../../spool/spool.ts'
import type { Fingerprint } from './fingerprint.ts'
import { KnownFiles } from './known-files.ts'

const { signal } = new AbortController()
const file = (size: number): Fingerprint => ({
  type: 'file',
  size,
  mode: '0644',
  uid: 0,
  gid: 0,
  inode: 7,
  mtime: 1_764_000_000_000,
  ctime: 1_764_000_000_001,
  sha256: '3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3',
})
const link: Fingerprint = { ...file(9), type: 'symlink', target: 'to a name\nof two lines' }
const event = (message: string) => ({ data_stream: { type: 'logs', dataset: 'test' } as const, event: { message } })
const killed = new Error('killed')

let temporary: TempDir
beforeEach(() => {
  temporary = tempDir('logstack-known')
})
afterEach(() => temporary.remove())

const path = (): string => join(temporary.path, 'integrity_etc.files')
/** What an agent finds that is started on what one left that ended without closing anything. */
async function started() {
  const spool = Spool.open(join(temporary.path, 'spool'), { bytesMax: 1_000_000, segmentBytesMax: 100_000 })
  const known = await KnownFiles.open({ spool, stateFolder: temporary.path }, 'integrity:etc')
  const messages = (): unknown[] =>
    spool.peek({ recordsMax: 100, bytesMax: 100_000 })?.records.map((record) => record.event['message']) ?? []
  return { spool, known, messages }
}

it('remembers files, what changed and what went, and whether all were looked at', async () => {
  const { known } = await started()
  known.set('/etc/a', file(1))
  known.set('/etc/name\nof "lines"', link)
  expect(await known.keep([], false, signal)).toBe(true)
  expect((await started()).known.isComplete).toBe(false)
  known.set('/etc/a', file(2))
  known.set('/etc/b', file(3))
  await known.keep([event('a changed'), event('b came')], true, signal)
  known.delete('/etc/b')
  await known.keep([event('b went')], true, signal)
  const next = await started()
  expect([...next.known.paths()]).toEqual(['/etc/a', '/etc/name\nof "lines"'])
  expect(next.known.get('/etc/a')).toEqual(file(2))
  expect(next.known.get('/etc/name\nof "lines"')).toEqual(link)
  expect(next.known.isComplete).toBe(true)
  expect(next.messages()).toEqual(['a changed', 'b came', 'b went'])
})

it('forgets what it wrote for events that never came into the spool, and goes on', async () => {
  const { known, spool } = await started()
  known.set('/etc/a', file(1))
  await known.keep([event('a came')], true, signal)
  spool.append = () => Promise.reject(killed)
  known.set('/etc/a', file(2))
  await expect(known.keep([event('a changed')], true, signal)).rejects.toThrow(killed)
  const next = await started()
  expect(next.known.get('/etc/a')).toEqual(file(1))
  next.known.set('/etc/a', file(3))
  await next.known.keep([event('a changed')], true, signal)
  const last = await started()
  expect(last.known.get('/etc/a')).toEqual(file(3))
  expect(last.messages()).toEqual(['a came', 'a changed'])
})

it('remembers what events that are in the spool tell of, though the agent was killed right behind them', async () => {
  const { known, spool } = await started()
  const append = spool.append.bind(spool)
  spool.append = async (...given) => {
    await append(...given)
    throw killed
  }
  known.set('/etc/a', file(1))
  await expect(known.keep([event('a came')], true, signal)).rejects.toThrow(killed)
  expect((await started()).known.get('/etc/a')).toEqual(file(1))
})

it('uses what is whole of a file that was cut off, and begins anew without one', async () => {
  const { known } = await started()
  known.set('/etc/a', file(1))
  await known.keep([], true, signal)
  appendFileSync(path(), '["/etc/b","f 1')
  const next = await started()
  expect([...next.known.paths()]).toEqual(['/etc/a'])
  next.known.set('/etc/c', file(1))
  await next.known.keep([], true, signal)
  expect([...(await started()).known.paths()]).toEqual(['/etc/a', '/etc/c'])
  writeFileSync(path(), 'no such file')
  expect((await started()).known).toMatchObject({ size: 0, isComplete: false })
})

it('is written anew once most of its lines no longer hold', async () => {
  const { known } = await started()
  known.set('/etc/b', file(1))
  for (let n = 0; n < 12_000; n += 1) known.set('/etc/a', file(n))
  await known.keep([event('a changed')], true, signal)
  expect(readFileSync(path(), 'utf8').split('\n')).toHaveLength(4)
  known.delete('/etc/b')
  await known.keep([event('b went')], true, signal)
  const next = await started()
  expect([...next.known.paths()]).toEqual(['/etc/a'])
  expect(next.known.get('/etc/a')).toEqual(file(11_999))
})

it('takes over what agents of before kept', async () => {
  const before = join(temporary.path, 'integrity_etc.json')
  writeFileSync(before, JSON.stringify({ '/etc/a': file(1), '/etc/l': link }))
  const { known } = await started()
  expect(known.get('/etc/l')).toEqual(link)
  expect(existsSync(before)).toBe(false)
  const next = await started()
  expect(next.known.get('/etc/a')).toEqual(file(1))
  expect(next.known.isComplete).toBe(true)
})
