/** A user that is there before anybody made it; it can log in once it has a password. */
export interface BuiltinUser {
  readonly roles: readonly string[]
  readonly metadata: Readonly<Record<string, unknown>>
}

const builtin = (roles: readonly string[], more: Readonly<Record<string, unknown>> = {}): BuiltinUser => ({
  roles,
  metadata: { _reserved: true, ...more },
})

/** Elasticsearch's users for the programs of its stack, by name; the administrator is made at the first start. */
export const builtinUsers: Readonly<Record<string, BuiltinUser>> = {
  apm_system: builtin(['apm_system']),
  beats_system: builtin(['beats_system']),
  kibana: builtin(['kibana_system'], {
    _deprecated: true,
    _deprecated_reason: 'Please use the [kibana_system] user instead.',
  }),
  kibana_system: builtin(['kibana_system']),
  logstash_system: builtin(['logstash_system']),
  remote_monitoring_user: builtin(['remote_monitoring_collector', 'remote_monitoring_agent']),
}

/** The built-in user of that name; undefined when there is none. */
export function builtinUser(username: string): BuiltinUser | undefined {
  return Object.hasOwn(builtinUsers, username) ? builtinUsers[username] : undefined
}
