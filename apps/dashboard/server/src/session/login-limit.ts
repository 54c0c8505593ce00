import { AppError, dashboardErrors } from '@logstack/errors'

interface Failures {
  count: number
  readonly sinceMs: number
}

const keysMax = 10_000

/** Counts failed logins of one user from one address, so that guessing passwords through the dashboard is slow. */
export class LoginLimit {
  readonly #failures = new Map<string, Failures>()
  readonly #limits: () => { failuresMax: number; windowMs: number }
  readonly #now: () => number

  /** `now` only goes on, in milliseconds: nobody is to wait for a clock that was set back. */
  constructor(limits: () => { failuresMax: number; windowMs: number }, now: () => number) {
    this.#limits = limits
    this.#now = now
  }

  /** Throws `login_too_often` when the window holds too many failures. */
  check(username: string, address: string): void {
    const { failuresMax, windowMs } = this.#limits()
    const failures = this.#failures.get(keyOf(username, address))
    const leftMs = failures ? failures.sinceMs + windowMs - this.#now() : 0
    if (!failures || leftMs <= 0 || failures.count < failuresMax) return
    const seconds = Math.ceil(leftMs / 1000)
    throw new AppError(dashboardErrors.login_too_often, `Too many failed logins. Try again in ${seconds} seconds.`, {
      detail: { retryAfterSeconds: seconds },
    })
  }

  /** Counts a try as failed; called before it is made, or many at once would all be made before the first has failed. */
  failed(username: string, address: string): void {
    const key = keyOf(username, address)
    const now = this.#now()
    const failures = this.#failures.get(key)
    if (failures && failures.sinceMs + this.#limits().windowMs > now) {
      failures.count++
      return
    }
    this.#failures.delete(key)
    if (this.#failures.size >= keysMax) {
      // A Map keeps the order of insertion: the first key has the oldest window.
      for (const oldest of this.#failures.keys()) {
        this.#failures.delete(oldest)
        break
      }
    }
    this.#failures.set(key, { count: 1, sinceMs: now })
  }

  /** The try that was counted was none: search did not say whether the password is right. */
  undecided(username: string, address: string): void {
    const failures = this.#failures.get(keyOf(username, address))
    if (failures && failures.count > 0) failures.count--
  }

  succeeded(username: string, address: string): void {
    this.#failures.delete(keyOf(username, address))
  }
}

function keyOf(username: string, address: string): string {
  return `${address} ${username}`
}
