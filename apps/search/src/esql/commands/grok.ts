import { syntaxError } from '@logstack/errors'
import { RefusedPattern, steadyPattern } from '@logstack/rules'
import { expandGrok } from '../../patterns/grok/compile-grok.ts'
import { grokPatterns } from '../../patterns/grok/patterns.ts'
import { onigurumaPattern } from '../../patterns/java-pattern.ts'
import { shownPattern } from '../../patterns/shown-pattern.ts'
import { join, type Sql, sql } from '../../sql/sql.ts'
import { defineCommand } from '../define-command.ts'
import { type ExtractedField, type Extraction, extracted, groupText, textIn } from '../extract/extraction.ts'
import { type Re2Pattern, re2Pattern } from '../extract/re2-pattern.ts'
import type { EsqlType } from '../types.ts'

/** `GROK text "%{IP:ip} %{NUMBER:n:int}"`: columns of what the groups of a pattern find; NULL of a text that fits none of the patterns. */
export const grok = defineCommand({
  name: 'grok',
  apply(stage, command, context) {
    const value = textIn(stage, context, command.of, 'Grok')
    const fault = (reason: string) => syntaxError(context.text, command.from, reason)
    const ways = command.patterns.map((pattern) =>
      grokExtraction(pattern, {
        fault: (reason) => fault(`Invalid pattern [${shownPattern(pattern)}] for grok: ${reason}`),
        conflict: (name) => fault(conflictOf(pattern, name)),
      }),
    )
    checkTypes(ways, command.patterns, fault)
    return extracted(stage, context, value, ways)
  },
})

/** The shipped patterns without look-around at more than a letter: that of IPV6 holds of all that follows it, and the other is a group around the rest of a line. */
const patterns: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(grokPatterns).map(([name, pattern]) => [
    name,
    pattern.replace('(?=(?:[0-9A-Fa-f]{0,4}:){2,7})', '').replace(/\(\?=%\{GREEDYDATA:(\w+)\}\)(.*)$/su, '(?<$1>$2.*)'),
  ]),
)

const types: Readonly<Record<string, EsqlType>> = {
  string: 'keyword',
  int: 'integer',
  long: 'long',
  float: 'double',
  double: 'double',
  boolean: 'boolean',
}

interface Faults {
  /** The error of an expression that is wrong, or that the engine cannot find. */
  fault(reason: string): Error
  /** The error of a name that has several types. */
  conflict(name: string): Error
}

function conflictOf(pattern: string, name: string): string {
  return `Invalid GROK pattern [${shownPattern(pattern)}]: the attribute [${name}] is defined multiple times with different types`
}

/** Compiles an expression of grok for the engine. */
function grokExtraction(expression: string, { fault, conflict }: Faults): Extraction {
  const { source, captures } = expandGrok(expression, patterns, fault)
  const pattern = re2Pattern(onigurumaPattern(source, fault))
  if (typeof pattern === 'string') throw fault(`the engine knows no ${pattern}`)
  checkSize(pattern, fault)
  const fields = new Map<string, { readonly type: EsqlType; readonly groups: number[] }>()
  for (const { group, field, type } of captures) {
    const at = pattern.groups.findIndex(({ name }) => name === group)
    const known = fields.get(field)
    const asked = types[type] ?? 'keyword'
    if (known && known.type !== asked) throw conflict(field)
    if (known) known.groups.push(at)
    else fields.set(field, { type: asked, groups: [at] })
  }
  // As in Elasticsearch, columns come in the order of their names, not of the pattern.
  const sorted = [...fields].sort(([a], [b]) => (a < b ? -1 : 1))
  return { pattern, fields: sorted.map(([name, { type, groups }]) => fieldOf(name, type, groups, pattern)) }
}

/** A name is of one type, in one pattern and in all of them. */
function checkTypes(ways: readonly Extraction[], patterns: readonly string[], fault: (reason: string) => Error): void {
  const types = new Map<string, EsqlType>()
  for (const [at, { fields }] of ways.entries())
    for (const { name, type } of fields) {
      if ((types.get(name) ?? type) !== type) throw fault(conflictOf(patterns[at] ?? '', name))
      types.set(name, type)
    }
}

function checkSize({ source }: Re2Pattern, fault: (reason: string) => Error): void {
  try {
    steadyPattern(source, '')
  } catch (thrown) {
    if (thrown instanceof RefusedPattern) throw fault(thrown.message)
    throw thrown
  }
}

function fieldOf(name: string, type: EsqlType, groups: readonly number[], pattern: Re2Pattern): ExtractedField {
  return {
    name,
    type,
    many: groups.length > 1,
    values(from) {
      const texts = groups.map((at) => {
        const text = groupText(from, at)
        // The engine tells what took no part and what is empty by the same text.
        return pattern.groups[at]?.isSure ? text : sql`nullIf(${text}, '')`
      })
      const values = sql`[${join(
        texts.map((text) => typed(text, type)),
        ', ',
      )}]`
      return sql`arrayMap(v -> assumeNotNull(v), arrayFilter(v -> isNotNull(v), ${values}))`
    },
  }
}

/** A text as a type, NULL where it is none. */
function typed(text: Sql, type: EsqlType): Sql {
  if (type === 'integer')
    return sql`arrayMap(v -> if(v BETWEEN -2147483648 AND 2147483647, v, NULL), [toInt64OrNull(${text})])[1]`
  if (type === 'long') return sql`toInt64OrNull(${text})`
  if (type === 'double') return sql`toFloat64OrNull(${text})`
  return type === 'boolean' ? sql`(lower(${text}) = 'true')` : text
}
