import type { PartName } from '@logstack/contracts'
import type { CommandResult } from '@logstack/process'

/** What a container's health check says; a container without one has no health. */
export type Health = 'starting' | 'healthy' | 'unhealthy'

/** One part as its runtime sees it now. */
export interface PartStatus {
  readonly part: PartName
  /** The container's name. */
  readonly name: string
  /** `absent`: the runtime does not list it. */
  readonly state: 'running' | 'paused' | 'exited' | 'absent'
  /** podman's words: `Up 3 minutes (healthy)`, `Exited (1) 2 seconds ago`; empty when absent. */
  readonly statusText: string
  readonly health: Health | undefined
  /** Whether the part does its work: healthy, or started where it has no health check. */
  readonly ready: boolean
  readonly pid?: number
  /** When its process was started (epoch ms), where the runtime knows it. */
  readonly startedAtMs?: number
  /** Ends in a row without having been ready. */
  readonly failedStarts?: number
  /** What the part said before it ended, or what its failing health check answers. */
  readonly lastWords?: string
}

export interface LogOptions {
  /** How many of the last lines. */
  readonly lines: number
  /** Whether to go on with new lines until `signal` aborts. */
  readonly follow: boolean
  readonly signal?: AbortSignal
}

/**
 * What the operator can ask of whatever runs the five parts. `start`, `stop` and `restart` return when the runtime has taken the order;
 * order among parts and waiting for readiness is the operator's (`start-order.ts`). Every call has a time limit.
 */
export interface Runtime {
  readonly kind: 'process' | 'podman'
  /** The five, in the order of `parts`. */
  list(): Promise<PartStatus[]>
  /** Looks closer at a part that is waited for, where listing does not tell all: whether it is ready, failed starts, last words. */
  inspect?(status: PartStatus): Promise<PartStatus>
  start(part: PartName): Promise<void>
  stop(part: PartName): Promise<void>
  /** Ends the part and starts it anew; when this returns, what a listing shows is no longer the process from before. */
  restart(part: PartName): Promise<void>
  /** Whether nobody wants the part up: stopped on purpose, or never started. One that is about to be started again is not stopped. */
  isStopped(part: PartName): Promise<boolean>
  /** Lets a part that is ready read its settings and its certificate again, without an interruption. */
  reload(part: PartName): Promise<void>
  /** Tells the system that the stack as a whole is on or off, where the system knows it as one thing; the parts have been started or stopped before. */
  orderWhole?(verb: 'start' | 'stop'): Promise<void>
  /** Makes the system read definitions that were changed, where it keeps its own copy of them. */
  reloadDefinitions?(): Promise<void>
  /** What each running part holds of the memory, in bytes: the resident set of its main process. */
  memoryUsed(): Promise<ReadonlyMap<PartName, number>>
  logs(part: PartName, options: LogOptions): AsyncIterable<string>
  /** Runs a command where the part runs, with its environment. */
  exec(part: PartName, argv: readonly string[], options: { timeoutMs: number; input?: string }): Promise<CommandResult>
}

/** The listing line of a container: `<container_name> Up <duration> [(healthy)]`. */
export function listingLine(status: PartStatus): string {
  return `${status.name} ${status.statusText || 'not listed'}`
}
