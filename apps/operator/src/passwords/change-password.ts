import { type PartName, serviceAccounts } from '@logstack/contracts'
import { AppError, messageOf, operatorErrors } from '@logstack/errors'
import { passwordBytesMax } from '@logstack/passwords'
import { waitReady } from '../runtimes/start-order.ts'
import type { Stack } from '../stack.ts'
import { unproven } from '../steps/unproven.ts'

/** The least and the most a password may have. */
const passwordLimits = { charactersMin: 6, bytesMax: passwordBytesMax } as const

/**
 * Changes a user's password in search and in the vault, restarts the part that uses it, and proves it by a login. When storing it fails,
 * search gets the old one back, so that the two never disagree. A user without a secret is changed in search only.
 */
export async function changePassword(stack: Stack, username: string, password: string): Promise<void> {
  checkPassword(password)
  const { vault, clients, choices } = stack
  const stored = vault.has(username) ? vault.read(username) : undefined
  const admin = clients.search()
  const path = `/_security/user/${encodeURIComponent(username)}/_password`
  const answer = await admin.request({ method: 'POST', path, body: { password }, accept: [400] })
  if (answer.status === 400) {
    throw new AppError(
      operatorErrors.option_invalid,
      `search does not change the password of [${username}]: is there such a user?`,
      {
        fix: './logstack password list shows the users',
      },
    )
  }
  if (stored !== undefined) {
    try {
      vault.write(username, password)
    } catch (thrown) {
      // The administrator's old password no longer opens search: the way back is with the new one.
      const way = username === choices.adminUser ? clients.searchAs(username, password) : admin
      await way.request({ method: 'POST', path, body: { password: stored } })
      throw new AppError(operatorErrors.vault_unreadable, `the password was not changed: ${messageOf(thrown)}`, {
        cause: thrown,
        fix: `make ${stack.paths.vaultDir} writable`,
      })
    }
  }
  clients.close()
  const request = { method: 'GET', path: '/_security/_authenticate', accept: [401] } as const
  const { status } = await clients.searchAs(username, password).request(request)
  if (status !== 200) throw unproven(`search does not accept the new password of [${username}]`)
  await restartUserOf(stack, username)
}

/** The part that logs in with an account; undefined for people. */
function partOf(username: string): PartName | undefined {
  return serviceAccounts.find((account) => account.username === username)?.part
}

async function restartUserOf(stack: Stack, username: string): Promise<void> {
  const part = partOf(username)
  if (!part) return
  await stack.runtime.restart(part)
  await waitReady(stack.runtime, [part])
}

function checkPassword(password: string): void {
  const problem =
    [...password].length < passwordLimits.charactersMin
      ? `has fewer than ${passwordLimits.charactersMin} characters`
      : Buffer.byteLength(password) > passwordLimits.bytesMax
        ? `has more than ${passwordLimits.bytesMax} bytes`
        : undefined
  if (problem === undefined) return
  throw new AppError(operatorErrors.option_invalid, `the password ${problem}`, { fix: 'choose another password' })
}
