import { type Json, jsonArray, jsonObject, text } from './saved-json.ts'
import { scriptedField } from './scripted-field.ts'

/** Fields that search calculates when it is asked, as `runtime_mappings` of a search takes them. */
export type RuntimeFields = Readonly<Record<string, RuntimeField>>

interface RuntimeField {
  readonly type: string
  readonly script?: unknown
  readonly on_script_error?: 'continue'
  /** Of a composite: the fields that its script gives at once. */
  readonly fields?: Readonly<Record<string, { readonly type: string }>>
}

/** The fields that an index pattern calculates: its runtime fields, and its scripted fields as such. */
export function runtimeFieldsOf(attributes: Json): RuntimeFields {
  const scripted = jsonArray(attributes['fields']).flatMap((field) => {
    const converted = scriptedField(field)
    return converted ? [[text(field['name']) ?? '', converted] as const] : []
  })
  const runtime = Object.entries(jsonObject(attributes['runtimeFieldMap'])).flatMap(([name, saved]) => {
    const field = runtimeField(jsonObject(saved))
    return field ? [[name, field] as const] : []
  })
  return Object.fromEntries([...scripted, ...runtime])
}

/** What search takes of a saved runtime field: Kibana keeps labels, formats and counts beside it. */
function runtimeField(saved: Json): RuntimeField | undefined {
  const type = text(saved['type'])
  if (type === undefined || type === 'lookup') return undefined
  const script = saved['script'] === undefined ? {} : { script: saved['script'] }
  if (type !== 'composite') return { type, ...script }
  const fields = Object.entries(jsonObject(saved['fields'])).map(
    ([name, inner]) => [name, { type: text(jsonObject(inner)['type']) ?? 'keyword' }] as const,
  )
  return { type, ...script, fields: Object.fromEntries(fields) }
}
