import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readCheckpoint } from './checkpoint.ts'
import { listSegments } from './segments.ts'
import { type NewRecord, Spool } from './spool.ts'

const limits = { bytesMax: 1_000_000, segmentBytesMax: 2_000 }
const all = { recordsMax: 10_000, bytesMax: 10_000_000 }
const open = new AbortController().signal

const record = (line: number): NewRecord => ({
  data_stream: { type: 'logs', dataset: 'test' },
  event: { message: `line ${line}` },
  source: 'file:1:1',
  bookmark: { position: line },
})
const records = (from: number, to: number): NewRecord[] =>
  Array.from({ length: to - from }, (_, index) => record(from + index))
const messages = (spool: Spool, wanted = all): unknown[] =>
  spool.peek(wanted)?.records.map((one) => one.event['message']) ?? []

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('handing out', () => {
  it('hands out records in order until they are acknowledged, over several segments', async () => {
    const spool = Spool.open(folder, limits)
    for (let line = 0; line < 100; line += 10) await spool.append(records(line, line + 10), open)
    expect(listSegments(folder).length).toBeGreaterThan(3)
    const first = spool.peek({ recordsMax: 35, bytesMax: 1_000_000 })
    expect(first?.records).toHaveLength(35)
    expect(messages(spool)).toHaveLength(100)
    if (first) spool.acknowledge(first)
    expect(messages(spool)[0]).toBe('line 35')
    expect(spool.pending).toBe(65)
  })

  it('gives at least one record however small the byte limit is', async () => {
    const spool = Spool.open(folder, limits)
    await spool.append(records(0, 3), open)
    expect(messages(spool, { recordsMax: 10, bytesMax: 1 })).toEqual(['line 0'])
  })
})

describe('a spool that nothing can be sent from', () => {
  it('remembers all but its last segment, so that a start after a kill reads that alone', async () => {
    const spool = Spool.open(folder, limits)
    for (let line = 0; line < 100; line += 1) await spool.append([record(line)], open)
    const segments = listSegments(folder)
    expect(segments.length).toBeGreaterThan(3)
    expect(readCheckpoint(folder)?.through).toBe(segments.at(-1)?.first)
    const after = Spool.open(folder, limits)
    expect(messages(after)).toHaveLength(100)
    expect(after.bookmark('file:1:1')).toEqual({ position: 99 })
  })
})

describe('waiting for a batch', () => {
  const longMs = 3_600_000

  it('ends when so many records wait, or so many bytes', async () => {
    const spool = Spool.open(folder, limits)
    await spool.append(records(0, 1), open)
    for (const batch of [
      { ...all, recordsMax: 3 },
      { ...all, bytesMax: 1_000 },
    ]) {
      let isOver = false
      const waiting = spool.waitForBatch(batch, longMs, open).then(() => {
        isOver = true
      })
      await spool.append(records(1, 2), open)
      await new Promise((resolve) => setImmediate(resolve))
      expect(isOver).toBe(false)
      await spool.append(records(2, 20), open)
      await waiting
      const sent = spool.peek(all)
      if (sent) spool.acknowledge(sent)
    }
  })

  it('ends when the spool is full, and after its time with whatever waits', async () => {
    const spool = Spool.open(folder, { bytesMax: 1_000, segmentBytesMax: 1_000 })
    await spool.append(records(0, 1), open)
    await spool.waitForBatch(all, 1, open)
    expect(spool.pending).toBe(1)
    const waiting = spool.waitForBatch(all, longMs, open)
    await spool.append(records(1, 20), open)
    await waiting
    expect(spool.full).toBe(true)
  })

  it('ends when it is told to, and when the spool is closed', async () => {
    const spool = Spool.open(folder, limits)
    const stopping = new AbortController()
    const waiting = spool.waitForBatch(all, longMs, stopping.signal)
    stopping.abort()
    await waiting
    const closing = spool.waitForBatch(all, longMs, open)
    spool.close()
    await closing
    expect(spool.pending).toBe(0)
  })
})

