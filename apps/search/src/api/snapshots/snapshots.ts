import { AppError, searchErrors } from '@logstack/errors'
import { cloneSnapshot } from '../../snapshots/clone-snapshot.ts'
import { deleteSnapshots } from '../../snapshots/collect-garbage.ts'
import { beginSnapshot } from '../../snapshots/create-snapshot.ts'
import { beginRestore } from '../../snapshots/restore-snapshot.ts'
import { namesOf, snapshotBodyKeys } from '../../snapshots/snapshot-members.ts'
import { snapshotRequest } from '../../snapshots/snapshot-request.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { findSnapshots, pageOf, sortNames } from './find-snapshots.ts'
import { knownBody } from './known-body.ts'
import { readRestore } from './restore-body.ts'
import { showSnapshot, showStatus } from './show-snapshot.ts'

const timeouts = { timeout: 'time', master_timeout: 'time', cluster_manager_timeout: 'time' } as const

function illegal(reason: string): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason)
}

const createSnapshot = defineRoute({
  name: 'snapshot.create',
  methods: ['PUT', 'POST'],
  paths: ['/_snapshot/{repository}/{snapshot}'],
  privilege: { cluster: 'create_snapshot' },
  waitsForWork: true,
  parameters: { ...timeouts, wait_for_completion: 'boolean' },
  async handle(request, services) {
    const body = knownBody(request, 'create_snapshot', snapshotBodyKeys)
    const repository = request.params['repository'] ?? ''
    const asked = snapshotRequest(services, repository, request.params['snapshot'] ?? '', body)
    const { complete, running } = await beginSnapshot(services, asked)
    if (request.query['wait_for_completion'] === true)
      return { json: { snapshot: showSnapshot({ repository, record: await complete }) } }
    // What goes wrong is logged, and shown by the list of snapshots.
    void running.ended
    complete.catch(() => undefined)
    return { json: { accepted: true } }
  },
})

const getSnapshots = defineRoute({
  name: 'snapshot.get',
  methods: ['GET'],
  paths: ['/_snapshot/{repository}/{snapshot}'],
  privilege: { cluster: 'monitor_snapshot' },
  parameters: {
    ...timeouts,
    ignore_unavailable: 'boolean',
    verbose: 'boolean',
    index_names: 'boolean',
    include_repository: 'boolean',
    sort: sortNames,
    order: ['asc', 'desc'],
    size: 'integer',
    offset: 'integer',
  },
  async handle({ params, query }, services) {
    const verbose = query['verbose'] !== false
    const ordered = ['sort', 'order', 'size', 'offset'].find((name) => query[name] !== undefined)
    if (!verbose && ordered !== undefined) throw illegal(`can't use [${ordered}] with verbose=false`)
    const { repository, snapshot = '_all' } = params
    const found = await findSnapshots(services, repository, snapshot, query['ignore_unavailable'] === true)
    const { page, remaining } = pageOf(found, query)
    const snapshots = page.map((listed) => {
      const { repository: name, ...shown } = showSnapshot(listed, verbose, query['index_names'] !== false)
      return query['include_repository'] === false ? shown : { ...shown, repository: name }
    })
    return { json: { snapshots, total: found.length, remaining } }
  },
})

const status = defineRoute({
  name: 'snapshot.status',
  methods: ['GET'],
  paths: ['/_snapshot/_status', '/_snapshot/{repository}/_status', '/_snapshot/{repository}/{snapshot}/_status'],
  privilege: { cluster: 'monitor_snapshot' },
  parameters: { ...timeouts, ignore_unavailable: 'boolean' },
  async handle({ params, query }, services) {
    const { repository, snapshot = '_current' } = params
    const found = await findSnapshots(services, repository, snapshot, query['ignore_unavailable'] === true)
    return { json: { snapshots: found.map((listed) => showStatus(listed, services.now())) } }
  },
})

const deleteSnapshot = defineRoute({
  name: 'snapshot.delete',
  methods: ['DELETE'],
  paths: ['/_snapshot/{repository}/{snapshot}'],
  privilege: { cluster: 'manage' },
  waitsForWork: true,
  parameters: { ...timeouts, wait_for_completion: 'boolean' },
  async handle({ params }, services) {
    await deleteSnapshots(services, params['repository'] ?? '', (params['snapshot'] ?? '').split(','))
    return { json: { acknowledged: true } }
  },
})

const clone = defineRoute({
  name: 'snapshot.clone',
  methods: ['PUT'],
  paths: ['/_snapshot/{repository}/{snapshot}/_clone/{target_snapshot}'],
  privilege: { cluster: 'manage' },
  waitsForWork: true,
  parameters: timeouts,
  async handle(request, services) {
    const { repository = '', snapshot = '', target_snapshot: target = '' } = request.params
    const indices = namesOf(knownBody(request, 'clone_snapshot', ['indices'])['indices'], 'indices')
    if (indices === undefined || indices.length === 0)
      throw new AppError(
        searchErrors.action_request_validation_exception,
        'Validation Failed: 1: indices patterns are empty;',
      )
    await cloneSnapshot(services, repository, snapshot, target, indices)
    return { json: { acknowledged: true } }
  },
})

const restore = defineRoute({
  name: 'snapshot.restore',
  methods: ['POST'],
  paths: ['/_snapshot/{repository}/{snapshot}/_restore'],
  privilege: { cluster: 'manage' },
  waitsForWork: true,
  parameters: { ...timeouts, wait_for_completion: 'boolean' },
  async handle(request, services) {
    const { complete } = await beginRestore(services, readRestore(request))
    if (request.query['wait_for_completion'] !== true) {
      // What goes wrong is logged: nothing of the restore is seen then.
      complete.catch(() => undefined)
      return { json: { accepted: true } }
    }
    const { snapshot, indices, shards: total } = await complete
    return { json: { snapshot: { snapshot, indices, shards: { total, failed: 0, successful: total } } } }
  },
})

/** Snapshots: made, listed, restored and deleted. */
export const snapshotRoutes: readonly Route[] = [status, getSnapshots, createSnapshot, deleteSnapshot, clone, restore]
