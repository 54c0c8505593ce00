import { Agent as PlainAgent, request as requestPlain } from 'node:http'
import { request as requestTls, Agent as TlsAgent } from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'
import { encodeName, type S3Credentials, signRequest } from './sign-request.ts'

/** A store that speaks the S3 API, as `s3.client.default.*` of the settings names it. */
export interface S3Endpoint {
  readonly url: URL
  readonly region: string
  /** The bucket is the first part of the path instead of the host's name. */
  readonly pathStyle: boolean
  /** PEM of authorities beside the system's; undefined without any. */
  readonly authorities: string | undefined
  /** How long the store may say nothing before it is asked again; half a minute unless given. */
  readonly silenceMsMax?: number
  /** Read for every request, so that keys can be changed. Throws where there are none. */
  credentials(): S3Credentials
}

/** One question to a store. */
interface Asked {
  readonly method: 'GET' | 'PUT' | 'DELETE' | 'HEAD'
  readonly key: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Buffer
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

const attempts = 4
const firstPauseMs = 200
const silenceMsDefault = 30_000
/** Files of snapshots are far smaller; what is larger is none. */
const answerBytesMax = 512 * 1024 ** 2
const passing = new Set([408, 429, 500, 502, 503, 504])

/** What a store answered instead of doing what it was asked. */
class S3Refusal extends Error {
  readonly status: number

  constructor({ method, key }: Asked, { status, body }: Answer) {
    const text = body.toString('utf8')
    const [, code] = /<Code>([^<]{1,200})<\/Code>/u.exec(text) ?? []
    const [, message] = /<Message>([^<]{1,500})<\/Message>/u.exec(text) ?? []
    super(`${method} of [${key}]: status [${status}]${code ? ` ${code}` : ''}${message ? `: ${message}` : ''}`)
    this.status = status
  }
}

/** Asks one bucket; what fails in passing is asked again. Answers other than 404 that say no are `S3Refusal`. */
export class S3Bucket {
  readonly #endpoint: S3Endpoint
  readonly #bucket: string
  readonly #agent: PlainAgent

  constructor(endpoint: S3Endpoint, bucket: string) {
    this.#endpoint = endpoint
    this.#bucket = bucket
    const { url, authorities } = endpoint
    const options = { keepAlive: true, maxSockets: 8, maxFreeSockets: 2, timeout: 5_000 }
    this.#agent =
      url.protocol === 'https:'
        ? new TlsAgent({ ...options, ...(authorities === undefined ? {} : { ca: authorities }) })
        : new PlainAgent(options)
  }

  #urlOf({ key, query = {} }: Asked): URL {
    const { url, pathStyle } = this.#endpoint
    const made = new URL(url)
    const path = key.split('/').map(encodeName).join('/')
    if (!pathStyle) made.hostname = `${this.#bucket}.${url.hostname}`
    made.pathname = `${url.pathname.replace(/\/$/u, '')}/${pathStyle ? `${this.#bucket}/` : ''}${path}`
    for (const [name, value] of Object.entries(query)) made.searchParams.set(name, value)
    return made
  }

  async ask(asked: Asked): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt === attempts
      const answer = await this.#once(asked).catch((thrown: unknown) => {
        if (isLast) throw thrown
        return undefined
      })
      const isPassing = answer === undefined || (passing.has(answer.status) && !isLast)
      if (!isPassing) {
        if (answer.status < 300 || answer.status === 404) return answer
        throw new S3Refusal(asked, answer)
      }
      await wait(firstPauseMs * 2 ** (attempt - 1))
    }
  }

  #once(asked: Asked): Promise<Answer> {
    const { region, silenceMsMax = silenceMsDefault } = this.#endpoint
    const { method, body = Buffer.alloc(0) } = asked
    const url = this.#urlOf(asked)
    const length: Record<string, string> = method === 'PUT' ? { 'content-length': String(body.length) } : {}
    const headers = signRequest(
      { method, url, headers: length, body },
      this.#endpoint.credentials(),
      region,
      Date.now(),
    )
    return new Promise((resolve, reject) => {
      const send = url.protocol === 'https:' ? requestTls : requestPlain
      const sent = send(url, { method, headers, agent: this.#agent, timeout: silenceMsMax }, (answer) => {
        const parts: Buffer[] = []
        let bytes = 0
        answer.on('data', (part: Buffer) => {
          bytes += part.length
          if (bytes > answerBytesMax) sent.destroy(new Error(`an answer of more than ${answerBytesMax} bytes`))
          parts.push(part)
        })
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }),
        )
      })
      sent.on('timeout', () => sent.destroy(new Error('the store does not answer')))
      sent.on('error', reject)
      sent.end(body)
    })
  }
}
