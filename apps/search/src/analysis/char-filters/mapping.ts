import { defineComponent } from '../component.ts'
import { illegalOption } from '../options.ts'
import type { FilterText } from '../token.ts'
import { replacedText } from './replaced-text.ts'

/** `mapping`: texts replaced by others; of several that fit the longest. */
export const mappingCharFilter = defineComponent<FilterText>({
  name: 'mapping',
  needsOptions: true,
  create(options) {
    const lines = options.lines('mappings')
    if (!lines) throw illegalOption('mapping requires either `mappings` or `mappings_path` to be configured')
    const by = new Map(lines.map(readLine))
    const pattern = new RegExp(
      [...by.keys()]
        .sort((a, b) => b.length - a.length)
        .map((from) => from.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&'))
        .join('|'),
      'gu',
    )
    return (text) =>
      replacedText(
        text,
        [...text.matchAll(pattern)].flatMap(({ 0: found, index }) =>
          found === '' ? [] : [{ from: index, to: index + found.length, by: by.get(found) ?? '' }],
        ),
      )
  },
})

function readLine(line: string): [from: string, to: string] {
  const rule = /^(.*)=>(.*)$/su.exec(line)
  if (!rule) throw illegalOption(`Invalid Mapping Rule : [${line}]`)
  const plain = (side: string | undefined) =>
    (side ?? '')
      .trim()
      .replace(/\\u([0-9a-fA-F]{4})/gu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return [plain(rule[1]), plain(rule[2])]
}
