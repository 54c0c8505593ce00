import { fakeClock } from '@logstack/testkit'
import type { RuleState } from '../alerts/rule-state.ts'
import type { IdentifiedAlert } from '../channels/define-channel.ts'
import type { ShardCheckpoint } from '../events/shards.ts'
import type { Rule } from '../rule-files/rule.ts'
import type { RuleEvent } from '../rule-types/define-rule-type.ts'
import { Silence } from '../silence.ts'
import { EventRun } from './event-run.ts'
import type { RunSurroundings } from './run.ts'

const minute = 60_000

/** A world that outlives a run of a rule, as search does: its events, state and alerts. */
export class World {
  readonly clock = fakeClock()
  /** How far the host's clock was set, milliseconds. */
  set = 0
  readonly events: RuleEvent[] = []
  readonly alerts = new Map<string, IdentifiedAlert>()
  readonly delivered: string[] = []
  /** The events that were shown to the rule, each time. */
  readonly read: string[] = []
  readonly shared = new Silence()
  state: string | undefined
  pageEventsMax = 100
  index = 'logs'
  saves = 0
  /** How long a write of the state takes. */
  saveMs = 0
  failNext: 'save' | 'create' | 'create-after' | undefined

  readonly now = (): number => this.clock.now() + this.set

  add(id: string, key = 'web1', time = this.now()): void {
    this.events.push({ index: 'logs', id, seqNo: this.events.length, time, key, source: { host: { name: key } } })
  }

  get shards(): ShardCheckpoint[] {
    return [{ index: this.index, shard: 0, shards: 1, checkpoint: this.events.length - 1 }]
  }

  surroundings(): RunSurroundings {
    const fail = (point: typeof this.failNext): void => {
      if (this.failNext !== point) return
      this.failNext = undefined
      throw new Error(`failed at ${point}`)
    }
    return {
      now: this.now,
      startedAt: this.now(),
      windowEventsMax: 100,
      firstLookbackMs: 15 * minute,
      catchUpMsMax: 24 * 60 * minute,
      bufferMs: 15 * minute,
      runEveryMs: minute,
      pageEventsMax: this.pageEventsMax,
      webhookUrl: '',
      silencedBy: () => undefined,
      sharedSilence: () => this.shared,
      deliver: (alerts) => this.delivered.push(...alerts.map(({ id }) => id)),
      lookUps: {
        window: async () => [],
        baseline: async () => undefined,
        topCounts: async () => ({}),
        related: async (marks) => marks.map(({ id }) => ({ id })),
      },
      reader: {
        readEvents: async (_rule, { shard, after, notBefore, before = Number.POSITIVE_INFINITY }, pageEventsMax) => {
          const found = this.events.filter(
            ({ seqNo, time }) => seqNo > after && seqNo <= shard.checkpoint && time >= notBefore && time < before,
          )
          const page = found.slice(0, pageEventsMax)
          this.read.push(...page.map(({ id }) => id))
          const last = page.at(-1)
          return { events: page, upTo: last && page.length >= pageEventsMax ? last.seqNo : shard.checkpoint }
        },
        countEvents: async (_rule, ranges) => {
          const isIn = ({ seqNo, time }: RuleEvent): boolean =>
            ranges.some(
              ({ shard, after, notBefore, before = Number.POSITIVE_INFINITY }) =>
                seqNo > after && seqNo <= shard.checkpoint && time >= notBefore && time < before,
            )
          return [{ key: '', count: this.events.filter(isIn).length }]
        },
      },
      states: {
        load: async () => (this.state === undefined ? undefined : (JSON.parse(this.state) as RuleState)),
        save: async (_id, state, now) => {
          fail('save')
          this.state = JSON.stringify({ ...state, savedAt: now })
          this.saves++
          await this.clock.advance(this.saveMs)
        },
      },
      alerts: {
        create: async (alerts) => {
          fail('create')
          const fresh = alerts.filter(({ id }) => !this.alerts.has(id))
          for (const alert of fresh) this.alerts.set(alert.id, alert)
          fail('create-after')
          return fresh
        },
        saveNotifications: async () => undefined,
        pending: async () => [],
      },
    }
  }

  async run(rule: Rule): Promise<void> {
    const run = await EventRun.resume(rule, this.surroundings())
    await run.round(this.shards, this.surroundings())
  }
}
