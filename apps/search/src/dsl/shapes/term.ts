import { all, cidrBounds, compilePattern, none, or, type Predicate, type Value } from '@logstack/rules'
import { spanKindOf } from '../../indices/field-types/range-types.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import type { LowerContext } from '../define-query.ts'
import { isDate, networkFault, type SearchableField, searchable, soughtDate, soughtValue } from './field-value.ts'
import { fieldOf, reporting } from './reporting.ts'
import { valueInSpan } from './span.ts'
import { columnPattern, columnWord } from './words.ts'

/** Documents that hold exactly this value. A date of less than full precision means its whole span, an address block all its addresses. */
export function termPredicate(
  resolved: ResolvedField,
  given: unknown,
  context: LowerContext,
  caseInsensitive = false,
): Predicate {
  if (resolved.path === '_index') return isNamed(context, given) ? all : none
  const field = searchable(resolved)
  const shape = fieldOf(field)
  if (field.valueType === 'text')
    return caseInsensitive
      ? {
          op: 'pattern',
          field: shape,
          pattern: columnPattern(field, { kind: 'wildcard', text: escapeWildcard(String(given)), caseInsensitive }),
        }
      : { op: 'tokens', field: shape, tokens: [columnWord(field, String(given))], count: 1 }
  const kind = spanKindOf(field.wireType)
  if (kind) return valueInSpan(field, kind, given, context)
  if (field.valueType === 'string' && caseInsensitive)
    return {
      op: 'pattern',
      field: shape,
      pattern: { kind: 'wildcard', text: escapeWildcard(String(given)), caseInsensitive },
    }
  return reporting(context, () => {
    if (isDate(field)) return dateSpan(field, given, context)
    const block = field.valueType === 'ip' ? cidrBounds(String(given)) : undefined
    if (block) return { op: 'range', field: shape, bounds: { gte: block.first, lte: block.last } }
    const fault = field.valueType === 'ip' ? networkFault(String(given)) : undefined
    if (fault !== undefined) throw illegalArgument(fault)
    const value = soughtValue(given, field)
    return fractional(value, field) ? none : { op: 'equals', field: shape, values: [value] }
  })
}

/** Whether an index is asked for, by its name or a pattern. */
function isNamed({ indexName }: LowerContext, given: unknown): boolean {
  const text = String(given)
  return (
    text === indexName ||
    (text.includes('*') && compilePattern({ kind: 'wildcard', text, caseInsensitive: false })(indexName))
  )
}

/** Documents that hold one of these values. */
export function termsPredicate(resolved: ResolvedField, given: readonly unknown[], context: LowerContext): Predicate {
  if (resolved.path === '_index') return given.some((name) => isNamed(context, name)) ? all : none
  const field = searchable(resolved)
  if (field.valueType === 'text')
    return {
      op: 'tokens',
      field: fieldOf(field),
      tokens: given.map((word) => columnWord(field, String(word))),
      count: 1,
    }
  if (isDate(field) || spanKindOf(field.wireType)) return or(given.map((value) => termPredicate(field, value, context)))
  if (field.valueType === 'ip') return addressesPredicate(field, given, context)
  return reporting(context, () => {
    const values = given.map((value) => soughtValue(value, field)).filter((value) => !fractional(value, field))
    return values.length === 0 ? none : { op: 'equals', field: fieldOf(field), values }
  })
}

/** Single addresses are one list, as they are no clauses each: lists of known bad ones have tens of thousands. Blocks are a clause each. */
function addressesPredicate(field: SearchableField, given: readonly unknown[], context: LowerContext): Predicate {
  const alternatives = given.map((value) => termPredicate(field, value, context))
  const values = alternatives.flatMap((each) => (each.op === 'equals' ? each.values : []))
  const blocks = alternatives.filter(({ op }) => op !== 'equals')
  return or([values.length === 0 ? none : { op: 'equals', field: fieldOf(field), values }, ...blocks])
}

function fractional(value: Value, field: SearchableField): boolean {
  return field.valueType !== 'double' && typeof value === 'number' && !Number.isInteger(value)
}

function dateSpan(field: SearchableField, given: unknown, context: LowerContext): Predicate {
  const bound = (roundUp: boolean) => soughtDate(given, field, { nowMs: context.nowMs, roundUp })
  return { op: 'range', field: fieldOf(field), bounds: { gte: bound(false), lte: bound(true) } }
}

/** A text as a wildcard pattern that matches just it. */
function escapeWildcard(text: string): string {
  return text.replace(/[\\*?]/gu, '\\$&')
}
