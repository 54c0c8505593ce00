import { AppError, searchErrors } from '@logstack/errors'
import type { Services } from '../services.ts'
import { defineRoute, type Route } from './define-route.ts'
import { isObject, objectBody } from './read-request.ts'
import { nameMatcher } from './show-index.ts'

const timeouts = { timeout: 'time', master_timeout: 'time' } as const

interface StoredPolicy {
  readonly version: number
  readonly modified_date: string
  readonly policy: unknown
}

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
    const found = [...services.catalogue.collection<StoredPolicy>('ilm_policy').entries()].filter(([key]) =>
      wanted(key),
    )
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
    const { policy } = objectBody(request.json(), 'put_lifecycle_request')
    if (!isObject(policy)) {
      throw new AppError(searchErrors.illegal_argument_exception, 'Required [policy]')
    }
    const name = request.params['name'] ?? ''
    const kept = services.catalogue.collection<StoredPolicy>('ilm_policy')
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
    const kept = services.catalogue.collection<StoredPolicy>('ilm_policy')
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

/** Lifecycle policies. */
export const storedPolicyRoutes: readonly Route[] = [getPolicy, putPolicy, deletePolicy]
