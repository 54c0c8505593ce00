import { fitsStars } from '@logstack/rules'
import { apiVersion } from './root.ts'

/** The header of answers about nodes: there is one, and it answers. */
export const nodesHeader = { total: 1, successful: 1, failed: 0 } as const

/** The one node as all answers about nodes name it. */
export function describeNode({ nodeName }: { readonly nodeName: string }) {
  return {
    name: nodeName,
    transport_address: '127.0.0.1:9300',
    host: '127.0.0.1',
    ip: '127.0.0.1',
    version: apiVersion.number,
    build_flavor: apiVersion.build_flavor,
    build_type: apiVersion.build_type,
    build_hash: apiVersion.build_hash,
    roles: ['data', 'ingest', 'master'],
    attributes: {},
  }
}

/** Whether names of nodes mean the one there is: its id, its name, its address, a role, or a word for all. */
export function meansThisNode(
  names: readonly string[],
  { nodeName, clusterUuid }: { readonly nodeName: string; readonly clusterUuid: string },
): boolean {
  const own = ['_all', '_local', '_master', '127.0.0.1', nodeName, clusterUuid]
  const roles = ['data:true', 'ingest:true', 'master:true', 'cluster_manager:true', 'coordinating_only:false']
  return names.some((name) => roles.includes(name) || own.some((known) => fitsStars(known, name)))
}
