import { AppError, searchErrors } from '@logstack/errors'
import type { IndexSettings } from '../model/index-meta.ts'
import type { Mapping } from '../model/mapping.ts'
import { resolvedFields } from './resolved-fields.ts'

function refuse(reason: string): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason)
}

/**
 * Checks the order that `index.sort.*` asks for, as Elasticsearch does when it makes an index: each field is one of the mapping that can be sorted by,
 * and of its own document. The order itself is kept and shown; rows lie by time.
 */
export function checkIndexSort(name: string, mapping: Mapping, settings: IndexSettings): void {
  const list = (option: string) => settings[`sort.${option}`]?.split(',').map((each) => each.trim())
  const fields = list('field')
  for (const option of ['order', 'mode', 'missing'] as const) {
    const values = list(option)
    if (values === undefined) continue
    if (fields === undefined) throw refuse(`setting [index.sort.${option}] requires [index.sort.field]`)
    if (values.length !== fields.length)
      throw refuse(`index.sort.field:[${fields.join(', ')}] index.sort.${option}:[${values.join(', ')}], size mismatch`)
  }
  if (fields === undefined) return
  const known = resolvedFields({ mapping, settings })
  for (const path of fields) {
    if (liesInNested(mapping, path))
      throw refuse(`index sorting on nested fields is not supported: found nested sort field [${path}] in [${name}]`)
    const field = known.get(path)
    if (!field) throw refuse(`unknown index sort field:[${path}]`)
    if (field.valueType === 'text' || field.parameters['doc_values'] === false)
      throw refuse(`docvalues not found for index sort field:[${path}]`)
  }
}

function liesInNested(mapping: Mapping, path: string): boolean {
  let properties = mapping.properties
  for (const step of path.split('.')) {
    const field = properties?.[step]
    if (field?.type === 'nested') return true
    properties = field?.properties
  }
  return false
}
