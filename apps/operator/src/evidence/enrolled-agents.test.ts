import { expect, test } from 'vitest'
import type { DoctorContext } from '../checks/faults/define-fault.ts'
import { enrolledAgents } from './enrolled-agents.ts'

interface Asked {
  readonly from: number
  readonly size: number
  readonly _source: readonly string[]
}

/** A doctor whose search knows so many agents. */
function doctor(count: number) {
  const asked: Asked[] = []
  const answered = (body: unknown) => ({ state: 'answered', status: 200, body, text: '' })
  const agentOf = (at: number) => ({
    _id: `agent-${at}`,
    _source: { status: 'online', host_name: `host-${at}`, enrolled_at: '2026-01-01T00:00:00Z' },
  })
  const look = {
    asAdmin: async () => answered({ username: 'elastic' }),
    once: async (key: string) => {
      const question = JSON.parse(key.slice(key.indexOf('{'))) as Asked
      asked.push(question)
      const length = Math.max(0, Math.min(question.size, count - question.from))
      return answered({ hits: { hits: Array.from({ length }, (_, at) => agentOf(question.from + at)) } })
    },
  }
  return { asked, context: { look, stack: { choices: { adminUser: 'elastic' } } } as unknown as DoctorContext }
}

test('every agent is looked at, some at a time, however many there are', async () => {
  const { asked, context } = doctor(2_500)
  const found = await enrolledAgents(context)
  expect(new Set(found.map(({ id }) => id)).size).toBe(2_500)
  expect(asked.map(({ from }) => from)).toEqual([0, 1_000, 2_000])
  expect(asked[0]?._source).not.toContain('local_metadata')
  expect(asked[0]?._source).toContain('components')
})

test('no more is asked for than search shows', async () => {
  const { asked, context } = doctor(20_000)
  expect(await enrolledAgents(context)).toHaveLength(10_000)
  expect(Math.max(...asked.map(({ from, size }) => from + size))).toBe(10_000)
})
