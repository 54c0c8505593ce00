/** How often something ended well, by the asker's fault, and by the server's. */
interface StatusCounts {
  success: number
  user_error: number
  system_failure: number
}

const none = (): StatusCounts => ({ success: 0, user_error: 0, system_failure: 0 })

/** How documents and searches ended since the start, by HTTP status; OpenSearch's `status_counter`. */
class StatusCounters {
  readonly documents = none()
  readonly searches = none()

  /** Counts an HTTP status among `documents` or `searches`. */
  count(what: 'documents' | 'searches', status: number): void {
    this[what][status < 400 ? 'success' : status < 500 ? 'user_error' : 'system_failure'] += 1
  }
}

const made = new WeakMap<object, StatusCounters>()

/** The counters of one running search. */
export function statusCounters({ catalogue }: { readonly catalogue: object }): StatusCounters {
  const known = made.get(catalogue)
  if (known) return known
  const counters = new StatusCounters()
  made.set(catalogue, counters)
  return counters
}
