import {
  type Answer,
  isRefused,
  pluginPath,
  refusedBy,
  type TranslatedCall,
  type Translation,
  textsOf,
} from './exchange.ts'
import { everything } from './privileges-of-caller.ts'

interface PluginUser {
  readonly opendistro_security_roles?: readonly string[]
  readonly backend_roles?: readonly string[]
  readonly attributes?: Readonly<Record<string, string>>
  readonly description?: string
  readonly reserved?: boolean
}

const usersPath = `${pluginPath}/api/internalusers`

/** Users of the plugin's own store. Reserved ones only change their own password: so says the plugin. */
export const accountTranslations: readonly Translation[] = [
  {
    methods: ['GET'],
    path: /^\/_security\/user(?:\/([^/_][^/]*))?$/,
    async answer({ ask, names: [name] }) {
      const answer = await ask({ method: 'GET', path: pathOf(name) })
      if (answer.status === 404) return { status: 404, body: {} }
      if (isRefused(answer)) return refusedBy(answer)
      const found = Object.entries(answer.body as Record<string, PluginUser>)
      return { status: 200, body: Object.fromEntries(found.map(([key, user]) => [key, shownUser(key, user)])) }
    },
  },
  {
    methods: ['PUT', 'POST'],
    path: /^\/_security\/user\/([^/_][^/]*)$/,
    async answer({ ask, names: [name], body }) {
      const { password, roles, full_name: fullName } = body
      const user = {
        ...(typeof password === 'string' ? { password } : {}),
        opendistro_security_roles: textsOf(roles).map((role) =>
          role === everything.elasticsearch ? everything.openSearch : role,
        ),
        ...(typeof fullName === 'string' ? { description: fullName } : {}),
      }
      const answer = await ask({ method: 'PUT', path: pathOf(name), body: user })
      return isRefused(answer) ? refusedBy(answer) : { status: 200, body: { created: answer.status === 201 } }
    },
  },
  {
    methods: ['PUT', 'POST'],
    path: /^\/_security\/user\/(?:([^/_][^/]*)\/)?_password$/,
    answer: changePassword,
  },
  {
    methods: ['DELETE'],
    path: /^\/_security\/user\/([^/_][^/]*)$/,
    async answer({ ask, names: [name] }) {
      const answer = await ask({ method: 'DELETE', path: pathOf(name) })
      if (answer.status === 404) return { status: 404, body: { found: false } }
      return isRefused(answer) ? refusedBy(answer) : { status: 200, body: { found: true } }
    },
  },
]

async function changePassword({ ask, names: [name], body, password: current }: TranslatedCall): Promise<Answer> {
  const { password } = body
  const caller = (await ask({ method: 'GET', path: `${pluginPath}/authinfo` })).body as { user_name?: string } | null
  const isOwn = name === undefined || name === caller?.user_name
  const answer = isOwn
    ? await ask({ method: 'PUT', path: `${pluginPath}/api/account`, body: { current_password: current, password } })
    : await ask({ method: 'PATCH', path: pathOf(name), body: [{ op: 'add', path: '/password', value: password }] })
  return isRefused(answer) ? refusedBy(answer) : { status: 200, body: {} }
}

function pathOf(name: string | undefined): string {
  return name === undefined ? usersPath : `${usersPath}/${encodeURIComponent(name)}`
}

function shownUser(username: string, user: PluginUser) {
  const roles = [...(user.opendistro_security_roles ?? []), ...(user.backend_roles ?? [])]
  return {
    username,
    roles: roles.includes(everything.openSearch) ? [...roles, everything.elasticsearch] : roles,
    full_name: user.description ?? null,
    email: null,
    metadata: user.reserved ? { _reserved: true } : {},
    enabled: true,
  }
}
