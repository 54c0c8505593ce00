/** One event of a web server. */
export interface WebEvent {
  readonly '@timestamp': string
  readonly host: { readonly name: string }
  readonly http: { readonly status: number }
  readonly bytes: number
  /** Of the host: rises by the bytes of each event. */
  readonly sent: number
}

/** The start of the half hour that the events fill. */
export const startMs = Date.UTC(2026, 2, 1, 12)
/** The half hour, as parameters of a page. */
export const range = `from=${new Date(startMs).toISOString()}&to=${new Date(startMs + 30 * 60_000 - 1).toISOString()}`

/** Sixty events in thirty minutes, from three hosts, every fifth of them failed. */
export const events: readonly WebEvent[] = Array.from({ length: 60 }, (_, at): WebEvent => {
  const host = [0, 0, 0, 1, 1, 2][at % 6] ?? 0
  const bytes = 100 + 7 * at
  return {
    '@timestamp': new Date(startMs + at * 30_000).toISOString(),
    host: { name: `web-${host}` },
    http: { status: at % 5 === 0 ? 500 : 200 },
    bytes,
    sent: 1_000 * (at + 1),
  }
})

/** How they are stored. */
export const properties = {
  '@timestamp': { type: 'date' },
  host: { properties: { name: { type: 'keyword' } } },
  http: { properties: { status: { type: 'long' } } },
  bytes: { type: 'long' },
  sent: { type: 'long' },
}

/** The events by host. */
export function byHost(): Map<string, WebEvent[]> {
  const found = new Map<string, WebEvent[]>()
  for (const event of events) found.set(event.host.name, [...(found.get(event.host.name) ?? []), event])
  return found
}

/** The sum of a number of events. */
export function sumOf(some: readonly WebEvent[], number: (event: WebEvent) => number = () => 1): number {
  return some.reduce((sum, event) => sum + number(event), 0)
}
