import type { QueryClause } from '@logstack/kql'
import type { FieldFilter } from '../url-state/field-filters.ts'
import { type Json, jsonArray, jsonObject, text } from './saved-json.ts'

/** A saved filter as a pill; undefined for one that a pill cannot say. */
export function fieldFilterOf(filter: Json): FieldFilter | undefined {
  const meta = jsonObject(filter['meta'])
  const found = positiveOf(jsonObject(filter['query']) as QueryClause)
  if (!found) return undefined
  const isPinned = jsonObject(filter['$state'])['store'] === 'globalState'
  return {
    ...found,
    ...(meta['negate'] === true ? { negate: true } : {}),
    ...(meta['disabled'] === true ? { disabled: true } : {}),
    ...(isPinned ? { pinned: true } : {}),
  }
}

function positiveOf(query: Json): FieldFilter | undefined {
  const phrase = phraseOf(query)
  if (phrase) return phrase
  const field = text(jsonObject(query['exists'])['field'])
  if (field !== undefined) return { field }
  const [ranged, limits] = Object.entries(jsonObject(query['range']))[0] ?? []
  const { gte, lte, ...other } = jsonObject(limits)
  if (ranged !== undefined && Object.keys(other).length === 0 && [gte, lte].every(isLimit)) {
    return { field: ranged, range: jsonObject(limits) as NonNullable<FieldFilter['range']> }
  }
  const { should, minimum_should_match: least, ...rest } = jsonObject(query['bool'])
  const phrases = jsonArray(should).map(phraseOf)
  const [first] = phrases
  const values = phrases.flatMap((one) => (one?.value !== undefined && one.field === first?.field ? [one.value] : []))
  const isOneField = first && least === 1 && Object.keys(rest).length === 0 && values.length === phrases.length
  return isOneField ? { field: first.field, values } : undefined
}

const isLimit = (value: unknown): boolean => value === undefined || typeof value === 'number'

function phraseOf(query: Json): FieldFilter | undefined {
  const [field, body] = Object.entries(jsonObject(query['match_phrase']))[0] ?? []
  if (field === undefined) return undefined
  const value = typeof body === 'object' ? jsonObject(body)['query'] : body
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isPlain ? { field, value } : undefined
}
