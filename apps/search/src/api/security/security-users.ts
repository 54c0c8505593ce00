import { AppError, searchErrors } from '@logstack/errors'
import { isObject } from '../../json/json-object.ts'
import { jsonToken } from '../../json/json-token.ts'
import { validationError } from '../../refusals/validation-error.ts'
import { needOf } from '../../security/actions.ts'
import { parseFault } from '../../security/body-fields.ts'
import { forbidden } from '../../security/denied.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { objectBody } from '../read-request.ts'
import { queryRecords, type RecordKind } from './query-records.ts'
import { checkUsername, invalidValue, readPasswordChange, readUser } from './read-user.ts'
import { showAuthentication, showUser } from './show-authentication.ts'

const refresh = { refresh: ['true', 'false', 'wait_for'] } as const

const authenticate = defineRoute({
  name: 'security.authenticate',
  methods: ['GET'],
  paths: ['/_security/_authenticate'],
  privilege: 'authenticated',
  parameters: {},
  async handle({ scope }, { security }) {
    return { json: showAuthentication(scope.principal, security) }
  },
})

const getUser = defineRoute({
  name: 'security.get_user',
  methods: ['GET'],
  paths: ['/_security/user', '/_security/user/{username}'],
  privilege: { cluster: 'read_security' },
  parameters: { with_profile_uid: 'boolean' },
  async handle(request, { security }) {
    const names = request.params['username']?.split(',')
    const found = security.users().filter(({ username }) => names?.includes(username) ?? true)
    const json = Object.fromEntries(found.map((user) => [user.username, showUser(user)]))
    return { status: names && found.length === 0 ? 404 : 200, json }
  },
})

const [keyword, text] = [{ type: 'keyword' }, { type: 'text' }]
const queriedUsers: RecordKind = {
  request: 'query_user_request',
  what: 'User',
  properties: { username: keyword, roles: keyword, full_name: text, email: text, enabled: { type: 'boolean' } },
  sorted: ['username', 'roles', 'enabled'],
}

const queryUsers = defineRoute({
  name: 'security.query_user',
  methods: ['GET', 'POST'],
  paths: ['/_security/_query/user'],
  privilege: { cluster: 'read_security' },
  parameters: { with_profile_uid: 'boolean' },
  async handle(request, { security, now }) {
    // Those that are built in are no part of the native realm.
    const native = security.users().filter(({ reserved }) => !reserved)
    const listed = native.map((user) => ({ record: user, id: user.username, source: showUser(user) }))
    const { total, found } = queryRecords(queriedUsers, listed, request.json(), now())
    const users = found.map(({ record, sort }) => ({
      ...showUser(record),
      ...(sort === undefined ? {} : { _sort: sort }),
    }))
    return { json: { total, count: users.length, users } }
  },
})

function userBody(body: unknown) {
  if (body === undefined || isObject(body)) return objectBody(body, 'user')
  throw parseFault(`expected an object, but found token [${jsonToken(body)}]`)
}

const putUser = defineRoute({
  name: 'security.put_user',
  methods: ['PUT', 'POST'],
  paths: ['/_security/user/{username}'],
  privilege: { cluster: 'manage_security' },
  parameters: refresh,
  async handle(request, { security }) {
    const username = request.params['username'] ?? ''
    checkUsername(username)
    // Without its role nobody could give it back.
    if (security.user(username)?.reserved === true)
      throw validationError(`user [${username}] is reserved and only the password can be changed`)
    const change = readUser(username, userBody(request.json()))
    const created = await security.putUser(username, change)
    return { json: { created } }
  },
})

function refuseAnonymous(username: string, what: string): void {
  if (username !== '_anonymous') return
  throw new AppError(searchErrors.illegal_argument_exception, `user [${username}] is anonymous and cannot be ${what}`)
}

const deleteUser = defineRoute({
  name: 'security.delete_user',
  methods: ['DELETE'],
  paths: ['/_security/user/{username}'],
  privilege: { cluster: 'manage_security' },
  parameters: refresh,
  async handle(request, { security }) {
    const username = request.params['username'] ?? ''
    refuseAnonymous(username, 'deleted')
    const found = await security.deleteUser(username)
    return { status: found ? 200 : 404, json: { found } }
  },
})

const setEnabled = (enabled: boolean): Route =>
  defineRoute({
    name: `security.${enabled ? 'enable' : 'disable'}_user`,
    methods: ['PUT', 'POST'],
    paths: [`/_security/user/{username}/_${enabled ? 'enable' : 'disable'}`],
    privilege: { cluster: 'manage_security' },
    parameters: {},
    async handle(request, { security }) {
      const username = request.params['username'] ?? ''
      refuseAnonymous(username, 'modified using the api')
      if (!security.user(username)) throw invalidValue(`only existing users can be ${enabled ? 'enabled' : 'disabled'}`)
      const { username: own, realm } = request.scope.principal
      if (username === own && realm !== 'api_key') {
        const reason = 'users may not update the enabled status of their own account'
        throw new AppError(searchErrors.illegal_argument_exception, reason)
      }
      await security.putUser(username, { enabled })
      return { json: {} }
    },
  })

const changePassword = defineRoute({
  name: 'security.change_password',
  methods: ['PUT', 'POST'],
  paths: ['/_security/user/_password', '/_security/user/{username}/_password'],
  privilege: 'authenticated',
  parameters: refresh,
  async handle(request, { security }) {
    const { scope } = request
    const { username: own, realm } = scope.principal
    const username = request.params['username'] ?? own
    const isSelf = username === own && realm !== 'api_key'
    const { action, wanted } = needOf('security.change_password', 'cluster', 'manage_security')
    if (!isSelf && !scope.hasCluster(wanted)) throw forbidden(scope, action, 'cluster', wanted)
    const change = readPasswordChange(objectBody(request.json(), 'change password'))
    refuseAnonymous(username, 'modified via the API')
    if (!security.user(username)) throw invalidValue('user must exist in order to change password')
    await security.changePassword(username, change)
    return { json: {} }
  },
})

/** Users and their passwords. */
export const securityUserRoutes: readonly Route[] = [
  authenticate,
  getUser,
  queryUsers,
  putUser,
  deleteUser,
  setEnabled(true),
  setEnabled(false),
  changePassword,
]
