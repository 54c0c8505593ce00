import { RefusedPattern, steadyPattern } from '@logstack/rules'
import { expandGrok } from '../../ingest/grok/compile-grok.ts'
import { grokPatterns } from '../../ingest/grok/patterns.ts'
import { onigurumaPattern } from '../../ingest/java-pattern.ts'
import { shownPattern } from '../../patterns/shown-pattern.ts'
import { join, type Sql, sql } from '../../sql/sql.ts'
import { defineCommand } from '../define-command.ts'
import { type ExtractedField, type Extraction, extracted, groupText, textIn } from '../extract/extraction.ts'
import { type Re2Pattern, re2Pattern } from '../extract/re2-pattern.ts'
import { Problem } from '../problems.ts'
import type { EsqlType } from '../types.ts'

/** `GROK text "%{IP:ip} %{NUMBER:n:int}"`: columns of what the groups of a pattern find; NULL of a text that fits none of the patterns. */
export const grok = defineCommand({
  name: 'grok',
  apply(stage, command, context) {
    const value = textIn(stage, context, command.of, 'Grok')
    const ways = command.patterns.map((pattern) =>
      grokExtraction(
        pattern,
        (reason) => new Problem(command.from, `Invalid GROK pattern [${shownPattern(pattern)}]: ${reason}`),
      ),
    )
    return extracted(stage, context, value, ways, command)
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
  integer: 'integer',
  long: 'long',
  float: 'double',
  double: 'double',
  boolean: 'boolean',
}

/** Compiles an expression of grok for the engine. `fault` makes the error of one that is wrong, or that the engine cannot find. */
function grokExtraction(expression: string, fault: (reason: string) => Error): Extraction {
  const { source, captures } = expandGrok(expression, patterns, fault)
  const pattern = re2Pattern(onigurumaPattern(source, fault))
  if (typeof pattern === 'string') throw fault(`the engine knows no ${pattern}`)
  checkSize(pattern, fault)
  const fields = new Map<string, { readonly type: EsqlType; readonly groups: number[] }>()
  for (const { group, field, type } of captures) {
    const at = pattern.groups.findIndex(({ name }) => name === group)
    const known = fields.get(field)
    if (known) known.groups.push(at)
    else fields.set(field, { type: types[type] ?? 'keyword', groups: [at] })
  }
  return { pattern, fields: [...fields].map(([name, { type, groups }]) => fieldOf(name, type, groups, pattern)) }
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
