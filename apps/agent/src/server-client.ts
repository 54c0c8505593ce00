import { rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createSecureContext } from 'node:tls'
import { createGunzip } from 'node:zlib'
import { agentApiPaths } from '@logstack/contracts'
import { AppError, agentsErrors, messageOf, systemSentence } from '@logstack/errors'
import type { z } from 'zod'

const answerBytesMax = 16 * 1024 * 1024
const messageCharactersMax = 300

/** How to reach one server: its address, who may have signed its certificate, and our own certificate where it wants one. */
export interface ServerOptions {
  /** `https://host:port` */
  readonly url: string
  readonly ca: string
  readonly certificate?: string
  readonly key?: string
  /** Sent as `Authorization: ApiKey …`. */
  readonly accessKey?: string
}

/** One request; `body` is sent as JSON unless it is bytes. */
export interface ServerRequest<T> {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  readonly schema: z.ZodType<T>
}

/** Limits of a download; `bytesMax` counts what is written. */
export interface DownloadLimits {
  readonly bytesMax: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly isPacked: boolean
}

/** HTTPS with keep-alive to agent-server or endpoint-manager. */
export class ServerClient {
  readonly #options: ServerOptions
  #agent: Agent | undefined

  constructor(options: ServerOptions) {
    this.#options = options
  }

  /** The parsed answer. Throws `server_unreachable`, or `server_refused` with `detail.status`. */
  async request<T>(request: ServerRequest<T>): Promise<T> {
    const { status, bytes } = await this.#send(request, answerBytesMax)
    const text = bytes.toString('utf8')
    if (status < 200 || status > 299) throw refused(request.path, status, text)
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch (thrown) {
      throw new AppError(agentsErrors.server_refused, `${request.path} was answered by something that is no JSON`, {
        cause: thrown,
        detail: { status },
      })
    }
    const parsed = request.schema.safeParse(value)
    if (parsed.success) return parsed.data
    throw new AppError(agentsErrors.server_refused, `${request.path} was answered in an unknown form`, {
      cause: parsed.error,
      detail: { status },
    })
  }

  /**
   * Writes a file that the server hands out to `target`, unpacked where it is packed by gzip, without holding it in memory. Throws
   * `server_unreachable`, or `server_refused` with `detail.status`; what was written by then is removed.
   */
  async download(path: string, target: string, limits: DownloadLimits): Promise<void> {
    const limit = AbortSignal.timeout(limits.timeoutMs)
    const signal = AbortSignal.any([limits.signal, limit])
    const url = new URL(path, this.#options.url)
    let file: FileHandle | undefined
    try {
      // A stream that opens its file by itself may do so after the download has failed and everything was removed.
      file = await open(target, 'w', 0o600)
      const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
        const outgoing = httpsRequest(url, {
          agent: this.#connections,
          signal,
          headers: { 'user-agent': 'logstack agent' },
        })
        outgoing.on('response', resolve)
        outgoing.on('error', reject)
        outgoing.end()
      })
      const status = incoming.statusCode ?? 0
      if (status !== 200) {
        incoming.destroy()
        throw refused(path, status, '')
      }
      const steps = limits.isPacked ? [createGunzip()] : []
      await pipeline([incoming, ...steps, atMost(limits.bytesMax), file.createWriteStream({ flush: true })], { signal })
    } catch (thrown) {
      await file?.close()
      rmSync(target, { force: true })
      if (thrown instanceof AppError) throw thrown
      const reason = limit.aborted ? `not whole within ${limits.timeoutMs} ms` : messageOf(thrown)
      throw new AppError(agentsErrors.server_unreachable, `cannot download ${url.href}: ${reason}`, { cause: thrown })
    }
  }

  close(): void {
    this.#agent?.destroy()
  }

  get #connections(): Agent {
    const { ca, certificate, key } = this.#options
    // One context for all: certificates and key are not read again for each connection.
    this.#agent ??= new Agent({
      keepAlive: true,
      secureContext: createSecureContext({ ca, ...(certificate && key ? { cert: certificate, key } : {}) }),
    })
    return this.#agent
  }

  #send(request: Omit<ServerRequest<unknown>, 'schema'>, bytesMax: number): Promise<{ status: number; bytes: Buffer }> {
    const body = bytesOf(request.body)
    const limit = AbortSignal.timeout(request.timeoutMs)
    const options: RequestOptions = {
      agent: this.#connections,
      method: request.method,
      signal: request.signal ? AbortSignal.any([request.signal, limit]) : limit,
      headers: {
        accept: 'application/json',
        'user-agent': 'logstack agent',
        ...(this.#options.accessKey ? { authorization: `ApiKey ${this.#options.accessKey}` } : {}),
        ...(body ? { 'content-type': 'application/json', 'content-length': body.length } : {}),
        ...request.headers,
      },
    }
    const url = new URL(request.path, this.#options.url)
    return new Promise((resolve, reject) => {
      const fail = (cause: unknown): void => {
        const reason = limit.aborted
          ? `no answer within ${request.timeoutMs} ms`
          : (systemSentence(cause) ?? messageOf(cause))
        reject(new AppError(agentsErrors.server_unreachable, `cannot reach ${url.origin}: ${reason}`, { cause }))
      }
      const outgoing = httpsRequest(url, options, (incoming) => {
        const chunks: Buffer[] = []
        let size = 0
        incoming.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > bytesMax) incoming.destroy(new Error(`an answer of more than ${bytesMax} bytes`))
          else chunks.push(chunk)
        })
        incoming.on('error', fail)
        incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, bytes: Buffer.concat(chunks) }))
      })
      outgoing.on('error', fail)
      outgoing.end(body)
    })
  }
}

/** Lets so many bytes pass and fails at the next. */
function atMost(bytesMax: number): Transform {
  let passed = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length
      done(passed > bytesMax ? new Error(`more than ${bytesMax} bytes`) : null, chunk)
    },
  })
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined
  return Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
}

function refused(path: string, status: number, text: string): AppError {
  if (status === 401 && path === agentApiPaths.enrol)
    return new AppError(agentsErrors.enrolment_token_invalid, `agent-server says that ${reasonOf(text)}`, {
      fix: tokenFix,
    })
  return new AppError(agentsErrors.server_refused, `the agent server answers ${status} to ${path}: ${reasonOf(text)}`, {
    detail: { status },
  })
}

const tokenFix = 'create a new enrolment token in the dashboard: Agents, Add agent'

// Its errors are JSON with a message; a proxy between may answer anything.
function reasonOf(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string') {
      return body.message.slice(0, messageCharactersMax)
    }
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown
  }
  return text.slice(0, messageCharactersMax)
}

/** The HTTP status of a refusal; undefined for every other error. */
export function refusedStatus(thrown: unknown): number | undefined {
  if (!(thrown instanceof AppError) || thrown.code !== agentsErrors.server_refused.code) return undefined
  const { status } = thrown.detail
  return typeof status === 'number' ? status : undefined
}
