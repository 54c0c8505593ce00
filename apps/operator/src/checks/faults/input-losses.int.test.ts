import { expect, test } from 'vitest'
import { faultOnSearch } from '../../testing/fault-on-search.ts'
import { inputLosses } from './input-losses.ts'

const on = faultOnSearch(inputLosses)
const minuteMs = 60_000

/** A document as endpoint-manager writes it (`input-losses.ts` there). */
function lose(minutesAgo: number, name: string, place: string, lost: number) {
  return on.client().request({
    method: 'POST',
    path: '/metrics-logstack.inputs-default/_doc',
    query: { refresh: true },
    body: {
      '@timestamp': new Date(Date.now() - minutesAgo * minuteMs).toISOString(),
      data_stream: { type: 'metrics', dataset: 'logstack.inputs', namespace: 'default' },
      event: { kind: 'metric', module: 'logstack', dataset: 'logstack.inputs' },
      logstack: { input: { name, place, lost } },
    },
  })
}

test('losses are a fault while they go on, with what went and why, and worth a word for a day after', async () => {
  expect(await on.look()).toEqual({ status: 'healthy', detail: 'none in the last 24 hours' })
  await lose(25 * 60, 'syslog', 'kernel', 7)
  expect(await on.look()).toMatchObject({ status: 'healthy' })
  await lose(90, 'syslog', 'kernel', 30)
  await lose(40, 'syslog', 'kernel', 5)
  expect(await on.look()).toEqual({
    status: 'information',
    detail: 'over, in the last 24 hours: syslog: 35 lost, datagrams came faster than they were read',
  })
  await lose(2, 'netflow', 'queue', 12)
  await lose(1, 'alerts', 'writer', 3)
  expect(await on.look()).toMatchObject({
    status: 'fault',
    problem:
      'lost in the last ten minutes: netflow: 12 lost, too many waited for search; alerts: 3 lost, search did not take them for too long',
    evidence: [
      'syslog: 35 lost, datagrams came faster than they were read (in the last 24 hours)',
      'netflow: 12 lost, too many waited for search (in the last 24 hours)',
      'alerts: 3 lost, search did not take them for too long (in the last 24 hours)',
    ],
    plan: expect.arrayContaining(['./logstack logs endpoint-manager']),
  })
})
