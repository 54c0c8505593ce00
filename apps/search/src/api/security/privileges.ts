import { AppError, searchErrors } from '@logstack/errors'
import { isObject } from '../../json/json-object.ts'
import type { Principal } from '../../model/scope.ts'
import { validationError } from '../../refusals/validation-error.ts'
import { needOf } from '../../security/actions.ts'
import type { ApplicationPrivileges } from '../../security/application-privileges.ts'
import { forbidden } from '../../security/denied.ts'
import type { PrivilegeLevel } from '../../security/privilege-actions.ts'
import { actionPattern, isAction, isPrivilege, privilegeNames, unknownPrivilege } from '../../security/privileges.ts'
import { readPrivilegeCheck } from '../../security/read-privilege-check.ts'
import { queryText, type Role, type RoleIndexGrant } from '../../security/role.ts'
import type { Security } from '../../security/security.ts'
import { serviceAccounts } from '../../security/service-accounts.ts'
import { defineRoute, type Route, type RouteRequest } from '../define-route.ts'

type Body = Readonly<Record<string, unknown>>

const hasPrivileges = defineRoute({
  name: 'security.has_privileges',
  methods: ['GET', 'POST'],
  paths: ['/_security/user/_has_privileges', '/_security/user/{user}/_has_privileges'],
  privilege: 'authenticated',
  parameters: {},
  async handle(request, { security }) {
    const { scope, params } = request
    const { username } = scope.principal
    const asked = params['user']
    if (asked !== undefined && asked !== username) {
      const { action, wanted } = needOf('security.has_privileges', 'cluster', 'manage_security')
      if (!scope.hasCluster(wanted)) throw forbidden(scope, action, 'cluster', wanted)
      throw new AppError(
        searchErrors.illegal_argument_exception,
        'users may only check the privileges of their own account',
      )
    }
    return { json: answerPrivileges(request, security.privileges) }
  },
})

const builtinPrivileges = defineRoute({
  name: 'security.get_builtin_privileges',
  methods: ['GET'],
  paths: ['/_security/privilege/_builtin'],
  privilege: { cluster: 'read_security' },
  parameters: {},
  async handle() {
    return {
      json: {
        cluster: privilegeNames('cluster'),
        index: privilegeNames('index'),
        remote_cluster: ['monitor_enrich', 'monitor_stats'],
      },
    }
  },
})

const ownPrivileges = defineRoute({
  name: 'security.get_user_privileges',
  methods: ['GET'],
  paths: ['/_security/user/_privileges'],
  privilege: 'authenticated',
  parameters: {},
  async handle({ scope: { principal } }, { security }) {
    const roles = rolesOf(principal, security)
    const distinct = (lists: readonly (readonly string[])[]) => [...new Set(lists.flat())].sort()
    const remote = roles.flatMap(({ remote_indices: grants = [] }) => grants)
    const clusters = roles.flatMap(({ remote_cluster: grants = [] }) => grants)
    return {
      json: {
        cluster: distinct(roles.map(({ cluster }) => cluster)),
        global: roles.flatMap(({ global }) => (global === undefined ? [] : [withoutEmpty(global)])),
        indices: roles.flatMap(({ indices }) => indices.map(showGrant)),
        applications: roles
          .flatMap(({ applications }) => applications)
          .sort((a, b) => (a.application < b.application ? -1 : 1)),
        run_as: distinct(roles.map(({ run_as }) => run_as)),
        ...(remote.length === 0
          ? {}
          : { remote_indices: remote.map((grant) => ({ ...showGrant(grant), clusters: grant.clusters })) }),
        ...(clusters.length === 0 ? {} : { remote_cluster: clusters }),
      },
    }
  },
})

function withoutEmpty(global: Body): Body {
  return Object.fromEntries(
    Object.entries(global).filter(([, value]) => isObject(value) && Object.keys(value).length > 0),
  )
}

function showGrant({ names, privileges, query, field_security, allow_restricted_indices = false }: RoleIndexGrant) {
  return {
    names: [...names].sort(),
    privileges: [...privileges].sort(),
    ...(field_security === undefined ? {} : { field_security: [field_security] }),
    ...(query === undefined || query === null ? {} : { query: [queryText(query)] }),
    allow_restricted_indices,
  }
}

/** Those that say all that somebody may. Throws for a key with roles of its own: what it may is what both those and its owner's let through, which no list of grants says. */
function rolesOf({ realm, username, roles, apiKey }: Principal, security: Security): readonly Role[] {
  if (realm === 'service') return [serviceAccounts[username] ?? []].flat()
  if (!apiKey) return roles.flatMap((name) => security.role(name) ?? [])
  const key = security.apiKey(apiKey.id)
  if (key && Object.keys(key.roles).length === 0) return Object.values(key.limitedBy)
  const illegal = (reason: string, cause?: unknown) =>
    new AppError(searchErrors.illegal_argument_exception, reason, { cause })
  throw illegal(
    'Cannot retrieve privileges for API keys with assigned role descriptors. Please use the Get API key information API https://ela.st/es-api-get-api-key',
    new AppError(searchErrors.unsupported_operation_exception, 'cannot retrieve cluster permission on limited role'),
  )
}

/** Whether privileges are had, by what they are asked for: names that anyone may choose. */
type Granted = Map<string, Map<string, boolean>>

function grant(granted: Granted, name: string, privilege: string, isHad: boolean): void {
  granted.set(name, (granted.get(name) ?? new Map<string, boolean>()).set(privilege, isHad))
}

const shownGrants = (granted: Granted) =>
  Object.fromEntries([...granted].map(([name, privileges]) => [name, Object.fromEntries(privileges)]))

function answerPrivileges({ scope, ...request }: RouteRequest, defined: Pick<ApplicationPrivileges, 'get'>) {
  const { username } = scope.principal
  const asked = readPrivilegeCheck(username, request.json())
  if (asked.faults.length > 0) throw validationError(...asked.faults)
  const cluster = Object.fromEntries(asked.cluster.map((name) => [name, scope.hasCluster(checked('cluster', name))]))
  const indices: Granted = new Map()
  // A pattern is granted when the pattern itself is covered, as in Elasticsearch.
  for (const { names, privileges } of asked.indices)
    for (const name of names)
      for (const privilege of privileges)
        grant(indices, name, privilege, scope.hasIndex(checked('index', privilege), name))
  const applications = new Map<string, Granted>()
  for (const { application, privileges, resources } of asked.applications) {
    const granted: Granted = applications.get(application) ?? new Map()
    applications.set(application, granted)
    for (const resource of resources)
      for (const privilege of privileges) {
        // One that is defined is had by whoever may do all of it.
        const actions = defined.get(application, privilege)?.actions ?? [privilege]
        const may = (one: string) => scope.hasApplication?.(one, application, resource) ?? false
        grant(granted, resource, privilege, may(privilege) || actions.every(may))
      }
  }
  const answers = [indices, ...applications.values()].flatMap((granted) =>
    [...granted.values()].flatMap((each) => [...each.values()]),
  )
  return {
    username,
    has_all_requested: [...Object.values(cluster), ...answers].every(Boolean),
    cluster,
    index: shownGrants(indices),
    application: Object.fromEntries([...applications].map(([name, granted]) => [name, shownGrants(granted)])),
  }
}

function checked(level: PrivilegeLevel, name: string): string {
  if (isPrivilege(level, name)) return name
  if (isAction(level, name)) return actionPattern(name)
  throw unknownPrivilege(level, name)
}

/** Which privileges there are, and which the caller has. */
export const privilegeRoutes: readonly Route[] = [hasPrivileges, ownPrivileges, builtinPrivileges]
