import type { FilterText } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { illegalOption } from '../options.ts'
import { replacedText } from './replaced-text.ts'

/** `mapping`: texts replaced by others; of several that fit the longest. */
export const mappingCharFilter = defineComponent<FilterText>({
  name: 'mapping',
  needsOptions: true,
  create(options) {
    const lines = options.lines('mappings')
    if (!lines) throw illegalOption('mapping requires either `mappings` or `mappings_path` to be configured')
    const by = new Map(lines.filter(isRule).map(readLine))
    by.delete('')
    const lengths = [...new Set([...by.keys()].map(({ length }) => length))].sort((a, b) => b - a)
    const fits = (text: string, at: number): string | undefined => {
      for (const length of lengths) {
        const piece = text.slice(at, at + length)
        if (by.has(piece)) return piece
      }
      return undefined
    }
    return (text) => {
      const pieces: { from: number; to: number; by: string }[] = []
      for (let at = 0; at < text.length; ) {
        const found = fits(text, at)
        if (found !== undefined) pieces.push({ from: at, to: at + found.length, by: by.get(found) ?? '' })
        at += found?.length ?? 1
      }
      return replacedText(text, pieces)
    }
  },
})

/** Lines that begin with a number sign are comments unless they say what it stands for. */
function isRule(line: string): boolean {
  return !line.startsWith('#') || line.includes('=>')
}

function readLine(line: string): [from: string, to: string] {
  const rule = /^(.*)=>(.*)$/su.exec(line)
  if (!rule) throw illegalOption(`Invalid Mapping Rule : [${line}]`)
  const plain = (side: string | undefined) =>
    (side ?? '')
      .trim()
      .replace(/\\u([0-9a-fA-F]{4})/gu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return [plain(rule[1]), plain(rule[2])]
}
