import { type PartName, serviceAccounts } from '@logstack/contracts'
import { AppError, isAppError, messageOf, operatorErrors } from '@logstack/errors'
import { passwordBytesMax } from '@logstack/passwords'
import { loadDefinitions } from '../quadlet/load.ts'
import { waitReady } from '../runtimes/start-order.ts'
import type { Stack } from '../stack.ts'
import { unproven } from '../telling/unproven.ts'
import { refreshSecrets } from '../vault/deliver-secrets.ts'
import { setPasswordInSearch } from './set-in-search.ts'
import { tryPassword } from './try-password.ts'

/** The least and the most a password may have. */
const passwordLimits = { charactersMin: 6, bytesMax: passwordBytesMax } as const

/** What a change came to. */
export interface ChangedPassword {
  /** Whether the vault holds the password; a person's own it does not. */
  readonly stored: boolean
  /** The part that logs in with it, restarted and ready again. */
  readonly restarted: PartName | undefined
}

/** Called with a few words before each part of the work that takes a while. */
export type OnWork = (doing: string) => void

/**
 * Changes a user's password in search and in the vault as one transaction, proves it by a login and restarts the part that uses it. What is
 * about to change is kept encrypted beside the old secret first, so that whatever fails, also a power cut, search and vault agree
 * afterwards, at the latest when `settlePasswords` has run. When it throws before the restart, the old password is in effect in both.
 * Works when the stored password of the administrator is wrong, as long as search runs here. Call it with the operator's lock held.
 */
export async function changePassword(
  stack: Stack,
  username: string,
  password: string,
  onWork: OnWork = () => undefined,
): Promise<ChangedPassword> {
  checkPassword(password)
  await settlePasswords(stack)
  const { vault } = stack
  const stored = isStored(stack, username)
  const old = stored ? readable(stack, username) : undefined
  if (stored) vault.stage(username, password)
  try {
    onWork('search')
    await setPasswordInSearch(stack, username, password)
    if (stored) vault.commitStaged(username)
    stack.clients.close()
    onWork('proof by a login')
    await proveInEffect(stack, username, password, stored)
  } catch (thrown) {
    throw await undo(stack, { username, password, old, stored, thrown })
  }
  const restarted = await restartUserOf(stack, username, onWork)
  return { stored, restarted }
}

/**
 * Ends changes that a crash or a silent search left undecided: what search accepts becomes the secret, what it refuses is forgotten, and so is
 * what nobody can read any more. Answers the names of the secrets that changed. Throws `part_unreachable` when search must be asked and does not answer.
 */
export async function settlePasswords(stack: Stack, onWork: OnWork = () => undefined): Promise<string[]> {
  const changed: string[] = []
  for (const username of stack.vault.stagedNames()) {
    const password = stagedValue(stack, username)
    if (password === undefined || (await tryPassword(stack, username, password)) === 'refused') {
      stack.vault.dropStaged(username)
      continue
    }
    stack.vault.commitStaged(username)
    stack.clients.close()
    changed.push(username)
    await restartUserOf(stack, username, onWork)
  }
  return changed
}

// Where the key opens the stored one, what was set aside is damaged, or was written with a key that is lost; without the key nothing can be said.
function stagedValue(stack: Stack, username: string): string | undefined {
  try {
    return stack.vault.readStaged(username)
  } catch (thrown) {
    if (!isAppError(thrown) || readable(stack, username) === undefined) throw thrown
    return undefined
  }
}

/** Stores a password that search is known to accept, and brings the part that uses it up to date; nothing happens when it is stored already. */
export async function storeAccepted(
  stack: Stack,
  username: string,
  password: string,
  onWork: OnWork = () => undefined,
): Promise<boolean> {
  if (!isStored(stack, username) || readable(stack, username) === password) return false
  stack.vault.write(username, password)
  stack.clients.close()
  await restartUserOf(stack, username, onWork)
  return true
}

