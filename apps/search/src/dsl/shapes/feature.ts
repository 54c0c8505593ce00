import type { Field } from '@logstack/rules'
import type { ResolvedField } from '../../model/mapping.ts'

/** A feature in the closed form: the column of numbers of a `rank_feature`, or an entry of a `rank_features` field. */
export function searchableFeature({ path, keyed }: ResolvedField): Field {
  return { path, type: keyed ? 'string' : 'double' }
}
