import type { AgentAction } from '@logstack/contracts'
import { messageOf } from '@logstack/errors'
import { z } from 'zod'
import { readJsonFile, writeDurably } from '../durable-file.ts'
import type { ActionContext, ActionResult } from './action-type.ts'
import { actionTypeOf } from './registry.ts'
import { programHash } from './upgrade.ts'

const messageCharactersMax = 4_096

const outcomeSchema = z.object({
  id: z.string(),
  /** An action that began and has no end: the agent was killed meanwhile. */
  state: z.enum(['begun', 'ended', 'on-trial']),
  message: z.string(),
  error: z.string().optional(),
  data: z.record(z.string(), z.unknown()).optional(),
})

/** What agent-server is to hear of an action. */
export type Outcome = z.infer<typeof outcomeSchema>

const fileSchema = z.object({ version: z.literal(1), outcomes: z.array(outcomeSchema) })
const interrupted = 'the agent ended while it was at it'

/** The ordered actions of an agent: each is done once, and its outcome kept on disk until agent-server has heard it. */
export class Actions {
  readonly #file: string
  readonly #program: string
  readonly #outcomes: Map<string, Outcome>

  /** `file` keeps the outcomes; `program` is the file of this program. */
  constructor(file: string, program: string) {
    this.#file = file
    this.#program = program
    const kept = readJsonFile(file, fileSchema)?.outcomes ?? []
    this.#outcomes = new Map(kept.map((outcome) => [outcome.id, this.#after(outcome)]))
  }

  /** What agent-server has not heard yet; to be told after a check-in that was answered, which proves a new program. */
  get untold(): Outcome[] {
    return [...this.#outcomes.values()].filter(({ state }) => state !== 'begun')
  }

  /** Does an action, unless it was done before; answers whether the agent is to begin anew. */
  async perform(action: AgentAction, context: ActionContext): Promise<ActionResult['restart']> {
    if (this.#outcomes.has(action.id)) return undefined
    const type = actionTypeOf(action.type)
    this.#keep({ id: action.id, state: 'begun', message: '' })
    if (!type) {
      const error = `this agent does not know actions of type ${action.type}`
      this.#keep({ id: action.id, state: 'ended', message: 'not done', error })
      return undefined
    }
    try {
      const data: unknown = 'data' in action ? action.data : undefined
      const result = await type.perform(data, context)
      const state = result.restart === 'program' ? 'on-trial' : 'ended'
      const found = result.data ? { data: { ...result.data } } : {}
      this.#keep({ id: action.id, state, message: result.message, ...found })
      return result.restart
    } catch (thrown) {
      const error = messageOf(thrown).slice(0, messageCharactersMax)
      context.logger.warn({ action: action.id, type: action.type }, `an action failed: ${error}`)
      this.#keep({ id: action.id, state: 'ended', message: 'not done', error })
      return undefined
    }
  }

  /** agent-server has heard of it. */
  told(id: string): void {
    if (this.#outcomes.delete(id)) this.#write()
  }

  /** What an outcome of an earlier process means now. */
  #after(outcome: Outcome): Outcome {
    if (outcome.state === 'begun') return { ...outcome, state: 'ended', message: 'not done', error: interrupted }
    if (outcome.state === 'on-trial' && programHash(this.#program) !== outcome.data?.['sha256']) {
      const error = 'the new program did not check in; the one before is back'
      return { id: outcome.id, state: 'ended', message: 'not done', error }
    }
    return outcome
  }

  #keep(outcome: Outcome): void {
    this.#outcomes.set(outcome.id, outcome)
    this.#write()
  }

  #write(): void {
    writeDurably(this.#file, JSON.stringify({ version: 1, outcomes: [...this.#outcomes.values()] }))
  }
}
