import { AppError, searchErrors } from '@logstack/errors'
import { parsePolicy, policiesOf } from '../../lifecycle/ilm/policies.ts'
import { operationMode, setOperationMode } from '../../lifecycle/ilm/state.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { objectBody } from '../read-request.ts'
import { nameMatcher } from '../resources/show-index.ts'

const timeouts = { timeout: 'time', master_timeout: 'time' } as const

function inUse(services: Services, policy: string) {
  const indices = [...services.catalogue.indices()].filter((index) => index.settings['lifecycle.name'] === policy)
  const streams = [...services.catalogue.dataStreams()]
    .filter((stream) => indices.some((index) => index.dataStream === stream.name))
    .map(({ name }) => name)
  return { indices: indices.map(({ name }) => name).sort(), data_streams: streams.sort(), composable_templates: [] }
}

const getPolicy = defineRoute({
  name: 'ilm.get_lifecycle',
  methods: ['GET'],
  paths: ['/_ilm/policy', '/_ilm/policy/{name}'],
  privilege: { cluster: 'read_ilm' },
  parameters: timeouts,
  async handle(request, services) {
    const name = request.params['name']
    const wanted = nameMatcher(name)
    const found = [...policiesOf(services.store).entries()].filter(([key]) => wanted(key))
    if (found.length === 0 && name !== undefined && !name.includes('*')) throw policyMissing(name)
    const json = Object.fromEntries(found.map(([key, stored]) => [key, { ...stored, in_use_by: inUse(services, key) }]))
    return { json }
  },
})

const putPolicy = defineRoute({
  name: 'ilm.put_lifecycle',
  methods: ['PUT'],
  paths: ['/_ilm/policy/{name}'],
  privilege: { cluster: 'manage_ilm' },
  parameters: timeouts,
  async handle(request, services) {
    const { policy: given } = objectBody(request.json(), 'put_lifecycle_request')
    const policy = parsePolicy(given)
    const name = request.params['name'] ?? ''
    const kept = policiesOf(services.store)
    const version = (kept.get(name)?.version ?? 0) + 1
    const modified_date = new Date(services.now()).toISOString()
    await services.store.transaction(() => kept.put(name, { version, modified_date, policy }))
    return { json: { acknowledged: true } }
  },
})

const deletePolicy = defineRoute({
  name: 'ilm.delete_lifecycle',
  methods: ['DELETE'],
  paths: ['/_ilm/policy/{name}'],
  privilege: { cluster: 'manage_ilm' },
  parameters: timeouts,
  async handle(request, services) {
    const name = request.params['name'] ?? ''
    const kept = policiesOf(services.store)
    if (kept.get(name) === undefined) throw policyMissing(name)
    const { indices } = inUse(services, name)
    if (indices.length > 0) {
      throw new AppError(
        searchErrors.illegal_argument_exception,
        `Cannot delete policy [${name}]. It is in use by one or more indices: [${indices.join(', ')}]`,
      )
    }
    await services.store.transaction(() => kept.remove(name))
    return { json: { acknowledged: true } }
  },
})

function policyMissing(name: string): AppError {
  return new AppError(searchErrors.resource_not_found_exception, `Lifecycle policy not found: ${name}`)
}

const status = defineRoute({
  name: 'ilm.get_status',
  methods: ['GET'],
  paths: ['/_ilm/status'],
  privilege: { cluster: 'read_ilm' },
  parameters: timeouts,
  handle: async (_request, { store }) => ({ json: { operation_mode: operationMode(store) } }),
})

/** Lets policies run, or rest. */
function switchTo(mode: 'RUNNING' | 'STOPPED', name: 'start' | 'stop'): Route {
  return defineRoute({
    name: `ilm.${name}`,
    methods: ['POST'],
    paths: [`/_ilm/${name}`],
    privilege: { cluster: 'manage_ilm' },
    parameters: timeouts,
    async handle(_request, { store }) {
      await setOperationMode(mode, store)
      return { json: { acknowledged: true } }
    },
  })
}

/** Lifecycle policies, and whether they run. */
export const ilmPolicyRoutes: readonly Route[] = [
  getPolicy,
  putPolicy,
  deletePolicy,
  status,
  switchTo('RUNNING', 'start'),
  switchTo('STOPPED', 'stop'),
]
