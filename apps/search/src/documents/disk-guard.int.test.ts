import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@logstack/logging'
import { afterEach, describe, expect, it } from 'vitest'
import { checkWatermarks, watermarksOf } from '../cluster-settings/watermarks.ts'
import { admitted } from './disk-gate.ts'
import { DiskGuard } from './disk-guard.ts'
import type { WriteResult } from './documents.ts'

const gibibyte = 1024 ** 3
const name = (level: string): string => `cluster.routing.allocation.disk.watermark.${level}`
const opened: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

describe('watermarks', () => {
  it('are shares of a small disk and free bytes of a large one', () => {
    const small = watermarksOf(100 * gibibyte, {})
    expect([small.low, small.high, small.flood].map((bytes) => Math.round(bytes / gibibyte))).toEqual([15, 10, 5])
    const large = watermarksOf(1000 * gibibyte, {})
    expect([large.low, large.high, large.flood].map((bytes) => Math.round(bytes / gibibyte))).toEqual([20, 10, 5])
  })

  it('can be set in percent, as a ratio and in bytes, and switched off', () => {
    const set = { [name('low')]: '50%', [name('high')]: '0.75', [name('flood_stage')]: '90%' }
    expect(watermarksOf(1000, set)).toEqual({ low: 500, high: 250, flood: expect.closeTo(100) })
    expect(watermarksOf(1000, { [name('low')]: '3b', [name('high')]: '2b', [name('flood_stage')]: '1b' })).toEqual({
      low: 3,
      high: 2,
      flood: 1,
    })
    expect(watermarksOf(1000, { ...set, 'cluster.routing.allocation.disk.threshold_enabled': 'false' })).toEqual({
      low: 0,
      high: 0,
      flood: 0,
    })
  })

  it('are refused in the wrong order and when they are none', () => {
    expect(() => checkWatermarks({ [name('low')]: '95%' })).toThrow(
      'low disk watermark [95%] more than high disk watermark [90%]',
    )
    expect(() => checkWatermarks({ [name('high')]: '5gb', [name('flood_stage')]: '6gb' })).toThrow(
      'high disk watermark [5gb] less than flood stage disk watermark [6gb]',
    )
    expect(() => checkWatermarks({ [name('low')]: 'much' })).toThrow(
      `unable to parse [${name('low')}] with value [much]`,
    )
    expect(() => checkWatermarks({ [name('low')]: '80%' })).not.toThrow()
  })
})

describe('the guard of the disk', () => {
  async function guard(
    onFlood: (isFlooded: boolean) => Promise<void> = async () => undefined,
    spare = { bytes: 0, asked: [] as boolean[] },
  ) {
    const directory = mkdtempSync(join(tmpdir(), 'logstack-disk-'))
    const room = { totalBytes: 1000, freeBytes: 900 }
    const made = await DiskGuard.open({
      directory,
      limits: { keepFreeBytes: 10, reserveBytes: 1, checkIntervalMs: 3_600_000, slowestMs: 100 },
      logger: createLogger('test', 'silent'),
      watermarks: () => ({ low: 150, high: 100, flood: 50 }),
      onFlood,
      makeRoom: async (isShort) => {
        spare.asked.push(isShort)
        const isAny = spare.bytes > 0
        room.freeBytes += spare.bytes
        spare.bytes = 0
        return isAny
      },
      space: async () => ({ ...room }),
    })
    opened.push(async () => {
      await made.close()
      rmSync(directory, { recursive: true, force: true })
    })
    return async (freeBytes: number, bytes = 0, pendingBytes = 0) => {
      room.freeBytes = freeBytes
      return made.look(bytes, pendingBytes)
    }
  }

  it('slows writing, refuses, and blocks until the disk is below the high watermark again', async () => {
    const look = await guard()
    expect(await look(151)).toEqual({ pressure: 'none', waitMs: 0 })
    expect(await look(125)).toEqual({ pressure: 'low', waitMs: 50 })
    expect((await look(99)).pressure).toBe('high')
    expect((await look(49)).pressure).toBe('flood')
    expect((await look(99)).pressure).toBe('flood')
    expect((await look(100)).pressure).toBe('low')
    expect((await look(99)).pressure).toBe('high')
    expect((await look(49, 11)).pressure).toBe('full')
    expect((await look(49, 0, 39)).pressure).toBe('flood')
    expect((await look(49, 0, 40)).pressure).toBe('full')
  })

  it('takes back what is kept for nothing before it presses, and not sooner', async () => {
    const spare = { bytes: 60, asked: [] }
    const look = await guard(undefined, spare)
    expect([(await look(151)).pressure, spare.bytes]).toEqual(['none', 60])
    expect([(await look(99)).pressure, spare.bytes]).toEqual(['none', 0])
    expect((await look(99)).pressure).toBe('high')
    spare.bytes = 60
    expect([(await look(151, 40)).pressure, spare.bytes]).toEqual(['none', 0])
  })

  it('says whether documents would be refused when it asks for room', async () => {
    const spare = { bytes: 0, asked: [] }
    const look = await guard(undefined, spare)
    await look(149)
    await look(100)
    await look(99)
    await look(120, 0, 111)
    expect(spare.asked).toEqual([false, false, true, true])
  })
})

describe('the gate of the disk', () => {
  it('lets through what the disk allows, and answers the rest', () => {
    const answers: (readonly WriteResult[])[] = []
    const operation = (action: 'index' | 'delete', index: string) => ({ action, index, id: '1' }) as const
    const operations = [operation('index', 'logs'), operation('delete', 'logs'), operation('index', '.logstack-state')]
    const share = { operations, answer: (results: readonly WriteResult[]) => void answers.push(results) }
    const [left] = admitted([share], 'flood')
    expect(left?.operations).toEqual(operations.slice(1))
    const done = (index: string) => ({ index, id: '1', version: 1, seqNo: 0, result: 'created', status: 201 }) as const
    left?.answer([done('logs'), done('.logstack-state')])
    expect(answers[0]?.map((result) => ('error' in result ? result.error.message : result.index))).toEqual([
      'index [logs] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block];',
      'logs',
      '.logstack-state',
    ])
    expect(admitted([share], 'low')).toEqual([share])
    expect(admitted([{ ...share, operations: operations.slice(0, 1) }], 'high')).toEqual([])
    expect(answers[1]?.[0]).toMatchObject({ error: { code: 'es_rejected_execution_exception' } })
    expect(admitted([share], 'full')[0]?.operations).toEqual([operation('delete', 'logs')])
  })
})
