import { AppError, searchErrors } from '@logstack/errors'
import { needOf } from '../security/actions.ts'
import type { ApplicationPrivileges } from '../security/application-privileges.ts'
import { forbidden } from '../security/denied.ts'
import type { PrivilegeLevel } from '../security/privilege-actions.ts'
import { actionPattern, isAction, isPrivilege, privilegeNames, unknownPrivilege } from '../security/privileges.ts'
import { defineRoute, type Route, type RouteRequest } from './define-route.ts'
import { isObject, objectBody } from './read-request.ts'
import { validationError } from './render-error.ts'

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
  async handle({ scope }, { security }) {
    const { realm, roles: names } = scope.principal
    if (realm === 'api_key' || realm === 'service')
      throw new AppError(
        searchErrors.unsupported_operation_exception,
        'Cannot retrieve privileges for API keys with assigned role descriptors and services: ask for them with [_has_privileges]',
      )
    const roles = names.flatMap((name) => security.role(name) ?? [])
    const distinct = (lists: readonly (readonly string[])[]) => [...new Set(lists.flat())].sort()
    const indices = roles.flatMap((role) => role.indices)
    return {
      json: {
        cluster: distinct(roles.map(({ cluster }) => cluster)),
        global: [],
        indices: indices.map(({ names: own, privileges, query, field_security, allow_restricted_indices = false }) => ({
          names: own,
          privileges,
          ...(query === undefined ? {} : { query: [typeof query === 'string' ? query : JSON.stringify(query)] }),
          ...(field_security === undefined ? {} : { field_security: [field_security] }),
          allow_restricted_indices,
        })),
        applications: roles.flatMap(({ applications }) => applications),
        run_as: distinct(roles.map(({ run_as }) => run_as)),
      },
    }
  },
})

function strings(given: unknown, name: string): string[] {
  const list = Array.isArray(given) ? given : given === undefined ? [] : [given]
  if (list.length === 0 || !list.every((one) => typeof one === 'string'))
    throw new AppError(
      searchErrors.parse_exception,
      `failed to parse privilege check: [${name}] must be a list of names`,
    )
  return list
}

function checks(body: Body, name: string, known: readonly string[]): Body[] {
  const given = body[name] ?? []
  if (!Array.isArray(given) || !given.every(isObject))
    throw new AppError(
      searchErrors.parse_exception,
      `failed to parse privilege check: [${name}] must be a list of objects`,
    )
  for (const check of given) refuseUnknown(check, known)
  return given
}

function refuseUnknown(body: Body, known: readonly string[]): void {
  const unknown = Object.keys(body).find((key) => !known.includes(key))
  if (unknown !== undefined)
    throw new AppError(searchErrors.parse_exception, `failed to parse privilege check: unexpected field [${unknown}]`)
}

type Granted = Record<string, Record<string, boolean>>

function answerPrivileges({ scope, ...request }: RouteRequest, defined: Pick<ApplicationPrivileges, 'get'>) {
  const body = objectBody(request.json(), 'has privileges')
  refuseUnknown(body, ['cluster', 'index', 'application'])
  const ofIndices = checks(body, 'index', ['names', 'privileges', 'allow_restricted_indices'])
  const ofApplications = checks(body, 'application', ['application', 'privileges', 'resources'])
  if (body['cluster'] === undefined && ofIndices.length + ofApplications.length === 0)
    throw validationError('must specify at least one privilege')
  const named = body['cluster'] === undefined ? [] : strings(body['cluster'], 'cluster')
  const cluster = Object.fromEntries(named.map((name) => [name, scope.hasCluster(checked('cluster', name))]))
  const index: Granted = {}
  // A pattern is granted when the pattern itself is covered, as in Elasticsearch.
  for (const check of ofIndices)
    for (const name of strings(check['names'], 'names'))
      for (const privilege of strings(check['privileges'], 'privileges')) {
        index[name] ??= {}
        index[name][privilege] = scope.hasIndex(checked('index', privilege), name)
      }
  const application: Record<string, Granted> = {}
  for (const check of ofApplications) {
    const name = String(check['application'])
    const granted: Granted = application[name] ?? {}
    application[name] = granted
    for (const resource of strings(check['resources'], 'resources'))
      for (const privilege of strings(check['privileges'], 'privileges')) {
        granted[resource] ??= {}
        // One that is defined is had by whoever may do all of it.
        const actions = defined.get(name, privilege)?.actions ?? [privilege]
        const may = (one: string) => scope.hasApplication?.(one, name, resource) ?? false
        granted[resource][privilege] = may(privilege) || actions.every(may)
      }
  }
  const answers = [index, ...Object.values(application)].flatMap((granted) =>
    Object.values(granted).flatMap((each) => Object.values(each)),
  )
  const has_all_requested = [...Object.values(cluster), ...answers].every(Boolean)
  return { username: scope.principal.username, has_all_requested, cluster, index, application }
}

function checked(level: PrivilegeLevel, name: string): string {
  if (isPrivilege(level, name)) return name
  if (isAction(name)) return actionPattern(name)
  throw unknownPrivilege(level, name)
}

/** Which privileges there are, and which the caller has. */
export const privilegeRoutes: readonly Route[] = [hasPrivileges, ownPrivileges, builtinPrivileges]
