import type { Services } from '../../services.ts'

/** How good a state is, from the best. */
export type Status = 'green' | 'yellow' | 'red'

/** What is not as it should be: what it does to users, and what mends it. */
interface Trouble {
  readonly id: string
  /** What its diagnosis is called, where that is another word. */
  readonly diagnosis?: string
  readonly impact: string
  readonly areas: readonly ('search' | 'ingest' | 'backup' | 'deployment_management')[]
  /** From 1, the worst. */
  readonly severity: number
  readonly cause: string
  readonly action: string
  readonly affected: Readonly<Record<string, readonly string[]>>
}

/** What one indicator finds. */
export interface Finding {
  readonly status: Status
  readonly symptom: string
  readonly details: Readonly<Record<string, unknown>>
  readonly trouble?: Trouble
}

/** Looks at one part of the cluster. */
export type Indicator = (services: Services) => Finding | Promise<Finding>
