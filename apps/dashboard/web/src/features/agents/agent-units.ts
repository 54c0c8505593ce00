import type { Hit } from '../../api/search.ts'

/** One input or output of an agent, in the agent's own words. */
export interface ShownUnit {
  readonly id: string
  /** `input` or `output`. */
  readonly type: string
  readonly status: string
  readonly message: string
}

/** What an agent says of its inputs and outputs: those that are not well first. */
export interface UnitsTold {
  readonly units: readonly ShownUnit[]
  /** How many there are; agent-server keeps some hundred of a component's. */
  readonly total: number
}

/** Agents whose words stand in the list at once. */
const troubledMax = 100

/** What search is asked for the units of one agent; the list leaves them out, as thousands of agents may say much. */
export function unitsQuestion(id: string): object {
  return { size: 1, _source: ['components'], query: { ids: { values: [id] } } }
}

/** What search is asked for the units of the listed agents that are not well. */
export function troubledQuestion(hits: readonly Hit[]): object | undefined {
  const values = hits.filter(({ _source }) => isTroubled(_source?.['status'])).map(({ _id }) => _id)
  if (values.length === 0) return undefined
  return { size: troubledMax, _source: ['components'], query: { ids: { values: values.slice(0, troubledMax) } } }
}

function isTroubled(status: unknown): boolean {
  return status === 'unhealthy' || status === 'updating'
}

/** The units in an agent's document; what one agent reports badly is left out. */
export function unitsTold(source: Hit['_source']): UnitsTold {
  const components = objectsIn(source?.['components'])
  const units = components.flatMap((component) => objectsIn(component['units']).map(unitOf))
  const total = components.reduce((sum, component) => {
    const { units_total: all } = component
    return sum + (typeof all === 'number' ? all : objectsIn(component['units']).length)
  }, 0)
  return { units: [...units].sort((left, right) => rankOf(left) - rankOf(right)), total }
}

/** The first unit that is not well. */
export function firstTrouble({ units: [first] }: UnitsTold): ShownUnit | undefined {
  return first && rankOf(first) < ranks.length ? first : undefined
}

const ranks = ['FAILED', 'DEGRADED']

function rankOf({ status }: ShownUnit): number {
  const rank = ranks.indexOf(status)
  return rank < 0 ? ranks.length : rank
}

function unitOf(unit: Readonly<Record<string, unknown>>): ShownUnit {
  const word = (name: string): string => (typeof unit[name] === 'string' ? unit[name] : '')
  return { id: word('id'), type: word('type'), status: word('status'), message: word('message') }
}

function objectsIn(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []
}