describe('after a crash', () => {
  it('goes on after a process that ended without closing: same id, same offsets, bookmarks of the last record', async () => {
    const dead = Spool.open(folder, limits)
    await dead.append(records(0, 50), open)
    const batch = dead.peek({ recordsMax: 20, bytesMax: 1_000_000 })
    if (batch) dead.acknowledge(batch)
    await dead.append(records(50, 60), open)
    const spool = Spool.open(folder, limits)
    expect(spool.id).toBe(dead.id)
    expect(spool.bookmark('file:1:1')).toEqual({ position: 59 })
    expect(messages(spool).slice(-40)).toEqual(records(20, 60).map((one) => one.event['message']))
    await spool.append(records(60, 61), open)
    expect(spool.peek(all)?.records.at(-1)?.offset).toBe(60)
  })

  it('cuts a torn last record off and takes the bookmark of the one before', async () => {
    const dead = Spool.open(folder, limits)
    await dead.append(records(0, 5), open)
    const last = listSegments(folder).at(-1)
    if (!last) throw new Error('no segment')
    truncateSync(last.path, last.bytes - 3)
    const spool = Spool.open(folder, limits)
    expect(spool.bookmark('file:1:1')).toEqual({ position: 3 })
    await spool.append(records(4, 6), open)
    expect(messages(spool)).toEqual(records(0, 6).map((one) => one.event['message']))
  })

  it('goes on when the disk lost records that a checkpoint counted', async () => {
    const dead = Spool.open(folder, limits)
    await dead.append(records(0, 5), open)
    dead.checkpoint()
    const last = listSegments(folder).at(-1)
    if (!last) throw new Error('no segment')
    truncateSync(last.path, 0)
    const spool = Spool.open(folder, limits)
    expect(messages(spool)).toEqual([])
    expect(spool.pending).toBe(0)
    await spool.append(records(5, 6), open)
    expect(messages(spool)).toEqual(['line 5'])
  })

  it('goes on when a full disk had segments emptied that were acknowledged, and the crash came before the checkpoint', async () => {
    const spool = Spool.open(folder, limits)
    for (let line = 0; line < 100; line += 1) await spool.append([record(line)], open)
    const segments = listSegments(folder)
    // All but the last, which has no record yet when the power is cut.
    for (const { path } of segments) truncateSync(path)
    const after = Spool.open(folder, limits)
    expect(after.peek(all)).toBeUndefined()
    await after.append([record(100)], open)
    const [only] = after.peek(all)?.records ?? []
    expect(only?.event['message']).toBe('line 100')
    expect(only?.offset).toBeGreaterThanOrEqual(segments.at(-1)?.first ?? Number.NaN)
  })

  it('cuts garbage off that follows the last record', async () => {
    const dead = Spool.open(folder, limits)
    await dead.append(records(0, 5), open)
    const last = listSegments(folder).at(-1)
    if (!last) throw new Error('no segment')
    appendFileSync(last.path, Buffer.from([0, 0, 0, 4, 1, 2, 3, 4, 5, 6, 7, 8]))
    const spool = Spool.open(folder, limits)
    await spool.append(records(5, 6), open)
    expect(messages(spool)).toEqual(records(0, 6).map((one) => one.event['message']))
  })
})

describe('limits', () => {
  it('makes the room it keeps of the disk whole again after a process was killed while making it', () => {
    Spool.open(folder, limits).close()
    const reserve = join(folder, 'reserve')
    const { size } = statSync(reserve)
    expect(size).toBeGreaterThan(0)
    truncateSync(reserve, 0)
    Spool.open(folder, limits).close()
    expect(statSync(reserve).size).toBe(size)
  })

  it('deletes segments that are acknowledged and keeps their bookmarks', async () => {
    const spool = Spool.open(folder, limits)
    await spool.append([{ ...record(0), source: 'file:old:1' }], open)
    for (let line = 1; line < 100; line += 10) await spool.append(records(line, line + 10), open)
    const batch = spool.peek(all)
    if (batch) spool.acknowledge(batch)
    expect(readdirSync(folder).filter((name) => name.endsWith('.segment'))).toHaveLength(1)
    expect(Spool.open(folder, limits).bookmark('file:old:1')).toEqual({ position: 0 })
  })

  it('makes inputs wait while it is full, drops nothing, and lets them go on', async () => {
    const spool = Spool.open(folder, { bytesMax: 3_000, segmentBytesMax: 1_000 })
    let added = 0
    const filling = (async () => {
      for (let line = 0; line < 100; line += 1) {
        await spool.append([record(line)], open)
        added = line + 1
      }
    })()
    await new Promise((resolve) => setImmediate(resolve))
    expect(added).toBeLessThan(100)
    const seen: unknown[] = []
    while (seen.length < 100) {
      const batch = spool.peek({ recordsMax: 7, bytesMax: 1_000_000 })
      if (batch) {
        seen.push(...batch.records.map((one) => one.event['message']))
        spool.acknowledge(batch)
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    await filling
    expect(seen).toEqual(records(0, 100).map((one) => one.event['message']))
  })

  it('ends the wait of a full spool when the input stops, and says that nothing was added', async () => {
    const spool = Spool.open(folder, { bytesMax: 100, segmentBytesMax: 1_000 })
    await spool.append(records(0, 5), open)
    const stop = new AbortController()
    const waiting = spool.append(records(5, 6), stop.signal)
    stop.abort()
    expect(await waiting).toBe(false)
    expect(spool.pending).toBe(5)
  })
})
