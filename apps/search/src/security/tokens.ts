import { createHash } from 'node:crypto'
import { generateToken } from '@logstack/passwords'
import type { Collection, Store } from '../store/store.ts'
import type { TokenRecord } from './records.ts'

/** A short-lived token for a session of the dashboard. */
export interface IssuedToken {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresInSeconds: number
}

/** How long tokens live. */
export interface TokenLifetimes {
  readonly accessMs: number
  readonly refreshMs: number
}

/** Elasticsearch's own: 20 minutes, and a day to refresh. */
export const defaultTokenLifetimes: TokenLifetimes = { accessMs: 20 * 60_000, refreshMs: 24 * 3_600_000 }

/** Session tokens: random, stored only as hashes, refreshed once. */
export interface Tokens {
  /** Whose valid access token this is. */
  owner(accessToken: string): string | undefined
  issue(username: string): Promise<IssuedToken>
  /** A new pair for a refresh token that is still good; the old pair ends. */
  refresh(refreshToken: string): Promise<(IssuedToken & { username: string }) | undefined>
  /** Ends a pair by one of its tokens; 1 when that was valid. */
  invalidate(token: string, kind: 'access' | 'refresh'): Promise<number>
  /** Ends the pairs of the users that `isOf` means; how many tokens were valid. */
  invalidateOf(isOf: (username: string) => boolean): Promise<number>
}

/** Whether a text may be one of our tokens: 32 bytes in base64url. */
export function looksLikeToken(text: string): boolean {
  return /^[\w-]{43}$/u.test(text)
}

/** A digest of a secret that is random enough to need no salt. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('base64url')
}

/** A clock may be set back by so much without ending sessions, milliseconds. */
const setBackMsMax = 5 * 60_000

/** Expired pairs are looked for this often, when one is issued. */
const lookedEveryMs = 60_000

/** Makes the token store over the catalogue's. */
export function createTokens(store: Store, now: () => number, lifetimes: TokenLifetimes): Tokens {
  const records: Collection<TokenRecord> = store.collection('security_token')
  const find = (matches: (record: TokenRecord, key: string) => boolean): (readonly [string, TokenRecord])[] =>
    [...records.entries()].filter(([key, record]) => matches(record, key))
  const removeAll = async (found: readonly (readonly [string, TokenRecord])[]): Promise<void> => {
    if (found.length === 0) return
    await store.transaction(() => {
      for (const [key] of found) records.remove(key)
    })
  }
  // What ends later than any token that is issued now was issued by a clock that was ahead: it must not live until then.
  const isAlive = (atMs: number, lifetimeMs: number): boolean =>
    atMs > now() && atMs - now() <= lifetimeMs + setBackMsMax
  const { accessMs, refreshMs } = lifetimes
  let lookedAtMs = Number.NEGATIVE_INFINITY
  const expiredPairs = () => {
    if (now() >= lookedAtMs && now() - lookedAtMs < lookedEveryMs) return []
    lookedAtMs = now()
    return find((record) => !isAlive(record.refreshExpiresAtMs, refreshMs))
  }
  const issue = async (username: string): Promise<IssuedToken> => {
    const accessToken = generateToken(32)
    const refreshToken = generateToken(32)
    const expired = expiredPairs()
    await store.transaction(() => {
      for (const [key] of expired) records.remove(key)
      records.put(hashOfToken(accessToken), {
        username,
        refreshHash: hashOfToken(refreshToken),
        expiresAtMs: now() + accessMs,
        refreshExpiresAtMs: now() + refreshMs,
      })
    })
    return { accessToken, refreshToken, expiresInSeconds: Math.floor(accessMs / 1000) }
  }
  return {
    owner(accessToken) {
      const record = records.get(hashOfToken(accessToken))
      return record && isAlive(record.expiresAtMs, accessMs) ? record.username : undefined
    },
    issue,
    async refresh(refreshToken) {
      const hash = hashOfToken(refreshToken)
      const [found] = find((record) => record.refreshHash === hash && isAlive(record.refreshExpiresAtMs, refreshMs))
      if (!found) return undefined
      await removeAll([found])
      return { ...(await issue(found[1].username)), username: found[1].username }
    },
    async invalidate(token, kind) {
      const hash = hashOfToken(token)
      const found = find((record, key) => (kind === 'access' ? key : record.refreshHash) === hash)
      await removeAll(found)
      return found.filter(([, record]) =>
        kind === 'access' ? isAlive(record.expiresAtMs, accessMs) : isAlive(record.refreshExpiresAtMs, refreshMs),
      ).length
    },
    async invalidateOf(isOf) {
      const found = find((record) => isOf(record.username))
      await removeAll(found)
      return found.flatMap(([, record]) => [
        ...(isAlive(record.expiresAtMs, accessMs) ? ['access'] : []),
        ...(isAlive(record.refreshExpiresAtMs, refreshMs) ? ['refresh'] : []),
      ]).length
    },
  }
}
