import type { AlertNotification } from '@logstack/contracts'
import { messageOf as errorMessageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import type { ChannelContext, IdentifiedAlert } from '../channels/define-channel.ts'
import type { AlertingRule } from '../rule-files/rule.ts'
import { setBackMsMax } from '../set-back.ts'
import type { AlertStore } from './alert-store.ts'
import { messageOf } from './message.ts'
import type { SentJournal } from './sent-journal.ts'
import { SilentTargets, targetOf } from './silent-targets.ts'

/** What a delivery needs of the outside; all are asked anew for each attempt. */
export interface DeliverySurroundings {
  readonly now: () => number
  readonly alerts: Pick<AlertStore, 'saveNotifications'>
  readonly journal: Pick<SentJournal, 'record' | 'has' | 'forget'>
  readonly logger: Logger
  readonly signal: AbortSignal
  ruleOf(ruleId: string): Pick<AlertingRule, 'channels' | 'text'> | undefined
  limits(): Omit<ChannelContext, 'logger' | 'signal'> & {
    readonly attemptsMax: number
    readonly backoffMs: number
    readonly backoffMsMax: number
  }
}

/** An alert on its way: its notifications as they are now, and whether search has them so. */
interface OnTheWay {
  readonly alert: IdentifiedAlert
  notifications: readonly AlertNotification[]
  unsaved: boolean
}

type Unit = readonly [OnTheWay, ...OnTheWay[]]

const unitsAtOnceMax = 8
/** Of alerts for receivers that do not answer so many are kept in memory, a few KB each; search has the others. */
const waitingMax = 10_000

/**
 * Notifies of alerts, with growing pauses between the attempts of a channel; those of one aggregation are one message. What was sent is
 * in the journal at once and in the alert before it is forgotten here, so a restart sends again only what was not. A receiver that hangs
 * keeps nobody waiting but those that are for it.
 */
export class Delivery {
  readonly #from: DeliverySurroundings
  readonly #waiting = new Map<string, OnTheWay>()
  readonly #silent = new SilentTargets()

  constructor(from: DeliverySurroundings) {
    this.#from = from
  }

  /** How many alerts are on their way. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Whether alerts were left to be read again from search once none waits here. */
  hasLeft = false

  /** Takes over alerts; one that is on its way already stays as it is. While too many wait for receivers that do not answer, others of theirs are left in search. */
  take(alerts: readonly IdentifiedAlert[]): void {
    for (const alert of alerts) {
      const { delivery, notifications } = alert.document.logstack.alert
      if (delivery === 'done' || this.#waiting.has(alert.id)) continue
      if (this.#waiting.size >= waitingMax && this.#isForSilent(alert)) {
        this.hasLeft = true
        continue
      }
      const known = notifications.map((notification) =>
        isPending(notification) && this.#from.journal.has(alert.id, notification.channel)
          ? this.#sent(notification)
          : notification,
      )
      const unsaved = known.some((notification, place) => notification !== notifications[place])
      this.#waiting.set(alert.id, { alert, notifications: known, unsaved })
    }
  }

  #isForSilent({ document }: IdentifiedAlert): boolean {
    const channels = this.#from.ruleOf(document.rule.id)?.channels ?? []
    return document.logstack.alert.notifications.filter(isPending).every(({ channel }) => {
      const found = channels.find(({ name }) => name === channel)
      return found !== undefined && this.#silent.has(targetOf(channel, found.options))
    })
  }

  /** Makes every attempt that is due. Never rejects for a channel; rejects when search does not take the outcome, which is then kept. */
  async sendDue(): Promise<void> {
    const units = this.#units()
    const next = units.values()
    const lane = async (): Promise<void> => {
      for (const unit of next) {
        if (this.#from.signal.aborted) return
        await this.#carryOn(unit)
      }
    }
    const ended = await Promise.allSettled(Array.from({ length: unitsAtOnceMax }, lane))
    const failed = ended.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
    if (failed) throw failed.reason
  }

  // Alerts that are sent at once, the rest each by itself; gatherings that are not due yet are left out.
  #units(): Unit[] {
    const units = new Map<string, [OnTheWay, ...OnTheWay[]]>()
    for (const entry of this.#waiting.values()) {
      const { aggregate } = entry.alert.document.logstack.alert
      if (aggregate && !this.#isDue(aggregate.due, entry.alert.document['@timestamp']) && !entry.unsaved) continue
      const id = aggregate?.id ?? entry.alert.id
      const known = units.get(id)
      if (known) known.push(entry)
      else units.set(id, [entry])
    }
    return [...units.values()]
  }

  // What was made later than now was made by a clock that was set back since: nobody waits until that comes.
  #isDue(due: string, made: string): boolean {
    const now = this.#from.now()
    return Date.parse(due) <= now || Date.parse(made) > now + setBackMsMax
  }

  async #carryOn(unit: Unit): Promise<void> {
    const names = new Set(unit.flatMap(({ notifications }) => notifications.map(({ channel }) => channel)))
    for (const name of names) await this.#attempt(unit, name)
    for (const entry of unit) {
      if (entry.unsaved) await this.#from.alerts.saveNotifications(entry.alert.id, entry.notifications)
      entry.unsaved = false
      this.#from.journal.forget(
        [entry.alert.id],
        entry.notifications.map(({ channel }) => channel),
      )
      if (!entry.notifications.some(isPending)) this.#waiting.delete(entry.alert.id)
    }
  }

  async #attempt(unit: Unit, channel: string): Promise<void> {
    const { backoffMsMax } = this.#from.limits()
    const isDue = (each: AlertNotification): boolean => {
      const leftMs = Date.parse(each.next_attempt ?? '1970-01-01') - this.#from.now()
      return each.channel === channel && isPending(each) && (leftMs <= 0 || leftMs > backoffMsMax)
    }
    const [first, ...more] = unit.filter(({ notifications }) => notifications.some(isDue))
    const before = first?.notifications.find(isDue)
    if (!first || !before) return
    const after = await this.#notify([first, ...more], before)
    for (const entry of [first, ...more]) {
      // One that waits for another's attempt is as it was, but for what it says.
      entry.unsaved ||= after.attempts !== before.attempts || after.state !== before.state || before.error === undefined
      entry.notifications = entry.notifications.map((each) => (isDue(each) ? after : each))
    }
  }

  async #notify(unit: Unit, before: AlertNotification): Promise<AlertNotification> {
    const { channel: name, attempts } = before
    const { logger, signal } = this.#from
    const limits = this.#from.limits()
    const [{ alert: first }, ...more] = unit
    const rule = this.#from.ruleOf(first.document.rule.id)
    const found = rule?.channels.find((channel) => channel.name === name)
    if (!rule || !found) return { channel: name, state: 'failed', attempts, error: 'the rule or its channel is gone' }
    const off = found.channel.off(found.options, limits)
    if (off !== undefined) return { channel: name, state: 'off', attempts, error: off }
    const id = first.document.logstack.alert.aggregate?.id ?? first.id
    const alerts: [IdentifiedAlert, ...IdentifiedAlert[]] = [first, ...more.map(({ alert }) => alert)]
    const target = targetOf(name, found.options)
    const silence = this.#silent.refuses(target, this.#from.now())
    if (silence !== undefined) return { ...before, error: `waits, as ${name} did not answer before: ${silence}` }
    const made = attempts + 1
    const pauseAfter = (failures: number): number => Math.min(limits.backoffMsMax, limits.backoffMs * 2 ** failures)
    const fromMs = this.#from.now()
    const ended = (said?: string): void =>
      this.#silent.ended(target, {
        tookMs: this.#from.now() - fromMs,
        said,
        nowMs: this.#from.now(),
        pauseMs: pauseAfter,
      })
    try {
      await found.channel.send(messageOf(id, alerts, rule.text), found.options, { logger, signal, ...limits })
      ended()
    } catch (thrown) {
      const error = errorMessageOf(thrown)
      ended(error)
      const isLast = made >= limits.attemptsMax
      logger.warn({ alert: first.id, channel: name, attempts: made, givenUp: isLast }, `not notified: ${error}`)
      if (isLast) return { channel: name, state: 'failed', attempts: made, error }
      const next = new Date(this.#from.now() + pauseAfter(attempts)).toISOString()
      return { channel: name, state: 'pending', attempts: made, next_attempt: next, error }
    }
    this.#from.journal.record(
      alerts.map((alert) => alert.id),
      name,
    )
    return this.#sent(before)
  }

  #sent({ channel, attempts }: AlertNotification): AlertNotification {
    return { channel, state: 'sent', attempts: attempts + 1, sent_at: new Date(this.#from.now()).toISOString() }
  }
}

function isPending({ state }: AlertNotification): boolean {
  return state === 'pending'
}
