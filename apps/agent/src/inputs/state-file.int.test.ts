import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { Spool } from '../spool/spool.ts'
import { StateFile } from './state-file.ts'

const limits = { bytesMax: 1_000_000, segmentBytesMax: 100_000 }
const { signal } = new AbortController()
const dataStream = { type: 'logs', dataset: 'test' } as const
const events = (...messages: string[]) =>
  messages.map((message) => ({ data_stream: dataStream, event: { message }, source: undefined, bookmark: undefined }))

let temporary: TempDir
beforeEach(() => {
  temporary = tempDir('logstack-state')
})
afterEach(() => temporary.remove())

/** What an agent finds that is started on what one left that ended without closing anything. */
const started = () => {
  const spool = Spool.open(join(temporary.path, 'spool'), limits)
  const state = new StateFile({ spool, stateFolder: temporary.path }, 'inventory:users', z.array(z.string()))
  const messages = (): unknown[] =>
    spool.peek({ recordsMax: 100, bytesMax: 100_000 })?.records.map(({ event }) => event['message']) ?? []
  return { spool, state, messages }
}
const killed = new Error('killed')

it('remembers a state, with events and without', async () => {
  const { state } = started()
  expect(state.read()).toBeUndefined()
  expect(await state.append([], ['a'], signal)).toBe(true)
  expect(started().state.read()).toEqual(['a'])
  expect(await state.append(events('b came', 'c came'), ['a', 'b', 'c'], signal)).toBe(true)
  const next = started()
  expect(next.state.read()).toEqual(['a', 'b', 'c'])
  expect(next.messages()).toEqual(['b came', 'c came'])
})

it('forgets a state whose events never came into the spool', async () => {
  const { state, spool } = started()
  await state.append(events('a came'), ['a'], signal)
  spool.append = () => Promise.reject(killed)
  await expect(state.append(events('b came'), ['a', 'b'], signal)).rejects.toThrow(killed)
  const next = started()
  expect(next.state.read()).toEqual(['a'])
  expect(await next.state.append(events('b came'), ['a', 'b'], signal)).toBe(true)
  expect(started().messages()).toEqual(['a came', 'b came'])
})

it('remembers a state whose events are in the spool, though the agent was killed right behind them', async () => {
  const { state, spool } = started()
  await state.append(events('a came'), ['a'], signal)
  const append = spool.append.bind(spool)
  spool.append = async (...given) => {
    await append(...given)
    throw killed
  }
  await expect(state.append(events('b came'), ['a', 'b'], signal)).rejects.toThrow(killed)
  expect(started().state.read()).toEqual(['a', 'b'])
  expect(started().state.read()).toEqual(['a', 'b'])
  expect(readdirSync(temporary.path).sort()).toEqual(['inventory_users.json', 'spool'])
})

it('begins without one when its file is broken', () => {
  writeFileSync(join(temporary.path, 'inventory_users.json'), '{')
  expect(started().state.read()).toBeUndefined()
})
