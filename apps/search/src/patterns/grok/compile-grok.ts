import { boundedRegExp } from '@logstack/rules'
import { onigurumaPattern } from '../java-pattern.ts'
import { watchPattern, watchPatterns } from '../pattern-watch.ts'

/** A group of an expanded expression: its name there, and the field and the type that were written. */
export interface GrokCapture {
  readonly group: string
  readonly field: string
  readonly type: string
}

/** A compiled grok expression. */
export interface Grok {
  /** What a text gives: fields with their values, all groups of the same name in their order. Undefined when it does not match. */
  match(text: string): GrokField[] | undefined
  /** Where fields stand, for every place of a text that the expression fits. */
  spans(text: string): GrokSpan[]
}

/** What the groups of one name found, and the type that the first was given. */
export interface GrokField {
  readonly field: string
  readonly values: readonly unknown[]
  readonly type: string
}

/** A piece of a text that a field of an expression fits. */
export interface GrokSpan {
  readonly field: string
  readonly from: number
  readonly to: number
}

const patternDepthMax = 50
/** Letters of the patterns that stand in the place of their names, far more than an expression may have in the end: patterns of patterns double. */
const expandedLettersMax = 100_000
const reference = /%\{(\w+)(?::([^:}]+))?(?::(\w+))?\}|\(\?<([a-zA-Z_][\w.@-]*)>|\(\?'([a-zA-Z_][\w.@-]*)'/g
const types = ['string', 'int', 'long', 'float', 'double', 'boolean']

/** Puts the patterns of a dictionary in the places of their names, so that a pattern of Oniguruma is left whose groups are numbered. `fault` makes the error of one that is wrong. */
export function expandGrok(
  expression: string,
  dictionary: Readonly<Record<string, string>>,
  fault: (reason: string) => Error,
): { readonly source: string; readonly captures: readonly GrokCapture[] } {
  const captures: GrokCapture[] = []
  const capture = (field: string, asked = 'string'): string => {
    // What is no type is a text, as in Elasticsearch.
    const type = types.includes(asked) ? asked : 'string'
    const group = `g${captures.length}`
    captures.push({ group, field: field.replace(/^\[|\]$/g, '').replaceAll('][', '.'), type })
    return group
  }
  let expanded = 0
  const expand = (text: string, above: readonly string[]): string => {
    expanded += text.length
    if (expanded > expandedLettersMax)
      throw fault(`the patterns of a grok expression may have at most [${expandedLettersMax}] characters together`)
    return text.replace(
      reference,
      (_whole, name?: string, field?: string, type?: string, own?: string, quoted?: string) => {
        const group = own ?? quoted
        if (group !== undefined) return `(?<${capture(group)}>`
        const known = name !== undefined && Object.hasOwn(dictionary, name) ? dictionary[name] : undefined
        if (name === undefined || known === undefined)
          throw fault(`Unable to find pattern [${name}] in Grok's pattern dictionary`)
        if (above.includes(name) || above.length > patternDepthMax) {
          throw fault(`circular reference in pattern [${name}][${known}]`)
        }
        // The group is numbered before those inside it, as it opens before them.
        const open = field === undefined ? '(?:' : `(?<${capture(field, type)}>`
        return `${open}${expand(known, [...above, name])})`
      },
    )
  }
  return { source: expand(expression, []), captures }
}

/** Makes the error of an expression that is wrong. */
type Fault = (reason: string) => Error

/** Compiles an expression of `%{NAME:field:type}` and named groups over a dictionary. */
export function compileGrok(expression: string, dictionary: Readonly<Record<string, string>>, fault: Fault): Grok {
  const { captures, pattern } = readGrok(expression, dictionary, fault)
  const watch = watchPattern(pattern)
  let everywhere: RegExp | undefined
  return {
    match: (text) =>
      fieldsOf(
        watch(text, () => pattern.exec(text)),
        captures,
      ),
    spans(text) {
      everywhere ??= boundedRegExp(pattern.source, `${pattern.flags.replace(/[gd]/gu, '')}gd`)
      const places = everywhere
      const found = watch(text, () => [...text.matchAll(places)])
      return found.flatMap(({ indices }) =>
        captures.flatMap(({ group, field }) => {
          const place = indices?.groups?.[group]
          return place === undefined || place[0] === place[1] ? [] : [{ field, from: place[0], to: place[1] }]
        }),
      )
    },
  }
}

/** What the first of several expressions that fits gives, and which one that is. */
export interface FirstGrok {
  readonly at: number
  readonly fields: readonly GrokField[]
}

/** Expressions under one watch: a pattern that is tried for the first time is compiled within its time. */
const watchedTogether = 16

/** Compiles several expressions that are tried on a text in their order, some under one watch. */
export function compileGroks(
  expressions: readonly string[],
  dictionary: Readonly<Record<string, string>>,
  fault: Fault,
): (text: string) => FirstGrok | undefined {
  const all = expressions.map((expression) => readGrok(expression, dictionary, fault))
  const starts = all.map((_, at) => at).filter((at) => at % watchedTogether === 0)
  const groups = starts.map((start) => {
    const some = all.slice(start, start + watchedTogether)
    return { start, some, watch: watchPatterns(some.map(({ pattern }) => pattern)) }
  })
  return (text) => {
    for (const { start, some, watch } of groups) {
      const one = watch(text, () => firstOf(some, text))
      if (one) return { at: start + one.at, fields: fieldsOf(one.found, one.captures) ?? [] }
    }
    return undefined
  }
}

function firstOf(some: readonly ReadGrok[], text: string) {
  for (const [at, { pattern, captures }] of some.entries()) {
    const found = pattern.exec(text)
    if (found) return { at, found, captures }
  }
  return undefined
}

/** An expression as a pattern, and the fields of its groups. */
interface ReadGrok {
  readonly pattern: RegExp
  readonly captures: readonly GrokCapture[]
}

function readGrok(expression: string, dictionary: Readonly<Record<string, string>>, fault: Fault): ReadGrok {
  const { source, captures } = expandGrok(expression, dictionary, fault)
  return { pattern: onigurumaPattern(source, fault), captures }
}

function fieldsOf(found: RegExpExecArray | null, captures: readonly GrokCapture[]): GrokField[] | undefined {
  if (!found) return undefined
  const fields = new Map<string, GrokField & { readonly values: unknown[] }>()
  for (const { group, field, type } of captures) {
    const value = found.groups?.[group]
    if (value === undefined) continue
    const known = fields.get(field) ?? { field, values: [], type }
    known.values.push(typed(value, type))
    fields.set(field, known)
  }
  return [...fields.values()]
}

function typed(text: string, type: string): unknown {
  if (type === 'string') return text
  if (type === 'boolean') return text.toLowerCase() === 'true'
  if (type === 'float' || type === 'double') return Number.parseFloat(text)
  const whole = /^[+-]?\d+$/.test(text)
    ? BigInt(text.replace('+', ''))
    : BigInt(Math.trunc(Number.parseFloat(text) || 0))
  return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole
}
