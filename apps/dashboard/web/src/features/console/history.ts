import type { ConsoleRequest } from './parse-requests.ts'

/** A request that was sent. */
export interface SentRequest {
  readonly method: string
  readonly path: string
  readonly body?: string
  /** When it was sent last, milliseconds. */
  readonly atMs: number
}

const sentMax = 100
const bodyLengthMax = 20_000

/** The history with one more request, the newest first; one that was sent before moves up. */
export function withSent(history: readonly SentRequest[], request: ConsoleRequest, atMs: number): SentRequest[] {
  const { method, path, body } = request
  // What holds passwords is not kept in the browser: what users and keys are made with, and what names one (`_reindex` from afar). Nor is what
  // would fill its store.
  const isSecret = /^\/*_security\b/.test(path) || /"[^"]*(?:password|secret|api_key)[^"]*"\s*:/i.test(body ?? '')
  const isKept = body !== undefined && body.length <= bodyLengthMax && !isSecret
  const sent: SentRequest = { method, path, ...(isKept ? { body } : {}), atMs }
  const others = history.filter((one) => textOf(one) !== textOf(sent))
  return [sent, ...others].slice(0, sentMax)
}

/** A request as the editor holds it. */
export function textOf({ method, path, body }: Omit<SentRequest, 'atMs'>): string {
  return `${method} ${path}\n${body === undefined ? '' : `${body.trimEnd()}\n`}`
}
