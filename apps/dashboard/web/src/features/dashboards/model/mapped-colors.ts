import { type Json, jsonArray, jsonObject, text } from '../../../kibana/saved-json.ts'

/** The colours that a Lens chart gives to values, by the value; those that are places in a palette of Kibana's are ours to choose. */
export function mappedColors(mapping: unknown): ReadonlyMap<string, string> {
  return new Map(
    jsonArray(jsonObject(mapping)['assignments']).flatMap((assignment) => {
      const color = text(jsonObject(assignment['color'])['colorCode'])
      return color ? valuesOf(assignment).map((value) => [value, color] as const) : []
    }),
  )
}

/** Until Kibana 8.17 one rule of several values, since then several of one. */
function valuesOf(assignment: Json): string[] {
  const { values } = jsonObject(assignment['rule'])
  const old = Array.isArray(values) ? values : []
  const found = [...old, ...jsonArray(assignment['rules']).flatMap((rule) => rule['value'] ?? rule['pattern'] ?? [])]
  return found.map((value) => (typeof value === 'object' ? JSON.stringify(value) : String(value)))
}
