import { AppError, searchErrors } from '@logstack/errors'
import { broadcastShards, shardsOf } from '../../indices/shards.ts'
import { isObject } from '../../json/json-object.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import type { Services } from '../../services.ts'
import { activityOf, type Restored } from '../../snapshots/activity.ts'
import { defineRoute, type Route, type RouteRequest } from '../define-route.ts'
import { indicesOptionParameters } from '../resources/authorized-indices.ts'
import { diskSpace } from '../resources/disk-space.ts'
import { describeNode } from '../resources/node.ts'
import { apiVersion } from '../resources/root.ts'
import { byIndex } from '../resources/show-index.ts'
import { indicesOf } from './index-admin.ts'

const everyState = { expand: ['open', 'closed', 'hidden'] } as const

/** One entry a shard, under its number. */
function byShard<T>(index: IndexMeta, show: (shard: number) => T): Record<string, T> {
  return Object.fromEntries(
    Array.from({ length: shardsOf(index).primaries }, (_, shard) => [String(shard), show(shard)]),
  )
}

const done = { recovered: 0, total: 0 }

/** How the shards of an index came to be: they were made here, at once, and hold what lies on disk. */
function recoveriesOf(index: IndexMeta, services: Services, bytes: number): Record<string, unknown> {
  const { name, host, transport_address, ip } = describeNode(services)
  const made = Math.max(index.createdAtMs, services.startedAtMs)
  const existing = index.createdAtMs < services.startedAtMs || index.state === 'close'
  const size = (shard: number): number => (shard === 0 ? bytes : 0)
  const restored = activityOf(services).restored.get(index.id)
  if (restored !== undefined) return { shards: restoredShards(index, services, restored) }
  const shards = Array.from({ length: shardsOf(index).primaries }, (_, shard) => ({
    id: shard,
    type: existing ? 'EXISTING_STORE' : 'EMPTY_STORE',
    stage: 'DONE',
    primary: true,
    start_time_in_millis: made,
    stop_time_in_millis: made,
    total_time_in_millis: 0,
    source: existing ? { bootstrap_new_history_uuid: false } : {},
    target: { id: services.catalogue.clusterUuid, host, transport_address, ip, name },
    index: {
      size: {
        total_in_bytes: size(shard),
        reused_in_bytes: size(shard),
        recovered_in_bytes: 0,
        recovered_from_snapshot_in_bytes: 0,
        percent: '100.0%',
      },
      files: { total: 0, reused: 0, recovered: 0, percent: '100.0%' },
      total_time_in_millis: 0,
      source_throttle_time_in_millis: 0,
      target_throttle_time_in_millis: 0,
    },
    translog: { ...done, percent: '100.0%', total_on_start: 0, total_time_in_millis: 0 },
    verify_index: { check_index_time_in_millis: 0, total_time_in_millis: 0 },
  }))
  return { shards }
}

/** How the shards of an index came back from a snapshot; all of it is told of the first. */
function restoredShards(index: IndexMeta, services: Services, from: Restored): Record<string, unknown>[] {
  const { name, host, transport_address, ip } = describeNode(services)
  const { repository, snapshot, snapshotUuid, startMs, stopMs } = from
  const source = { repository, snapshot, snapshotUUID: snapshotUuid, version: apiVersion.number, index: from.index }
  const time = Math.max(0, stopMs - startMs)
  return Array.from({ length: shardsOf(index).primaries }, (_, shard) => {
    const files = shard === 0 ? from.files : 0
    const bytes = shard === 0 ? from.bytes : 0
    return {
      id: shard,
      type: 'SNAPSHOT',
      stage: 'DONE',
      primary: true,
      start_time_in_millis: startMs,
      stop_time_in_millis: stopMs,
      total_time_in_millis: time,
      source,
      target: { id: services.catalogue.clusterUuid, host, transport_address, ip, name },
      index: {
        size: {
          total_in_bytes: bytes,
          reused_in_bytes: 0,
          recovered_in_bytes: bytes,
          recovered_from_snapshot_in_bytes: bytes,
          percent: '100.0%',
        },
        files: { total: files, reused: 0, recovered: files, percent: '100.0%' },
        total_time_in_millis: time,
        source_throttle_time_in_millis: 0,
        target_throttle_time_in_millis: 0,
      },
      translog: { ...done, percent: '100.0%', total_on_start: 0, total_time_in_millis: 0 },
      verify_index: { check_index_time_in_millis: 0, total_time_in_millis: 0 },
    }
  })
}

