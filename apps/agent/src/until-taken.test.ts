import { AppError, agentsErrors } from '@logstack/errors'
import { expect, test } from 'vitest'
import { untilTaken } from './until-taken.ts'

const refusal = (status: number) =>
  new AppError(agentsErrors.server_refused, `answered ${status}`, { detail: { status } })

/** A server that answers so, in turn, and `taken` afterwards. */
function server(...statuses: readonly number[]) {
  const waits: { ms: number; reason: string }[] = []
  const left = [...statuses]
  const ask = async () => {
    const status = left.shift()
    if (status !== undefined) throw refusal(status)
    return 'taken'
  }
  return { waits, left, enrol: () => untilTaken(async (ms, reason) => void waits.push({ ms, reason }), ask) }
}

test('who comes among too many waits, longer each time, and is taken', async () => {
  const { enrol, waits } = server(429, 429, 429)
  expect(await enrol()).toBe('taken')
  expect(waits).toHaveLength(3)
  expect(waits.every(({ ms, reason }) => ms >= 1_000 && reason === 'answered 429')).toBe(true)
})

test('every other refusal is told at once', async () => {
  const { enrol, waits } = server(409)
  await expect(enrol()).rejects.toThrow('answered 409')
  expect(waits).toEqual([])
})

test('nobody waits for ever', async () => {
  const { enrol, waits, left } = server(...Array.from({ length: 1_000 }, () => 429))
  await expect(enrol()).rejects.toThrow('answered 429')
  expect(waits.reduce((sum, { ms }) => sum + ms, 0)).toBeGreaterThanOrEqual(600_000)
  expect(left.length).toBeGreaterThan(900)
})
