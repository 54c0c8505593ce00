import { isAppError } from '@logstack/errors'
import { isPlain, queryShardError } from '../../refusals/refuse.ts'
import type { LowerContext } from '../define-query.ts'
import type { SearchableField } from './field-value.ts'

/** A field in the closed form. */
export function fieldOf(field: SearchableField) {
  return { path: field.path, type: field.valueType }
}

/** Runs a lowering whose value errors name the index, as Elasticsearch reports them. */
export function reporting<T>(context: LowerContext, work: () => T): T {
  try {
    return work()
  } catch (thrown) {
    if (isAppError(thrown) && valueErrors.has(thrown.code) && !isPlain(thrown))
      throw queryShardError(context.reportedIndex, thrown)
    throw thrown
  }
}

const valueErrors = new Set(['number_format_exception', 'illegal_argument_exception'])
