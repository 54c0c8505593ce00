import type { Literal, Lookup } from '@logstack/eql'
import type { Clause } from './clauses.ts'
import type { KnownField } from './fields.ts'
import { literalClass, type TypeCheck } from './type-check.ts'

/** The clauses of a lookup in a field, one of which must find; nulls that are listed find nothing. */
export function lookedUp(lookup: Lookup, field: KnownField, check: TypeCheck): Clause[] {
  const given = lookup.listed.filter(({ value }) => value !== null)
  const clauses: Clause[] = []
  const exact: Literal['value'][] = []
  for (const each of given) {
    const clause = clauseOf(lookup, each, field, check)
    if (clause === 'exact') exact.push(typedValue(each, field))
    else if (clause) clauses.push(clause)
  }
  if (exact.length > 0) clauses.push({ terms: { [field.path]: exact } })
  return clauses
}

/** A number that is looked for in texts, as tools write those of rules, is its text. */
function typedValue({ value }: Literal, { valueClass }: KnownField): Literal['value'] {
  return valueClass === 'string' ? String(value) : value
}

function clauseOf(lookup: Lookup, literal: Literal, field: KnownField, check: TypeCheck): Clause | 'exact' | undefined {
  const { operator, ignoresCase } = lookup
  const { value } = literal
  if (typeof value !== 'string' || field.valueClass !== 'string') return otherClass(lookup, literal, field, check)
  if (operator === 'regex')
    return { regexp: { [field.path]: { value, ...(ignoresCase ? { case_insensitive: true } : {}) } } }
  if (operator !== 'in' && /[*?]/.test(value))
    return {
      wildcard: {
        [field.path]: { value: wildcardText(value, false), ...(ignoresCase ? { case_insensitive: true } : {}) },
      },
    }
  return ignoresCase ? { term: { [field.path]: { value, case_insensitive: true } } } : 'exact'
}

/** Numbers, flags, dates and addresses are equal or not; `:` and `like` take them too, for tools write them so. */
function otherClass(lookup: Lookup, literal: Literal, field: KnownField, check: TypeCheck): 'exact' | undefined {
  const given = literalClass(literal)
  const isPattern = lookup.operator !== 'in' && typeof literal.value === 'string' && /[*?]/.test(literal.value)
  const isEqual = lookup.operator !== 'regex' && !isPattern
  if (isEqual && field.valueClass === 'string' && lookup.operator !== 'in') return 'exact'
  const agrees =
    given === field.valueClass ||
    (field.valueClass === 'date' && (given === 'string' || given === 'number')) ||
    (field.valueClass === 'ip' && given === 'string')
  if (isEqual && agrees) return 'exact'
  check.refuse(
    lookup,
    `first argument of [${check.textOf(lookup)}] must be [${given === 'string' ? 'string' : given === 'number' ? 'numeric' : given}], found value [${field.name}] type [${field.valueClass}]`,
  )
  return undefined
}

/** A text as a pattern of the DSL, in which backslashes escape and here they do not; with `isPlain` stars and question marks stand for themselves. */
export function wildcardText(text: string, isPlain: boolean): string {
  return isPlain ? text.replace(/[\\*?]/g, '\\$&') : text.replaceAll('\\', '\\\\')
}
