import { AppError, searchErrors } from '@logstack/errors'
import { clusterCount, clusterSettings } from '../../cluster-settings/read.ts'
import { watermarksOf } from '../../cluster-settings/watermarks.ts'
import { openShards } from '../../indices/shard-limit.ts'
import { shardsOf } from '../../indices/shards.ts'
import { policiesOf } from '../../lifecycle/ilm/policies.ts'
import { lifecycleStates, operationMode } from '../../lifecycle/ilm/state.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import { repositoriesOf } from '../../snapshots/repositories.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { diskSpace } from '../resources/disk-space.ts'
import { clusterName } from '../resources/root.ts'
import type { Finding, Indicator, Status } from './health-indicator.ts'
import { snapshotPolicyHealth, streamLifecycleHealth } from './lifecycle-health.ts'

const names = (indices: readonly IndexMeta[]): string[] => indices.map(({ name }) => name).sort()

const master: Indicator = ({ catalogue, nodeName }) => {
  const node = { node_id: catalogue.clusterUuid, name: nodeName }
  return {
    status: 'green',
    symptom: 'The cluster has a stable master node',
    details: { current_master: node, recent_masters: [node] },
  }
}

const shards: Indicator = ({ catalogue }) => {
  const all = [...catalogue.indices()].map((index) => ({ index, ...shardsOf(index) }))
  const count = (of: (one: (typeof all)[number]) => number): number => all.reduce((sum, one) => sum + of(one), 0)
  const replicas = count(({ unassigned }) => unassigned)
  const lacking = all.filter(({ unassigned }) => unassigned > 0).map(({ index }) => index)
  const details = {
    creating_primaries: 0,
    creating_replicas: 0,
    initializing_primaries: 0,
    initializing_replicas: 0,
    restarting_primaries: 0,
    restarting_replicas: 0,
    started_primaries: count(({ primaries }) => primaries),
    started_replicas: 0,
    unassigned_primaries: 0,
    unassigned_replicas: replicas,
  }
  if (replicas === 0) return { status: 'green', symptom: 'This cluster has all shards available.', details }
  return {
    status: 'yellow',
    symptom: `This cluster has ${replicas} unavailable replica ${replicas === 1 ? 'shard' : 'shards'}.`,
    details,
    trouble: {
      id: 'replica_unassigned',
      impact: 'Searches are answered; there is no second copy of this data on another node.',
      areas: ['search'],
      severity: 3,
      cause: 'Indices ask for replicas, and there is no second node to hold them.',
      action: 'Set index.number_of_replicas to 0.',
      affected: { indices: names(lacking) },
    },
  }
}

const disk: Indicator = async (services) => {
  const { totalBytes, freeBytes } = await diskSpace(services)
  const marks = watermarksOf(totalBytes, clusterSettings(services.catalogue))
  const blocked = [...services.catalogue.indices()].filter(
    ({ settings }) => settings['blocks.read_only_allow_delete'] === 'true',
  )
  const [overFlood, overHigh] = [freeBytes < marks.flood, freeBytes < marks.high]
  const details = {
    indices_with_readonly_block: blocked.length,
    nodes_with_enough_disk_space: overHigh ? 0 : 1,
    nodes_with_unknown_disk_status: 0,
    nodes_over_high_watermark: overHigh && !overFlood ? 1 : 0,
    nodes_over_flood_stage_watermark: overFlood ? 1 : 0,
  }
  if (!overHigh && blocked.length === 0)
    return { status: 'green', symptom: 'The cluster has enough available disk space.', details }
  return {
    status: overFlood || blocked.length > 0 ? 'red' : 'yellow',
    symptom: overHigh
      ? `${freeBytes} of ${totalBytes} bytes of the disk are free.`
      : `${blocked.length} ${blocked.length === 1 ? 'index does' : 'indices do'} not take documents, by a block for full disks.`,
    details,
    trouble: {
      id: 'disk_usage',
      impact: 'Documents are refused until there is space; searches and deletions go on.',
      areas: ['ingest'],
      severity: 1,
      cause: overHigh
        ? `The disk is used beyond the ${overFlood ? 'flood stage' : 'high'} watermark.`
        : 'The block index.blocks.read_only_allow_delete is set.',
      action: overHigh
        ? 'Free space on the disk, or keep events for a shorter time.'
        : 'Take the block away: PUT /_all/_settings {"index.blocks.read_only_allow_delete": null}.',
      affected: { nodes: [services.nodeName], indices: names(blocked) },
    },
  }
}

const repositories: Indicator = (services) => {
  const count = [...repositoriesOf(services).entries()].length
  const registered = count === 1 ? 'One snapshot repository is' : `${count} snapshot repositories are`
  const symptom = count === 0 ? 'No snapshot repositories configured.' : `${registered} registered.`
  return { status: 'green', symptom, details: { total_repositories: count } }
}

