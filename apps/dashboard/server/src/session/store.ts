import { randomBytes } from 'node:crypto'
import { AppError, dashboardErrors, messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import { hashOf, type SealedSession, seal, unseal } from './sealed.ts'
import type { SessionKeeper } from './session-file.ts'
import type { Identity, TokenExchange, TokenPair } from './tokens.ts'

/** A session as routes see it; the token stays inside the store. */
export interface Session {
  readonly id: string
  readonly identity: Identity
  readonly expiresAtMs: number
}

export interface SessionLimits {
  readonly idleTimeoutMs: number
  readonly lifetimeMs: number
  readonly countMax: number
}

interface Held {
  readonly session: Session
  token: TokenPair
  tokenExpiresAtMs: number
  lastSeenMs: number
  refreshing: Promise<void> | undefined
}

export interface SessionStoreOptions {
  readonly tokens: TokenExchange
  /** Where sessions outlive the process. */
  readonly keeper: SessionKeeper
  readonly limits: () => SessionLimits
  readonly now: () => number
  readonly logger: Logger
}

// A token is renewed when less than this part of its life is left, so that no request travels with one that ends on the way.
const renewBelow = 0.25
/** A clock may be set back by so much without ending sessions, milliseconds; what it began while it was further ahead must not last until then. */
const setBackMsMax = 5 * 60_000

/** What is sealed of a session. */
interface Kept {
  readonly identity: Identity
  readonly token: TokenPair
  readonly tokenExpiresAtMs: number
}

/**
 * All sessions, in memory and bounded. The password passes through `open` and is kept nowhere, but with a server that has no tokens (OpenSearch):
 * then it is held as a token is. Tokens outlive the process sealed: a session of the run before stays asleep until its cookie comes and opens it.
 */
export class SessionStore {
  readonly #options: SessionStoreOptions
  readonly #held = new Map<string, Held>()
  readonly #asleep: Map<string, SealedSession>

  constructor(options: SessionStoreOptions) {
    this.#options = options
    this.#asleep = new Map(options.keeper.load().map((session) => [session.hash, session]))
  }

  get size(): number {
    return this.#held.size + this.#asleep.size
  }

  /** Keeps all sessions for the next run; called after each change that must not be lost, and now and then. */
  keep(): void {
    const awake = [...this.#held.values()].map((held): SealedSession => {
      const { id, identity, expiresAtMs } = held.session
      const kept: Kept = { identity, token: held.token, tokenExpiresAtMs: held.tokenExpiresAtMs }
      return { hash: hashOf(id), sealed: seal(id, kept), lastSeenMs: held.lastSeenMs, expiresAtMs }
    })
    this.#options.keeper.save([...awake, ...this.#asleep.values()])
  }

  /** Logs in at search. Throws `login_failed`. */
  async open(username: string, password: string): Promise<Session> {
    const { tokens, limits, now } = this.#options
    const token = await tokens.exchange(username, password)
    const identity = await tokens.identify(headerOf(token))
    const at = now()
    const session = {
      id: randomBytes(32).toString('base64url'),
      identity,
      expiresAtMs: at + limits().lifetimeMs,
    }
    this.sweep()
    while (this.size >= limits().countMax) this.#endLongestIdle()
    this.#held.set(session.id, {
      session,
      token,
      tokenExpiresAtMs: at + token.expiresInSeconds * 1000,
      lastSeenMs: at,
      refreshing: undefined,
    })
    this.keep()
    return session
  }

  /** The session, if it is still valid; being looked up counts as use. */
  find(id: string): Session | undefined {
    const held = this.#held.get(id) ?? this.#wake(id)
    if (!held) return undefined
    if (this.#isOver(held.lastSeenMs, held.session.expiresAtMs)) {
      void this.#drop(held)
      return undefined
    }
    held.lastSeenMs = this.#options.now()
    return held.session
  }

  /** The `Authorization` header for the session's requests, renewed before it ends. Throws `login_required` when search renews it no more. */
  async authorization(id: string): Promise<string> {
    const held = this.#held.get(id)
    if (!held) throw ended()
    const leftMs = held.tokenExpiresAtMs - this.#options.now()
    const lifeMs = held.token.expiresInSeconds * 1000
    // One that has longer than it lives was issued by a clock that was set back since; search ends those that are far off.
    if (leftMs < lifeMs * renewBelow || leftMs > lifeMs) {
      held.refreshing ??= this.#renew(held).finally(() => {
        held.refreshing = undefined
      })
      await held.refreshing
    }
    return headerOf(held.token)
  }

  /** Who an `Authorization` header belongs to, asked at search each time. Throws `login_required`. */
  identify(authorization: string): Promise<Identity> {
    return this.#options.tokens.identify(authorization)
  }

  /** Logs out: the token ends at search too. */
  async close(id: string): Promise<void> {
    const held = this.#held.get(id) ?? this.#wake(id)
    if (!held) return
    const dropped = this.#drop(held)
    this.keep()
    await dropped
  }

  /** Drops sessions whose time is over; called now and then. */
  sweep(): void {
    for (const held of this.#held.values()) {
      if (this.#isOver(held.lastSeenMs, held.session.expiresAtMs)) void this.#drop(held)
    }
    // Their tokens are sealed and cannot be ended here; at search they end by themselves.
    for (const { hash, lastSeenMs, expiresAtMs } of this.#asleep.values()) {
      if (this.#isOver(lastSeenMs, expiresAtMs)) this.#asleep.delete(hash)
    }
    this.keep()
  }

  /** The session of the run before that this id opens. */
  #wake(id: string): Held | undefined {
    const sealed = this.#asleep.get(hashOf(id))
    if (!sealed) return undefined
    this.#asleep.delete(sealed.hash)
    const { identity, token, tokenExpiresAtMs } = unseal(id, sealed.sealed) as Kept
    const { lastSeenMs, expiresAtMs } = sealed
    const session = { id, identity, expiresAtMs }
    const held = { session, token, tokenExpiresAtMs, lastSeenMs, refreshing: undefined }
    this.#held.set(id, held)
    return held
  }

  async #renew(held: Held): Promise<void> {
    const { refreshToken } = held.token
    try {
      if (refreshToken === undefined) throw ended()
      held.token = await this.#options.tokens.refresh(refreshToken)
      held.tokenExpiresAtMs = this.#options.now() + held.token.expiresInSeconds * 1000
      // Search takes each refresh token once: the one before is worth nothing any more.
      this.keep()
    } catch (cause) {
      // An unreachable search is no reason to log people out; a refusal is.
      if (cause instanceof AppError && cause.kind === 'unavailable') throw cause
      this.#held.delete(held.session.id)
      throw ended(cause)
    }
  }

  #isOver(lastSeenMs: number, expiresAtMs: number): boolean {
    const now = this.#options.now()
    const { idleTimeoutMs, lifetimeMs } = this.#options.limits()
    const isOfFuture = expiresAtMs - now > lifetimeMs + setBackMsMax
    return isOfFuture || now >= expiresAtMs || now - lastSeenMs >= idleTimeoutMs
  }

  /** Ends a session here at once, and its token at search; while search cannot, the token ends by itself. */
  async #drop(held: Held): Promise<void> {
    this.#held.delete(held.session.id)
    try {
      await this.#options.tokens.invalidate(held.token)
    } catch (thrown) {
      this.#options.logger.warn(`token of an ended session not invalidated: ${messageOf(thrown)}`)
    }
  }

  #endLongestIdle(): void {
    let longest: Held | undefined
    for (const held of this.#held.values()) if (!longest || held.lastSeenMs < longest.lastSeenMs) longest = held
    const [sleeper] = [...this.#asleep.values()].sort((left, right) => left.lastSeenMs - right.lastSeenMs)
    if (sleeper && sleeper.lastSeenMs < (longest?.lastSeenMs ?? Number.POSITIVE_INFINITY)) {
      this.#asleep.delete(sleeper.hash)
    } else if (longest) void this.#drop(longest)
  }
}

function headerOf({ scheme = 'Bearer', accessToken }: TokenPair): string {
  return `${scheme} ${accessToken}`
}

function ended(cause?: unknown): AppError {
  return new AppError(dashboardErrors.login_required, 'The session has ended. Log in again.', { cause })
}
