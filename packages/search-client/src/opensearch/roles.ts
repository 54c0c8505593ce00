import { type Answer, isRefused, pluginPath, refusal, refusedBy, type Translation, textsOf } from './exchange.ts'
import { clusterActionsOf, compositeActions, indexActionsOf } from './privileges.ts'

interface RoleBody {
  readonly cluster?: unknown
  readonly indices?: readonly { readonly names?: unknown; readonly privileges?: unknown; readonly query?: unknown }[]
  readonly metadata?: unknown
}

interface PluginRole {
  readonly description?: string
  readonly cluster_permissions?: readonly string[]
  readonly index_permissions?: readonly {
    readonly index_patterns: readonly string[]
    readonly allowed_actions: readonly string[]
    readonly dls?: string
  }[]
}

const rolesPath = `${pluginPath}/api/roles`

/** Roles. Metadata, which the plugin does not keep, is written into the description. */
export const roleTranslations: readonly Translation[] = [
  {
    methods: ['GET'],
    path: /^\/_security\/role(?:\/([^/]+))?$/,
    async answer({ ask, names: [name] }) {
      const answer = await ask({ method: 'GET', path: pathOf(name) })
      if (answer.status === 404) return { status: 404, body: {} }
      if (isRefused(answer)) return refusedBy(answer)
      const found = Object.entries(answer.body as Record<string, PluginRole>)
      return { status: 200, body: Object.fromEntries(found.map(([key, role]) => [key, shownRole(role)])) }
    },
  },
  {
    methods: ['PUT', 'POST'],
    path: /^\/_security\/role\/([^/]+)$/,
    async answer({ ask, names: [name], body }) {
      const role = pluginRole(body as RoleBody)
      if ('status' in role) return role
      const answer = await ask({ method: 'PUT', path: pathOf(name), body: role })
      if (isRefused(answer)) return refusedBy(answer)
      return { status: 200, body: { role: { created: answer.status === 201 } } }
    },
  },
  {
    methods: ['DELETE'],
    path: /^\/_security\/role\/([^/]+)$/,
    async answer({ ask, names: [name] }) {
      const answer = await ask({ method: 'DELETE', path: pathOf(name) })
      if (answer.status === 404) return { status: 404, body: { found: false } }
      return isRefused(answer) ? refusedBy(answer) : { status: 200, body: { found: true } }
    },
  },
]

function pathOf(name: string | undefined): string {
  return name === undefined ? rolesPath : `${rolesPath}/${encodeURIComponent(name)}`
}

function pluginRole({ cluster, indices = [], metadata }: RoleBody): PluginRole | Answer {
  const unknown: string[] = []
  const actions = (privileges: readonly string[], of: typeof clusterActionsOf): string[] => [
    ...new Set(
      privileges.flatMap((privilege) => {
        const found = of(privilege)
        if (!found) unknown.push(privilege)
        return found ?? []
      }),
    ),
  ]
  const inCluster = actions(textsOf(cluster), clusterActionsOf)
  const permissions = indices.map(({ names, privileges, query }) => ({
    index_patterns: typeof names === 'string' ? [names] : textsOf(names),
    allowed_actions: actions(textsOf(privileges), indexActionsOf),
    ...(query === undefined ? {} : { dls: typeof query === 'string' ? query : JSON.stringify(query) }),
  }))
  if (unknown.length > 0) {
    const reason = `OpenSearch has nothing for the privileges [${unknown.join(', ')}]`
    return refusal(400, 'illegal_argument_exception', reason)
  }
  return {
    ...(metadata === undefined ? {} : { description: JSON.stringify(metadata) }),
    cluster_permissions: indices.length > 0 ? [...new Set([...inCluster, ...compositeActions])] : inCluster,
    index_permissions: permissions,
  }
}

function shownRole({ description, cluster_permissions: cluster = [], index_permissions: indices = [] }: PluginRole) {
  return {
    cluster,
    indices: indices.map(({ index_patterns: names, allowed_actions: privileges, dls }) => ({
      names,
      privileges,
      ...(dls ? { query: dls } : {}),
    })),
    applications: [],
    run_as: [],
    metadata: metadataIn(description),
    transient_metadata: { enabled: true },
  }
}

function metadataIn(description: string | undefined): unknown {
  if (!description?.startsWith('{')) return description === undefined ? {} : { description }
  try {
    return JSON.parse(description)
  } catch {
    // Somebody else's description that only begins as ours do.
    return { description }
  }
}
