import { z } from 'zod'
import { type GroupPattern, groupPattern } from './group-pattern.ts'
import { defineStep } from './step.ts'

/** The patterns `%{NAME}` stands for. */
const patterns: Readonly<Record<string, string>> = {
  WORD: '\\w+',
  NOTSPACE: '\\S+',
  SPACE: '\\s*',
  DATA: '.*?',
  GREEDYDATA: '.*',
  INT: '[+-]?\\d+',
  POSINT: '\\d+',
  NUMBER: '[+-]?\\d+(?:\\.\\d+)?',
  BASE16: '(?:0x)?[0-9A-Fa-f]+',
  USER: '[A-Za-z0-9._@$\\\\-]+',
  IPV4: '\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}',
  IP: '[0-9A-Fa-f:.]+(?:%\\w+)?',
  HOST: '[A-Za-z0-9._-]+',
  IPORHOST: '[A-Za-z0-9._:-]+',
  MAC: '[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}',
  PATH: '/[^\\s]*',
  URIPATH: '\\S*?',
  QUOTED: '"[^"]*"',
  HTTPDATE: '\\d{1,2}/[A-Za-z]{3}/\\d{4}:\\d{2}:\\d{2}:\\d{2} [+-]\\d{4}',
  ISO8601: '\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2}:\\d{2}(?:[.,]\\d+)?(?:Z|[+-]\\d{2}:?\\d{2})?',
  SLASHTIME: '\\d{4}/\\d{2}/\\d{2} \\d{2}:\\d{2}:\\d{2}',
}

const reference = /%\{([A-Z0-9]+)(?::([\w.@-]+))?\}/g

/** The regular expression of a grok text and the names of its groups; undefined when it names a pattern that is not there. */
function expand(text: string): { readonly source: string; readonly names: readonly string[] } | undefined {
  const names: string[] = []
  let isKnown = true
  const source = text.replace(reference, (_, name: string, value: string | undefined) => {
    const pattern = patterns[name]
    if (pattern === undefined) isKnown = false
    if (value === undefined) return `(?:${pattern})`
    names.push(value)
    return `(?<g${names.length - 1}>${pattern})`
  })
  return isKnown ? { source: `^${source}`, names } : undefined
}

function compile(text: string): { readonly grouped: GroupPattern; readonly names: readonly string[] } | undefined {
  const expanded = expand(text)
  const grouped = expanded && groupPattern(expanded.source)
  return expanded && grouped ? { grouped, names: expanded.names } : undefined
}

/** `grok`: a regular expression from the text's beginning with `%{PATTERN:value}` in it. */
export const grokStep = defineStep({
  name: 'grok',
  options: z.string().refine((text) => compile(text) !== undefined, 'not a grok pattern of bounded time'),
  compile(text) {
    const compiled = compile(text)
    return (input, values) => {
      const found = compiled?.grouped.pattern.exec(input)
      if (!compiled || !found) return false
      for (const [index, { at }] of compiled.grouped.groups.entries()) {
        const name = compiled.names[index]
        const value = found[at]
        if (name !== undefined && value !== undefined && value !== '' && value !== '-') values.set(name, value)
      }
      return true
    }
  },
})
