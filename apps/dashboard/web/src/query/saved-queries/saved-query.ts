import type { SavedObject } from '@logstack/contracts'
import { fieldFilterOf } from '../../kibana/field-filter.ts'
import { type Json, jsonArray, jsonObject, text } from '../../kibana/saved-json.ts'
import type { TimeRange } from '../../time/time-range.ts'
import type { FieldFilter } from '../../url-state/field-filters.ts'
import type { QueryLanguage } from '../build-query.ts'
import { savedFilterOf } from '../saved-filter.ts'

/** What a page asks for, as far as it can be saved under a name. */
export interface AskedQuery {
  readonly query: string
  readonly language: QueryLanguage
  readonly filters: readonly FieldFilter[]
  /** Undefined where the page's own range is meant. */
  readonly range: TimeRange | undefined
}

/** A saved query (`query`) as a page takes it over. */
export interface SavedQuery extends AskedQuery {
  readonly id: string
  readonly title: string
  readonly description: string
  /** Filters that no pill can say: they cannot be taken over. */
  readonly untold: number
}

/** Reads a saved query. */
export function savedQueryOf({ id, attributes }: SavedObject): SavedQuery {
  const query = jsonObject(attributes['query'])
  const saved = jsonArray(attributes['filters'])
  const filters = saved.flatMap((filter) => fieldFilterOf(filter) ?? [])
  const { from, to } = jsonObject(attributes['timefilter'])
  const [start, end] = [text(from), text(to)]
  // A query in DSL has no place in the query bar either.
  const isTold = typeof query['query'] === 'string' || query['query'] === undefined
  return {
    id,
    title: text(attributes['title']) || id,
    description: text(attributes['description']) ?? '',
    query: text(query['query']) ?? '',
    language: query['language'] === 'lucene' ? 'lucene' : 'kuery',
    filters,
    range: start !== undefined && end !== undefined ? { from: start, to: end } : undefined,
    untold: saved.length - filters.length + Number(!isTold),
  }
}

/** The attributes of a saved query, as Kibana 8 keeps them. */
export function savedQueryAttributes(title: string, { query, language, filters, range }: AskedQuery): Json {
  return {
    title,
    description: '',
    query: { query, language },
    filters: filters.map(savedFilterOf),
    ...(range ? { timefilter: { ...range, refreshInterval: { pause: true, value: 0 } } } : {}),
  }
}
