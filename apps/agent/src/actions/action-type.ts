import type { AgentPolicy } from '@logstack/contracts'
import type { Logger } from '@logstack/logging'
import type { HostIsolation } from '../isolation/host-isolation.ts'
import type { ServerClient } from '../server-client.ts'

/** What became of an action; `restart` ends the agent's work once it is written down, to begin anew or as another program. */
export interface ActionResult {
  readonly message: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly restart?: 'work' | 'program'
}

/** What actions work with. */
export interface ActionContext {
  readonly logger: Logger
  readonly client: ServerClient
  readonly policy: AgentPolicy | undefined
  /** The file of this program. */
  readonly program: string
  readonly isolation: HostIsolation
  readonly signal: AbortSignal
}

/** A kind of action: its keyword on the wire, and how it is done. What it throws is the answer. */
export interface ActionType {
  readonly type: string
  perform(data: unknown, context: ActionContext): Promise<ActionResult>
}
