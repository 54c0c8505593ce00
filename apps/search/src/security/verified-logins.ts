import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { verifyPassword } from '@logstack/passwords'

const limits = { keptMs: 5 * 60_000, entriesMax: 1000 } as const

interface Verified {
  readonly digest: Buffer
  readonly passwordHash: string
  readonly expiresAtMs: number
}

/** Checks passwords, remembering the last good one of each user for some minutes so that Basic authentication does not cost a hash a request. */
export interface VerifiedLogins {
  /** True when this very password was verified lately against this very hash. Costs microseconds. */
  known(username: string, password: string, passwordHash: string): boolean
  /** Verifies by argon2; equal tries at the same time share one verification. */
  verify(username: string, password: string, passwordHash: string): Promise<boolean>
  /** Forgets these users, without names all. */
  forget(usernames: readonly string[] | undefined): void
  /** Tells one try from another without holding it: a digest that means nothing outside this process. */
  nameOf(username: string, password: string): string
}

/** Makes the memory. It holds no password: only a digest under a key that lives as long as the process. */
export function createVerifiedLogins(steadyMs: () => number): VerifiedLogins {
  const key = randomBytes(32)
  const verified = new Map<string, Verified>()
  const running = new Map<string, Promise<boolean>>()
  const digestOf = (username: string, password: string): Buffer =>
    createHmac('sha256', key).update(`${username.length}:${username}:${password}`, 'utf8').digest()
  return {
    known(username, password, passwordHash) {
      const digest = digestOf(username, password)
      const entry = verified.get(username)
      if (!entry || entry.passwordHash !== passwordHash || entry.expiresAtMs <= steadyMs()) return false
      return timingSafeEqual(entry.digest, digest)
    },
    forget(usernames) {
      for (const username of usernames ?? [...verified.keys()]) verified.delete(username)
    },
    nameOf: (username, password) => digestOf(username, password).toString('base64'),
    verify(username, password, passwordHash) {
      const digest = digestOf(username, password)
      const name = `${digest.toString('base64')}${passwordHash}`
      const same = running.get(name)
      if (same !== undefined) return same
      const check = verifyPassword(passwordHash, password)
        .then((right) => {
          if (right) {
            const oldest = verified.keys().next().value
            if (verified.size >= limits.entriesMax && oldest !== undefined) verified.delete(oldest)
            verified.set(username, { digest, passwordHash, expiresAtMs: steadyMs() + limits.keptMs })
          }
          return right
        })
        .finally(() => running.delete(name))
      running.set(name, check)
      return check
    },
  }
}
