import type { Readable } from 'node:stream'
import { AppError, agentsErrors } from '@logstack/errors'
import { readJsonBody } from '@logstack/http-server'
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
  /** The body as `schema` wants it; throws `agent_request_invalid`. */
  body<T>(schema: z.ZodType<T>): Promise<T>
  /** Ends when the caller is gone. */
  readonly gone: AbortSignal
}

/** An answer that is not JSON: its content type and its text or bytes. */
export class RawAnswer {
  readonly contentType: string
  readonly body: string | Readable

  constructor(contentType: string, body: string | Readable) {
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

/** Reads a request's body, once, and checks it. */
export async function readBody<T>(request: FastifyRequest, schema: z.ZodType<T>): Promise<T> {
  const value = await readJsonBody(request.body, request.headers['content-encoding'], limits.bodyBytesMax)
  // A check-in is held for minutes, and there may be thousands.
  request.body = undefined
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue?.path.join('.') ?? ''
  throw new AppError(agentsErrors.agent_request_invalid, `${where || 'the body'}: ${issue?.message ?? 'not allowed'}`)
}
