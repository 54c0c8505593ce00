import type { Scope } from '../model/scope.ts'
import type { Services } from '../services.ts'
import type { TableFormat } from './encoding/media-types.ts'

/** How a path or query parameter is read; an unknown or malformed one is refused with Elasticsearch's text. */
export type ParameterKind = 'boolean' | 'integer' | 'string' | 'list' | 'time' | 'bytes' | readonly string[]

/** The query parameters a route takes; every other one is `unrecognized parameter`. */
export type ParameterTable = Readonly<Record<string, ParameterKind>>

/** What must hold before a route runs. Index privileges are checked by the handler for each resolved index through `scope`. */
export type RoutePrivilege = 'anonymous' | 'authenticated' | { readonly cluster: string } | { readonly index: string }

/** One request as a route sees it. */
export interface RouteRequest {
  readonly method: string
  readonly path: string
  /** Decoded path parameters by name. */
  readonly params: Readonly<Record<string, string>>
  /** Query parameters that were given, parsed by the route's table: boolean, number, string, string[]; times in milliseconds. */
  readonly query: Readonly<Record<string, unknown>>
  /** Decompressed bytes; empty when there were none. */
  readonly body: Buffer
  /** The body parsed as JSON (or YAML, by content type); undefined when empty. Throws `parsing_exception`. */
  json(): unknown
  readonly contentType: string
  /** How the answer was asked for, by `format` or a single media type in `Accept`; undefined: as the route likes. */
  readonly answerFormat?: 'json' | 'yaml' | 'text' | TableFormat | undefined
  /** The `Accept` header, for what a media type says beside its name. */
  readonly accept?: string | undefined
  /** The client's address, for the slow-down of logins. */
  readonly address?: string
  /** Headers that tasks hand on: `X-Opaque-Id`. */
  readonly taskHeaders: Readonly<Record<string, string>>
  readonly scope: Scope
  /** Whether errors within the answer show their traces. */
  readonly errorTrace?: boolean
  /** Aborts when the client goes away or the time limit passes. */
  readonly signal: AbortSignal
}

/** What a route answers: JSON (pretty, filter_path and content negotiation are applied once, outside), or text for `_cat`. */
export interface RouteAnswer {
  readonly status?: number
  readonly json?: unknown
  /** JSON that is already bytes, used where stored sources are joined unparsed. */
  readonly jsonBytes?: Buffer
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Errors are shown whole, whatever `filter_path` says. */
  readonly unfiltered?: true
  /** The route has applied `filter_path` itself. */
  readonly isFiltered?: true
}

/** An endpoint: one file of `api/` exports all routes of its group. */
export interface Route {
  /** Stable name as in Elasticsearch's API descriptions (`indices.create`). */
  readonly name: string
  readonly methods: readonly ('GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD')[]
  /** `/{index}/_search`, most specific first when several match. */
  readonly paths: readonly string[]
  readonly privilege: RoutePrivilege
  /** A privilege that must be held on some index before the items of a request, or the one index that it names, are looked at. */
  readonly somewhere?: { readonly privilege: string; readonly of: 'items' | 'index' }
  readonly parameters: ParameterTable
  readonly bodyBytesMax?: number
  /** The answer is rows of cells, which can be had as separated values, too. */
  readonly isTable?: true
  /** The handler lists its task itself, for it may outlive the request. */
  readonly listsItself?: true
  /** It waits for work of any length, which no time limit ends, as none does in Elasticsearch: who saw an error would begin the same again. */
  readonly waitsForWork?: true
  handle(request: RouteRequest, services: Services): Promise<RouteAnswer>
}

/** Declares a route; the registry in `api/index.ts` lists it, the security matrix test and the compatibility table read it. */
export function defineRoute(route: Route): Route {
  return route
}
