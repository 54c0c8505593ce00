import { generateToken } from '@logstack/passwords'
import { serviceAccounts } from '../../security/service-accounts.ts'
import { defineRoute, type Route, type RouteRequest } from '../define-route.ts'

const refresh = { refresh: ['true', 'false', 'wait_for'] } as const
const manage = { cluster: 'manage_service_account' } as const
const credentials = '/_security/service/{namespace}/{service}/credential'

const accountOf = ({ params }: RouteRequest): string => `${params['namespace']}/${params['service']}`

const accounts = defineRoute({
  name: 'security.get_service_accounts',
  methods: ['GET'],
  paths: ['/_security/service', '/_security/service/{namespace}', '/_security/service/{namespace}/{service}'],
  privilege: manage,
  parameters: {},
  async handle({ params: { namespace, service } }) {
    const found = Object.entries(serviceAccounts).filter(([name]) => {
      const [ofNamespace, ofService] = name.split('/')
      return (namespace ?? ofNamespace) === ofNamespace && (service ?? ofService) === ofService
    })
    return { json: Object.fromEntries(found.map(([name, role]) => [name, { role_descriptor: role }])) }
  },
})

const list = defineRoute({
  name: 'security.get_service_credentials',
  methods: ['GET'],
  paths: [credentials],
  privilege: manage,
  parameters: {},
  async handle(request, { security }) {
    const names = security.serviceTokens.names(accountOf(request))
    return {
      json: {
        service_account: accountOf(request),
        count: names.length,
        tokens: Object.fromEntries(names.map((name) => [name, {}])),
        nodes_credentials: { _nodes: { total: 1, successful: 1, failed: 0 }, file_tokens: {} },
      },
    }
  },
})

const create = defineRoute({
  name: 'security.create_service_token',
  methods: ['PUT', 'POST'],
  paths: [`${credentials}/token/{name}`, `${credentials}/token`],
  privilege: manage,
  parameters: refresh,
  async handle(request, { security }) {
    const name = request.params['name'] ?? `token_${generateToken(10)}`
    const value = await security.serviceTokens.create(accountOf(request), name)
    return { json: { created: true, token: { name, value } } }
  },
})

const remove = defineRoute({
  name: 'security.delete_service_token',
  methods: ['DELETE'],
  paths: [`${credentials}/token/{name}`],
  privilege: manage,
  parameters: refresh,
  async handle(request, { security }) {
    const found = await security.serviceTokens.remove(accountOf(request), request.params['name'] ?? '')
    return { status: found ? 200 : 404, json: { found } }
  },
})

/** Tokens of programs that are no users. */
export const serviceTokenRoutes: readonly Route[] = [accounts, list, create, remove]
