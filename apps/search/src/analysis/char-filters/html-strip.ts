import { defineComponent } from '../component.ts'
import type { FilterText } from '../token.ts'
import { replacedText } from './replaced-text.ts'

const markup =
  /<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1\s*>|<\/?([a-zA-Z][a-zA-Z0-9]*)(?:\s[^>]*)?\/?>|&(#x?[0-9a-fA-F]+|[a-zA-Z]+);/gu
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  copy: '©',
  reg: '®',
  deg: '°',
  euro: '€',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
}
const lines = new Set([
  'p',
  'br',
  'div',
  'li',
  'ul',
  'ol',
  'tr',
  'td',
  'th',
  'table',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'pre',
  'blockquote',
])

function letterOf(name: string): string | undefined {
  if (!name.startsWith('#')) return Object.hasOwn(named, name) ? named[name] : undefined
  const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : undefined
}

/** `html_strip`: without tags, and letters for their names; tags of blocks become line breaks. */
export const htmlStripCharFilter = defineComponent<FilterText>({
  name: 'html_strip',
  create(options) {
    const kept = new Set(options.list('escaped_tags') ?? [])
    return (text) =>
      replacedText(
        text,
        [...text.matchAll(markup)].flatMap(({ 0: found, 2: tag, 3: letter, index }) => {
          if (tag !== undefined && kept.has(tag)) return []
          const by = letter === undefined ? (lines.has((tag ?? '').toLowerCase()) ? '\n' : '') : letterOf(letter)
          return by === undefined ? [] : [{ from: index, to: index + found.length, by }]
        }),
      )
  },
})
