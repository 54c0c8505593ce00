import type { RuntimeFields } from '../kibana/runtime-fields.ts'

/** By the names of indices: what their patterns calculate, by the pattern's id. Two patterns may stand for the same names; they are asked together. */
const byIndex = new Map<string, Map<string, RuntimeFields>>()

/** Notes what index patterns calculate of documents, in place of what the same patterns did before. */
export function noteCalculated(
  patterns: readonly { readonly id: string; readonly title: string; readonly runtime: RuntimeFields }[],
): void {
  for (const { id, title, runtime } of patterns) {
    const ofTitle = byIndex.get(title) ?? new Map<string, RuntimeFields>()
    if (Object.keys(runtime).length > 0) ofTitle.set(id, runtime)
    else ofTitle.delete(id)
    byIndex.set(title, ofTitle)
  }
}

/** What the index patterns of these names calculate; undefined where they calculate nothing. */
export function calculatedOf(index: string): RuntimeFields | undefined {
  const all = Object.assign({}, ...(byIndex.get(index)?.values() ?? [])) as RuntimeFields
  return Object.keys(all).length === 0 ? undefined : all
}

/** What a search for documents says besides to get the calculated fields of each; nothing where there are none. */
export function calculatedWanted(index: string): { readonly fields?: readonly string[] } {
  const names = Object.entries(calculatedOf(index) ?? {}).flatMap(([name, field]) => namesOf(name, field))
  return names.length === 0 ? {} : { fields: names }
}

/** A search with the definitions of those calculated fields that it names: search calculates nothing that nobody asks for. */
export function withCalculated(index: string, body: unknown): unknown {
  const calculated = calculatedOf(index)
  if (calculated === undefined) return body
  const wanted = new Set<string>()
  const look = (words: string): void => {
    for (const [name, field] of Object.entries(calculated)) {
      if (wanted.has(name) || !namesOf(name, field).some((one) => words.includes(one))) continue
      wanted.add(name)
      // A script may read other calculated fields.
      look(JSON.stringify(field))
    }
  }
  look(JSON.stringify(body) ?? '')
  if (wanted.size === 0) return body
  const noted = Object.fromEntries([...wanted].map((name) => [name, calculated[name]]))
  // Who defines a field in the search itself means that.
  return { ...Object(body), runtime_mappings: { ...noted, ...Object(body).runtime_mappings } }
}

function namesOf(name: string, { fields }: RuntimeFields[string]): string[] {
  return fields === undefined ? [name] : Object.keys(fields).map((inner) => `${name}.${inner}`)
}
