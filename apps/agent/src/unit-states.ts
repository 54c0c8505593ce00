import type { AgentComponent, AgentUnit, UnitReason, UnitStatus } from '@logstack/contracts'

interface UnitState {
  readonly component: string
  readonly type: AgentUnit['type']
  readonly status: UnitStatus
  readonly message: string
  readonly reason?: UnitReason | undefined
}

/** Told of one agent: each file that is followed is a unit, and there may be thousands. agent-server of before takes no more. */
const toldMax = 256
const messageCharactersMax = 1_024

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

  /** Whether anything was reported of a unit. */
  has(unit: string): boolean {
    return this.#states.has(unit)
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

  /** What agent-server is told: all of them, or of many the outputs and those that are not well, and how many there are. */
  components(): AgentComponent[] {
    const byComponent = new Map<string, AgentUnit[]>()
    const totals = new Map<string, number>()
    const byRank = [...this.#states].sort(([, left], [, right]) => rankOf(left) - rankOf(right))
    const told = new Set(byRank.slice(0, toldMax).map(([id]) => id))
    for (const [id, { component, type, status, message, reason }] of this.#states) {
      totals.set(component, (totals.get(component) ?? 0) + 1)
      if (!told.has(id)) continue
      const units = byComponent.get(component) ?? []
      const payload = reason === undefined ? {} : { payload: { reason } }
      units.push({ id: id.slice(0, 512), type, status, message: message.slice(0, messageCharactersMax), ...payload })
      byComponent.set(component, units)
    }
    return [...byComponent].map(([id, units]) => {
      const total = totals.get(id) ?? 0
      const worst = units.find((unit) => unit.status === 'FAILED') ?? units.find((unit) => unit.status === 'DEGRADED')
      return {
        id,
        type: id,
        status: worst?.status ?? 'HEALTHY',
        message: worst?.message ?? 'Healthy',
        units,
        ...(units.length < total ? { units_total: total } : {}),
      }
    })
  }

  #troubled(): [string, UnitState][] {
    return [...this.#states].filter(
      ([, { type, status }]) => status === 'FAILED' || (type === 'output' && status === 'DEGRADED'),
    )
  }
}

/** The lower the sooner it is told. */
function rankOf({ type, status }: UnitState): number {
  if (type === 'output') return 0
  if (status === 'FAILED') return 1
  return status === 'DEGRADED' ? 2 : 3
}
