import { endOfString } from './json-string.ts'

/**
 * JSON as written: scalars keep their text, so `1.0` and integers beyond 2^53 pass through unchanged. Only for text this process wrote
 * (or `JSON.stringify` did): malformed text is a `BUG:`.
 */
export type JsonText =
  | { readonly kind: 'scalar'; readonly text: string }
  | { readonly kind: 'array'; readonly items: readonly JsonText[] }
  | { readonly kind: 'object'; readonly entries: readonly (readonly [name: string, value: JsonText])[] }

const plainScalar = /[^\s,\]}:"]+/y

/** Reads JSON text into its tree. Names are unescaped, scalar values are not. */
export function readJsonText(text: string): JsonText {
  let at = 0
  const skip = (): void => {
    while (at < text.length && ' \n\r\t'.includes(text.charAt(at))) at++
  }
  const scalar = (): string => {
    plainScalar.lastIndex = at
    const found = text.charAt(at) === '"' ? text.slice(at, endOfString(text, at)) : plainScalar.exec(text)?.[0]
    if (found === undefined) throw new Error(`BUG: answer is not JSON at ${at}`)
    at += found.length
    return found
  }
  const value = (): JsonText => {
    skip()
    const first = text.charAt(at)
    if (first === '{') return object()
    if (first === '[') return array()
    return { kind: 'scalar', text: scalar() }
  }
  const members = (end: string, read: () => void): void => {
    at++
    skip()
    while (text.charAt(at) !== end) {
      read()
      skip()
      if (text.charAt(at) === ',') at++
      else if (text.charAt(at) !== end) throw new Error(`BUG: answer is not JSON at ${at}`)
      skip()
    }
    at++
  }
  const array = (): JsonText => {
    const items: JsonText[] = []
    members(']', () => items.push(value()))
    return { kind: 'array', items }
  }
  const object = (): JsonText => {
    const entries: [string, JsonText][] = []
    members('}', () => {
      const name = JSON.parse(scalar()) as string
      skip()
      at++
      entries.push([name, value()])
    })
    return { kind: 'object', entries }
  }
  return value()
}

/** Prints on one line. */
export function printCompact(node: JsonText): string {
  if (node.kind === 'scalar') return node.text
  if (node.kind === 'array') return `[${node.items.map(printCompact).join(',')}]`
  return `{${node.entries.map(([name, value]) => `${JSON.stringify(name)}:${printCompact(value)}`).join(',')}}`
}

/** Prints as Elasticsearch's `pretty` does: two spaces, `"k" : v`, `[ ]` and `{ }` when empty. */
export function printPretty(node: JsonText, indent = ''): string {
  if (node.kind === 'scalar') return node.text
  const inner = `${indent}  `
  if (node.kind === 'array') {
    if (node.items.length === 0) return '[ ]'
    return `[\n${node.items.map((item) => inner + printPretty(item, inner)).join(',\n')}\n${indent}]`
  }
  if (node.entries.length === 0) return '{ }'
  const lines = node.entries.map(([name, value]) => `${inner}${JSON.stringify(name)} : ${printPretty(value, inner)}`)
  return `{\n${lines.join(',\n')}\n${indent}}`
}

/** What begins, ends or names in JSON text. */
const structural = /["{}[\]]/g

/**
 * The first name that stands twice in one object of JSON text, and where it ends the second time; undefined when there is none. The text must be JSON: it has been
 * parsed already.
 */
export function duplicateName(text: string): { readonly name: string; readonly end: number } | undefined {
  const open: (Set<string> | undefined)[] = []
  structural.lastIndex = 0
  for (let found = structural.exec(text); found; found = structural.exec(text)) {
    const [character] = found
    if (character === '{') open.push(new Set())
    else if (character === '[') open.push(undefined)
    else if (character === '"') {
      const end = endOfString(text, found.index)
      const names = open.at(-1)
      if (names && nextIsColon(text, end)) {
        const token = text.slice(found.index, end)
        const name = token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1)
        if (names.has(name)) return { name, end }
        names.add(name)
      }
      structural.lastIndex = end
    } else open.pop()
  }
  return undefined
}

function nextIsColon(text: string, from: number): boolean {
  let at = from
  while (' \n\r\t'.includes(text.charAt(at)) && at < text.length) at++
  return text.charAt(at) === ':'
}
