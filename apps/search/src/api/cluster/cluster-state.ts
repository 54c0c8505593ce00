import { blocksOf } from '../../indices/blocks.ts'
import { resolveOptions } from '../../indices/resolve-options.ts'
import { shardsOf } from '../../indices/shards.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { indicesOptionParameters } from '../resources/authorized-indices.ts'
import { describeNode } from '../resources/node.ts'
import { clusterName } from '../resources/root.ts'
import { byIndex, showSettings } from '../resources/show-index.ts'
import { clusterBlocks } from './cluster-blocks.ts'
import { votingExclusions } from './voting-exclusions.ts'

const everything = { expand: ['open', 'closed', 'hidden'] } as const

/** The copies of each shard of an index: the primary is started, replicas never find a node. */
function copiesOf(index: IndexMeta, node: string): Record<string, readonly unknown[]> {
  const { primaries } = shardsOf(index)
  const replicas = Number(index.settings['number_of_replicas'] ?? 0)
  const unassigned = {
    state: 'UNASSIGNED',
    primary: false,
    node: null,
    relocating_node: null,
    index: index.name,
    recovery_source: { type: 'PEER' },
    unassigned_info: { reason: 'REPLICA_ADDED', at: new Date(index.createdAtMs).toISOString(), delayed: false },
  }
  const copies = Array.from({ length: primaries }, (_, shard) => {
    const primary = {
      state: 'STARTED',
      primary: true,
      node,
      relocating_node: null,
      shard,
      index: index.name,
      allocation_id: { id: `${index.uuid}-${shard}` },
    }
    return [String(shard), [primary, ...Array.from({ length: replicas }, () => ({ ...unassigned, shard }))]] as const
  })
  return Object.fromEntries(copies)
}

/** The data streams that some of the indices belong to. */
function streamsOf({ catalogue }: Services, found: readonly IndexMeta[]): Record<string, unknown> {
  const names = new Set(found.map(({ dataStream }) => dataStream))
  const streams = [...catalogue.dataStreams()].filter(({ name }) => names.has(name))
  return Object.fromEntries(
    streams.map(({ name, timestampField, indices, generation, hidden }) => [
      name,
      {
        name,
        timestamp_field: { name: timestampField },
        indices: indices.map((index) => ({ index_name: index, index_uuid: catalogue.index(index)?.uuid })),
        generation,
        hidden,
        replicated: false,
        system: false,
      },
    ]),
  )
}

function metadataOf(services: Services, found: readonly IndexMeta[], flat: boolean): Record<string, unknown> {
  const { catalogue } = services
  const stored = (name: string) => Object.fromEntries(catalogue.collection(name).entries())
  return {
    cluster_uuid: catalogue.clusterUuid,
    cluster_uuid_committed: true,
    cluster_coordination: {
      term: 1,
      last_committed_config: [catalogue.clusterUuid],
      last_accepted_config: [catalogue.clusterUuid],
      voting_config_exclusions: votingExclusions(services),
    },
    templates: stored('template'),
    indices: byIndex(found, (index) => ({
      state: index.state,
      settings: showSettings(index.settings, flat),
      mappings: { _doc: index.mapping },
      aliases: Object.keys(index.aliases),
      mapping_version: index.mappingVersion,
    })),
    index_template: { index_template: stored('index_template') },
    component_template: { component_template: stored('component_template') },
    data_stream: { data_stream: streamsOf(services, found) },
    stored_scripts: stored('script'),
    'index-graveyard': { tombstones: [] },
  }
}

/** A member that is left out when it is empty. */
function filled(name: string, value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.keys(value).length > 0 ? { [name]: value } : {}
}

function nodeOf(services: Services): Record<string, unknown> {
  const { name, transport_address, attributes, roles, version } = describeNode(services)
  return { name, ephemeral_id: services.catalogue.clusterUuid, transport_address, attributes, roles, version }
}

/** The parts of the state of a cluster. */
export const clusterMetrics = ['version', 'master_node', 'blocks', 'nodes', 'routing_table', 'routing_nodes'] as const

/** The parts of the cluster's state that are asked for, of its indices those given; `_all` is all of them. */
export function clusterParts(
  services: Services,
  given: { readonly metrics: readonly string[]; readonly indices: readonly IndexMeta[]; readonly flat: boolean },
): Record<string, unknown> {
  const { metrics, indices, flat } = given
  const wants = (name: string): boolean => metrics.includes('_all') || metrics.includes(name)
  const id = services.catalogue.clusterUuid
  const blocks = Object.fromEntries(
    indices.map((index) => [index.name, blocksOf(index)] as const).filter(([, own]) => Object.keys(own).length > 0),
  )
  const shards = indices.map((index) => [index.name, copiesOf(index, id)] as const)
  const nodes = shards.flatMap(([, copies]) => Object.values(copies).flat()) as { readonly state: string }[]
  return {
    cluster_uuid: id,
    ...(wants('version') ? { version: 1, state_uuid: id } : {}),
    ...(wants('master_node') ? { master_node: id } : {}),
    ...(wants('cluster_manager_node') ? { cluster_manager_node: id } : {}),
    ...(wants('blocks')
      ? { blocks: { ...filled('global', clusterBlocks(services.catalogue)), ...filled('indices', blocks) } }
      : {}),
    ...(wants('nodes') ? { nodes: { [id]: nodeOf(services) } } : {}),
    ...(wants('metadata') ? { metadata: metadataOf(services, indices, flat) } : {}),
    ...(wants('routing_table')
      ? { routing_table: { indices: Object.fromEntries(shards.map(([name, copies]) => [name, { shards: copies }])) } }
      : {}),
    ...(wants('routing_nodes')
      ? {
          routing_nodes: {
            unassigned: nodes.filter(({ state }) => state === 'UNASSIGNED'),
            nodes: { [id]: nodes.filter(({ state }) => state === 'STARTED') },
          },
        }
      : {}),
  }
}

/** All there is to know of the cluster, or the parts of it that are asked for. */
export const clusterStateRoute: Route = defineRoute({
  name: 'cluster.state',
  methods: ['GET'],
  paths: ['/_cluster/state', '/_cluster/state/{metric}', '/_cluster/state/{metric}/{index}'],
  privilege: { cluster: 'monitor' },
  parameters: {
    ...indicesOptionParameters,
    timeout: 'time',
    master_timeout: 'time',
    cluster_manager_timeout: 'time',
    local: 'boolean',
    flat_settings: 'boolean',
    wait_for_metadata_version: 'integer',
    wait_for_timeout: 'time',
  },
  async handle(request, services) {
    // About the cluster, so that its privilege is enough for what is said of its indices.
    const expression = request.params['index'] ?? '_all'
    const options = resolveOptions(request.query, everything)
    const parts = clusterParts(services, {
      metrics: request.params['metric']?.split(',') ?? ['_all'],
      indices: services.catalogue.resolve(expression, options).map(({ index }) => index),
      flat: request.query['flat_settings'] === true,
    })
    return { json: { cluster_name: clusterName, ...parts } }
  },
})
