import { meantName } from '@logstack/spelling'
import { hasWildcard, isAnyValue, type KqlNode, type KqlText, plainText } from './ast.ts'

/**
 * What in a query finds nothing, whatever the events hold, or means something else than it looks like. `field`: as it was written; `write`: what to
 * write instead.
 */
export type KqlSlip =
  | { readonly kind: 'unknown-field'; readonly field: string; readonly near: string | undefined }
  | { readonly kind: 'group'; readonly field: string; readonly member: string }
  | { readonly kind: 'equals' | 'single-quotes' | 'star-in-quotes'; readonly write: string }
  | { readonly kind: 'spaced-wildcard'; readonly field: string; readonly write: string }

const slipsMax = 3
const textTypes = new Set(['text', 'match_only_text'])
/** `field = value`, `field == "value"`, `field != value`. */
const equation = /([\w@][\w@.-]*)\s*(!=|==?)\s*("(?:[^"\\]|\\.)*"|'[^']*'|[^\s()"':]+)/u

/** The slips of a query that can be read; `types` are the fields that are searched, and nothing is known of fields while it is empty. */
export function slipsOf(node: KqlNode | undefined, types: ReadonlyMap<string, string>): KqlSlip[] {
  const found = node ? slipsIn(node, types, '') : []
  return [...new Map(found.map((slip) => [JSON.stringify(slip), slip])).values()].slice(0, slipsMax)
}

/** The slip of a text that cannot be read because it says `=`, with a field in front of it; undefined when that is not why. */
export function equationIn(text: string): KqlSlip | undefined {
  const [, field, operator, value] = equation.exec(text) ?? []
  if (field === undefined || value === undefined) return undefined
  const quoted = value.startsWith("'") ? `"${value.slice(1, -1)}"` : value
  return { kind: 'equals', write: `${operator === '!=' ? 'not ' : ''}${field}: ${quoted}` }
}

function slipsIn(node: KqlNode, types: ReadonlyMap<string, string>, above: string): KqlSlip[] {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.children.flatMap((child) => slipsIn(child, types, above))
    case 'not':
      return slipsIn(node.child, types, above)
    case 'nested':
      return slipsIn(node.child, types, `${above}${plainText(node.path)}.`)
    case 'range':
      return fieldSlips(node.field, types, above)
    case 'match':
      return node.field
        ? [
            ...fieldSlips(node.field, types, above),
            ...valueSlips(node.field, node.value, types.get(above + plainText(node.field))),
          ]
        : looseSlips(node.value, types)
  }
}

// Words without a field, of which the first stands before `=`.
function looseSlips(value: KqlText, types: ReadonlyMap<string, string>): KqlSlip[] {
  if (value.quoted) return []
  const [, field = ''] = equation.exec(plainText(value)) ?? []
  const slip = types.has(field) ? equationIn(plainText(value)) : undefined
  return slip ? [slip] : []
}

function fieldSlips(written: KqlText, types: ReadonlyMap<string, string>, above: string): KqlSlip[] {
  const field = above + plainText(written)
  if (types.size === 0 || hasWildcard(written) || field.startsWith('_') || isMapped(field, types)) return []
  const member = [...types.keys()].find((name) => name.startsWith(`${field}.`))
  if (member !== undefined) return [{ kind: 'group', field, member }]
  return [{ kind: 'unknown-field', field, near: meantName(field, types.keys()) }]
}

// What is below a field is known to nobody when it is a flattened one.
function isMapped(field: string, types: ReadonlyMap<string, string>): boolean {
  const parts = field.split('.')
  return parts.some((_, at) => types.has(parts.slice(0, at + 1).join('.')))
}

function valueSlips(field: KqlText, value: KqlText, type: string | undefined): KqlSlip[] {
  const text = plainText(value)
  const name = plainText(field)
  if (value.quoted) {
    const isPattern = /^\*?[\w.@/-]+\*?$/u.test(text) && text.includes('*')
    return isPattern ? [{ kind: 'star-in-quotes', write: `${name}: ${text}` }] : []
  }
  if (/^'[^'"]+'$/u.test(text)) return [{ kind: 'single-quotes', write: `${name}: "${text.slice(1, -1)}"` }]
  if (type === undefined || !textTypes.has(type) || !hasWildcard(value) || isAnyValue(value) || !/\s/u.test(text))
    return []
  const words = text.replaceAll('*', ' ').trim().replaceAll(/\s+/gu, ' ')
  return [{ kind: 'spaced-wildcard', field: name, write: `${name}: "${words.replaceAll('"', '\\"')}"` }]
}
