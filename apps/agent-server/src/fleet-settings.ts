import type { StateIndex } from './state-index.ts'

/** The stack-wide settings of agents, as kept. */
export interface StoredFleetSettings {
  readonly fleet_server_hosts: readonly string[]
  /** `start`: written from `IPVAR` at a start, and follows it; anything else was a person's choice and stays. */
  readonly source: string
  readonly updated_at: string
}

const documentId = 'settings'

/** Where agents find agent-server. */
export class FleetSettings {
  readonly #index: StateIndex<StoredFleetSettings>
  readonly #now: () => number
  #hosts: readonly string[] = []

  constructor(index: StateIndex<StoredFleetSettings>, now: () => number) {
    this.#index = index
    this.#now = now
  }

  get hosts(): readonly string[] {
    return this.#hosts
  }

  /** Reads the hosts; writes `ownUrl` as the only one when none is there, or another that an earlier start wrote. Returns whether it wrote. */
  async load(ownUrl: string | undefined): Promise<boolean> {
    const found = await this.#index.get(documentId)
    this.#hosts = found?.fleet_server_hosts ?? []
    const isOurs = this.#hosts.length === 0 || found?.source === 'start'
    if (ownUrl === undefined || !isOurs || this.#hosts[0] === ownUrl) return false
    const updated_at = new Date(this.#now()).toISOString()
    this.#hosts = [ownUrl]
    await this.#index.put(documentId, { fleet_server_hosts: this.#hosts, source: 'start', updated_at })
    return true
  }
}
