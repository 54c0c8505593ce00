import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, searchErrors } from '@logstack/errors'
import { resolveOptions } from '../../indices/resolve-options.ts'
import { healthOf, shardsOf } from '../../indices/shards.ts'
import { Double, printJson } from '../../json/print-json.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import { defineRoute, type RouteAnswer } from '../define-route.ts'
import { indicesOptionParameters } from '../resources/authorized-indices.ts'
import { clusterName } from '../resources/root.ts'

const pollMs = 100
const defaultTimeoutMs = 30_000
const ranks = { green: 0, yellow: 1, red: 2 } as const

/** The shard counts of a set of indices, under Elasticsearch's names. */
function shardFields(indices: readonly IndexMeta[]) {
  const counts = indices.map(shardsOf)
  const active = counts.reduce((sum, count) => sum + count.primaries, 0)
  const unassigned = counts.reduce((sum, count) => sum + count.unassigned, 0)
  const all = active + unassigned
  return {
    status: unassigned > 0 ? ('yellow' as const) : ('green' as const),
    active_primary_shards: active,
    active_shards: active,
    relocating_shards: 0,
    initializing_shards: 0,
    unassigned_shards: unassigned,
    unassigned_primary_shards: 0,
    active_shards_percent_as_number: all === 0 ? 100 : (active / all) * 100,
  }
}

/** The body of cluster health over some indices. */
export function clusterHealth(indices: readonly IndexMeta[], timedOut = false) {
  const { status, active_shards_percent_as_number, ...shards } = shardFields(indices)
  return {
    cluster_name: clusterName,
    status,
    timed_out: timedOut,
    number_of_nodes: 1,
    number_of_data_nodes: 1,
    // OpenSearch's clients look for these.
    discovered_master: true,
    discovered_cluster_manager: true,
    ...shards,
    delayed_unassigned_shards: 0,
    number_of_pending_tasks: 0,
    number_of_in_flight_fetch: 0,
    task_max_waiting_in_queue_millis: 0,
    active_shards_percent_as_number,
  }
}

function indexHealth(index: IndexMeta, withShards: boolean) {
  const { active_shards_percent_as_number: _percent, unassigned_primary_shards, ...fields } = shardFields([index])
  const { primaries } = shardsOf(index)
  const replicas = Number(index.settings['number_of_replicas'] ?? 0)
  const shard = {
    status: healthOf(index),
    primary_active: true,
    active_shards: 1,
    relocating_shards: 0,
    initializing_shards: 0,
    unassigned_shards: replicas,
    unassigned_primary_shards: 0,
  }
  return {
    number_of_shards: primaries,
    number_of_replicas: replicas,
    ...fields,
    unassigned_primary_shards,
    ...(withShards
      ? { shards: Object.fromEntries(Array.from({ length: primaries }, (_, at) => [String(at), shard])) }
      : {}),
  }
}

/** Whether a cluster of one node meets `wait_for_nodes` (`1`, `>=1`, `ge(2)`, …). */
function nodesMeet(text: string): boolean {
  const [, operator = '', count] = /^(>=|<=|>|<|ge\(|le\(|gt\(|lt\()?(\d+)\)?$/.exec(text.trim()) ?? []
  if (count === undefined) throw new AppError(searchErrors.number_format_exception, `For input string: "${text}"`)
  const wanted = Number(count)
  if (operator === '>=' || operator === 'ge(') return 1 >= wanted
  if (operator === '<=' || operator === 'le(') return 1 <= wanted
  if (operator === '>' || operator === 'gt(') return 1 > wanted
  if (operator === '<' || operator === 'lt(') return 1 < wanted
  return wanted === 1
}

/** `GET /_cluster/health`: status and shard counts; waits where a `wait_for_…` asks for it, 408 when it does not come true. */
export const clusterHealthRoute = defineRoute({
  name: 'cluster.health',
  methods: ['GET'],
  paths: ['/_cluster/health', '/_cluster/health/{index}'],
  privilege: { cluster: 'monitor' },
  parameters: {
    ...indicesOptionParameters,
    level: ['cluster', 'indices', 'shards'],
    local: 'boolean',
    timeout: 'time',
    master_timeout: 'time',
    wait_for_status: ['green', 'yellow', 'red', 'GREEN', 'YELLOW', 'RED'],
    wait_for_nodes: 'string',
    wait_for_active_shards: 'string',
    wait_for_events: ['immediate', 'urgent', 'high', 'normal', 'low', 'languid'],
    wait_for_no_initializing_shards: 'boolean',
    wait_for_no_relocating_shards: 'boolean',
  },
  async handle(request, services): Promise<RouteAnswer> {
    const { query } = request
    const find = (): IndexMeta[] => {
      const expression = request.params['index']
      if (expression === undefined) return [...services.catalogue.indices()]
      const options = resolveOptions(query, { expand: ['open', 'closed', 'hidden'], ignoreUnavailable: true })
      // About the cluster, so that its privilege is enough for what is said of its indices.
      return services.catalogue.resolve(expression, options).map(({ index }) => index)
    }
    const missing = (): boolean => {
      const expression = request.params['index']
      const literal = expression?.split(',').filter((name) => !/[*]|^_all$/.test(name)) ?? []
      return literal.length > 0 && find().length === 0
    }
    const met = (): boolean => !missing() && waitsMet(query, clusterHealth(find()))
    const deadline = performance.now() + ((query['timeout'] as number | undefined) ?? defaultTimeoutMs)
    while (!met() && performance.now() < deadline) await sleep(pollMs, undefined, { signal: request.signal })
    const timedOut = !met()
    const indices = find()
    const health = clusterHealth(indices, timedOut)
    const level = query['level'] ?? 'cluster'
    const json = {
      ...health,
      active_shards_percent_as_number: new Double(health.active_shards_percent_as_number),
      ...(missing() ? { status: 'red' } : {}),
      ...(level === 'cluster'
        ? {}
        : {
            indices: Object.fromEntries(indices.map((index) => [index.name, indexHealth(index, level === 'shards')])),
          }),
    }
    return { status: timedOut ? 408 : 200, jsonBytes: Buffer.from(printJson(json)) }
  },
})

function waitsMet(query: Readonly<Record<string, unknown>>, health: ReturnType<typeof clusterHealth>): boolean {
  const status = query['wait_for_status']
  if (typeof status === 'string' && ranks[health.status] > ranks[status.toLowerCase() as keyof typeof ranks])
    return false
  const nodes = query['wait_for_nodes']
  if (typeof nodes === 'string' && !nodesMeet(nodes)) return false
  const active = query['wait_for_active_shards']
  if (active === 'all') return health.unassigned_shards === 0
  return typeof active !== 'string' || health.active_shards >= Number(active)
}
