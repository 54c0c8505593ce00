import { AppError, searchErrors } from '@logstack/errors'
import { clusterSetting } from '../../cluster-settings/read.ts'
import type { Services } from '../../services.ts'
import type { Route, RouteRequest } from '../define-route.ts'
import { changesOf } from './cluster-settings.ts'

const blocks = [
  { setting: 'cluster.blocks.read_only', id: 6, description: 'cluster read-only (api)' },
  { setting: 'cluster.blocks.read_only_allow_delete', id: 13, description: 'cluster read-only / allow delete (api)' },
] as const

const settings: readonly string[] = blocks.map(({ setting }) => setting)

/** Routes that write documents or change what the cluster knows. Users, roles and tokens stay as they are: whoever set a block must get in to lift it. */
const changing =
  /^(?:bulk|index|create|update|delete|reindex|update_by_query|delete_by_query|(?:put|delete)_script|indices\.(?:create|delete|open|close|shrink|split|clone|rollover|(?:put|delete|update|create|add|modify|migrate)_\w+)|(?:ilm|slm|ingest|enrich)\.(?:put|delete)_\w+|ilm\.(?:move_to_step|remove_policy|retry)|enrich\.execute_policy|cluster\.(?:put_settings|reroute)|snapshot\.restore|logstack\.put_retention)$/

/** What makes room, which the second block lets through. */
const deleting = /^indices\.delete(?:_data_stream)?$/

function isSet(catalogue: Services['catalogue'], setting: (typeof blocks)[number]['setting']): boolean {
  return clusterSetting(catalogue, setting) === 'true'
}

/** The blocks of the whole cluster as its state shows them, by their number. */
export function clusterBlocks(catalogue: Services['catalogue']): Record<string, unknown> {
  const set = blocks.filter(({ setting }) => isSet(catalogue, setting))
  const levels = ['write', 'metadata_write']
  return Object.fromEntries(set.map(({ id, description }) => [String(id), { description, retryable: false, levels }]))
}

/** The route, which throws `cluster_block_exception` (403) before it changes anything of a cluster that is read-only. */
export function obeyClusterBlocks(route: Route): Route {
  if (!changing.test(route.name)) return route
  return {
    ...route,
    handle(request, services) {
      const reached = blocks.filter(
        ({ setting, id }) => isSet(services.catalogue, setting) && !(id === 13 && deleting.test(route.name)),
      )
      if (reached.length > 0 && !(route.name === 'cluster.put_settings' && changesBlocksOnly(request))) {
        const shown = reached.map(({ id, description }) => `FORBIDDEN/${id}/${description}`).join('];[')
        throw new AppError({ ...searchErrors.cluster_block_exception, kind: 'forbidden' }, `blocked by: [${shown}];`)
      }
      return route.handle(request, services)
    },
  }
}

/** The blocks themselves can be lifted. */
function changesBlocksOnly(request: RouteRequest): boolean {
  return changesOf(request.json()).every(({ entries }) => entries.every(([name]) => settings.includes(name)))
}
