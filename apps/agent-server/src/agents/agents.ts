import { EventEmitter } from 'node:events'
import type { AgentComponent, AgentStatus, CheckinRequest, LocalMetadata } from '@logstack/contracts'
import { AppError, agentsErrors } from '@logstack/errors'
import { keyMatches, readApiKey } from '@logstack/passwords/api-key'
import { limits } from '../limits.ts'
import type { StateIndex } from '../state-index.ts'
import type { AgentCertificate } from './agent-certificate.ts'

const unitsKeptMax = 256

/** An agent as it is kept; its access key only as a hash. */
export interface StoredAgent {
  active: boolean
  status: AgentStatus
  policy_id: string
  policy_revision: number
  enrolled_at: string
  unenrolled_at?: string
  last_checkin?: string
  last_checkin_status?: string
  last_checkin_message?: string
  access_key_id: string
  access_key_sha256: string
  certificate_serial?: string
  certificate_not_after?: string
  host_name?: string
  os_name?: string
  agent_version?: string
  tags: readonly string[]
  local_metadata?: LocalMetadata
  components?: readonly AgentComponent[]
}

/** An agent in memory; what it says of its components at each check-in lies beside it. */
type KeptAgent = Omit<StoredAgent, 'components'>

/**
 * The agents and their states. agent-server is the only writer, so it keeps them in memory and writes what changed in intervals; enrolment and
 * unenrolment are written at once. Emits `changed` with an agent's id when there is something to tell it.
 */
export class Agents extends EventEmitter<{ changed: [string] }> {
  readonly #index: StateIndex<StoredAgent>
  readonly #now: () => number
  readonly #agents = new Map<string, KeptAgent>()
  /**
   * Of each agent as JSON: of thousands it would be most of what the garbage collector looks through, and as good as always an agent says the same again.
   */
  readonly #components = new Map<string, string>()
  readonly #unwritten = new Set<string>()
  readonly #waiting = new Map<string, number>()
  /** How many are being stored. */
  #adding = 0

  constructor(index: StateIndex<StoredAgent>, now: () => number) {
    super()
    this.#index = index
    this.#now = now
  }

  async load(size: number): Promise<void> {
    for (const { id, document } of await this.#index.list(size)) {
      const { components, ...agent } = document
      this.#agents.set(id, agent)
      if (components) this.#components.set(id, JSON.stringify(components))
    }
  }

  get count(): number {
    return this.#agents.size
  }

