import type { IndexMeta } from '../model/index-meta.ts'
import type { ResolvedField } from '../model/mapping.ts'
import { compileMapping } from './compiled-mapping.ts'

/**
 * The leaf fields of an index by path, multi-fields too; an alias leads to the field it names. Memoised by the mapping object, so it may be
 * asked for every search.
 */
export function resolvedFields(index: Pick<IndexMeta, 'mapping' | 'settings'>): ReadonlyMap<string, ResolvedField> {
  return compileMapping(index.mapping, index.settings).fields
}
