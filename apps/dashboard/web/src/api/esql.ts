import type { QueryClause } from '@logstack/kql'
import { requestWithHeaders } from './client.ts'

/** The value of a parameter of a query; the name of a field or a function is an identifier. */
export type EsqlParameter = string | number | readonly (string | number)[] | { readonly identifier: string }

/** What `_query` is asked. */
export interface EsqlQuestion {
  readonly query: string
  /** What documents must meet besides. */
  readonly filter?: QueryClause
  /** The values of named parameters, one a member. */
  readonly params?: readonly Readonly<Record<string, EsqlParameter>>[]
}

/** A column of an answer: its type is `keyword`, `date`, `long`, … */
export interface EsqlColumn {
  readonly name: string
  readonly type: string
}

/** An answer of `_query`: one list of cells a row; a cell of several values is a list. */
export interface EsqlAnswer {
  readonly took?: number
  readonly is_partial?: boolean
  readonly columns: readonly EsqlColumn[]
  readonly values: readonly (readonly unknown[])[]
  /** What search warned of, in words: a limit that was set by default, a value that could not be converted. */
  readonly warnings: readonly string[]
}

/** Asks a query in ES|QL with the user's own rights. Throws `ApiError`; its message names the lines and columns at fault. */
export async function askEsql(question: EsqlQuestion, signal?: AbortSignal): Promise<EsqlAnswer> {
  const { body, headers } = await requestWithHeaders<Omit<EsqlAnswer, 'warnings'>>('api/search', {
    method: 'POST',
    query: { path: '_query' },
    json: question,
    signal,
  })
  return { ...body, warnings: warningsIn(headers.get('warning')) }
}

/** The texts of a Warning header (RFC 7234, 5.5): each a code, who warns, and a quoted text. */
export function warningsIn(header: string | null): string[] {
  const texts = [...(header ?? '').matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/gu)]
  return texts.map(([, text = '']) => text.replaceAll(/\\(.)/gu, '$1'))
}
