/** Tells of `ended`: a request was refused because the session is over. The gate asks for a login. */
export const sessionEvents = new EventTarget()

interface Renewal {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

let renewal: Renewal | undefined

/** Whether requests wait for somebody to log in again. */
export function isSessionEnded(): boolean {
  return renewal !== undefined
}

/**
 * Waits until the session that has ended is renewed; the first to wait has the login asked for. Rejects when `signal` aborts, or with what
 * `abandonSession` was given.
 */
export function sessionRenewed(signal?: AbortSignal | null): Promise<void> {
  if (!renewal) {
    renewal = newRenewal()
    sessionEvents.dispatchEvent(new Event('ended'))
  }
  const { promise } = renewal
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** The same user has logged in again: what waits is asked anew. */
export function renewSession(): void {
  renewal?.resolve()
  renewal = undefined
}

/** Nobody, or somebody else, is logged in: what waits fails with `reason`, as it must not be done in another's name. */
export function abandonSession(reason: unknown): void {
  renewal?.reject(reason)
  renewal = undefined
}

function newRenewal(): Renewal {
  let resolve = (): void => undefined
  let reject = (_reason: unknown): void => undefined
  const promise = new Promise<void>((onRenewed, onAbandoned) => {
    resolve = onRenewed
    reject = onAbandoned
  })
  // It may be that nobody waits any more.
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}
