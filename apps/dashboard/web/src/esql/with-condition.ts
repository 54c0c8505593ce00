import type { FieldFilter } from '../url-state/field-filters.ts'

const numberTypes = new Set(['double', 'long', 'integer', 'unsigned_long'])

/** A query that goes on with the rows that a filter fits; `type` is that of the filter's column, without which values are texts. */
export function withCondition(esql: string, { field, value, negate }: FieldFilter, type: string | undefined): string {
  const name = quotedName(field)
  const isNull = value === undefined
  const condition = isNull
    ? `${name} IS ${negate ? 'NULL' : 'NOT NULL'}`
    : `${name} ${negate ? '!=' : '=='} ${literalOf(value, type)}`
  return `${esql.trimEnd()}\n| WHERE ${condition}`
}

/** A source of a query for an index expression; names that the language cannot hold bare are quoted. */
export function sourceOf(index: string): string {
  return index
    .split(',')
    .map((name) => (/^[\p{L}\p{N}_*.<>{}:+/-]+$/u.test(name) ? name : JSON.stringify(name)))
    .join(', ')
}

function quotedName(name: string): string {
  const isPlain = name.split('.').every((part) => /^[@_a-z][\w@]*$/iu.test(part))
  return isPlain ? name : `\`${name.replaceAll('`', '``')}\``
}

function literalOf(value: string | number | boolean, type: string | undefined): string {
  const isBare = (type !== undefined && numberTypes.has(type)) || type === 'boolean'
  return typeof value !== 'string' || isBare ? String(value) : JSON.stringify(value)
}
