/**
 * The connections of agents that have proved their keys, by the agents' ids. One may have several: a connection that was cut looks open here for a while,
 * and hosts that were cloned send with one key. Were the older one ended for the newer, such hosts would end each other's without end.
 */
export class ConnectedAgents<Connection> {
  readonly #connections = new Map<string, Set<Connection>>()

  add(id: string, connection: Connection): void {
    const all = this.#connections.get(id) ?? new Set<Connection>()
    this.#connections.set(id, all.add(connection))
  }

  /** Whether it was one of the agent's, and the last. */
  remove(id: string, connection: Connection): boolean {
    const all = this.#connections.get(id)
    if (!all?.delete(connection) || all.size > 0) return false
    return this.#connections.delete(id)
  }

  has(id: string): boolean {
    return this.#connections.has(id)
  }

  of(id: string): Connection[] {
    return [...(this.#connections.get(id) ?? [])]
  }

  all(): Connection[] {
    return [...this.#connections.values()].flatMap((each) => [...each])
  }
}