const policies: Indicator = ({ catalogue, store }) => {
  const states = lifecycleStates(store)
  const mode = operationMode(store)
  const failing = [...catalogue.indices()].filter(({ uuid }) => states.get(uuid)?.step === 'ERROR')
  const count = [...policiesOf(store).entries()].length
  const details = { policies: count, stagnating_indices: failing.length, ilm_status: mode }
  const symptom =
    count === 0 ? 'No Index Lifecycle Management policies configured' : 'Index Lifecycle Management is running'
  if (failing.length === 0 && (mode === 'RUNNING' || count === 0)) return { status: 'green', symptom, details }
  const isStopped = mode !== 'RUNNING'
  return {
    status: 'yellow',
    symptom: isStopped
      ? 'Index Lifecycle Management is not running'
      : `${failing.length} ${failing.length === 1 ? 'index has' : 'indices have'} failed a step of the lifecycle policy.`,
    details,
    trouble: {
      id: isStopped ? 'automation_disabled' : 'stagnating_index',
      impact: 'Indices are not rolled over or deleted by their policies.',
      areas: ['deployment_management'],
      severity: 3,
      cause: isStopped ? 'Policies were stopped.' : 'A step of a policy failed; it is tried again.',
      action: isStopped ? 'Start them: POST /_ilm/start.' : 'See why: GET /{index}/_ilm/explain.',
      affected: { indices: names(failing) },
    },
  }
}

/** Room for so many more shards is little, and for half of them next to nothing. */
const roomWanted = 10

const capacity: Indicator = ({ catalogue }) => {
  const used = openShards(catalogue.indices())
  const most = clusterCount(catalogue, 'cluster.max_shards_per_node')
  const details = {
    data: { max_shards_in_cluster: most, current_used_shards: used },
    frozen: { max_shards_in_cluster: 0 },
  }
  if (used + roomWanted <= most)
    return { status: 'green', symptom: 'The cluster has enough room to add new shards.', details }
  return {
    status: used + roomWanted / 2 <= most ? 'yellow' : 'red',
    symptom: 'Cluster is close to reaching the configured maximum number of shards for data nodes.',
    details,
    trouble: {
      id: 'creation_of_new_indices_blocked',
      impact: 'Indices that would go beyond the limit are refused, and so are documents that need a new one.',
      areas: ['ingest'],
      severity: 1,
      cause: 'Open indices and their replicas take nearly as many shards as cluster.max_shards_per_node allows.',
      action: 'Delete or close indices, take their replicas away, or raise cluster.max_shards_per_node.',
      affected: { nodes: [] },
    },
  }
}

const indicators: Readonly<Record<string, Indicator>> = {
  master_is_stable: master,
  shards_availability: shards,
  disk,
  repository_integrity: repositories,
  data_stream_lifecycle: streamLifecycleHealth,
  slm: snapshotPolicyHealth,
  ilm: policies,
  shards_capacity: capacity,
}

function shown({ status, symptom, details, trouble }: Finding, name: string, verbose: boolean, size: number) {
  if (!trouble) return { status, symptom, ...(verbose ? { details } : {}) }
  const { id, diagnosis = id, impact, areas, severity, cause, action, affected } = trouble
  const cut = Object.fromEntries(
    Object.entries(affected).flatMap(([kind, all]) => (all.length === 0 ? [] : [[kind, all.slice(0, size)]])),
  )
  return {
    status,
    symptom,
    ...(verbose ? { details } : {}),
    impacts: [{ id: `elasticsearch:health:${name}:impact:${id}`, severity, description: impact, impact_areas: areas }],
    ...(verbose
      ? {
          diagnosis: [
            { id: `elasticsearch:health:${name}:diagnosis:${diagnosis}`, cause, action, affected_resources: cut },
          ],
        }
      : {}),
  }
}

const ranks: readonly Status[] = ['green', 'yellow', 'red']
const sizeStandard = 1_000

/** `GET /_health_report`: how the cluster is, with what it means and what mends it. */
export const healthReportRoute: Route = defineRoute({
  name: 'health_report',
  methods: ['GET'],
  paths: ['/_health_report', '/_health_report/{feature}'],
  privilege: { cluster: 'monitor' },
  parameters: { timeout: 'time', verbose: 'boolean', size: 'integer' },
  async handle(request, services) {
    const { verbose = true, size = sizeStandard } = request.query as { verbose?: boolean; size?: number }
    if (size < 0)
      throw new AppError(
        searchErrors.illegal_argument_exception,
        `The max_number_of_resources must be a positive integer`,
      )
    const { feature } = request.params
    if (feature !== undefined && !Object.hasOwn(indicators, feature))
      throw new AppError(searchErrors.resource_not_found_exception, `Did not find indicator ${feature}`)
    const asked = Object.entries(indicators).filter(([name]) => feature === undefined || name === feature)
    const found: [string, Finding][] = []
    for (const [name, look] of asked) found.push([name, await look(services)])
    const worst = Math.max(...found.map(([, { status }]) => ranks.indexOf(status)))
    return {
      json: {
        ...(feature === undefined ? { status: ranks[worst] } : {}),
        cluster_name: clusterName,
        indicators: Object.fromEntries(found.map(([name, finding]) => [name, shown(finding, name, verbose, size)])),
      },
    }
  },
})
