import type { ResolvedField } from '../../model/mapping.ts'
import { findFieldType } from './index.ts'

/** What is said to who asks for the values of a field document by document (orders, aggregations, scripts, `docvalue_fields`) where it keeps none; undefined where it does. */
export function valuesRefusal(field: ResolvedField, indexName: string): string | undefined {
  const { path, wireType, parameters } = field
  const type = findFieldType(wireType)
  if (!type) return undefined
  if (type.refusals) return type.refusals.values
  if (field.valueType === 'text')
    return parameters['fielddata'] === true
      ? undefined
      : `Fielddata is disabled on [${path}] in [${indexName}]. Text fields are not optimised for operations that require per-document field data like aggregations and sorting, so these operations are disabled by default. Please use a keyword field instead. Alternatively, set fielddata=true on [${path}] in order to load field data by uninverting the inverted index. Note that this can use significant memory.`
  const keeps = wireType === 'binary' ? parameters['doc_values'] === true : parameters['doc_values'] !== false
  if (keeps && (type.aggregatable || wireType === 'binary' || wireType === 'geo_shape')) return undefined
  return `Can't load fielddata on [${path}] because fielddata is unsupported on fields of type [${wireType}]. Use doc values instead.`
}
