import { aliasField } from './alias.ts'
import { binaryField } from './binary.ts'
import { booleanField } from './boolean.ts'
import { byteField } from './byte.ts'
import { completionField } from './completion.ts'
import { constantKeywordField } from './constant-keyword.ts'
import { dateField } from './date.ts'
import { dateNanosField } from './date-nanos.ts'
import type { FieldType } from './define-field-type.ts'
import { doubleField } from './double.ts'
import { flattenedFields } from './flattened.ts'
import { floatField } from './float.ts'
import { geoPointField } from './geo-point.ts'
import { geoShapeField } from './geo-shape.ts'
import { halfFloatField } from './half-float.ts'
import { integerField } from './integer.ts'
import { ipField } from './ip.ts'
import { joinField, parentField } from './join.ts'
import { keywordField } from './keyword.ts'
import { longField } from './long.ts'
import { matchOnlyTextField } from './match-only-text.ts'
import { rangeFieldTypes } from './range-types.ts'
import { rankFeatureField } from './rank-feature.ts'
import { rankFeaturesField } from './rank-features.ts'
import { scaledFloatField } from './scaled-float.ts'
import { searchAsYouTypeField } from './search-as-you-type.ts'
import { shortField } from './short.ts'
import { textField } from './text.ts'
import { tokenCountField } from './token-count.ts'
import { unsignedLongField } from './unsigned-long.ts'
import { versionField } from './version.ts'
import { wildcardField } from './wildcard.ts'

/** Every field type of the mapping; `object` and `nested` are not leaves and live in the mapping itself. */
export const fieldTypes: readonly FieldType[] = [
  aliasField,
  binaryField,
  booleanField,
  byteField,
  completionField,
  constantKeywordField,
  dateField,
  dateNanosField,
  doubleField,
  ...flattenedFields,
  floatField,
  geoPointField,
  geoShapeField,
  halfFloatField,
  integerField,
  ipField,
  joinField,
  keywordField,
  longField,
  matchOnlyTextField,
  rankFeatureField,
  rankFeaturesField,
  scaledFloatField,
  searchAsYouTypeField,
  shortField,
  textField,
  unsignedLongField,
  versionField,
  tokenCountField,
  ...rangeFieldTypes,
  wildcardField,
]

const byName = new Map([...fieldTypes, parentField].map((type) => [type.name, type]))

/** The field type of that wire name. */
export function findFieldType(name: string): FieldType | undefined {
  return byName.get(name)
}

/** Whether no clause but those for its type alone, and `exists`, finds values of a type. */
export function isUnsearchable(name: string): boolean {
  const type = byName.get(name)
  return type?.presenceOnly === true || type?.refusals !== undefined
}

/** The field type of a resolved field, which always has one. */
export function fieldTypeOf(name: string): FieldType {
  const type = byName.get(name)
  if (type === undefined) throw new Error(`BUG: a mapping holds the unknown type ${name}`)
  return type
}
