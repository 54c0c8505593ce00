import { AppError, searchErrors } from '@logstack/errors'
import type { IndexMeta } from './index-meta.ts'
import type { Mapping } from './mapping.ts'

/** Whether an index shows the sources of its documents: not with `_source.enabled: false`. They are kept all the same, for columns are made from them. */
export function showsSources({ mapping }: { readonly mapping: Mapping }): boolean {
  const { _source: source } = mapping as { readonly _source?: { readonly enabled?: unknown } }
  return source?.enabled !== false
}

/** Whether an index keeps no source that can be made again from the columns, as its mapping or its settings ask for. */
export function rebuildsSources({ mapping, settings }: Pick<IndexMeta, 'mapping' | 'settings'>): boolean {
  const { _source: source } = mapping as { readonly _source?: { readonly mode?: unknown } }
  return (source?.mode ?? settings['mapping.source.mode']) === 'synthetic'
}

/** Refuses to copy or rewrite a document of an index that shows no sources. Throws `illegal_argument_exception`. */
export function requireSource(index: Pick<IndexMeta, 'name' | 'mapping'>, id: string): void {
  if (showsSources(index)) return
  throw new AppError(searchErrors.illegal_argument_exception, `[${index.name}][${id}] didn't store _source`)
}
