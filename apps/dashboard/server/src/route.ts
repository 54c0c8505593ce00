import type { IncomingHttpHeaders } from 'node:http'
import { AppError, dashboardErrors } from '@logstack/errors'
import type { z } from 'zod'
import type { Services } from './services.ts'
import type { Caller } from './session/authenticate.ts'

/** One request as a route sees it. */
export interface Call {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly headers: IncomingHttpHeaders
  /** The peer's address, for limits. */
  readonly address: string
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal
  /** Who asks; routes with `access: 'anonymous'` get undefined unless valid credentials came along. */
  readonly caller: Caller | undefined
}

/** What a route answers: JSON, or bytes with their own content type in `headers`. */
export interface Answer {
  readonly status?: number
  readonly json?: unknown
  readonly bytes?: Buffer | string
  readonly headers?: Readonly<Record<string, string>>
}

/** An endpoint of the dashboard. Every route says who may call it and how large a body it takes. */
export interface DashboardRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly access: 'anonymous' | 'authenticated'
  /** 1 MiB unless told. */
  readonly bodyBytesMax?: number | 'import'
  handle(call: Call, services: Services): Promise<Answer>
}

/** Declares the routes of one group; `routes/index.ts` lists the groups. */
export function defineRoutes(...routes: DashboardRoute[]): readonly DashboardRoute[] {
  return routes
}

/** The caller of a route that demands one. */
export function callerOf(call: Call): Caller {
  if (!call.caller) throw new Error('BUG: a route without access check asked for its caller')
  return call.caller
}

/** Reads the JSON body by a schema; throws `request_invalid` with the first problem. */
export function readBody<T>(call: Call, schema: z.ZodType<T>): T {
  let value: unknown
  try {
    value = call.body.length === 0 ? {} : JSON.parse(call.body.toString('utf8'))
  } catch (cause) {
    throw new AppError(dashboardErrors.request_invalid, 'the request body is not JSON', { cause })
  }
  return checked(value, schema, 'body')
}

/** Checks query parameters or a value by a schema; throws `request_invalid` with Kibana's `[request body.x]: …` prefix. */
export function checked<T>(value: unknown, schema: z.ZodType<T>, place: 'body' | 'query'): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const where = [`request ${place}`, ...(issue?.path ?? [])].join('.')
  throw new AppError(dashboardErrors.request_invalid, `[${where}]: ${issue?.message ?? 'not allowed'}`)
}

/** A required path parameter. */
export function pathParameter(call: Call, name: string): string {
  const value = call.params[name]
  if (value === undefined) throw new Error(`BUG: the route has no parameter ${name}`)
  return value
}