const recovery = defineRoute({
  name: 'indices.recovery',
  methods: ['GET'],
  paths: ['/_recovery', '/{index}/_recovery'],
  privilege: { index: 'monitor' },
  parameters: { ...indicesOptionParameters, detailed: 'boolean', active_only: 'boolean' },
  async handle(request, services) {
    const found = indicesOf(request, services, 'indices.recovery', 'monitor', everyState)
    // None is ever under way: shards are there when their index is.
    if (request.query['active_only'] === true) return { json: {} }
    const rows = await Promise.all(
      found.map(async (index) => {
        const { bytes } = await services.documents.stats(index)
        return [index.name, recoveriesOf(index, services, bytes)] as const
      }),
    )
    return { json: Object.fromEntries(rows) }
  },
})

/** The parts of the engine that hold an index, as one segment: they are shared with its family. */
async function segmentOf(services: Services, index: IndexMeta): Promise<Record<string, unknown> | undefined> {
  const { documents, deleted, bytes } = await services.documents.stats(index)
  if (documents === 0) return undefined
  const flags = { committed: true, search: true, compound: false }
  const size = { size_in_bytes: bytes, memory_in_bytes: 0 }
  return { generation: 0, num_docs: documents, deleted_docs: deleted, ...size, ...flags, version: '9.12.2' }
}

const segments = defineRoute({
  name: 'indices.segments',
  methods: ['GET'],
  paths: ['/_segments', '/{index}/_segments'],
  privilege: { index: 'monitor' },
  parameters: { ...indicesOptionParameters, verbose: 'boolean' },
  async handle(request, services) {
    const found = indicesOf(request, services, 'indices.segments', 'monitor', {
      expand: ['open', 'hidden'],
      forbidClosed: true,
    })
    const routing = { state: 'STARTED', primary: true, node: services.catalogue.clusterUuid }
    const rows = await Promise.all(
      found.map(async (index) => {
        const segment = await segmentOf(services, index)
        const shards = byShard(index, (shard) => {
          const own = shard === 0 && segment ? { _0: segment } : {}
          const count = Object.keys(own).length
          return [{ routing, num_committed_segments: count, num_search_segments: count, segments: own }]
        })
        return [index.name, { shards }] as const
      }),
    )
    return { json: { _shards: broadcastShards(found), indices: Object.fromEntries(rows) } }
  },
})

const shardStores = defineRoute({
  name: 'indices.shard_stores',
  methods: ['GET'],
  paths: ['/_shard_stores', '/{index}/_shard_stores'],
  privilege: { index: 'monitor' },
  parameters: { ...indicesOptionParameters, status: 'list' },
  async handle(request, services) {
    const found = indicesOf(request, services, 'indices.shard_stores', 'monitor')
    const asked = (request.query['status'] as readonly string[] | undefined) ?? ['yellow', 'red']
    const shown = found.filter((index) => {
      const status = shardsOf(index).unassigned > 0 ? 'yellow' : 'green'
      return asked.includes('all') || asked.includes(status)
    })
    const { name, transport_address, roles, attributes } = describeNode(services)
    const store = (index: IndexMeta, shard: number) => ({
      [services.catalogue.clusterUuid]: {
        name,
        ephemeral_id: services.catalogue.clusterUuid,
        transport_address,
        roles,
        attributes,
      },
      allocation_id: `${index.uuid}-${shard}`,
      allocation: 'primary',
    })
    const json = byIndex(shown, (index) => ({ shards: byShard(index, (shard) => ({ stores: [store(index, shard)] })) }))
    return { json: { indices: json } }
  },
})

interface Asked {
  readonly index: IndexMeta
  readonly shard: number
  readonly primary: boolean
}

function invalid(reason: string): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason)
}

