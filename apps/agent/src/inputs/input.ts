import type { PolicyInput, PolicyStream, UnitStatus } from '@logstack/contracts'
import type { Logger } from '@logstack/logging'
import type { Spool } from '../spool/spool.ts'
import type { IsJournalCopy } from './journald/journal-copies.ts'

/** What an input gets from the agent. */
export interface InputContext {
  readonly spool: Spool
  readonly logger: Logger
  /** Ends the input; nothing is appended to the spool afterwards. */
  readonly signal: AbortSignal
  /** Path patterns of this host's own settings, read in addition to the policy's. */
  readonly extraLogPaths: readonly string[]
  /** Whether a file holds once more what another input reads from the journal. */
  readonly isJournalCopy: IsJournalCopy
  /** A folder for what an input must remember and the spool's bookmarks are too small for; it exists. */
  readonly stateFolder: string
  /** Says how one stream is doing; shown with the agent's state. Cheap to call with the same words again. */
  report(streamId: string, status: UnitStatus, message: string): void
}

/** A kind of input: its keyword in policies, and how to run it until `context.signal` ends it. */
export interface InputType {
  readonly type: string
  /** The only system it has something to read on; agents elsewhere leave it out, so that one policy serves all hosts. */
  readonly platform?: NodeJS.Platform
  run(input: PolicyInput, context: InputContext): Promise<void>
}

/** The strings of a stream's key, which a policy may leave out. */
export function stringList(stream: PolicyStream, key: string): string[] {
  const value = stream[key]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** The number of a stream's key, or `otherwise`. */
export function numberOf(stream: PolicyStream, key: string, otherwise: number): number {
  const value = stream[key]
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : otherwise
}
