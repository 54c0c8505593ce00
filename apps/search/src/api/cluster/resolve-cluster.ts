import { AppError, isAppError, searchErrors } from '@logstack/errors'
import { resolveOptions } from '../../indices/resolve-options.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { indicesOptionParameters, resolveAuthorized } from '../resources/authorized-indices.ts'
import { apiVersion } from '../resources/root.ts'

const { number, build_flavor, minimum_wire_compatibility_version, minimum_index_compatibility_version } = apiVersion

/** `GET /_resolve/cluster/{name}`: whether this cluster has what an expression names. There are no others; without an expression they alone are asked for. */
export const resolveClusterRoute: Route = defineRoute({
  name: 'indices.resolve_cluster',
  methods: ['GET'],
  paths: ['/_resolve/cluster', '/_resolve/cluster/{index}'],
  privilege: { index: 'view_index_metadata' },
  somewhere: { privilege: 'view_index_metadata', of: 'items' },
  parameters: { ...indicesOptionParameters, timeout: 'time' },
  async handle(request, services) {
    const names = request.params['index']?.split(',') ?? []
    for (const name of names) refuseRemote(name)
    const local = names.filter((name) => name.startsWith('<') || !name.includes(':'))
    if (local.length === 0) return { json: {} }
    const version = {
      number,
      build_flavor,
      minimum_wire_compatibility_version,
      minimum_index_compatibility_version,
    }
    const state = { connected: true, skip_unavailable: false }
    try {
      const found = resolveAuthorized(request, services, {
        route: 'indices.resolve_cluster',
        privilege: 'view_index_metadata',
        expression: local.join(','),
        options: resolveOptions(request.query, { expand: ['open'] }),
      })
      return { json: { '(local)': { ...state, matching_indices: found.length > 0, version } } }
    } catch (thrown) {
      if (!isAppError(thrown) || thrown.code !== 'index_not_found_exception') throw thrown
      return { json: { '(local)': { ...state, error: thrown.message } } }
    }
  },
})

/** Patterns of clusters find none; one that is named as such is missing. */
function refuseRemote(name: string): void {
  if (name.startsWith('<')) return
  const [, cluster] = /^([^:]+):/.exec(name) ?? []
  if (cluster === undefined || cluster.includes('*') || cluster.startsWith('-')) return
  throw new AppError(searchErrors.no_such_remote_cluster_exception, `no such remote cluster: [${cluster}]`)
}
