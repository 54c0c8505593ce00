import { type Json, jsonArray, text } from './saved-json.ts'

/** The fields that an index pattern leaves out of documents, as names with wildcards (`secret.*`). */
export function sourceFiltersOf(attributes: Json): string[] {
  return jsonArray(attributes['sourceFilters']).flatMap(({ value }) => text(value) || [])
}

/** What a search for documents says to leave fields out; nothing where all are wanted. */
export function sourceWanted(left: readonly string[] | undefined): { readonly _source?: object } {
  return left && left.length > 0 ? { _source: { excludes: left } } : {}
}
