import { isAppError } from '@logstack/errors'
import { agentsAuthoritySecret } from '../certificates/authority.ts'
import type { Stack } from '../stack.ts'
import { partOfSecret } from '../vault/people-secrets.ts'

/** A user, and where it is known. */
export interface KnownUser {
  readonly username: string
  /** Unknown while search does not answer. */
  readonly inSearch: boolean | undefined
  readonly hasSecret: boolean
}

/** Secrets that are no user's password. */
const otherSecrets = [agentsAuthoritySecret]

/** The users of search and which have a stored secret; the store's names alone when search does not answer. */
export async function listUsers(stack: Stack): Promise<KnownUser[]> {
  const secrets = stack.vault.names().filter((name) => !otherSecrets.includes(name) && !partOfSecret(name))
  // Users that are built in are told of only where somebody keeps a password of theirs.
  const users = (await usersOfSearch(stack))
    ?.filter(({ name, isReserved }) => !isReserved || secrets.includes(name))
    .map(({ name }) => name)
  const names = [...new Set([...(users ?? []), ...secrets])].sort()
  return names.map((username) => ({
    username,
    inSearch: users?.includes(username),
    hasSecret: secrets.includes(username),
  }))
}

async function usersOfSearch(stack: Stack): Promise<{ name: string; isReserved: boolean }[] | undefined> {
  try {
    const { body } = await stack.clients
      .search()
      .request<Record<string, { metadata?: { _reserved?: boolean } }>>({ method: 'GET', path: '/_security/user' })
    return Object.entries(body).map(([name, { metadata }]) => ({ name, isReserved: metadata?._reserved === true }))
  } catch (thrown) {
    if (isAppError(thrown)) return undefined
    throw thrown
  }
}