/** The shard to explain: the one that is named, or the first that waits for a node. */
function askedShard(request: RouteRequest, services: Services): Asked {
  const body = request.json() ?? {}
  const given = isObject(body) ? { ...request.query, ...body } : request.query
  const { index: name, shard, primary } = given
  if (name === undefined && shard === undefined && primary === undefined) {
    const waiting = [...services.catalogue.indices()].find((index) => shardsOf(index).unassigned > 0)
    if (waiting) return { index: waiting, shard: 0, primary: false }
    throw invalid(
      'No shard was specified in the request which means the response should explain a randomly-chosen unassigned shard, but there are no unassigned shards in this cluster. To explain the allocation of an assigned shard you must specify the target shard in the request.',
    )
  }
  if (typeof name !== 'string') throw invalid('Validation Failed: 1: index must be specified;')
  if (shard === undefined) throw invalid('Validation Failed: 1: shard must be specified;')
  const [index] = indicesOf(
    { ...request, params: { index: name } },
    services,
    'cluster.allocation_explain',
    'monitor',
    { ...everyState, allowNoIndices: false },
  )
  if (!index) throw new Error('BUG: a name that must be found was not')
  const number = Number(shard)
  if (!(number >= 0 && number < shardsOf(index).primaries)) {
    throw new AppError(searchErrors.shard_not_found_exception, 'no such shard', {
      detail: { index_uuid: index.uuid, shard: String(shard), index: index.name },
    })
  }
  return { index, shard: number, primary: String(primary) === 'true' }
}

const oneNode = 'a copy of a shard cannot be on the node of its primary, and there is one node'

function explainReplica({ index }: Asked, services: Services): Record<string, unknown> {
  if (shardsOf(index).unassigned === 0) {
    throw invalid(`unable to find a replica shard to explain [index [${index.name}] has no replicas]`)
  }
  const { name, transport_address } = describeNode(services)
  const decider = { decider: 'same_shard', decision: 'NO', explanation: oneNode }
  const at = new Date(index.createdAtMs).toISOString()
  return {
    current_state: 'unassigned',
    unassigned_info: { reason: 'INDEX_CREATED', at, last_allocation_status: 'no_attempt' },
    can_allocate: 'no',
    allocate_explanation: 'cannot allocate because allocation is not permitted to any of the nodes',
    node_allocation_decisions: [
      {
        node_id: services.catalogue.clusterUuid,
        node_name: name,
        transport_address,
        node_decision: 'no',
        deciders: [decider],
      },
    ],
  }
}

function explainPrimary(services: Services): Record<string, unknown> {
  const { name, transport_address, attributes } = describeNode(services)
  return {
    current_state: 'started',
    current_node: { id: services.catalogue.clusterUuid, name, transport_address, attributes },
    can_remain_on_current_node: 'yes',
    can_rebalance_cluster: 'yes',
    can_rebalance_to_other_node: 'no',
    rebalance_explanation:
      'cannot rebalance as no target node exists that can both allocate this shard and improve the cluster balance',
  }
}

const allocationExplain = defineRoute({
  name: 'cluster.allocation_explain',
  methods: ['GET', 'POST'],
  paths: ['/_cluster/allocation/explain'],
  privilege: { cluster: 'monitor' },
  parameters: {
    include_yes_decisions: 'boolean',
    include_disk_info: 'boolean',
    master_timeout: 'time',
    index: 'string',
    shard: 'integer',
    primary: 'boolean',
  },
  async handle(request, services) {
    const asked = askedShard(request, services)
    const { index, shard, primary } = asked
    const explained = primary ? explainPrimary(services) : explainReplica(asked, services)
    const disk = request.query['include_disk_info'] === true ? { cluster_info: await clusterInfo(services) } : {}
    return { json: { index: index.name, shard, primary, ...explained, ...disk } }
  },
})

async function clusterInfo(services: Services): Promise<Record<string, unknown>> {
  const { totalBytes, freeBytes } = await diskSpace(services)
  const used = totalBytes - freeBytes
  const share = totalBytes === 0 ? 0 : 100 / totalBytes
  const space = {
    total_bytes: totalBytes,
    used_bytes: used,
    free_bytes: freeBytes,
    free_disk_percent: freeBytes * share,
    used_disk_percent: used * share,
  }
  return {
    nodes: {
      [services.catalogue.clusterUuid]: { node_name: services.nodeName, least_available: space, most_available: space },
    },
  }
}

const remoteInfo = defineRoute({
  name: 'cluster.remote_info',
  methods: ['GET'],
  paths: ['/_remote/info'],
  privilege: { cluster: 'monitor' },
  parameters: {},
  // Searches reach this cluster only.
  handle: async () => ({ json: {} }),
})

/** Where the shards of indices are, how they came there and why some wait. */
export const shardReportRoutes: readonly Route[] = [recovery, segments, shardStores, allocationExplain, remoteInfo]
