import type { LowerContext } from './define-query.ts'

/** Limits of an index on what one query may hold, and their defaults. */
const defaults = {
  max_terms_count: 65_536,
  max_regex_length: 1000,
  max_docvalue_fields_search: 100,
  max_script_fields: 32,
  max_rescore_window: 10_000,
  'highlight.max_analyzed_offset': 1_000_000,
} as const
/** The name of such a limit, without `index.` before it. */
export type IndexLimit = keyof typeof defaults

/** The limit that holds for the index a query is lowered for. */
export function indexLimit(context: Pick<LowerContext, 'setting'>, name: IndexLimit): number {
  return Number(context.setting(name) ?? defaults[name])
}
