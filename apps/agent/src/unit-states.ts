import type { AgentComponent, AgentUnit, UnitStatus } from '@logstack/contracts'

interface UnitState {
  readonly component: string
  readonly type: AgentUnit['type']
  readonly status: UnitStatus
  readonly message: string
}

/** How every input and output is doing; tells its listener when a status (not only a message) changed. */
export class UnitStates {
  readonly #states = new Map<string, UnitState>()
  readonly #changed: () => void

  constructor(changed: () => void) {
    this.#changed = changed
  }

  report(unit: string, state: UnitState): void {
    const before = this.#states.get(unit)
    this.#states.set(unit, state)
    if (before?.status !== state.status) this.#changed()
  }

  /** Forgets the inputs, when another policy takes over. */
  forgetInputs(): void {
    for (const [unit, state] of this.#states) if (state.type === 'input') this.#states.delete(unit)
  }

  /** The agent as a whole: `degraded` when an input failed or events cannot be sent. A source that this host lacks is no fault of the agent. */
  get status(): 'online' | 'degraded' {
    return this.#troubled().length === 0 ? 'online' : 'degraded'
  }

  get message(): string {
    const troubled = this.#troubled()
    return troubled.length === 0 ? 'Running' : troubled.map(([unit, state]) => `${unit}: ${state.message}`).join('; ')
  }

  components(): AgentComponent[] {
    const byComponent = new Map<string, AgentUnit[]>()
    for (const [id, { component, type, status, message }] of this.#states) {
      const units = byComponent.get(component) ?? []
      units.push({ id, type, status, message: message.slice(0, 4096) })
      byComponent.set(component, units)
    }
    return [...byComponent].map(([id, units]) => {
      const worst = units.find((unit) => unit.status === 'FAILED') ?? units.find((unit) => unit.status === 'DEGRADED')
      return {
        id,
        type: id,
        status: worst?.status ?? 'HEALTHY',
        message: worst?.message ?? 'Healthy',
        units,
      }
    })
  }

  #troubled(): [string, UnitState][] {
    return [...this.#states].filter(
      ([, { type, status }]) => status === 'FAILED' || (type === 'output' && status === 'DEGRADED'),
    )
  }
}
