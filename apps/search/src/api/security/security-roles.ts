import { isDeepStrictEqual } from 'node:util'
import { isAppError } from '@logstack/errors'
import { validationError } from '../../refusals/validation-error.ts'
import { readRole } from '../../security/read-role.ts'
import { type Role, shownRole } from '../../security/role.ts'
import { roleFaults } from '../../security/role-faults.ts'
import type { Security } from '../../security/security.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { renderCause } from '../render-error.ts'
import { queryRecords, type RecordKind } from './query-records.ts'
import { readFields, required, within } from './read-fields.ts'
import { bodyRequired, checkRoleName } from './read-user.ts'

const refresh = { refresh: ['true', 'false', 'wait_for'] } as const
const path = '/_security/role'

const get = defineRoute({
  name: 'security.get_role',
  methods: ['GET'],
  paths: [path, `${path}/{name}`],
  privilege: { cluster: 'read_security' },
  parameters: {},
  async handle(request, { security }) {
    const names = request.params['name']?.split(',')
    const found = [...security.roles()].filter(([name]) => names?.includes(name) ?? true)
    const status = found.length === 0 && names !== undefined ? 404 : 200
    return { status, json: Object.fromEntries(found.map(([name, role]): [string, Role] => [name, shownRole(role)])) }
  },
})

/** Throws for a role that cannot be, and for the name of one. */
function checked(name: string, role: Role): Role {
  checkRoleName(name)
  const faults = roleFaults(role)
  if (faults.length > 0) throw validationError(...faults)
  return role
}

const put = defineRoute({
  name: 'security.put_role',
  methods: ['PUT', 'POST'],
  paths: [`${path}/{name}`],
  privilege: { cluster: 'manage_security' },
  parameters: refresh,
  async handle(request, { security }) {
    const name = request.params['name'] ?? ''
    const body = request.json()
    // Without one a role that is there would lose all it grants.
    if (body === undefined) throw bodyRequired()
    const created = await security.putRole(name, checked(name, readRole({ name }, body)))
    return { json: { role: { created } } }
  },
})

const remove = defineRoute({
  name: 'security.delete_role',
  methods: ['DELETE'],
  paths: [`${path}/{name}`],
  privilege: { cluster: 'manage_security' },
  parameters: refresh,
  async handle(request, { security }) {
    const found = await security.deleteRole(request.params['name'] ?? '')
    return { status: found ? 200 : 404, json: { found } }
  },
})

/** What became of each of several roles, and what was wrong with those that stayed as they were. */
async function eachOf(
  names: readonly string[],
  change: (name: string) => Promise<string>,
): Promise<Record<string, unknown>> {
  const answer: Record<string, string[]> = {}
  const details: Record<string, unknown> = {}
  for (const name of names) {
    try {
      const outcome = await change(name)
      answer[outcome] = [...(answer[outcome] ?? []), name]
    } catch (thrown) {
      // One role's fault is its own.
      if (!isAppError(thrown)) throw thrown
      details[name] = renderCause(thrown)
    }
  }
  const count = Object.keys(details).length
  return count === 0 ? answer : { ...answer, errors: { count, details } }
}

async function putOne(security: Security, name: string, role: Role): Promise<string> {
  const before = security.role(name)
  const wanted = checked(name, role)
  if (before && isDeepStrictEqual(shownRole(before), shownRole(wanted))) return 'noop'
  return (await security.putRole(name, wanted)) ? 'created' : 'updated'
}

const bulkPut = defineRoute({
  name: 'security.bulk_put_role',
  methods: ['POST'],
  paths: [path],
  privilege: { cluster: 'manage_security' },
  parameters: refresh,
  async handle(request, { security }) {
    const what = 'bulk_update_roles_request_payload'
    const { roles } = readFields(what, request.json(), { roles: 'object' })
    if (roles === undefined) throw required('roles')
    const read = within(what, 'roles', () =>
      Object.entries(roles ?? {}).map(
        ([name, role]) => [name, within('roles', name, () => readRole({ name }, role))] as const,
      ),
    )
    if (read.length === 0) throw validationError('roles cannot be empty')
    const byName = new Map(read)
    return {
      json: await eachOf([...byName.keys()], (name) => {
        const role = byName.get(name)
        if (!role) throw new Error('BUG: a role without a body')
        return putOne(security, name, role)
      }),
    }
  },
})

const bulkDelete = defineRoute({
  name: 'security.bulk_delete_role',
  methods: ['DELETE'],
  paths: [path],
  privilege: { cluster: 'manage_security' },
  parameters: refresh,
  async handle(request, { security }) {
    const { names } = readFields('bulk_delete_roles_request', request.json(), { names: 'texts' })
    if (names === undefined) throw required('names')
    const asked = [...new Set([names].flat().map(String))]
    return { json: await eachOf(asked, async (name) => ((await security.deleteRole(name)) ? 'deleted' : 'not_found')) }
  },
})

const [keyword, text] = [{ type: 'keyword' }, { type: 'text' }]
const queriedRoles: RecordKind = {
  request: 'query_role_request',
  what: 'Role',
  properties: {
    name: keyword,
    description: text,
    applications: { properties: { application: keyword, resources: keyword, privileges: keyword } },
  },
  open: 'metadata',
  sorted: ['name'],
}

const query = defineRoute({
  name: 'security.query_role',
  methods: ['GET', 'POST'],
  paths: ['/_security/_query/role'],
  privilege: { cluster: 'read_security' },
  parameters: {},
  async handle(request, { security, now }) {
    // Those that are built in are not kept, so they are not found.
    const own = [...security.roles()].filter(([, role]) => role.metadata['_reserved'] !== true)
    const listed = own.map(([name, role]) => ({
      record: { name, role },
      id: name,
      source: { name, ...shownRole(role) },
    }))
    const { total, found } = queryRecords(queriedRoles, listed, request.json(), now())
    const roles = found.map(({ record: { name, role }, sort }) => ({
      name,
      ...shownRole(role),
      ...(sort === undefined ? {} : { _sort: sort }),
    }))
    return { json: { total, count: roles.length, roles } }
  },
})

/** Roles, one by one and several at once. */
export const securityRoleRoutes: readonly Route[] = [get, put, remove, bulkPut, bulkDelete, query]
