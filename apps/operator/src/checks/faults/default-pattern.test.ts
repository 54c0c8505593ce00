import { expect, test } from 'vitest'
import type { DoctorContext } from '../../doctor/define-fault.ts'
import type { HttpAnswer } from '../../doctor/probe-https.ts'
import { testStack } from '../../testing/test-stack.ts'
import { defaultPattern } from './default-pattern.ts'

const { stack, remove } = testStack()
remove()

/** A stack whose dashboard has the patterns of an installation, and whose search holds so many events, and so many that are not new. */
function contextOf(events: Readonly<Record<string, { all: number; old: number }>>, chosen: string | null = 'logs-*') {
  const patterns = [
    { id: 'logs-*', title: 'logs-*', timeFieldName: '@timestamp' },
    { id: 'winlogbeat-*', title: 'winlogbeat-*', timeFieldName: 'written' },
    { id: 'endpoint-*', title: 'endpoint-*' },
  ]
  const answered = (body: unknown): HttpAnswer => ({ state: 'answered', status: 200, body, text: '' })
  const once = async (asked: string): Promise<HttpAnswer> => {
    if (asked.startsWith('dashboard /api/data_views/default')) return answered({ data_view_id: chosen })
    if (asked.startsWith('dashboard ')) return answered({ data_view: patterns })
    const title = patterns.find(({ id }) => asked.startsWith(`asked /${encodeURIComponent(id)}/_count`))?.title ?? ''
    const { all, old } = events[title] ?? { all: 0, old: 0 }
    const timeField = patterns.find(({ id }) => id === title)?.timeFieldName
    return answered({ count: asked.includes(`{"range":{"${timeField}":{"lte":"now-5m"}}}`) ? old : all })
  }
  const look = { once, limitMs: () => 1, asAdmin: async () => answered({ username: 'elastic' }) }
  const vault = { read: () => 'secret' }
  return { look, stack: { ...stack, vault } } as unknown as DoctorContext
}

test('the Default matches no event while another pattern does', async () => {
  const context = contextOf({ 'winlogbeat-*': { all: 9, old: 7 }, 'endpoint-*': { all: 3, old: 3 } })
  expect(await defaultPattern.diagnose(context)).toMatchObject({
    status: 'fault',
    problem: 'the Default index pattern logs-* matches no event, winlogbeat-* does',
    evidence: [
      'logs-*: 0 events (Default)',
      'winlogbeat-*: 7 events older than 5m',
      'endpoint-*: 3 events older than 5m',
    ],
  })
})

test('the first events of a new stack come in any order', async () => {
  const context = contextOf({ 'winlogbeat-*': { all: 1_077, old: 0 } })
  expect(await defaultPattern.diagnose(context)).toEqual({ status: 'healthy', detail: 'logs-*, no event yet' })
})

test('the Default has events, however new they are', async () => {
  const context = contextOf({ 'logs-*': { all: 2, old: 0 }, 'endpoint-*': { all: 90, old: 90 } })
  expect(await defaultPattern.diagnose(context)).toEqual({ status: 'healthy', detail: 'logs-*, 2 events' })
})

test('no pattern is the Default', async () => {
  const context = contextOf({ 'logs-*': { all: 2, old: 2 } }, null)
  expect(await defaultPattern.diagnose(context)).toMatchObject({
    status: 'fault',
    problem: 'no index pattern is the Default',
  })
})
