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

/** `html_strip`: the text between tags; tags that begin a block become a line break. */
export const htmlStripProcessor = textProcessor(
  'html_strip',
  () => (text) =>
    text
      .replace(/<!--.*?-->|<(script|style)\b[^>]*>.*?<\/\1\s*>/gis, '\n')
      .replace(/<\/?([a-z][a-z0-9]*)\b[^<>]*>/gi, (_tag, name: string) => (inline.has(name.toLowerCase()) ? '' : '\n'))
      .replace(/&(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{1,10});/gi, decodeEntity),
)
