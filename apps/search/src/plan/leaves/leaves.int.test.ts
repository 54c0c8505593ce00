import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemScope } from '../../security/role-scope.ts'
import { openTestServices, type TestServices } from '../../testing/search-services.ts'
import { planLeaves } from './plan-leaves.ts'

let services: TestServices

beforeAll(async () => {
  services = await openTestServices()
  const properties = {
    '@timestamp': { type: 'date' },
    message: { type: 'text' },
    bytes: { type: 'long' },
    address: { type: 'ip' },
    isNew: { type: 'boolean' },
    place: { type: 'geo_point' },
    parts: { type: 'nested', properties: { name: { type: 'keyword' } } },
  }
  for (const day of ['01', '02', '03']) await services.create(`logs-2026.11.${day}`, { properties })
}, 60_000)
afterAll(() => services.close())

function leavesOf(query: unknown): number {
  const indices = services.catalogue.resolve('logs-*', {
    ignoreUnavailable: false,
    allowNoIndices: false,
    expand: ['open'],
    forbidClosed: true,
  })
  return planLeaves(services, { indices, scope: systemScope, query, nowMs: 0, scored: true }).length
}

const decay = { origin: '2026-11-01', scale: '1d' }
it.each([
  ['words in all fields, of which some take no words', { query_string: { query: 'no number' } }],
  ['the same, said otherwise', { simple_query_string: { query: 'no number' } }],
  [
    'lenient words in fields that are named',
    { multi_match: { query: 'x', fields: ['bytes', 'address'], lenient: true } },
  ],
  ['scores that fall with time', { function_score: { functions: [{ gauss: { '@timestamp': decay } }] } }],
  ['scores by a field that is nowhere', { function_score: { field_value_factor: { field: 'none', missing: 1 } } }],
  ['a point', { geo_distance: { distance: '1km', place: [0, 0] } }],
  ['a point that is nowhere', { geo_distance: { distance: '1km', none: [0, 0], ignore_unmapped: true } }],
  ['objects', { nested: { path: 'parts', query: { term: { 'parts.name': 'x' } } } }],
  ['objects that are nowhere', { nested: { path: 'none', query: { match_all: {} }, ignore_unmapped: true } }],
])('reads daily indices by one statement: %s', (_what, query) => {
  expect(leavesOf(query)).toBe(1)
})

it('keeps indices apart that a query tells apart by their names', () => {
  expect(leavesOf({ term: { _index: 'logs-2026.11.02' } })).toBe(3)
})
