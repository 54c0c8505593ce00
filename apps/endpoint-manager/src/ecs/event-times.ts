// The events of a batch have few different times, and each is asked for by several steps: the last one is kept.
let lastText = ''
let lastMs = Number.NaN
let isoMs = Number.NaN
let isoText = ''

/** Milliseconds since 1970 of an event's `@timestamp`; NaN for what is no time. */
export function readTime(text: string): number {
  if (text !== lastText) {
    lastMs = Date.parse(text)
    lastText = text
  }
  return lastMs
}

/** Milliseconds since 1970 as ISO 8601 in UTC. */
export function isoTime(ms: number): string {
  if (ms !== isoMs) {
    isoText = new Date(ms).toISOString()
    isoMs = ms
  }
  return isoText
}
