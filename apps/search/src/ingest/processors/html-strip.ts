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

/** Line breaks in place of comments, and of programs and styles with what they hold. An end that is not found once is not looked for again. */
function withoutHidden(text: string): string {
  const beginnings = /<!--|<(script|style)\b/gi
  const endless = new Set<string>()
  let made = ''
  let from = 0
  for (let found = beginnings.exec(text); found; found = beginnings.exec(text)) {
    const name = found[1]?.toLowerCase() ?? ''
    if (endless.has(name)) continue
    const end = endOf(text, beginnings.lastIndex, name)
    if (end < 0) {
      endless.add(name)
      continue
    }
    made += `${text.slice(from, found.index)}\n`
    from = end
    beginnings.lastIndex = end
  }
  return made + text.slice(from)
}

/** The place behind the end of a comment, or of the element of a name; -1 when it has none. */
function endOf(text: string, from: number, name: string): number {
  if (name === '') {
    const end = text.indexOf('-->', from)
    return end < 0 ? -1 : end + 3
  }
  const opened = text.indexOf('>', from)
  if (opened < 0) return -1
  const closing = name === 'script' ? /<\/script\s*>/gi : /<\/style\s*>/gi
  closing.lastIndex = opened + 1
  return closing.test(text) ? closing.lastIndex : -1
}

/** `html_strip`: the text between tags; tags that begin a block become a line break. */
export const htmlStripProcessor = textProcessor(
  'html_strip',
  () => (text) =>
    withoutHidden(text)
      .replace(/<\/?([a-z][a-z0-9]*)\b[^<>]*>/gi, (_tag, name: string) => (inline.has(name.toLowerCase()) ? '' : '\n'))
      .replace(/&(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{1,10});/gi, decodeEntity),
)
