import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseAllDocuments } from 'yaml'

/** Why a rule file cannot be used, and where: line and column count from 1. */
export interface RuleProblem {
  readonly line: number
  readonly column: number
  readonly message: string
}

/** The path of a value in a file. */
export type YamlPath = readonly PropertyKey[]

/** A YAML document that is a map, and where its keys are. */
export interface YamlMap {
  readonly value: Readonly<Record<string, unknown>>
  /** The problem at a key, or at the nearest place above it that exists. */
  problemAt(path: YamlPath, message: string): RuleProblem
}

/** A document nests at most this deep: readers recurse. */
const depthMax = 100

/**
 * Reads a file of `key: value` lines, one document or several. Never throws for what the text holds: aliases that multiply and deep nesting
 * are problems too.
 */
export function readYamlMaps(text: string): readonly YamlMap[] | { readonly problem: RuleProblem } {
  const lines = new LineCounter()
  const place = (offset: number | undefined, message: string): RuleProblem => {
    const { line, col } = offset === undefined ? { line: 1, col: 1 } : lines.linePos(offset)
    return { line, column: col, message }
  }
  const deep = tooDeep(text)
  if (deep !== undefined) {
    const before = text.slice(0, deep).split('\n')
    return {
      problem: {
        line: before.length,
        column: (before.at(-1)?.length ?? 0) + 1,
        message: `nested deeper than ${depthMax}`,
      },
    }
  }
  try {
    const documents: readonly Document.Parsed[] = [
      parseAllDocuments(text, { lineCounter: lines, prettyErrors: false }),
    ].flat()
    const maps: YamlMap[] = []
    for (const document of documents) {
      const syntax = document.errors[0]
      if (syntax) return { problem: place(syntax.pos[0], syntax.message) }
      const contents = document.contents as Node | null
      if (contents === null && documents.length > 1) continue
      if (!isMap(contents)) return { problem: place(contents?.range?.[0], 'expected "key: value" lines') }
      // Aliases that would blow up, or that point nowhere, are found only here.
      const value = document.toJS({ maxAliasCount: 100 }) as Readonly<Record<string, unknown>>
      maps.push({ value, problemAt: (path, message) => place(offsetOf(contents, path), message) })
    }
    return maps.length > 0 ? maps : { problem: place(undefined, 'expected "key: value" lines') }
  } catch (thrown) {
    return { problem: place(undefined, thrown instanceof Error ? thrown.message : String(thrown)) }
  }
}

// The offset at which brackets, or lists within lists on one line, nest too deep; lines alone cannot nest deep without being that wide.
function tooDeep(text: string): number | undefined {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '[' || character === '{') depth++
    else if ((character === ']' || character === '}') && depth > 0) depth--
    if (depth > depthMax) return at
  }
  return /(?:[-?:] ){101}|\n {500}/u.exec(text)?.index
}

// The offset of the key at a path, or of the nearest node above it that exists.
function offsetOf(node: Node, path: YamlPath): number | undefined {
  const [step, ...rest] = path
  const own = node.range?.[0]
  if (step === undefined) return own
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && key.value === step)
    if (!pair) return own
    const keyOffset = isScalar(pair.key) ? pair.key.range?.[0] : own
    return rest.length === 0 ? keyOffset : (offsetOf(pair.value as Node, rest) ?? keyOffset)
  }
  const member = isSeq(node) && typeof step === 'number' ? node.items[step] : undefined
  return member ? (offsetOf(member as Node, rest) ?? own) : own
}
