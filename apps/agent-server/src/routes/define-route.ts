import type { Readable } from 'node:stream'
import { AppError, agentsErrors, platformErrors } from '@logstack/errors'
import { readBody as readBytes } from '@logstack/http-server'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { limits } from '../limits.ts'
import type { Services } from '../services.ts'

/** One request as routes see it. */
export interface RouteCall {
  readonly services: Services
  readonly parameters: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly authorization: string | undefined
  /** Reads the body, which nobody did before, as `schema` wants it; throws `agent_request_invalid`. Ask it once it is known who sends. */
  body<T>(schema: z.ZodType<T>): Promise<T>
  /** What ends when the caller is gone; made when it is asked for, as most routes do not. */
  gone(): AbortSignal
}

/** An answer that is not JSON, or is written as such already: its content type and its text or bytes. */
export class RawAnswer {
  readonly contentType: string
  readonly body: string | Buffer | Readable

  constructor(contentType: string, body: string | Buffer | Readable) {
    this.contentType = contentType
    this.body = body
  }
}

/** One route, and who may call it. The handler's value is the JSON answer, or a `RawAnswer`. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly access: 'open' | 'enrolment-token' | 'agent' | 'administrator'
  handle(call: RouteCall): Promise<unknown>
}

/** Declares a route of everyone or of agents. What administrators may ask is declared by `administratorRoute`, which checks them. */
export function defineRoute<R extends Route & { readonly access: Exclude<Route['access'], 'administrator'> }>(
  route: R,
): R {
  return route
}

/** Reads a request's body, once, and checks it; an empty one is an empty object. */
export async function readBody<T>(request: FastifyRequest, schema: z.ZodType<T>): Promise<T> {
  const { bodyBytesMax } = limits
  const parsed = schema.safeParse(
    parse(await readBytes(request, { bytesMax: bodyBytesMax, unpackedBytesMax: bodyBytesMax })),
  )
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue?.path.join('.') ?? ''
  throw new AppError(agentsErrors.agent_request_invalid, `${where || 'the body'}: ${issue?.message ?? 'not allowed'}`)
}

function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) return {}
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (thrown) {
    throw new AppError(platformErrors.request_malformed, 'the body is no JSON', { cause: thrown })
  }
}
