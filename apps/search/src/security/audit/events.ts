/** The events there are, as Elasticsearch calls them. */
export const auditEvents = [
  'authentication_success',
  'authentication_failed',
  'anonymous_access_denied',
  'access_granted',
  'access_denied',
  'run_as_granted',
  'run_as_denied',
  'security_config_change',
] as const

export type AuditEventName = (typeof auditEvents)[number]

/** What is written unless settings say otherwise: one event for every request would cost more than it tells. */
export const auditedByDefault: readonly AuditEventName[] = [
  'authentication_failed',
  'anonymous_access_denied',
  'access_denied',
  'run_as_granted',
  'run_as_denied',
  'security_config_change',
]

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
