import { hiddenEnds } from '../../patterns/hidden-markup.ts'
import type { FilterText } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { replacedText } from './replaced-text.ts'

interface Markup {
  readonly from: number
  readonly to: number
  /** The name of a tag. */
  readonly tag?: string | undefined
  /** The name of a letter. */
  readonly letter?: string | undefined
}

/** Comments, programs and styles with what they hold, tags, and names of letters. */
function* markupOf(text: string): Generator<Markup> {
  const endOf = hiddenEnds(text)
  const beginnings = /<!--|<\/?([a-zA-Z][a-zA-Z0-9]*)(?=[\s/>])|&(#x?[0-9a-fA-F]+|[a-zA-Z]+);/gu
  for (let found = beginnings.exec(text); found; found = beginnings.exec(text)) {
    const { 0: whole, 1: tag, 2: letter, index: from } = found
    const after = from + whole.length
    let to = letter === undefined ? -1 : after
    let hidden = -1
    if (whole === '<!--' || (/^(?:script|style)$/.test(tag ?? '') && !whole.startsWith('</')))
      hidden = endOf(tag ?? '', after)
    if (hidden >= 0) to = hidden
    else if (tag !== undefined) to = endOfTag(text, after)
    if (to < 0) continue
    yield { from, to, letter, ...(hidden < 0 ? { tag } : {}) }
    beginnings.lastIndex = to
  }
}

/** Where a tag ends whose name ends at a place; -1 where it does not. */
function endOfTag(text: string, from: number): number {
  if (text.startsWith('/>', from)) return from + 2
  if (text.startsWith('/', from)) return -1
  const end = text.indexOf('>', from)
  return end < 0 ? -1 : end + 1
}

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
        [...markupOf(text)].flatMap(({ from, to, tag, letter }) => {
          if (tag !== undefined && kept.has(tag)) return []
          const by = letter === undefined ? (lines.has((tag ?? '').toLowerCase()) ? '\n' : '') : letterOf(letter)
          return by === undefined ? [] : [{ from, to, by }]
        }),
      )
  },
})
