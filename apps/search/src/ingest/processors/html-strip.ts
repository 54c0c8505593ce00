import { hiddenEnds } from '../../patterns/hidden-markup.ts'
import { textProcessor } from '../text-processor.ts'

const inline = new Set(
  'a abbr acronym b bdo big cite code dfn em font i img input kbd label q s samp select small span strike strong sub sup textarea tt u var'.split(
    ' ',
  ),
)
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

function decodeEntity(whole: string, name: string): string {
  if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? whole
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return Number.isInteger(code) && code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
}

/** Line breaks in place of comments, and of programs and styles with what they hold. */
function withoutHidden(text: string): string {
  const beginnings = /<!--|<(script|style)\b/gi
  const endOf = hiddenEnds(text)
  let made = ''
  let from = 0
  for (let found = beginnings.exec(text); found; found = beginnings.exec(text)) {
    const end = endOf(found[1]?.toLowerCase() ?? '', beginnings.lastIndex)
    if (end < 0) continue
    made += `${text.slice(from, found.index)}\n`
    from = end
    beginnings.lastIndex = end
  }
  return made + text.slice(from)
}

/** `html_strip`: the text between tags; tags that begin a block become a line break. */
export const htmlStripProcessor = textProcessor(
  'html_strip',
  () => (text) =>
    withoutHidden(text)
      .replace(/<\/?([a-z][a-z0-9]*)\b[^<>]*>/gi, (_tag, name: string) => (inline.has(name.toLowerCase()) ? '' : '\n'))
      .replace(/&(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{1,10});/gi, decodeEntity),
)
