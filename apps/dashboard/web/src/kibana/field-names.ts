import { type Json, jsonObject, text } from './saved-json.ts'

/** What people call fields, by the name of the field. */
export type FieldNames = Readonly<Record<string, string>>

/** The names that an index pattern gives its fields (`customLabel`); undefined where it gives none. */
export function fieldNamesOf(attributes: Json): FieldNames | undefined {
  const own = Object.entries(jsonObject(attributes['fieldAttrs']))
  const found = [...Object.entries(jsonObject(attributes['runtimeFieldMap'])), ...own].flatMap(([field, saved]) => {
    const name = text(jsonObject(saved)['customLabel'])
    return name ? [[field, name] as const] : []
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}
