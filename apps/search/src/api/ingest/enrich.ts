import { AppError, searchErrors } from '@logstack/errors'
import {
  checkMappings,
  dropLeftVersions,
  executePolicy,
  executingPolicies,
  removePolicy,
  withPolicyLock,
} from '../../enrich/execute.ts'
import { enrichCounts } from '../../enrich/lookup.ts'
import {
  checkPolicyName,
  type EnrichPolicy,
  enrichPolicies,
  parseEnrichPolicy,
  requirePolicy,
} from '../../enrich/policy.ts'
import { resolveOptions } from '../../indices/resolve-options.ts'
import type { PipelineDefinition } from '../../ingest/pipelines.ts'
import { isObject } from '../../json/json-object.ts'
import type { Services } from '../../services.ts'
import { showTask } from '../../tasks/show-task.ts'
import { tasksOf } from '../../tasks/tasks.ts'
import { defineRoute, type Route, type RouteRequest } from '../define-route.ts'
import { findMatching } from '../documents/matching-documents.ts'
import { objectBody } from '../read-request.ts'
import { resolveAuthorized } from '../resources/authorized-indices.ts'
import { changeAsTask } from '../resources/background-task.ts'

const timeouts = { master_timeout: 'time' } as const
const executeAction = 'cluster:admin/xpack/enrich/execute'
/** Documents read at once by an execution. */
const batchSize = 500

/** The indices of a policy, which the caller must be allowed to read. Throws 403 or `index_not_found_exception`. */
function sourcesOf(request: RouteRequest, services: Services, route: string, { indices }: EnrichPolicy) {
  const options = resolveOptions({}, { allowNoIndices: false, forbidClosed: true })
  const asked = { route, privilege: 'read', expression: indices.join(','), options }
  return resolveAuthorized(request, services, asked)
}

const getPolicy = defineRoute({
  name: 'enrich.get_policy',
  methods: ['GET'],
  paths: ['/_enrich/policy', '/_enrich/policy/{name}'],
  privilege: { cluster: 'manage_enrich' },
  parameters: timeouts,
  async handle(request, { store }) {
    const names = request.params['name']?.split(',')
    const found = [...enrichPolicies(store).entries()].filter(([name]) => names?.includes(name) ?? true)
    const policies = found.map(([name, { policy }]) => {
      const { type, ...config } = policy
      return { config: { [type]: { name, ...config } } }
    })
    return { json: { policies } }
  },
})

const putPolicy = defineRoute({
  name: 'enrich.put_policy',
  methods: ['PUT'],
  paths: ['/_enrich/policy/{name}'],
  privilege: { cluster: 'manage_enrich' },
  parameters: timeouts,
  async handle(request, services) {
    const name = request.params['name'] ?? ''
    const policy = parseEnrichPolicy(objectBody(request.json(), 'policy'))
    checkPolicyName(name)
    const indices = sourcesOf(request, services, 'enrich.put_policy', policy)
    checkMappings(
      policy,
      indices.map(({ index }) => index),
    )
    const kept = enrichPolicies(services.store)
    await services.store.transaction(() => {
      if (kept.get(name))
        throw new AppError(searchErrors.resource_already_exists_exception, `policy [${name}] already exists`)
      kept.put(name, { policy })
    })
    return { json: { acknowledged: true } }
  },
})

/** Whether something of a pipeline's definition is an `enrich` processor of a policy. */
function refersTo(part: unknown, policy: string): boolean {
  if (Array.isArray(part)) return part.some((each) => refersTo(each, policy))
  if (!isObject(part)) return false
  const { enrich } = part
  if (isObject(enrich) && enrich['policy_name'] === policy) return true
  return Object.values(part).some((each) => refersTo(each, policy))
}

const deletePolicy = defineRoute({
  name: 'enrich.delete_policy',
  methods: ['DELETE'],
  paths: ['/_enrich/policy/{name}'],
  privilege: { cluster: 'manage_enrich' },
  parameters: timeouts,
  async handle(request, { store, catalogue }) {
    const name = request.params['name'] ?? ''
    requirePolicy(store, name)
    await withPolicyLock(store, name, async () => {
      const pipelines = [...catalogue.collection<PipelineDefinition>('ingest_pipeline').entries()]
      const users = pipelines.filter(([, definition]) => refersTo(definition, name)).map(([id]) => id)
      if (users.length > 0) {
        const reason = `Could not delete policy [${name}] because a pipeline is referencing it [${users.join(', ')}]`
        throw new AppError({ ...searchErrors.status_exception, kind: 'conflict' }, reason)
      }
      await removePolicy(store, name)
    })
    return { json: { acknowledged: true } }
  },
})

const execute = defineRoute({
  name: 'enrich.execute_policy',
  methods: ['PUT', 'POST'],
  paths: ['/_enrich/policy/{name}/_execute'],
  privilege: { cluster: 'manage_enrich' },
  waitsForWork: true,
  parameters: { ...timeouts, wait_for_completion: 'boolean' },
  listsItself: true,
  async handle(request, services) {
    const { store } = services
    const name = request.params['name'] ?? ''
    const { policy } = requirePolicy(store, name)
    const indices = sourcesOf(request, services, 'enrich.execute_policy', policy)
    const described = { action: executeAction, description: name }
    return changeAsTask(services, request, described, ({ signal }) =>
      withPolicyLock(store, name, async () => {
        if (executingPolicies(store).length === 1) await dropLeftVersions(store)
        const shape = checkMappings(
          policy,
          indices.map(({ index }) => index),
        )
        const { query = { match_all: {} } } = policy
        const asked = { indices, scope: request.scope, query, batchSize, signal, withSource: true }
        // A document that is rewritten meanwhile must not be missing.
        const release = services.documents.hold()
        try {
          await executePolicy(services, name, await findMatching(services, asked), shape)
        } finally {
          release()
        }
        return { status: { phase: 'COMPLETE' } }
      }),
    )
  },
})

const stats = defineRoute({
  name: 'enrich.stats',
  methods: ['GET'],
  paths: ['/_enrich/_stats'],
  privilege: { cluster: 'monitor' },
  parameters: timeouts,
  async handle(_request, services) {
    const { catalogue } = services
    const node_id = catalogue.clusterUuid
    const running = tasksOf(services)
      .list()
      .filter(({ action }) => action === executeAction)
    const none = { count: 0, hits: 0, misses: 0, evictions: 0, hits_time_in_millis: 0, misses_time_in_millis: 0 }
    const { lookups } = enrichCounts(catalogue)
    return {
      json: {
        executing_policies: running.map((task) => ({ name: task.description, task: showTask(services, task, true) })),
        coordinator_stats: [
          {
            node_id,
            queue_size: 0,
            remote_requests_current: 0,
            remote_requests_total: lookups,
            executed_searches_total: lookups,
          },
        ],
        // Rows are read where they are: nothing is kept in memory that could be hit or missed.
        cache_stats: [{ node_id, ...none, size_in_bytes: 0 }],
      },
    }
  },
})

/** Enrich policies: tables that pipelines look values up in. */
export const enrichRoutes: readonly Route[] = [getPolicy, putPolicy, deletePolicy, execute, stats]
