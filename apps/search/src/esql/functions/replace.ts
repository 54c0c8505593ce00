import { RefusedPattern, type SteadyPattern, steadyPattern } from '@logstack/rules'
import { shownPattern } from '../../patterns/shown-pattern.ts'
import { num, type Sql, sql, str } from '../../sql/sql.ts'
import { defineFunction, type EsqlFunction, textOf } from '../define-function.ts'
import { stringTypes } from '../types.ts'
import { nullOf, refuse, type Value } from '../value.ts'
import { bytesMax } from './one-type.ts'

/** What a text and its replacement may come to at most before anything is replaced, in bytes; beyond it the answer is NULL. */
const workMax = 16 * 1_048_576

/** Reads a pattern that the engine is to find. Throws `Problem` for what is none, or has look-around or back references, which the engine cannot find. */
function readPattern(at: Value, pattern: string, text: string): SteadyPattern {
  try {
    return steadyPattern(pattern, '')
  } catch (thrown) {
    if (!(thrown instanceof RefusedPattern)) throw thrown
    return refuse(at, `Invalid regex pattern [${shownPattern(pattern)}] in [${text}]: ${thrown.message}`)
  }
}

/** Replacements of Java (`$1`, `${name}`, `\$`) as the engine reads them (`\1`). Throws `Problem` for a group that the pattern has not. */
function replacementOf(at: Value, given: string, names: readonly (string | undefined)[]): string {
  return given.replace(/\\(.)|\$(\d)|\$\{(\w+)\}/gsu, (token, escaped?: string, group?: string, name?: string) => {
    const place = name === undefined ? Number(group) : names.indexOf(name) + 1
    if (name !== undefined && place === 0) refuse(at, `Invalid replacement [${given}]: No group with name {${name}}`)
    if (place > names.length) refuse(at, `Invalid replacement [${given}]: No group ${group}`)
    if (!Number.isNaN(place)) return `\\${place}`
    return escaped === '\\' ? '\\\\' : (escaped ?? token)
  })
}

/** The names of a pattern's groups, by their places. */
function groupNames(pattern: string, count: number): readonly (string | undefined)[] {
  const opened = [...pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?<(\w+)>|(?!\?))/gsu)].filter(([token]) =>
    token.startsWith('('),
  )
  return Array.from({ length: count }, (_, at) => opened[at]?.[1])
}

/** The same of a text of each row: NULL for a group that the pattern has not. */
function replacementIn(given: Sql, groups: number): Sql {
  const read = sql`replaceRegexpAll(replaceAll(${given}, '\\\\', '\\\\\\\\'), '\\$([0-9])', '\\\\\\1')`
  return groups >= 9 ? read : sql`if(match(${given}, ${str(`\\$[${groups + 1}-9]`)}), NULL, ${read})`
}

const replace = defineFunction({
  name: 'replace',
  params: [
    { name: 'string', types: stringTypes },
    { name: 'regex', types: stringTypes, constant: true },
    { name: 'newString', types: stringTypes },
  ],
  compile({ sql: [value = nullOf('keyword'), , other = nullOf('keyword')], values: [, regex, replacement], text }) {
    const pattern = textOf(regex)
    const groups = regex ? readPattern(regex, pattern, text).groupCount() : 0
    const by =
      typeof replacement?.literal === 'string'
        ? // A backslash at the end quotes nothing: Java refuses it in each row.
          /(?:^|[^\\])(?:\\\\)*\\$/u.test(replacement.literal)
          ? nullOf('keyword')
          : str(replacementOf(replacement, replacement.literal, groupNames(pattern, groups)))
        : replacementIn(other, groups)
    // The engine's dot takes ends of lines otherwise, and an empty pattern is nothing to it. Each letter may be replaced, and each letter of a replacement stand for all of the text.
    const replaced = sql`replaceRegexpAll(if(toInt128(length(v) + 1) * (length(w) + 1) > ${num(workMax)}, NULL, v), ${str(`(?-s)(?:${pattern})`)}, w)`
    // Nothing stands between all letters; the engine would part the bytes of one.
    const between = sql`concat(w, arrayStringConcat(arrayMap(c -> concat(c, w), extractAll(assumeNotNull(v), '(?s).'))))`
    const use = pattern === '' ? sql`if(isNull(v), NULL, ${between})` : replaced
    const made = sql`arrayMap((v, w) -> ${use}, [${value}], [${by}])[1]`
    return { type: 'keyword', sql: sql`arrayMap(v -> if(length(v) > ${num(bytesMax)}, NULL, v), [${made}])[1]` }
  },
})

/** What replaces parts of texts. */
export const replaceFunctions: readonly EsqlFunction[] = [replace]
