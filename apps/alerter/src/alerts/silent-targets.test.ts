import type { AlertNotification } from '@logstack/contracts'
import { createLogger } from '@logstack/logging'
import { fakeClock } from '@logstack/testkit'
import { expect, test } from 'vitest'
import { defineChannel, type IdentifiedAlert } from '../channels/define-channel.ts'
import { readRule } from '../rule-files/read-rule.ts'
import type { Rule } from '../rule-files/rule.ts'
import { alertOf } from './alert-document.ts'
import { Delivery } from './delivery.ts'

const timeoutMs = 10_000

/** A delivery of two rules, one of which notifies a receiver that hangs until it is told not to. */
function world() {
  const clock = fakeClock()
  const state = { hangs: true, attempts: 0 }
  const sent: string[] = []
  const saved = new Map<string, readonly AlertNotification[]>()
  const channel = defineChannel({
    name: 'debug',
    options: {},
    send: async ({ id }) => {
      if (id.startsWith('hung')) {
        state.attempts += 1
        if (state.hangs) {
          await clock.sleep(timeoutMs)
          throw new Error('no answer within 10 s')
        }
      }
      sent.push(id)
      return 'sent'
    },
  })
  const delivery = new Delivery({
    now: clock.now,
    logger: createLogger('test', 'silent'),
    signal: new AbortController().signal,
    alerts: { saveNotifications: async (id, notifications) => void saved.set(id, notifications) },
    journal: { record: () => undefined, has: () => false, forget: () => undefined },
    ruleOf: (id) => ({ text: ruleOf(id).text, channels: [{ name: 'debug', channel, options: { to: id } }] }),
    limits: () => ({
      webhookUrl: '',
      timeoutMs,
      attemptsMax: 12,
      backoffMs: 1_000,
      backoffMsMax: 300_000,
      readFile: () => '',
      readSecret: () => '',
      writeDocument: async () => undefined,
    }),
  })
  /** One pass, however long it takes. */
  const pass = async (): Promise<void> => {
    let isOver = false
    const over = delivery.sendDue().finally(() => {
      isOver = true
    })
    while (!isOver) await clock.advance(1_000)
    await over
  }
  const alert = (rule: string, n: number): IdentifiedAlert => {
    const event = { index: 'logs', id: `${n}`, seqNo: 1, time: clock.now(), key: '', source: {} }
    const match = { event, time: event.time, key: '', marks: [event], count: 1, reason: 'A reason' }
    const surroundings = { now: clock.now(), webhookUrl: '', found: {}, aggregate: undefined, silenced: undefined }
    return { ...alertOf(ruleOf(rule), match, surroundings), id: `${rule} ${n}` }
  }
  return { clock, state, sent, saved, delivery, pass, alert }
}

const rules = new Map<string, Rule>()

function ruleOf(id: string): Rule {
  const known = rules.get(id)
  if (known) return known
  const read = readRule(id, 'type: any\nindex: logs\nalert: debug\n')
  if (read.kind !== 'rule') throw new Error('the rule is broken')
  rules.set(id, read.rule)
  return read.rule
}

test('a thousand alerts for a receiver that hangs keep no other waiting, and all go out once it answers', async () => {
  const { clock, state, sent, saved, delivery, pass, alert } = world()
  delivery.take(Array.from({ length: 1_000 }, (_, n) => alert('hung', n)))
  delivery.take([alert('good', 1), alert('good', 2)])
  const before = clock.now()
  await pass()
  expect(sent).toEqual(['good 1', 'good 2'])
  expect(clock.now() - before).toBeLessThan(2 * timeoutMs)
  // Those that were under way together; from now on one at a time, after pauses.
  expect(state.attempts).toBeLessThan(10)
  const notTried = saved.get('hung 999')?.[0]
  expect(notTried).toMatchObject({ state: 'pending', attempts: 0 })
  expect(notTried?.error).toBe('waits, as debug did not answer before: no answer within 10 s')
  for (const end = clock.now() + 1_800_000; clock.now() < end; ) {
    await pass()
    await clock.advance(60_000)
  }
  expect(state.attempts).toBeLessThan(40)
  delivery.take([alert('good', 3)])
  await pass()
  expect(sent).toHaveLength(3)
  state.hangs = false
  await clock.advance(300_000)
  await pass()
  await clock.advance(300_000)
  await pass()
  expect(sent.filter((id) => id.startsWith('hung')).length).toBeGreaterThan(980)
  expect(new Set(sent).size).toBe(sent.length)
  expect(saved.get('hung 999')?.[0]).toMatchObject({ state: 'sent', attempts: 1 })
  expect(saved.get('hung 999')?.[0]).not.toHaveProperty('error')
})

test('what is too much for memory is left in search, but nothing for receivers that answer', async () => {
  const { delivery, pass, alert } = world()
  delivery.take([alert('hung', 0)])
  await pass()
  delivery.take(Array.from({ length: 10_500 }, (_, n) => alert('hung', n)))
  expect(delivery.waiting).toBe(10_000)
  expect(delivery.hasLeft).toBe(true)
  delivery.take([alert('good', 1)])
  expect(delivery.waiting).toBe(10_001)
})
