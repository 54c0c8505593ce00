import { AppError, dashboardErrors, isAppError } from '@logstack/errors'
import { createLoginTurns } from '@logstack/passwords/login-turns'

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
  readonly #inTurn = createLoginTurns()
  #tries = 0

  /** `now` only goes on, in milliseconds: nobody is to wait for a clock that was set back. */
  constructor(limits: () => { failuresMax: number; windowMs: number }, now: () => number) {
    this.#limits = limits
    this.#now = now
  }

  /**
   * Makes a try once those before it, of the same user from the same address, have ended: of many that come at one time no more fail than of those that
   * come one by one. Throws `login_too_often` when the window holds too many failures.
   */
  attempt<T>(username: string, address: string, open: () => Promise<T>): Promise<T> {
    const key = `${address} ${username}`
    this.#tries += 1
    // Equal passwords, too, are tries of their own: each opens a session.
    return this.#inTurn(key, String(this.#tries), () => this.#try(key, open))
  }

  async #try<T>(key: string, open: () => Promise<T>): Promise<T> {
    this.#check(key)
    try {
      const opened = await open()
      this.#failures.delete(key)
      return opened
    } catch (thrown) {
      // Whatever else went wrong, search did not say that the password is wrong.
      if (isAppError(thrown) && thrown.code === 'login_failed') this.#failed(key)
      throw thrown
    }
  }

  #check(key: string): void {
    const { failuresMax, windowMs } = this.#limits()
    const failures = this.#failures.get(key)
    const leftMs = failures ? failures.sinceMs + windowMs - this.#now() : 0
    if (!failures || leftMs <= 0 || failures.count < failuresMax) return
    const seconds = Math.ceil(leftMs / 1000)
    throw new AppError(dashboardErrors.login_too_often, `Too many failed logins. Try again in ${seconds} seconds.`, {
      detail: { retryAfterSeconds: seconds },
    })
  }

  #failed(key: string): void {
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
}
