import type { AlertNotification } from '@logstack/contracts'
import { createLogger } from '@logstack/logging'
import { fakeClock } from '@logstack/testkit'
import { beforeEach, expect, test } from 'vitest'
import { type Channel, defineChannel, type IdentifiedAlert } from '../channels/define-channel.ts'
import { readRule } from '../rule-files/read-rule.ts'
import { alertOf } from './alert-document.ts'
import { Delivery } from './delivery.ts'

const clock = fakeClock()
let sent: string[]
let failures: number
let saved: AlertNotification[][]
let saveFails: boolean
let channelIsThere: boolean

beforeEach(() => {
  sent = []
  failures = 0
  saved = []
  saveFails = false
  channelIsThere = true
})

const flaky: Channel = defineChannel({
  name: 'debug',
  options: {},
  send: async ({ id }) => {
    if (failures-- > 0) throw new Error('no route')
    sent.push(id)
  },
})

function makeDelivery(): Delivery {
  return new Delivery({
    now: clock.now,
    logger: createLogger('test', 'silent'),
    signal: new AbortController().signal,
    alerts: {
      saveNotifications: async (_id, notifications) => {
        if (saveFails) throw new Error('search is down')
        saved.push([...notifications])
      },
    },
    channelOf: (_ruleId, name) => (channelIsThere ? { name, channel: flaky, options: {} } : undefined),
    limits: () => ({ webhookUrl: '', timeoutMs: 1000, attemptsMax: 3, backoffMs: 1000, backoffMsMax: 1500 }),
  })
}

function alert(): IdentifiedAlert {
  const read = readRule('r', 'type: any\nindex: logs\nalert: debug\n')
  if (read.kind !== 'rule') throw new Error('the rule is broken')
  const event = { index: 'logs', id: 'a', seqNo: 1, time: clock.now(), key: '', source: {} }
  return alertOf(read.rule, { event, marks: [event], reason: 'A reason' }, clock.now(), '')
}

test('sends once and writes down that it did', async () => {
  const delivery = makeDelivery()
  delivery.take([alert(), alert()])
  await delivery.sendDue()
  await delivery.sendDue()
  expect(sent).toHaveLength(1)
  expect(saved).toEqual([[expect.objectContaining({ channel: 'debug', state: 'sent', attempts: 1 })]])
  expect(delivery.waiting).toBe(0)
})

test('tries again after pauses that grow up to the limit', async () => {
  failures = 2
  const delivery = makeDelivery()
  delivery.take([alert()])
  await delivery.sendDue()
  await clock.advance(999)
  await delivery.sendDue()
  expect(saved).toHaveLength(1)
  await clock.advance(1)
  await delivery.sendDue()
  expect(saved.at(-1)?.[0]).toMatchObject({
    attempts: 2,
    error: 'no route',
    next_attempt: new Date(clock.now() + 1500).toISOString(),
  })
  await clock.advance(1500)
  await delivery.sendDue()
  expect(saved.at(-1)?.[0]).toMatchObject({ state: 'sent', attempts: 3 })
  expect(saved.at(-1)?.[0]).not.toHaveProperty('error')
})

test('gives up after the last attempt and says why', async () => {
  failures = 99
  const delivery = makeDelivery()
  delivery.take([alert()])
  for (let attempt = 0; attempt < 5; attempt++) {
    await delivery.sendDue()
    await clock.advance(2000)
  }
  expect(saved.at(-1)).toEqual([{ channel: 'debug', state: 'failed', attempts: 3, error: 'no route' }])
  expect(delivery.waiting).toBe(0)
})

test('does not send again when search did not take the outcome', async () => {
  saveFails = true
  const delivery = makeDelivery()
  delivery.take([alert()])
  await expect(delivery.sendDue()).rejects.toThrow('search is down')
  saveFails = false
  await delivery.sendDue()
  expect(sent).toHaveLength(1)
  expect(saved).toHaveLength(1)
})

test('fails a notification whose rule is gone', async () => {
  channelIsThere = false
  const delivery = makeDelivery()
  delivery.take([alert()])
  await delivery.sendDue()
  expect(saved).toEqual([
    [{ channel: 'debug', state: 'failed', attempts: 0, error: 'the rule or its channel is gone' }],
  ])
})
