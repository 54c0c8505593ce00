import { afterAll, beforeAll, expect, it } from 'vitest'
import { reservedRoles, serviceRole } from '../../security/reserved-roles.ts'
import type { Role } from '../../security/role.ts'
import { scopeOfRoles } from '../../security/role-scope.ts'
import type { Services } from '../../services.ts'
import { openTestServices, type TestServices } from '../../testing/search-services.ts'
import type { RouteRequest } from '../define-route.ts'
import { fieldCapsRoute } from './field-caps.ts'

let services: TestServices
const days = Array.from({ length: 20 }, (_, day) => `logs-2026.11.${day + 1}`)
beforeAll(async () => {
  services = await openTestServices()
  const host = { properties: { name: { type: 'keyword' }, cpu: { type: 'long' } } }
  for (const day of days) await services.create(day, { properties: { host, level: { type: 'keyword' } } })
  await services.create('logs-2026.10.1', { properties: { host, level: { type: 'long' } } })
}, 60_000)
afterAll(() => services.close())

/** The fields that a role sees, and how often the fields of an index were looked through. */
async function capabilities(role: Role) {
  let reads = 0
  const { catalogue } = services
  const counted = {
    ...services,
    catalogue: Object.assign(Object.create(catalogue), {
      fields: (...given: Parameters<typeof catalogue.fields>) => {
        reads += 1
        return catalogue.fields(...given)
      },
    }),
  }
  const scope = scopeOfRoles({ username: 'ann', roles: [], realm: 'native' }, [role])
  const request = {
    params: { index: 'logs-*' },
    query: { fields: ['*'], filters: ['-metadata'] },
    json: () => undefined,
    scope,
  }
  const { json } = await fieldCapsRoute.handle(request as unknown as RouteRequest, counted as unknown as Services)
  return { fields: (json as { fields: Record<string, object> }).fields, reads }
}

const sorted = [...days].sort()
const no = { metadata_field: false, searchable: false, aggregatable: false }
const yes = { metadata_field: false, searchable: true, aggregatable: true }

it('looks the indices of one mapping through once', async () => {
  const { fields, reads } = await capabilities(reservedRoles['superuser'] as Role)
  expect(reads).toBe(2)
  expect(fields).toEqual({
    host: { object: { type: 'object', ...no } },
    'host.cpu': { long: { type: 'long', ...yes } },
    'host.name': { keyword: { type: 'keyword', ...yes } },
    level: {
      long: { type: 'long', ...yes, indices: ['logs-2026.10.1'] },
      keyword: { type: 'keyword', ...yes, indices: sorted },
    },
  })
})

it('shows of each index the fields that a role names for it', async () => {
  const grant = (names: string[], granted: string[]) => ({
    names,
    privileges: ['read'],
    field_security: { grant: granted },
  })
  const { fields } = await capabilities(
    serviceRole([], [grant(['logs-2026.10.1', days[0] ?? ''], ['level']), grant([days[1] ?? ''], ['host.*'])]),
  )
  expect(Object.keys(fields)).toEqual(['host', 'host.cpu', 'host.name', 'level'])
  expect(fields['level']).toMatchObject({ long: { indices: ['logs-2026.10.1'] }, keyword: { indices: [days[0]] } })
})
