import {
  type Answer,
  type Ask,
  isRefused,
  pluginPath,
  refusal,
  refusedBy,
  type Translation,
  textsOf,
} from './exchange.ts'
import { knownPrivileges } from './privileges.ts'

/** The role that may do everything, and what Elasticsearch calls it. */
export const everything = { openSearch: 'all_access', elasticsearch: 'superuser' } as const

/** A sequence number no document has: the write it asks for never happens. */
const impossibleTerm = 2 ** 31

/** Who asks and what they may do. */
export const callerTranslations: readonly Translation[] = [
  {
    methods: ['GET'],
    path: /^\/_security\/_authenticate$/,
    async answer({ ask }) {
      const caller = await callerOf(ask)
      if ('status' in caller) return caller
      const { username, roles } = caller
      const body = { username, roles, full_name: null, email: null, metadata: {}, enabled: true }
      return { status: 200, body }
    },
  },
  {
    methods: ['GET', 'POST'],
    path: /^\/_security\/user\/_has_privileges$/,
    async answer({ ask, body }) {
      const caller = await callerOf(ask)
      if ('status' in caller) return caller
      const mayAll = caller.roles.includes(everything.elasticsearch)
      const cluster: Record<string, boolean> = {}
      for (const privilege of textsOf(body['cluster']))
        cluster[privilege] = mayAll || (await mayInCluster(ask, privilege))
      const index: Record<string, Record<string, boolean>> = {}
      for (const { names, privileges } of grantsOf(body['index'])) {
        for (const name of names) {
          for (const privilege of privileges) {
            const may = mayAll || (await mayInIndex(ask, name, privilege))
            index[name] = { ...index[name], [privilege]: may }
          }
        }
      }
      const answers = [...Object.values(cluster), ...Object.values(index).flatMap((one) => Object.values(one))]
      const all = answers.every(Boolean)
      return {
        status: 200,
        body: { username: caller.username, has_all_requested: all, cluster, index, application: {} },
      }
    },
  },
  {
    methods: ['GET'],
    path: /^\/_security\/privilege\/_builtin$/,
    answer: async () => ({ status: 200, body: knownPrivileges }),
  },
]

async function callerOf(ask: Ask): Promise<{ username: string; roles: string[] } | Answer> {
  const answer = await ask({ method: 'GET', path: `${pluginPath}/authinfo` })
  if (isRefused(answer)) return refusedBy(answer)
  const { user_name: username = '', roles } = answer.body as { user_name?: string; roles?: unknown }
  const known = textsOf(roles)
  return { username, roles: known.includes(everything.openSearch) ? [...known, everything.elasticsearch] : known }
}

// The plugin tells nobody their rights; of those of a cluster it tells who may manage it and its users.
async function mayInCluster(ask: Ask, privilege: string): Promise<boolean> {
  if (privilege === 'monitor') return !isRefused(await ask({ method: 'GET', path: '/_cluster/health' }))
  if (privilege !== 'manage' && privilege !== 'manage_security') return false
  const { body } = await ask({ method: 'GET', path: `${pluginPath}/api/permissionsinfo` })
  return (body as { has_api_access?: boolean } | null)?.has_api_access === true
}

/**
 * Asks for the work itself, in a form that never does any: a search of no documents, a write to an alias that is none with a sequence number that cannot
 * be. Rights are looked at before either.
 */
async function mayInIndex(ask: Ask, name: string, privilege: string): Promise<boolean> {
  const index = encodeURIComponent(name)
  if (privilege === 'read') {
    const path = `/${index}/_search?size=0&ignore_unavailable=true`
    return (await ask({ method: 'POST', path, body: { query: { match_none: {} } } })).status !== 403
  }
  if (!['create_doc', 'create', 'index', 'write'].includes(privilege)) return false
  const condition = `require_alias=true&if_seq_no=0&if_primary_term=${impossibleTerm}`
  const path = `/${index}/_doc/logstack-privilege?${condition}`
  const { status } = await ask({ method: 'PUT', path, body: {} })
  return status !== 403 && status !== 401
}

function grantsOf(value: unknown): { names: string[]; privileges: string[] }[] {
  return (Array.isArray(value) ? value : []).map((grant: { names?: unknown; privileges?: unknown }) => ({
    names: typeof grant.names === 'string' ? [grant.names] : textsOf(grant.names),
    privileges: textsOf(grant.privileges),
  }))
}

/** What OpenSearch has nothing for. */
export const lackingTranslations: readonly Translation[] = [
  lacks(/^\/_security\/oauth2\/token$/, 'OpenSearch hands out no session tokens'),
  lacks(/^\/_security\/api_key(\/.*)?$/, 'OpenSearch has no API keys: make a user with a role of its own'),
  lacks(
    /^\/_ilm\/policy(\/.*)?$/,
    'OpenSearch keeps the life of indices in ISM policies: PUT _plugins/_ism/policies/NAME',
  ),
]

function lacks(path: RegExp, reason: string): Translation {
  const methods = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD'] as const
  return { methods, path, answer: async () => refusal(400, 'illegal_argument_exception', reason) }
}
