import { createHash } from 'node:crypto'
import { type ServiceAccount, serviceAccounts } from '@logstack/contracts'
import { AppError, isAppError, operatorErrors } from '@logstack/errors'
import type { Stack } from '../stack.ts'
import { unproven } from '../telling/unproven.ts'
import { defineStep, findingOf } from './define-step.ts'

/** The role and the user of every part, with the passwords of the vault; proved by a login of each. */
export const accounts = defineStep({
  name: 'accounts',
  title: 'accounts',
  async diagnose(stack) {
    await checkAdministrator(stack)
    const wrong = await Promise.all(serviceAccounts.map((account) => problemOf(stack, account)))
    return findingOf(serviceAccounts.flatMap((account, index) => (wrong[index] ? [planOf(account)] : [])))
  },
  planFromNothing: () => serviceAccounts.map(planOf),
  async apply(stack) {
    for (const account of serviceAccounts) {
      if ((await problemOf(stack, account)) !== undefined) await putAccount(stack, account)
    }
  },
  async prove(stack) {
    for (const account of serviceAccounts) {
      const problem = await problemOf(stack, account)
      if (problem) throw unproven(`the account ${account.username} ${problem}`)
    }
  },
})

function planOf({ role, username }: ServiceAccount): string {
  return `PUT /_security/role/${role.name} and /_security/user/${username}`
}

/** Why an account must be written again; undefined when its stored password logs in and its role is the shipped one. */
async function problemOf(stack: Stack, account: ServiceAccount): Promise<string | undefined> {
  const { username, role } = account
  const as = stack.clients.searchAs(username, stack.vault.read(username))
  const login = await as.request<{ roles?: string[] }>({
    method: 'GET',
    path: '/_security/_authenticate',
    // 429: a part that was refused too often made search slow down its logins.
    accept: [401, 429],
  })
  if (login.status !== 200) return 'cannot log in'
  if (!login.body.roles?.includes(role.name)) return `does not have the role ${role.name}`
  const found = await stack.clients.search().request<Record<string, { metadata?: { logstack?: string } }>>({
    method: 'GET',
    path: `/_security/role/${role.name}`,
    accept: [404],
  })
  return found.body[role.name]?.metadata?.logstack === digestOf(account) ? undefined : `has another role than shipped`
}

async function putAccount(stack: Stack, account: ServiceAccount): Promise<void> {
  const { username, role, part } = account
  const search = stack.clients.search()
  const { name, ...rights } = role
  await search.request({
    method: 'PUT',
    path: `/_security/role/${name}`,
    body: { ...rights, metadata: { logstack: digestOf(account) } },
  })
  await search.request({
    method: 'PUT',
    path: `/_security/user/${username}`,
    body: {
      password: stack.vault.read(username),
      roles: [name],
      full_name: `logstack ${part}`,
      metadata: { service_account: true },
    },
  })
}

/** The stored password of the administrator must log in: everything else is done with it. */
export async function checkAdministrator(stack: Stack): Promise<void> {
  try {
    await stack.clients.search().request({ method: 'GET', path: '/_security/_authenticate' })
  } catch (thrown) {
    if (!isAppError(thrown) || thrown.detail['status'] !== 401) throw thrown
    const { adminUser } = stack.choices
    throw new AppError(
      operatorErrors.part_refused,
      `search refuses the stored password of [${adminUser}]: it was changed in search, but not in the vault`,
      { cause: thrown, fix: './logstack doctor --repair --only admin-password' },
    )
  }
}

function digestOf(account: ServiceAccount): string {
  return createHash('sha256').update(JSON.stringify(account.role)).digest('hex').slice(0, 16)
}
