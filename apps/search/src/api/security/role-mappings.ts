import { readRoleMapping } from '../../security/role-mappings.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { nameMatcher } from '../resources/show-index.ts'

const refresh = { refresh: ['true', 'false', 'wait_for'] } as const

const get = defineRoute({
  name: 'security.get_role_mapping',
  methods: ['GET'],
  paths: ['/_security/role_mapping', '/_security/role_mapping/{name}'],
  privilege: { cluster: 'read_security' },
  parameters: {},
  async handle({ params }, { security }) {
    const wanted = nameMatcher(params['name'])
    const found = [...security.roleMappings.all()].filter(([name]) => wanted(name))
    const status = found.length === 0 && params['name'] !== undefined ? 404 : 200
    return { status, json: Object.fromEntries(found) }
  },
})

const put = defineRoute({
  name: 'security.put_role_mapping',
  methods: ['PUT', 'POST'],
  paths: ['/_security/role_mapping/{name}'],
  privilege: { cluster: 'manage_security' },
  parameters: refresh,
  async handle(request, { security }) {
    const created = await security.roleMappings.put(request.params['name'] ?? '', readRoleMapping(request.json()))
    return { json: { role_mapping: { created } } }
  },
})

const remove = defineRoute({
  name: 'security.delete_role_mapping',
  methods: ['DELETE'],
  paths: ['/_security/role_mapping/{name}'],
  privilege: { cluster: 'manage_security' },
  parameters: refresh,
  async handle({ params }, { security }) {
    const found = await security.roleMappings.remove(params['name'] ?? '')
    return { status: found ? 200 : 404, json: { found } }
  },
})

/** Roles that users have by rules, beside those they are given. */
export const roleMappingRoutes: readonly Route[] = [get, put, remove]
