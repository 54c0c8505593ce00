import type { AuditEventName } from '../../model/audit-events.ts'

/** Members of an event by their names; those that are undefined are left out. */
export type AuditMembers = Readonly<Record<string, unknown>>

/** Where events go. */
export interface AuditTrail {
  includes(name: AuditEventName): boolean
  /** Never waits and never throws. */
  record(name: AuditEventName, members: AuditMembers): void
  /** Resolves when what was recorded is written. */
  close(): Promise<void>
}

/** For services that keep no trail. */
export const noAuditTrail: AuditTrail = {
  includes: () => false,
  record: () => undefined,
  close: async () => undefined,
}
