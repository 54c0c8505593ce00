import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { AppError, messageOf, searchErrors } from '@logstack/errors'

/** Another cluster that documents are copied from, as `source.remote` of `_reindex` names it. */
export interface RemoteCluster {
  /** With the path that stands before all others. */
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** How long nothing may come. */
  readonly socketTimeoutMs: number
  readonly connectTimeoutMs: number
  /** PEM of authorities beside those of the system; undefined without any. */
  readonly authorities: string | undefined
}

export interface RemoteRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  /** JSON. */
  readonly body?: string
}

/** Elasticsearch reads answers of other clusters up to this size. */
const answerBytesMax = 100 * 1024 * 1024
/** How much of an answer an error shows. */
const shownLettersMax = 2_000

/** Faults of the network and of a cluster that is busy or starting: the same request may well be answered a moment later. */
export function isPassing(thrown: unknown): boolean {
  if (!(thrown instanceof AppError)) return false
  if (thrown.code === searchErrors.connect_exception.code) return true
  return [429, 502, 503, 504].includes(Number(thrown.detail['status']))
}

/** Asks another cluster; the text of its answer. Throws `connect_exception` where none comes, `status_exception` with its status for what it refuses. */
export async function askRemote(remote: RemoteCluster, asked: RemoteRequest, signal: AbortSignal): Promise<string> {
  const { status, text } = await exchange(remote, asked, signal)
  if (status >= 200 && status < 300) return text
  const what = `method [${asked.method}], host [${remote.url.origin}], URI [${asked.path}], status [${status}]`
  throw new AppError(searchErrors.status_exception, `${what}\n${text.slice(0, shownLettersMax)}`, {
    detail: { status },
  })
}

function exchange(
  remote: RemoteCluster,
  { method, path, body }: RemoteRequest,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly text: string }> {
  const { url, headers, socketTimeoutMs, connectTimeoutMs, authorities } = remote
  const payload = body === undefined ? undefined : Buffer.from(body)
  const options = {
    method,
    signal,
    timeout: socketTimeoutMs,
    headers: {
      ...headers,
      ...(payload ? { 'content-type': 'application/json', 'content-length': payload.length } : {}),
    },
    ...(authorities === undefined ? {} : { ca: authorities }),
  }
  const target = new URL(url.pathname.replace(/\/$/, '') + path, url)
  return new Promise((resolve, reject) => {
    const fail = (thrown: unknown) => reject(signal.aborted ? signal.reason : unreachable(remote, thrown))
    const sent = (url.protocol === 'https:' ? requestTls : requestPlain)(target, options, (answer) => {
      readAnswer(answer).then((text) => resolve({ status: answer.statusCode ?? 0, text }), fail)
    })
    const connecting = setTimeout(() => sent.destroy(new Error('connect timed out')), connectTimeoutMs)
    sent.on('socket', (socket) => {
      if (socket.connecting) socket.once('connect', () => clearTimeout(connecting))
      else clearTimeout(connecting)
    })
    sent.on('close', () => clearTimeout(connecting))
    sent.on('timeout', () => sent.destroy(new Error('read timed out')))
    sent.on('error', fail)
    sent.end(payload)
  })
}

async function readAnswer(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of answer as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > answerBytesMax) {
      answer.destroy()
      throw new Error(
        `the answer is larger than [${answerBytesMax}] bytes: ask for fewer documents at a time with [size]`,
      )
    }
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function unreachable({ url }: RemoteCluster, thrown: unknown): AppError {
  return new AppError(searchErrors.connect_exception, `[${url.origin}] ${messageOf(thrown)}`, { cause: thrown })
}
