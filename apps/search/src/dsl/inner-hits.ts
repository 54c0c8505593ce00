import type { Predicate } from '@logstack/rules'
import { parsingError } from '../refusals/refuse.ts'

const keys = new Set([
  'name',
  'from',
  'size',
  'sort',
  '_source',
  'fields',
  'docvalue_fields',
  'stored_fields',
  'script_fields',
  'highlight',
  'version',
  'seq_no_primary_term',
  'explain',
  'track_scores',
  'ignore_unmapped',
])

/** Hits within a hit that a request asks for, under a name: the body of a search for them. */
export interface InnerHits {
  readonly name: string
  readonly body: Readonly<Record<string, unknown>>
}

/** The objects at a nested path that a clause matched, to be shown with each document. */
export interface NestedHits extends InnerHits {
  readonly path: string
  /** What an object must meet by itself. */
  readonly of: Predicate
}

/** Reads `inner_hits`; without a name of its own it has that of the path or group. */
export function readInnerHits(given: Readonly<Record<string, unknown>>, standardName: string | undefined): InnerHits {
  for (const key of Object.keys(given)) if (!keys.has(key)) throw parsingError(`[inner_hits] unknown field [${key}]`)
  const { name = standardName, ignore_unmapped: _quiet, ...body } = given
  if (typeof name !== 'string') throw parsingError('[inner_hits] of [collapse] needs a [name]')
  return { name, body: { size: 3, ...body } }
}
