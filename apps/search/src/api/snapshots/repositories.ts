import { AppError, searchErrors } from '@logstack/errors'
import { isObject } from '../../json/json-object.ts'
import { activityOf } from '../../snapshots/activity.ts'
import { cleanUp } from '../../snapshots/collect-garbage.ts'
import {
  filesOf,
  findRepositories,
  isReadOnly,
  putRepository,
  repositoriesOf,
  requireRepository,
} from '../../snapshots/repositories.ts'
import { type Anomaly, verifyIntegrity } from '../../snapshots/verify-integrity.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { objectBody } from '../read-request.ts'

const timeouts = { timeout: 'time', master_timeout: 'time', cluster_manager_timeout: 'time' } as const

function flat(given: Readonly<Record<string, unknown>>, prefix = ''): [string, string][] {
  return Object.entries(given).flatMap(([key, value]): [string, string][] =>
    isObject(value) ? flat(value, `${prefix}${key}.`) : value === null ? [] : [[prefix + key, String(value)]],
  )
}

function readRepository(body: Readonly<Record<string, unknown>>): {
  readonly type: string
  readonly settings: Readonly<Record<string, string>>
} {
  const { type, settings = {}, verify: _verify, ...others } = body
  const unknown = Object.keys(others)[0]
  if (unknown !== undefined)
    throw new AppError(searchErrors.illegal_argument_exception, `unknown key [${unknown}] in the body of a repository`)
  if (typeof type !== 'string')
    throw new AppError(
      searchErrors.action_request_validation_exception,
      'Validation Failed: 1: repository type is missing;',
    )
  if (!isObject(settings))
    throw new AppError(
      searchErrors.illegal_argument_exception,
      'Malformed settings section, should include an inner object',
    )
  return { type, settings: Object.fromEntries(flat(settings)) }
}

const getRepositories = defineRoute({
  name: 'snapshot.get_repository',
  methods: ['GET'],
  paths: ['/_snapshot', '/_snapshot/{repository}'],
  privilege: { cluster: 'monitor_snapshot' },
  parameters: { ...timeouts, local: 'boolean' },
  async handle(request, services) {
    return { json: Object.fromEntries(findRepositories(services, request.params['repository'])) }
  },
})

const makeRepository = defineRoute({
  name: 'snapshot.create_repository',
  methods: ['PUT', 'POST'],
  paths: ['/_snapshot/{repository}'],
  privilege: { cluster: 'manage' },
  parameters: { ...timeouts, verify: 'boolean' },
  async handle(request, services) {
    const body = objectBody(request.json(), 'put_repository')
    const name = request.params['repository'] ?? ''
    refuseInUse(services, name)
    await putRepository(services, name, readRepository(body), request.query['verify'] !== false)
    return { json: { acknowledged: true } }
  },
})

function refuseInUse(services: object, name: string): void {
  if (activityOf(services).running(name).length === 0) return
  const why = 'trying to modify or unregister repository that is currently used'
  throw new AppError(searchErrors.repository_conflict_exception, `[${name}] ${why}`)
}

const deleteRepository = defineRoute({
  name: 'snapshot.delete_repository',
  methods: ['DELETE'],
  paths: ['/_snapshot/{repository}'],
  privilege: { cluster: 'manage' },
  parameters: timeouts,
  async handle(request, services) {
    const found = findRepositories(services, request.params['repository'])
    for (const [name] of found) refuseInUse(services, name)
    const kept = repositoriesOf(services)
    // What lies in the folder stays, as in Elasticsearch.
    await services.store.transaction(() => {
      for (const [name] of found) kept.remove(name)
    })
    return { json: { acknowledged: true } }
  },
})

const verifyRepository = defineRoute({
  name: 'snapshot.verify_repository',
  methods: ['POST'],
  paths: ['/_snapshot/{repository}/_verify'],
  privilege: { cluster: 'manage' },
  parameters: timeouts,
  async handle(request, services) {
    const name = request.params['repository'] ?? ''
    const repository = requireRepository(services, name)
    const files = await filesOf(services, name)
    if (isReadOnly(repository)) await files.records()
    else await files.verify()
    return { json: { nodes: { [services.catalogue.clusterUuid]: { name: services.nodeName } } } }
  },
})

const cleanupRepository = defineRoute({
  name: 'snapshot.cleanup_repository',
  methods: ['POST'],
  paths: ['/_snapshot/{repository}/_cleanup'],
  privilege: { cluster: 'manage' },
  parameters: timeouts,
  async handle(request, services) {
    const { files, bytes } = await cleanUp(services, request.params['repository'] ?? '')
    return { json: { results: { deleted_bytes: bytes, deleted_blobs: files } } }
  },
})

function showAnomaly({ snapshot, index, anomaly }: Anomaly, now: number): Record<string, unknown> {
  return {
    timestamp_in_millis: now,
    ...(snapshot === undefined ? {} : { snapshot: { snapshot: snapshot.snapshot, uuid: snapshot.uuid } }),
    ...(index === undefined ? {} : { index: { name: index.name, id: index.uuid } }),
    anomaly,
  }
}

const verifyFiles = defineRoute({
  name: 'snapshot.repository_verify_integrity',
  methods: ['POST'],
  paths: ['/_snapshot/{repository}/_verify_integrity'],
  privilege: { cluster: 'manage' },
  parameters: timeouts,
  async handle(request, services) {
    const found = await verifyIntegrity(services, request.params['repository'] ?? '', request.signal)
    const counted = (count: number) => ({ verified: count, total: count })
    return {
      json: {
        log: found.anomalies.map((anomaly) => showAnomaly(anomaly, services.now())),
        results: {
          status: {
            snapshots: counted(found.snapshots),
            indices: counted(found.indices),
            index_snapshots: counted(found.indexSnapshots),
            blobs: { verified: found.blobs, verified_bytes: found.bytes },
          },
          total_anomalies: found.anomalies.length,
          result: found.anomalies.length === 0 ? 'pass' : 'fail',
        },
      },
    }
  },
})

/** The folders that snapshots go to. */
export const repositoryRoutes: readonly Route[] = [
  getRepositories,
  makeRepository,
  deleteRepository,
  verifyRepository,
  cleanupRepository,
  verifyFiles,
]
