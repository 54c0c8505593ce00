import type { AlertNotification } from '@logstack/contracts'
import { createLogger } from '@logstack/logging'
import { fakeClock } from '@logstack/testkit'
import { beforeEach, expect, test } from 'vitest'
import { type Channel, defineChannel, type IdentifiedAlert } from '../channels/define-channel.ts'
import { readRule } from '../rule-files/read-rule.ts'
import type { Rule } from '../rule-files/rule.ts'
import { alertOf } from './alert-document.ts'
import { Delivery } from './delivery.ts'

const clock = fakeClock()
let sent: string[]
let messages: string[][]
let journal: Set<string>
let failures: number
let saved: AlertNotification[][]
let saveFails: boolean
let channelIsThere: boolean

beforeEach(() => {
  sent = []
  messages = []
  journal = new Set()
  failures = 0
  saved = []
  saveFails = false
  channelIsThere = true
})

const flaky: Channel = defineChannel({
  name: 'debug',
  options: {},
  send: async ({ id, alerts }) => {
    messages.push(alerts.map((one) => one.id))
    if (failures-- > 0) throw new Error('no route')
    sent.push(id)
    return 'sent'
  },
})

function makeDelivery(now = clock.now): Delivery {
  return new Delivery({
    now,
    logger: createLogger('test', 'silent'),
    signal: new AbortController().signal,
    alerts: {
      saveNotifications: async (_id, notifications) => {
        if (saveFails) throw new Error('search is down')
        saved.push([...notifications])
      },
    },
    journal: {
      record: (ids, channel) => {
        for (const id of ids) journal.add(`${id} ${channel}`)
      },
      has: (id, channel) => journal.has(`${id} ${channel}`),
      forget: (ids, channels) => {
        for (const id of ids) for (const channel of channels) journal.delete(`${id} ${channel}`)
      },
    },
    ruleOf: () => ({
      text: rule().text,
      channels: channelIsThere ? [{ name: 'debug', channel: flaky, options: {} }] : [],
    }),
    limits: () => ({
      webhookUrl: '',
      timeoutMs: 1000,
      attemptsMax: 3,
      backoffMs: 1000,
      backoffMsMax: 1500,
      readFile: () => '',
      readSecret: () => '',
      writeDocument: async () => undefined,
    }),
  })
}

function rule(): Rule {
  const read = readRule('r', 'type: any\nindex: logs\nalert: debug\n')
  if (read.kind !== 'rule') throw new Error('the rule is broken')
  return read.rule
}

function alert(id = 'a', aggregate?: { id: string; due: string }): IdentifiedAlert {
  const event = { index: 'logs', id, seqNo: 1, time: clock.now(), key: '', source: {} }
  const match = { event, time: event.time, key: '', marks: [event], count: 1, reason: 'A reason' }
  return alertOf(rule(), match, { now: clock.now(), webhookUrl: '', found: {}, aggregate, silenced: undefined })
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

test('waits for no time that a clock had which was set back', async () => {
  let ahead = 365 * 86_400_000
  const delivery = makeDelivery(() => clock.now() + ahead)
  failures = 1
  const made = new Date(clock.now() + ahead).toISOString()
  const due = new Date(clock.now() + ahead + 60_000).toISOString()
  const gathered = alert('gathered', { id: 'g', due })
  const document = { ...gathered.document, '@timestamp': made }
  delivery.take([alert('failing'), { ...gathered, document }])
  await delivery.sendDue()
  expect([messages.length, sent]).toEqual([1, []])
  ahead = 0
  await delivery.sendDue()
  expect(sent).toEqual([expect.any(String), 'g'])
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

test('alerts of one gathering are one message when it is due, and each says that it was sent', async () => {
  const gathering = { id: 'first', due: new Date(clock.now() + 5000).toISOString() }
  const alerts = ['a', 'b', 'c'].map((id) => alert(id, gathering))
  const delivery = makeDelivery()
  delivery.take(alerts)
  await delivery.sendDue()
  expect(sent).toEqual([])
  await clock.advance(5000)
  await delivery.sendDue()
  expect(sent).toEqual(['first'])
  expect(messages).toEqual([alerts.map(({ id }) => id)])
  expect(saved.map(([notification]) => notification?.state)).toEqual(['sent', 'sent', 'sent'])
})

test('a start after a crash does not send what the journal knows, and tells search', async () => {
  const one = alert()
  journal.add(`${one.id} debug`)
  const delivery = makeDelivery()
  delivery.take([one])
  await delivery.sendDue()
  expect(sent).toEqual([])
  expect(saved).toEqual([[expect.objectContaining({ state: 'sent' })]])
  expect([journal.size, delivery.waiting]).toEqual([0, 0])
})
