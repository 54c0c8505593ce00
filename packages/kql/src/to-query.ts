import { fitsPieces } from '@logstack/rules/star-pattern'
import { hasWildcard, isAnyValue, type KqlNode, type KqlText, plainText } from './ast.ts'

/** A clause of Elasticsearch's query DSL. */
export type QueryClause = Readonly<Record<string, unknown>>

/** What is known of the fields that are searched. */
export interface KqlContext {
  /** Field name to mapping type (`keyword`, `text`, `date`, …); unknown fields are searched by `match`. */
  readonly types?: ReadonlyMap<string, string>
  /** IANA zone for dates without an offset; UTC unless told. */
  readonly timeZone?: string
}

const exactTypes = new Set(['keyword', 'constant_keyword', 'wildcard', 'ip', 'boolean', 'version'])

/** Turns a parsed query into the query DSL; no query is `match_all`. Boolean parts run in filter context: they do not score. */
export function kqlToQuery(node: KqlNode | undefined, context: KqlContext = {}): QueryClause {
  if (!node) return { match_all: {} }
  switch (node.kind) {
    case 'and':
      return { bool: { filter: node.children.map((child) => kqlToQuery(child, context)) } }
    case 'or':
      return { bool: { should: node.children.map((child) => kqlToQuery(child, context)), minimum_should_match: 1 } }
    case 'not':
      return { bool: { must_not: [kqlToQuery(node.child, context)] } }
    case 'nested':
      return nestedQuery(plainText(node.path), node.child, context)
    case 'range':
      return anyOf(fieldsNamed(node.field, context), (field) => ({
        range: { [field]: { [node.operator]: scalar(node.value), ...timeZoneOf(field, context) } },
      }))
    case 'match':
      return node.field ? fieldQuery(node.field, node.value, context) : anywhereQuery(node.value)
  }
}

function anywhereQuery(value: KqlText): QueryClause {
  if (isAnyValue(value)) return { match_all: {} }
  if (hasWildcard(value))
    return { query_string: { query: queryStringPattern(value), analyze_wildcard: true, lenient: true } }
  const type = value.quoted ? 'phrase' : 'best_fields'
  return { multi_match: { type, query: plainText(value), lenient: true } }
}

function fieldQuery(name: KqlText, value: KqlText, context: KqlContext): QueryClause {
  if (isAnyValue(name) && isAnyValue(value)) return { match_all: {} }
  if (isAnyValue(name)) return anywhereQuery(value)
  return anyOf(fieldsNamed(name, context), (field) => oneFieldQuery(field, value, context))
}

function oneFieldQuery(field: string, value: KqlText, context: KqlContext): QueryClause {
  if (isAnyValue(value)) return { exists: { field } }
  const type = context.types?.get(field)
  if (hasWildcard(value)) {
    if (type === 'keyword' || type === 'wildcard') {
      return { wildcard: { [field]: { value: value.pieces.map(escapeWildcard).join('*') } } }
    }
    return { query_string: { fields: [field], query: queryStringPattern(value), analyze_wildcard: true } }
  }
  const text = plainText(value)
  if (type === 'date' || type === 'date_nanos') {
    return { range: { [field]: { gte: text, lte: text, ...timeZoneOf(field, context) } } }
  }
  if (type !== undefined && exactTypes.has(type)) return { term: { [field]: { value: text } } }
  return value.quoted ? { match_phrase: { [field]: text } } : { match: { [field]: text } }
}

// Inside `path:{ … }` names are relative to the path.
function nestedQuery(path: string, child: KqlNode, context: KqlContext): QueryClause {
  const qualified = prefixFields(child, path)
  return { nested: { path, query: kqlToQuery(qualified, context), score_mode: 'none' } }
}

function prefixFields(node: KqlNode, path: string): KqlNode {
  const prefixed = (text: KqlText): KqlText => ({
    ...text,
    pieces: text.pieces.map((piece, index) => (index === 0 ? `${path}.${piece}` : piece)),
  })
  switch (node.kind) {
    case 'and':
    case 'or':
      return { ...node, children: node.children.map((child) => prefixFields(child, path)) }
    case 'not':
      return { ...node, child: prefixFields(node.child, path) }
    case 'nested': {
      const inner = prefixed(node.path)
      return { ...node, path: inner }
    }
    case 'range':
      return { ...node, field: prefixed(node.field) }
    case 'match':
      return node.field ? { ...node, field: prefixed(node.field) } : node
  }
}

/** The fields a name stands for: a pattern is looked up among the known fields, and matches nothing when none fits. */
function fieldsNamed(name: KqlText, context: KqlContext): string[] {
  if (!hasWildcard(name)) return [plainText(name)]
  return [...(context.types?.keys() ?? [])].filter((field) => fitsPieces(field, name.pieces))
}

function anyOf(fields: readonly string[], build: (field: string) => QueryClause): QueryClause {
  const [only] = fields
  if (only === undefined) return { match_none: {} }
  if (fields.length === 1) return build(only)
  return { bool: { should: fields.map(build), minimum_should_match: 1 } }
}

function timeZoneOf(field: string, context: KqlContext): { time_zone?: string } {
  const type = context.types?.get(field)
  const isDate = type === 'date' || type === 'date_nanos'
  return isDate && context.timeZone ? { time_zone: context.timeZone } : {}
}

function scalar(value: KqlText): string | number {
  const text = plainText(value)
  return !value.quoted && /^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : text
}

function queryStringPattern(value: KqlText): string {
  return value.pieces.map((piece) => piece.replace(/[+\-=&|!(){}[\]^"~*?:\\/<>\s]/g, '\\$&')).join('*')
}

function escapeWildcard(piece: string): string {
  return piece.replace(/[*?\\]/g, '\\$&')
}
