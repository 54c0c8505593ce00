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
