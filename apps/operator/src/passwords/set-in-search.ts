import { AppError, isAppError, messageOf, operatorErrors } from '@logstack/errors'
import type { SearchClient } from '@logstack/search-client'
import type { Stack } from '../stack.ts'

const execLimitMs = 30_000

/**
 * Sets a user's password in search: as the administrator, or, when the stored password of the administrator is not the right one, inside
 * search itself. `own` is the user's present password where it is known: a user may always change the own one.
 */
export async function setPasswordInSearch(
  stack: Stack,
  username: string,
  password: string,
  own?: string,
): Promise<void> {
  const { clients, choices } = stack
  if (own !== undefined && username === choices.adminUser) {
    await post(clients.searchAs(username, own), username, password)
    return
  }
  try {
    await post(clients.search(), username, password)
  } catch (thrown) {
    if (!isRefusedLogin(thrown)) throw thrown
    await setInsideSearch(stack, username, password)
  }
}

/** Sets a password through search's local socket, where no old password counts; the caller stores it. */
async function setInsideSearch(stack: Stack, username: string, password: string): Promise<void> {
  const argv = ['elasticsearch-reset-password', '-u', username, '-i', '-b', '-s', '--caller-stores']
  await stack.runtime.exec('search', argv, { timeoutMs: execLimitMs, input: `${password}\n` })
}

async function post(search: SearchClient, username: string, password: string): Promise<void> {
  const path = `/_security/user/${encodeURIComponent(username)}/_password`
  const answer = await search.request({ method: 'POST', path, body: { password }, accept: [400] })
  if (answer.status !== 400) return
  const { error } = answer.body as { error?: { reason?: string } }
  throw new AppError(
    operatorErrors.option_invalid,
    `search does not change the password of [${username}]: ${error?.reason ?? messageOf(answer.body)}`,
    { fix: './logstack password list shows the users' },
  )
}

// The stored password is refused, slowed down after refusals, or not there at all.
function isRefusedLogin(thrown: unknown): boolean {
  if (!isAppError(thrown)) return false
  if (['secret_missing', 'vault_unreadable'].includes(thrown.code)) return true
  return [401, 429].includes(Number(thrown.detail['status']))
}
