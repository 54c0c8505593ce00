/** A piece of a template. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly path: string; readonly escaped: boolean }
  | { readonly kind: 'section' | 'inverted'; readonly path: string; readonly body: readonly Piece[] }

/** Sections that may stand in each other: they are rendered one within the other. */
const sectionsDeepMax = 100

/** A template that cannot be read or filled: what is wrong, in the words of Elasticsearch's mustache. */
export class TemplateFault extends Error {
  override readonly name: string = 'TemplateFault'
}

const open = '{{'

/** Reads a mustache template. Throws a `TemplateFault`. */
export function parseTemplate(text: string): readonly Piece[] {
  const outermost: Piece[] = []
  const nest: { readonly path: string; readonly inverted: boolean; readonly body: Piece[] }[] = []
  const enter = (path: string, inverted: boolean): void => {
    nest.push({ path, inverted, body: [] })
    if (nest.length > sectionsDeepMax)
      throw new TemplateFault(`The sections of a template may stand at most [${sectionsDeepMax}] deep in each other`)
  }
  const into = () => nest.at(-1)?.body ?? outermost
  let at = 0
  for (;;) {
    const start = text.indexOf(open, at)
    if (start > at || start < 0) into().push({ kind: 'text', text: text.slice(at, start < 0 ? undefined : start) })
    if (start < 0) break
    const { sign, path, end } = readTag(text, start)
    at = end
    if (sign === '#' || sign === '^') enter(path, sign === '^')
    else if (sign === '/') {
      const section = nest.pop()
      if (section === undefined || section.path.split(' ')[0] !== path.split(' ')[0])
        throw new TemplateFault(`Mismatched start/end tags: ${section?.path} != ${path} in query-template`)
      into().push({ kind: section.inverted ? 'inverted' : 'section', path: section.path, body: section.body })
    } else if (sign !== '!') into().push({ kind: 'value', path, escaped: sign === '' })
  }
  const [unclosed] = nest
  if (unclosed) throw new TemplateFault(`Failed to close '${unclosed.path}' tag @[query-template]`)
  return outermost
}

function readTag(text: string, start: number): { readonly sign: string; readonly path: string; readonly end: number } {
  const triple = text.startsWith('{{{', start)
  const close = triple ? '}}}' : '}}'
  const from = start + close.length
  const end = text.indexOf('}', from)
  const written = text.slice(from, end < 0 ? undefined : end)
  if (!text.startsWith(close, end < 0 ? text.length : end)) {
    const line = text.slice(0, start).split('\n').length
    throw new TemplateFault(
      `Improperly closed variable: ${/^\s*[\w.]*/u.exec(written)?.[0].trim()} in query-template:${line}`,
    )
  }
  const sign = triple ? '{' : (/^[#^/!&]/u.exec(written)?.[0] ?? '')
  return { sign, path: written.slice(triple ? 0 : sign.length).trim(), end: end + close.length }
}
