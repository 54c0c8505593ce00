import {
  type AgentAction,
  type AgentPolicy,
  acksResponseSchema,
  agentApiPaths,
  type CheckinRequest,
  checkinResponseSchema,
  isPolicyChange,
} from '@logstack/contracts'
import { messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import type { Actions, Outcome } from './actions/actions.ts'
import { BackOff } from './back-off.ts'
import type { HostIsolation } from './isolation/host-isolation.ts'
import { pause } from './pause.ts'
import type { ServerClient } from './server-client.ts'
import type { UnitStates } from './unit-states.ts'

const betweenMs = 1_000
const pollMs = 5 * 60_000
const giveUpMs = 10 * 60_000
const ackTimeoutMs = 30_000
const backOffMs = { firstMs: 1_000, longestMs: 30_000 }

/** What checking in works with. */
export interface CheckInOptions {
  readonly agentId: string
  readonly client: ServerClient
  readonly logger: Logger
  readonly states: UnitStates
  /** The policy at work; undefined before the first one. */
  readonly currentPolicy: () => AgentPolicy | undefined
  /** Puts a policy to work; resolves when it is. */
  readonly applyPolicy: (policy: AgentPolicy) => Promise<void>
  readonly actions: Actions
  readonly isolation: HostIsolation
  /** The file of this program. */
  readonly program: string
  /** An action wants the agent's work to end, to begin anew or as another program. */
  readonly restart: (what: 'work' | 'program') => void
  /** A check-in was answered. */
  readonly answered: () => void
  /** The server took this agent off its list. */
  readonly unenrolled: () => void
  readonly metadata: CheckinRequest['local_metadata']
}

/** Keeps a check-in open at agent-server, does what it answers, and acknowledges it. A lost server changes nothing at the inputs. */
export class CheckIn {
  readonly #options: CheckInOptions
  readonly #backOff = new BackOff(backOffMs)
  #ackToken: string | undefined
  #poll: AbortController | undefined

  constructor(options: CheckInOptions) {
    this.#options = options
  }

  /** Ends the held check-in, so that a new state is told at once. */
  tellAgain(): void {
    this.#poll?.abort()
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#poll = new AbortController()
      try {
        await this.#once(AbortSignal.any([signal, this.#poll.signal]), signal)
        this.#backOff.reset()
        await pause(betweenMs, signal)
      } catch (thrown) {
        if (signal.aborted) return
        if (this.#poll.signal.aborted) {
          await pause(betweenMs, signal)
          continue
        }
        const waitMs = this.#backOff.next()
        this.#options.logger.warn({ wait_ms: waitMs }, `check-in failed: ${messageOf(thrown)}`)
        await pause(waitMs, signal)
      }
    }
  }

  /** `held` ends the wait for an answer, `signal` the work that the answer asks for: a new state of an input must not break it off. */
  async #once(held: AbortSignal, signal: AbortSignal): Promise<void> {
    const { agentId, client, states, currentPolicy, metadata } = this.#options
    const policy = currentPolicy()
    const body: CheckinRequest = {
      status: states.status,
      message: states.message.slice(0, 4096),
      local_metadata: metadata,
      components: states.components(),
      poll_timeout: pollMs,
      ...(this.#ackToken === undefined ? {} : { ack_token: this.#ackToken }),
      ...(policy ? { agent_policy_id: policy.id, policy_revision_idx: policy.revision } : {}),
    }
    const path = agentApiPaths.checkin.replace(':id', agentId)
    const answer = await client.request({
      method: 'POST',
      path,
      body,
      timeoutMs: giveUpMs,
      signal: held,
      schema: checkinResponseSchema,
    })
    this.#ackToken = answer.ack_token
    this.#options.answered()
    // Told only afterwards: an action that is done still stands in this answer, and what was heard is forgotten and would be done again.
    for (const action of answer.actions) if (await this.#perform(action, signal)) return
    await this.#tellOutcomes()
  }

  /** True when the agent's work is to end. */
  async #perform(action: AgentAction, signal: AbortSignal): Promise<boolean> {
    const { logger, client, actions, currentPolicy, program, isolation, restart } = this.#options
    logger.info({ action: action.id, type: action.type }, 'action')
    if (isPolicyChange(action)) {
      await this.#options.applyPolicy(action.data.policy)
      await this.#acknowledge({
        id: action.id,
        message: `policy revision ${action.data.policy.revision} is at work`,
      })
      return false
    }
    if (action.type === 'UNENROLL') {
      await this.#acknowledge({ id: action.id, message: 'unenrolled' })
      this.#options.unenrolled()
      return true
    }
    const wish = await actions.perform(action, { logger, client, policy: currentPolicy(), program, isolation, signal })
    if (wish) restart(wish)
    return wish !== undefined
  }

  /** Tells what became of actions, and forgets what was heard. */
  async #tellOutcomes(): Promise<void> {
    const { actions } = this.#options
    for (const outcome of actions.untold) {
      await this.#acknowledge(outcome)
      actions.told(outcome.id)
    }
  }

  async #acknowledge({ id, message, error, data }: Omit<Outcome, 'state'>): Promise<void> {
    const { agentId, client } = this.#options
    const event = {
      type: 'ACTION_RESULT',
      subtype: 'ACKNOWLEDGED',
      agent_id: agentId,
      action_id: id,
      message,
      timestamp: new Date().toISOString(),
      ...(error === undefined ? {} : { error }),
      ...(data === undefined ? {} : { data }),
    }
    const path = agentApiPaths.acks.replace(':id', agentId)
    const body = { events: [event] }
    await client.request({ method: 'POST', path, body, timeoutMs: ackTimeoutMs, schema: acksResponseSchema })
  }
}