/** Whether the vault keeps this user's password: the administrator's, the parts', and of whom it already has one. */
function isStored({ vault, choices }: Stack, username: string): boolean {
  if (username === choices.adminUser || partOf(username) !== undefined) return true
  return /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(username) && vault.has(username)
}

/** Why a password cannot be used, as an `option_invalid`. */
function checkPassword(password: string): void {
  const problem =
    [...password].length < passwordLimits.charactersMin
      ? `has fewer than ${passwordLimits.charactersMin} characters`
      : Buffer.byteLength(password) > passwordLimits.bytesMax
        ? `has more than ${passwordLimits.bytesMax} bytes`
        : /\p{Cc}/u.test(password)
          ? 'holds a control character, which no prompt and no HTTP client sends'
          : undefined
  if (problem === undefined) return
  throw new AppError(operatorErrors.option_invalid, `the password ${problem}`, { fix: 'choose another password' })
}

interface Failed {
  readonly username: string
  readonly password: string
  readonly old: string | undefined
  readonly stored: boolean
  readonly thrown: unknown
}

/** Goes back to where search and vault agree, and answers the error to throw. */
async function undo(stack: Stack, failed: Failed): Promise<unknown> {
  const { username, password, old, stored, thrown } = failed
  if (!stored) return thrown
  try {
    stack.clients.close()
    if ((await tryPassword(stack, username, password)) === 'accepted') {
      // Search took it. The old one is put back where it is known; else the new one stays in both.
      if (old === undefined) return keepNew(stack, failed)
      await setPasswordInSearch(stack, username, old, password)
    }
    if (old !== undefined && readable(stack, username) !== old) stack.vault.write(username, old)
    stack.vault.dropStaged(username)
    stack.clients.close()
  } catch (second) {
    const message = `the change of the password of [${username}] was cut off: ${messageOf(thrown)}; then: ${messageOf(second)}`
    return new AppError(operatorErrors.password_undecided, message, {
      cause: thrown,
      fix: './logstack password settle, once search answers',
    })
  }
  if (isAppError(thrown)) return thrown
  const message = `the password of [${username}] was not changed: ${messageOf(thrown)}`
  return new AppError(operatorErrors.vault_unreadable, message, {
    cause: thrown,
    fix: `make ${stack.paths.vaultDir} writable, with some space left`,
  })
}

function keepNew(stack: Stack, { username, thrown }: Failed): unknown {
  if (stack.vault.stagedNames().includes(username)) stack.vault.commitStaged(username)
  return thrown
}

async function proveInEffect(stack: Stack, username: string, password: string, stored: boolean): Promise<void> {
  if ((await tryPassword(stack, username, password)) !== 'accepted') {
    throw unproven(`search does not accept the new password of [${username}]`)
  }
  if (stored && stack.vault.read(username) !== password) {
    throw unproven(`the vault does not hold the new password of [${username}]`)
  }
}

async function restartUserOf(stack: Stack, username: string, onWork: OnWork): Promise<PartName | undefined> {
  for (const [part, definition] of loadDefinitions(stack.paths)) {
    if (definition.secrets.includes(username)) refreshSecrets(stack, part)
  }
  const part = partOf(username)
  if (!part) return undefined
  // A part that was stopped on purpose reads the new one when it is started. One that just ended, because search refused its old password, is none.
  if (await stack.runtime.isStopped(part)) return undefined
  onWork(`restart of ${part}`)
  await stack.runtime.restart(part)
  await waitReady(stack.runtime, [part])
  return part
}

/** The part that logs in with an account; undefined for people. */
function partOf(username: string): PartName | undefined {
  return serviceAccounts.find((account) => account.username === username)?.part
}

function readable({ vault }: Stack, username: string): string | undefined {
  try {
    return vault.has(username) ? vault.read(username) : undefined
  } catch (thrown) {
    // What cannot be read any more is about to be replaced.
    if (isAppError(thrown)) return undefined
    throw thrown
  }
}
