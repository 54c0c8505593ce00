import type { AlertNotification } from '@logstack/contracts'
import { messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import type { ChannelContext, IdentifiedAlert } from '../channels/define-channel.ts'
import type { RuleChannel } from '../rule-files/rule.ts'
import type { AlertStore } from './alert-store.ts'

/** What a delivery needs of the outside; all are asked anew for each attempt. */
export interface DeliverySurroundings {
  readonly now: () => number
  readonly alerts: Pick<AlertStore, 'saveNotifications'>
  readonly logger: Logger
  readonly signal: AbortSignal
  channelOf(ruleId: string, channelName: string): RuleChannel | undefined
  limits(): Pick<ChannelContext, 'webhookUrl' | 'timeoutMs'> & {
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

const alertsAtOnceMax = 8

/**
 * Notifies of alerts, with growing pauses between the attempts of a channel. What was sent is written into the alert before it is
 * forgotten here; so a restart, which takes up the alerts with a pending notification, sends again what was not.
 */
export class Delivery {
  readonly #from: DeliverySurroundings
  readonly #waiting = new Map<string, OnTheWay>()

  constructor(from: DeliverySurroundings) {
    this.#from = from
  }

  /** How many alerts are on their way. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Takes over alerts; one that is on its way already stays as it is. */
  take(alerts: readonly IdentifiedAlert[]): void {
    for (const alert of alerts) {
      const { delivery, notifications } = alert.document.logstack.alert
      if (delivery === 'done' || this.#waiting.has(alert.id)) continue
      this.#waiting.set(alert.id, { alert, notifications, unsaved: false })
    }
  }

  /** Makes every attempt that is due. Never rejects for a channel; rejects when search does not take the outcome, which is then kept. */
  async sendDue(): Promise<void> {
    const entries = [...this.#waiting.values()]
    for (let from = 0; from < entries.length; from += alertsAtOnceMax) {
      if (this.#from.signal.aborted) return
      await Promise.all(entries.slice(from, from + alertsAtOnceMax).map((entry) => this.#carryOn(entry)))
    }
  }

  async #carryOn(entry: OnTheWay): Promise<void> {
    await this.#attempt(entry)
    if (!entry.unsaved) return
    await this.#from.alerts.saveNotifications(entry.alert.id, entry.notifications)
    entry.unsaved = false
    if (!entry.notifications.some(isPending)) this.#waiting.delete(entry.alert.id)
  }

  async #attempt(entry: OnTheWay): Promise<void> {
    const due = (notification: AlertNotification): boolean =>
      isPending(notification) && Date.parse(notification.next_attempt ?? '1970-01-01') <= this.#from.now()
    if (!entry.notifications.some(due)) return
    const after: AlertNotification[] = []
    for (const notification of entry.notifications) {
      after.push(due(notification) ? await this.#notify(entry.alert, notification) : notification)
    }
    entry.notifications = after
    entry.unsaved = true
  }

  async #notify(alert: IdentifiedAlert, { channel: name, attempts }: AlertNotification): Promise<AlertNotification> {
    const { logger, signal } = this.#from
    const limits = this.#from.limits()
    const found = this.#from.channelOf(alert.document.rule.id, name)
    if (!found) return { channel: name, state: 'failed', attempts, error: 'the rule or its channel is gone' }
    const off = found.channel.off(found.options, limits)
    if (off !== undefined) return { channel: name, state: 'off', attempts, error: off }
    const made = attempts + 1
    try {
      await found.channel.send(alert, found.options, { logger, signal, ...limits })
      return { channel: name, state: 'sent', attempts: made, sent_at: new Date(this.#from.now()).toISOString() }
    } catch (thrown) {
      const error = messageOf(thrown)
      const isLast = made >= limits.attemptsMax
      logger.warn({ alert: alert.id, channel: name, attempts: made, givenUp: isLast }, `not notified: ${error}`)
      if (isLast) return { channel: name, state: 'failed', attempts: made, error }
      const pauseMs = Math.min(limits.backoffMsMax, limits.backoffMs * 2 ** attempts)
      const next = new Date(this.#from.now() + pauseMs).toISOString()
      return { channel: name, state: 'pending', attempts: made, next_attempt: next, error }
    }
  }
}

function isPending({ state }: AlertNotification): boolean {
  return state === 'pending'
}
