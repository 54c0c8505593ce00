import { AppError, searchErrors } from '@logstack/errors'
import { type ApplicationPrivilege, checkApplicationPrivilege } from '../security/application-privileges.ts'
import { defineRoute, type Route } from './define-route.ts'
import { isObject, objectBody } from './read-request.ts'
import { validationError } from './render-error.ts'
import { nameMatcher } from './show-index.ts'

const refresh = { refresh: ['true', 'false', 'wait_for'] } as const
const path = '/_security/privilege'

/** Members of members, in the order they come. Each is added once: a program may define tens of thousands. */
function byApplication<T>(entries: readonly (readonly [application: string, name: string, shown: T])[]) {
  const members = new Map<string, Map<string, T>>()
  for (const [application, name, shown] of entries) {
    const named = members.get(application) ?? new Map<string, T>()
    members.set(application, named.set(name, shown))
  }
  return Object.fromEntries([...members].map(([application, named]) => [application, Object.fromEntries(named)]))
}

const get = defineRoute({
  name: 'security.get_privileges',
  methods: ['GET'],
  paths: [path, `${path}/{application}`, `${path}/{application}/{name}`],
  privilege: { cluster: 'read_security' },
  parameters: {},
  async handle({ params: { application, name } }, { security }) {
    const ofApplication = nameMatcher(application)
    const names = name?.split(',')
    const found = security.privileges
      .list()
      .filter((each) => ofApplication(each.application) && (names?.includes(each.name) ?? true))
    const json = byApplication(found.map((each) => [each.application, each.name, each] as const))
    return { status: names && found.length === 0 ? 404 : 200, json }
  },
})

const put = defineRoute({
  name: 'security.put_privileges',
  methods: ['PUT', 'POST'],
  paths: [path],
  privilege: { cluster: 'manage_security' },
  parameters: refresh,
  async handle(request, { security }) {
    const given = readPrivileges(objectBody(request.json(), 'privileges'))
    const isNew = await security.privileges.put(given)
    return {
      json: byApplication(
        given.map(({ application, name }, at) => [application, name, { created: isNew[at] === true }] as const),
      ),
    }
  },
})

const remove = defineRoute({
  name: 'security.delete_privileges',
  methods: ['DELETE'],
  paths: [`${path}/{application}/{name}`],
  privilege: { cluster: 'manage_security' },
  parameters: refresh,
  async handle({ params: { application = '', name = '' } }, { security }) {
    const names = name.split(',')
    const found = await security.privileges.remove(application, names)
    const json = byApplication(names.map((each) => [application, each, { found: found.includes(each) }] as const))
    return { status: found.length === 0 ? 404 : 200, json }
  },
})

function unparsed(reason: string): AppError {
  return new AppError(searchErrors.parse_exception, reason)
}

/** The privileges of a body: names under their application. Throws for what cannot be defined. */
function readPrivileges(body: Readonly<Record<string, unknown>>): ApplicationPrivilege[] {
  const read = Object.entries(body).flatMap(([application, named]) => {
    if (!isObject(named)) throw unparsed(`expected the privileges of application [${application}] to be an object`)
    return Object.entries(named).map(([name, definition]) => readPrivilege(application, name, definition))
  })
  if (read.length === 0) throw validationError('At least one application privilege must be provided')
  for (const privilege of read) checkApplicationPrivilege(privilege)
  return read
}

function readPrivilege(application: string, name: string, definition: unknown): ApplicationPrivilege {
  if (!isObject(definition))
    throw unparsed(`expected privilege [${name}] of application [${application}] to be an object`)
  const { actions = [], metadata = {}, application: said = application, name: called = name, ...others } = definition
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw unparsed(`[application_privilege_descriptor] unknown field [${unknown}]`)
  if (said !== application || called !== name)
    throw new AppError(
      searchErrors.illegal_argument_exception,
      `privilege [${String(called)}] of application [${String(said)}] stands under [${application}] and [${name}]`,
    )
  if (!Array.isArray(actions) || !actions.every((action) => typeof action === 'string'))
    throw unparsed(`[application_privilege_descriptor] [actions] must be a list of texts`)
  if (!isObject(metadata)) throw unparsed(`[application_privilege_descriptor] [metadata] must be an object`)
  return { application, name, actions, metadata }
}

/** Privileges that programs define for themselves. */
export const applicationPrivilegeRoutes: readonly Route[] = [get, put, remove]
