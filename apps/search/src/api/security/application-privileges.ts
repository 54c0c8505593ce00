import { AppError, searchErrors } from '@logstack/errors'
import { isObject } from '../../json/json-object.ts'
import { jsonToken } from '../../json/json-token.ts'
import { validationError } from '../../refusals/validation-error.ts'
import { type ApplicationPrivilege, applicationPrivilegeFaults } from '../../security/application-privileges.ts'
import { parseFault } from '../../security/body-fields.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { nameMatcher } from '../resources/show-index.ts'
import { readFields } from './read-fields.ts'

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
    const given = readPrivileges(request.json())
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

function objectOf(application: string, value: unknown): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value
  throw parseFault(`expected the value for ${application} to be an object, but found ${jsonToken(value)} instead`)
}

/** The privileges of a body: names under their application. Throws for what cannot be defined. */
function readPrivileges(body: unknown): ApplicationPrivilege[] {
  if (body === undefined) throw parseFault('request body is required')
  if (!isObject(body)) throw parseFault(`expected object but found ${jsonToken(body)} instead`)
  const read = Object.entries(body).flatMap(([application, named]) =>
    Object.entries(objectOf(application, named)).map(([name, definition]) =>
      readPrivilege(application, name, objectOf(application, definition)),
    ),
  )
  if (read.length === 0) throw validationError('At least one application privilege must be provided')
  const faults = read.flatMap(applicationPrivilegeFaults)
  if (faults.length > 0) throw validationError(...faults)
  return read
}

const privilegeFields = { actions: 'texts', metadata: 'object', application: 'text', name: 'text' } as const

function readPrivilege(application: string, name: string, definition: unknown): ApplicationPrivilege {
  const body = readFields('application-privilege', definition, privilegeFields)
  const { actions = [], metadata = {}, application: said = application, name: called = name } = body
  const other = said === application ? ['name', called, name] : ['application', said, application]
  if (said !== application || called !== name)
    throw new AppError(
      searchErrors.illegal_argument_exception,
      `privilege ${String(other[0])} [${String(other[1])}] in source does not match the provided ${String(other[0])} [${String(other[2])}]`,
    )
  return { application, name, actions: [actions].flat().map(String), metadata: isObject(metadata) ? metadata : {} }
}

/** Privileges that programs define for themselves. */
export const applicationPrivilegeRoutes: readonly Route[] = [get, put, remove]