  list(): { id: string; agent: StoredAgent }[] {
    return [...this.#agents].map(([id, agent]) => ({ id, agent: this.#document(id, agent) }))
  }

  /** The agent with all that it said; throws `agent_not_found`. */
  find(id: string): StoredAgent {
    return this.#document(id, this.get(id))
  }

  /** The agent; throws `agent_not_found`. */
  get(id: string): KeptAgent {
    const agent = this.#agents.get(id)
    if (agent) return agent
    throw new AppError(agentsErrors.agent_not_found, `no agent [${id}]`)
  }

  /** The agent `id`, when the header holds its key; throws `agent_unauthenticated`. */
  authenticate(id: string, header: string | undefined): KeptAgent {
    const given = readApiKey(header)
    const agent = this.#agents.get(id)
    if (given && agent && given.id === agent.access_key_id && keyMatches(given.key, agent.access_key_sha256))
      return agent
    throw new AppError(agentsErrors.agent_unauthenticated, `the access key is not that of agent [${id}]`)
  }

  /** Throws `agent_already_enrolled`, or `agents_too_many` when there are as many as agent-server takes. */
  async add(id: string, agent: StoredAgent): Promise<void> {
    if (this.count + this.#adding >= limits.agentsMax) {
      throw new AppError(
        agentsErrors.agents_too_many,
        `${this.count} agents are enrolled, and agent-server takes no more: remove those that are gone (dashboard, Agents)`,
      )
    }
    this.#adding += 1
    try {
      if (!(await this.#index.create(id, agent))) {
        throw new AppError(agentsErrors.agent_already_enrolled, `agent [${id}] is enrolled already`)
      }
      this.#agents.set(id, agent)
    } finally {
      this.#adding -= 1
    }
  }

  /** Takes over what a check-in says. */
  checkedIn(id: string, request: CheckinRequest): void {
    const agent = this.get(id)
    agent.last_checkin = new Date(this.#now()).toISOString()
    agent.last_checkin_status = request.status
    agent.last_checkin_message = request.message
    agent.status = statusOf(request.status)
    this.#tellsOf(id, request.components)
    if (request.policy_revision_idx !== undefined) agent.policy_revision = request.policy_revision_idx
    const { local_metadata: host } = request
    if (host && JSON.stringify(host) !== JSON.stringify(agent.local_metadata)) Object.assign(agent, describeHost(host))
    this.#unwritten.add(id)
  }

  #tellsOf(id: string, components: readonly AgentComponent[] | undefined): void {
    if (!components) return
    const text = JSON.stringify(components.slice(0, unitsKeptMax).map(withFewUnits))
    if (this.#components.get(id) !== text) this.#components.set(id, text)
  }

  #document(id: string, agent: KeptAgent): StoredAgent {
    const components = this.#components.get(id)
    return components === undefined ? agent : { ...agent, components: JSON.parse(components) as AgentComponent[] }
  }

  /** Counts a check-in that is being held: its agent is there, however long ago the request came. Call the result when it ends. */
  hold(id: string): () => void {
    this.#waiting.set(id, (this.#waiting.get(id) ?? 0) + 1)
    return () => {
      const left = (this.#waiting.get(id) ?? 1) - 1
      if (left > 0) this.#waiting.set(id, left)
      else this.#waiting.delete(id)
      const agent = this.#agents.get(id)
      if (agent) agent.last_checkin = new Date(this.#now()).toISOString()
      this.#unwritten.add(id)
    }
  }

  /** The agent is about to run another program; its next check-in says how that went. */
  updating(id: string): void {
    this.get(id).status = 'updating'
    this.#unwritten.add(id)
  }

  policyAcknowledged(id: string, revision: number): void {
    this.get(id).policy_revision = revision
    this.#unwritten.add(id)
  }

  /** Notes that the agent has another client certificate. */
  async certified(id: string, { serial, notAfter }: AgentCertificate): Promise<void> {
    const agent = this.get(id)
    agent.certificate_serial = serial
    agent.certificate_not_after = notAfter
    await this.#index.put(id, this.#document(id, agent))
  }

  /** Gives an agent another policy, which must be there; one that waits hears of it at once. */
  async reassign(id: string, policyId: string): Promise<void> {
    const agent = this.get(id)
    agent.policy_id = policyId
    agent.policy_revision = 0
    await this.#index.put(id, this.#document(id, agent))
    this.emit('changed', id)
  }

  /** Takes an agent off the list; it learns so at its next check-in, and its events are refused from now on. */
  async unenrol(id: string): Promise<void> {
    const agent = this.get(id)
    agent.active = false
    agent.unenrolled_at = new Date(this.#now()).toISOString()
    await this.#index.put(id, this.#document(id, agent))
    this.emit('changed', id)
  }

  /** The agent knows that it is unenrolled: nothing is kept of it. */
  async forget(id: string): Promise<void> {
    this.#agents.delete(id)
    this.#components.delete(id)
    this.#unwritten.delete(id)
    await this.#index.remove(id)
  }

  /** Forgets who was taken off the list longer ago than `keptMs`: hosts that are gone never come to hear of it, and would fill the list. */
  async forgetUnenrolled(keptMs: number): Promise<void> {
    const gone = [...this.#agents].filter(
      ([, { active, unenrolled_at }]) => !active && Date.parse(unenrolled_at ?? '') + keptMs < this.#now(),
    )
    await Promise.all(gone.map(([id]) => this.forget(id)))
  }

  /** Shows as offline who has been silent for `offlineAfterMs`. */
  sweep(offlineAfterMs: number): void {
    for (const [id, agent] of this.#agents) {
      const seen = Date.parse(agent.last_checkin ?? agent.enrolled_at)
      // One that was seen later than now was seen by a clock that was set back since: it has to come again.
      const isFresh = Math.abs(this.#now() - seen) < offlineAfterMs
      if (agent.status === 'offline' || this.#waiting.has(id) || isFresh) continue
      agent.status = 'offline'
      this.#unwritten.add(id)
    }
  }

  /** Writes what changed in one request; what could not be written stays for the next time. */
  async flush(): Promise<void> {
    const ids = [...this.#unwritten]
    this.#unwritten.clear()
    const entries = ids.flatMap((id) => {
      const agent = this.#agents.get(id)
      return agent ? [{ id, document: this.#document(id, agent) }] : []
    })
    try {
      await this.#index.putAll(entries)
    } catch (thrown) {
      for (const { id } of entries) this.#unwritten.add(id)
      throw thrown
    }
  }
}

/** What is kept of one component: the units that are not well first, and how many there are. */
function withFewUnits(component: AgentComponent): AgentComponent {
  const { units } = component
  if (!units || units.length <= unitsKeptMax) return component
  const isWell = ({ status }: { readonly status: string }): boolean => status !== 'FAILED' && status !== 'DEGRADED'
  return {
    ...component,
    units_total: Math.max(component.units_total ?? 0, units.length),
    units: [...units.filter((unit) => !isWell(unit)), ...units.filter(isWell)].slice(0, unitsKeptMax),
  }
}

function statusOf(status: CheckinRequest['status']): AgentStatus {
  return status === 'online' || status === 'starting' ? 'online' : 'unhealthy'
}

/** What an agent runs, as it says: `agent.mjs`, or the name of an executable. */
export function programOf({ local_metadata }: Pick<StoredAgent, 'local_metadata'>): string | undefined {
  return local_metadata?.elastic?.agent?.program
}

/** What the lists show of an agent's host. */
export function describeHost(metadata: LocalMetadata): Partial<StoredAgent> {
  const os = metadata.os?.['full'] ?? metadata.os?.['name']
  const name = metadata.host?.hostname ?? metadata.host?.name
  const version = metadata.elastic?.agent?.version
  return {
    local_metadata: metadata,
    ...(name === undefined ? {} : { host_name: name }),
    ...(typeof os === 'string' ? { os_name: os.slice(0, 256) } : {}),
    ...(version === undefined ? {} : { agent_version: version }),
  }
}
