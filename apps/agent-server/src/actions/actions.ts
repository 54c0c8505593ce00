import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { AgentAction, OrderedAction, OrderedActionType } from '@logstack/contracts'
import { AppError, agentsErrors } from '@logstack/errors'
import { limits } from '../limits.ts'
import type { StateIndex } from '../state-index.ts'

const keptMs = 7 * 24 * 3_600_000
const messageCharactersMax = 4_096

/** What an agent says of an action it was given. */
export interface ActionOutcome {
  readonly message: string
  readonly error?: string | undefined
  readonly data?: Readonly<Record<string, unknown>> | undefined
}

/**
 * What administrators told agents to do. An open action is handed out with every check-in until the agent acknowledges it or its time is over; what
 * became of it is kept for a week. Emits `changed` with an agent's id when there is something new for it.
 */
export class Actions extends EventEmitter<{ changed: [string] }> {
  readonly #index: StateIndex<OrderedAction>
  readonly #now: () => number
  readonly #actions = new Map<string, OrderedAction>()
  /** The ids of each agent's actions: every check-in asks for them. */
  readonly #ofAgent = new Map<string, Set<string>>()

  constructor(index: StateIndex<OrderedAction>, now: () => number) {
    super()
    this.#index = index
    this.#now = now
  }

  async load(): Promise<void> {
    for (const { id, document } of await this.#index.list(limits.actionsMax)) this.#enter(id, document)
  }

  /** Keeps a new action for an agent; throws `agent_limit_reached` while too many wait. */
  async order(
    agentId: string,
    wanted: {
      readonly type: OrderedActionType
      readonly data: OrderedAction['data']
      readonly by: string
      readonly lifetimeMs: number
      /** When it may be handed out, in milliseconds since 1970, and the rollout that it is a part of. */
      readonly rollout?: { readonly id: string; readonly fromMs: number }
    },
  ): Promise<{ id: string; action: OrderedAction }> {
    const waiting = this.list(agentId).filter(({ action }) => isOpen(action))
    if (waiting.length >= limits.actionsOpenPerAgentMax) {
      throw new AppError(agentsErrors.agent_limit_reached, `${waiting.length} actions wait for this agent already`)
    }
    if (this.#actions.size >= limits.actionsMax) {
      throw new AppError(
        agentsErrors.agent_limit_reached,
        `${this.#actions.size} actions of the last week are kept, and no more can be ordered until the oldest are over`,
      )
    }
    const now = this.#now()
    const { rollout } = wanted
    const action: OrderedAction = {
      agent_id: agentId,
      type: wanted.type,
      data: wanted.data,
      status: 'pending',
      created_at: new Date(now).toISOString(),
      created_by: wanted.by,
      expires_at: new Date((rollout?.fromMs ?? now) + wanted.lifetimeMs).toISOString(),
      ...(rollout ? { rollout_id: rollout.id, not_before: new Date(rollout.fromMs).toISOString() } : {}),
    }
    const id = randomUUID()
    await this.#keep(id, action)
    this.emit('changed', agentId)
    return { id, action }
  }

  /** The actions of an agent, the newest first. */
  list(agentId: string): { id: string; action: OrderedAction }[] {
    return [...(this.#ofAgent.get(agentId) ?? [])]
      .flatMap((id) => {
        const action = this.#actions.get(id)
        return action ? [{ id, action }] : []
      })
      .sort((left, right) => (left.action.created_at < right.action.created_at ? 1 : -1))
  }

  /** What an agent has yet to do, the oldest first, as a check-in hands it out. */
  pending(agentId: string): AgentAction[] {
    return this.list(agentId)
      .filter(({ action }) => isOpen(action) && !this.#isOver(action) && this.#isDue(action))
      .reverse()
      .map(({ id, action: { type, data, created_at, expires_at } }) => ({
        id,
        agent_id: agentId,
        created_at,
        expiration: expires_at,
        type,
        data,
      }))
  }

  /** Whether an agent was handed another program and has not said yet how it went. */
  isUpgrading(agentId: string): boolean {
    return this.list(agentId).some(({ action }) => action.type === 'UPGRADE' && action.status === 'delivered')
  }

  /** Notes that actions are on their way to the agent. */
  async delivered(ids: readonly string[]): Promise<void> {
    const delivered_at = new Date(this.#now()).toISOString()
    await Promise.all(
      ids.map(async (id) => {
        const action = this.#actions.get(id)
        if (action?.status === 'pending') await this.#keep(id, { ...action, status: 'delivered', delivered_at })
      }),
    )
  }

  /** Notes what became of an action; false when this agent has no such action. Said twice it counts once. */
  async acknowledged(agentId: string, id: string, outcome: ActionOutcome): Promise<boolean> {
    const action = this.#actions.get(id)
    if (action?.agent_id !== agentId) return false
    if (!isOpen(action)) return true
    if (outcome.error !== undefined) await this.#stopRollout(action, outcome.error)
    await this.#keep(id, {
      ...action,
      status: outcome.error === undefined ? 'done' : 'failed',
      completed_at: new Date(this.#now()).toISOString(),
      message: (outcome.error ?? outcome.message).slice(0, messageCharactersMax),
      ...(outcome.data ? { result: outcome.data } : {}),
    })
    return true
  }

  /** Ends what was not acknowledged in time, and forgets what is long over: all of an upgrade of thousands at one time. */
  async sweep(): Promise<void> {
    const silent = 'the agent did not say in time'
    const late = [...this.#actions].filter(([, action]) => isOpen(action) && this.#isOver(action))
    const begun = late.flatMap(([, action]) => (action.status === 'delivered' ? [action] : []))
    const ofRollouts = new Map(begun.map((action) => [action.rollout_id, action]))
    for (const action of ofRollouts.values()) await this.#stopRollout(action, silent)
    await Promise.all(late.map(([id, action]) => this.#expire(id, action, silent)))
    const forgotten = [...this.#actions].filter(([, action]) => !isOpen(action) && this.#isForgotten(action))
    await Promise.all(forgotten.map(([id, action]) => this.#forget(id, action)))
    for (const action of this.#actions.values())
      if (action.not_before !== undefined && action.status === 'pending' && this.#isDue(action))
        this.emit('changed', action.agent_id)
  }

  /** Forgets all actions of an agent that is gone. */
  async forget(agentId: string): Promise<void> {
    await Promise.all(this.list(agentId).map(({ id, action }) => this.#forget(id, action)))
  }

  /** How many actions of a rollout are how far; undefined when there is none of this name. */
  rollout(id: string): Readonly<Record<string, number>> | undefined {
    const counts: Record<string, number> = {}
    for (const action of this.#actions.values())
      if (action.rollout_id === id) counts[action.status] = (counts[action.status] ?? 0) + 1
    return Object.keys(counts).length > 0 ? counts : undefined
  }

  /** One that failed keeps the others of its rollout from beginning. */
  async #stopRollout({ rollout_id: rollout, agent_id: failed }: OrderedAction, reason: string): Promise<void> {
    if (rollout === undefined) return
    const waiting = [...this.#actions].filter(
      ([, action]) => action.rollout_id === rollout && action.status === 'pending' && action.agent_id !== failed,
    )
    const message = `stopped, as agent ${failed} failed: ${reason}`
    await Promise.all(waiting.map(([id, action]) => this.#expire(id, action, message)))
  }

  async #expire(id: string, action: OrderedAction, message: string): Promise<void> {
    const completed_at = new Date(this.#now()).toISOString()
    const text = message.slice(0, messageCharactersMax)
    await this.#keep(id, { ...action, status: 'expired', completed_at, message: text })
  }

  #isDue({ not_before }: OrderedAction): boolean {
    return not_before === undefined || Date.parse(not_before) <= this.#now()
  }

  #isForgotten({ completed_at, expires_at }: OrderedAction): boolean {
    return Date.parse(completed_at ?? expires_at) + keptMs < this.#now()
  }

  #isOver(action: OrderedAction): boolean {
    return Date.parse(action.expires_at) <= this.#now()
  }

  /** On disk first: what is said to be ordered is there after a restart too. */
  async #keep(id: string, action: OrderedAction): Promise<void> {
    await this.#index.put(id, action)
    this.#enter(id, action)
  }

  #enter(id: string, action: OrderedAction): void {
    this.#actions.set(id, action)
    const ids = this.#ofAgent.get(action.agent_id) ?? new Set()
    this.#ofAgent.set(action.agent_id, ids.add(id))
  }

  async #forget(id: string, { agent_id: agentId }: OrderedAction): Promise<void> {
    await this.#index.remove(id)
    this.#actions.delete(id)
    const ids = this.#ofAgent.get(agentId)
    ids?.delete(id)
    if (ids?.size === 0) this.#ofAgent.delete(agentId)
  }
}

function isOpen({ status }: OrderedAction): boolean {
  return status === 'pending' || status === 'delivered'
}
