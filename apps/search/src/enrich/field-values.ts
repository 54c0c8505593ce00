import { isAppError } from '@logstack/errors'
import { compareValues, type Value, versionOrder, wholesAt } from '@logstack/rules'
import { fieldTypeOf } from '../indices/field-types/index.ts'
import type { EnrichedField } from './keys/keying.ts'

/** Values that come as the document has them; all others come in their order, and those of texts, addresses and versions each once. */
const unsorted: ReadonlySet<string> = new Set(['text', 'match_only_text', 'search_as_you_type', 'geo_point'])

/** The values that a document of a table has of a field, as its type keeps them. What cannot be read so is left out. */
export function fieldValues(document: unknown, { path, wireType, parameters }: EnrichedField): readonly Value[] {
  const type = fieldTypeOf(wireType)
  const { valueType } = type
  const field = { path, wireType, parameters, valueType, sourcePath: path }
  const given = wholesAt(document, path).flatMap(
    (whole) => type.members?.(whole) ?? [whole].flat(Number.POSITIVE_INFINITY),
  )
  const values = given.flatMap((leaf): Value[] => {
    try {
      const read = type.parse(leaf, field)
      return 'value' in read ? [read.value] : []
    } catch (thrown) {
      if (!isAppError(thrown)) throw thrown
      return []
    }
  })
  if (values.length < 2 || valueType === undefined || unsorted.has(wireType)) return values
  const key = (value: Value) => (wireType === 'version' ? versionOrder(String(value)) : value)
  const ordered = [...values].sort((a, b) => compareValues(key(a), key(b), valueType))
  return typeof ordered[0] === 'string' ? [...new Set(ordered)] : ordered
}
