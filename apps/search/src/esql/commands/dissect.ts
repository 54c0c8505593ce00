import { syntaxError } from '@logstack/errors'
import type { CommandOf } from '@logstack/esql'
import { escapeRegexp } from '@logstack/rules'
import { type DissectionKey, parseDissection } from '../../patterns/dissection.ts'
import { shownPattern } from '../../patterns/shown-pattern.ts'
import { list, sql, str } from '../../sql/sql.ts'
import { defineCommand } from '../define-command.ts'
import { type ExtractedField, type Extraction, extracted, groupText, textIn } from '../extract/extraction.ts'

/** `DISSECT text "%{a} %{b}"`: columns of what stands between delimiters; NULL of a text that has not all of them. */
export const dissect = defineCommand({
  name: 'dissect',
  apply(stage, command, context) {
    const value = textIn(stage, context, command.of, 'Dissect')
    return extracted(stage, context, value, [extractionOf(command, context.text)])
  },
})

/** Each key reads up to the first delimiter behind it, so that the pattern never goes back. */
function extractionOf({ pattern, separator = '', from }: CommandOf<'dissect'>, text: string): Extraction {
  const { prefix, keys } = parseDissection(pattern, (reason) =>
    syntaxError(
      text,
      from,
      `Invalid pattern for dissect: [${shownPattern(pattern)}]${/^(?:Unable to find|invalid key)/u.test(reason) ? '' : `: ${reason}`}`,
    ),
  )
  const references = keys.filter(({ kind }) => kind === 'reference-name' || kind === 'reference-value')
  if (references.length > 0)
    throw syntaxError(
      text,
      from,
      `Reference keys not supported in dissect patterns: [%{${references[0]?.kind === 'reference-name' ? '*' : '&'}${references[0]?.name ?? ''}}]`,
    )
  const pieces = keys.map(({ delimiter, padded }) => {
    const between = escapeRegexp(delimiter)
    if (delimiter === '') return '(.*)$'
    return `(.*?)${between}${padded ? `(?:${between})*` : ''}`
  })
  const re2 = { source: `(?s)^${escapeRegexp(prefix)}${pieces.join('')}`, marks: [], plain: undefined }
  const names = [...new Set(keys.flatMap(({ kind, name }) => (kind === 'skip' ? [] : [name])))]
  return { pattern: re2, fields: names.map((name) => fieldOf(name, keys, separator)) }
}

function fieldOf(name: string, keys: readonly DissectionKey[], separator: string): ExtractedField {
  const own = [...keys.entries()].filter(([, key]) => key.name === name && key.kind !== 'skip')
  const isJoined = own.some(([, { kind }]) => kind === 'append')
  // Of a name that stands there twice the last counts.
  const parts = isJoined ? own.sort(([, a], [, b]) => a.order - b.order) : own.slice(-1)
  return {
    name,
    type: 'keyword',
    many: false,
    values(groups) {
      const texts = parts.map(([at]) => groupText(groups, at))
      return sql`[arrayStringConcat(${list(texts)}, ${str(separator)})]`
    },
  }
}
