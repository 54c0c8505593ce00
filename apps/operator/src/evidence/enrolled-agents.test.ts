import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import type { DoctorContext } from '../doctor/define-fault.ts'
import { enrolledAgents } from './enrolled-agents.ts'

interface Asked {
  readonly from?: number
  readonly size: number
  readonly _source: false | readonly string[]
}

/** A doctor whose search knows so many agents, of which the first `ill` have an input that failed. */
function doctor(count: number, ill: number) {
  const asked: Asked[] = []
  const answered = (body: unknown) => ({ state: 'answered', status: 200, body, text: '' })
  const listed = (at: number) => ({
    _id: `agent-${at}`,
    fields: {
      status: [at < ill ? 'unhealthy' : 'online'],
      host_name: [`host-${at}`],
      enrolled_at: ['2026-01-01T00:00:00Z'],
    },
  })
  const unit = {
    id: 'logs',
    type: 'input',
    status: 'FAILED',
    message: 'no such file',
    payload: { reason: 'disk_full' },
  }
  const withUnits = (at: number) => ({ _id: `agent-${at}`, _source: { components: [{ units: [unit] }] } })
  const look = {
    asAdmin: async () => answered({ username: 'elastic' }),
    once: async (key: string) => {
      const question = JSON.parse(key.slice(key.indexOf('{'))) as Asked
      asked.push(question)
      const { from = 0, size } = question
      const isList = question._source === false
      const length = Math.max(0, Math.min(size, (isList ? count : ill) - from))
      const hits = Array.from({ length }, (_, at) => (isList ? listed : withUnits)(from + at))
      return answered({ hits: { hits } })
    },
  }
  return { asked, context: { look, stack: { choices: { adminUser: 'elastic' } } } as unknown as DoctorContext }
}

test('every agent is looked at, in one request while all are well', async () => {
  const { asked, context } = doctor(9_999, 0)
  const found = await enrolledAgents(context)
  expect(new Set(found.map(({ id }) => id)).size).toBe(9_999)
  expect(found[7]).toMatchObject({ host: 'host-7', status: 'online', silentSince: Date.UTC(2026, 0, 1), failed: [] })
  expect(asked).toHaveLength(1)
})

test('what inputs say is read of those that are not well, some at a time', async () => {
  const { asked, context } = doctor(5_000, 2_500)
  const found = await enrolledAgents(context)
  const told = { words: 'logs: no such file', reason: 'disk_full' }
  expect(found.filter(({ failed }) => isDeepStrictEqual(failed, [told]))).toHaveLength(2_500)
  expect(asked.slice(1).map(({ from, _source }) => [from, _source])).toEqual(
    [0, 1_000, 2_000].map((from) => [from, ['components']]),
  )
})
