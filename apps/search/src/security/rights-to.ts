import type { IndexMeta } from '../model/index-meta.ts'
import type { ResolvedField } from '../model/mapping.ts'
import type { Scope } from '../model/scope.ts'

/** An index with its fields, as far as rights depend on them. */
export interface ReadIndex {
  readonly index: Pick<IndexMeta, 'name' | 'aliases' | 'dataStream'>
  readonly fields: ReadonlyMap<string, ResolvedField>
}

/** What a caller may read of some indices, as text to compare: of each whether, which documents and which fields. */
export function rightsTo(scope: Scope, indices: readonly ReadIndex[]): string {
  const each = indices.map(({ index, fields }) => {
    const { name, aliases, dataStream } = index
    const names = [name, ...Object.keys(aliases), ...(dataStream === undefined ? [] : [dataStream])]
    const limited = scope.limitsFields?.(name) ?? false
    return [
      name,
      names.some((one) => scope.hasIndex('indices:data/read/search', one)),
      scope.documentFilters(name),
      limited ? [...fields.keys()].filter((path) => scope.canSeeField(name, path)) : '*',
    ]
  })
  return JSON.stringify(each)
}
