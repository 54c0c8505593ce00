import { Composer, type CST, Parser } from 'yaml'

/** How deep values may stand in each other: each level takes a kilobyte of the stack to be composed. */
const depthMax = 100

/**
 * Reads YAML of one document. Throws `SyntaxError` for what is none, and for what is nested too deep: its parts are looked at before they are
 * composed, one call inside the other, for a process that runs out of its stack within a regular expression is ended.
 */
export function parseYaml(text: string): unknown {
  const tokens = [...new Parser().parse(text)]
  if (depthOf(tokens) > depthMax) throw new SyntaxError(`values are nested more than ${depthMax} deep`)
  const [document] = [...new Composer().compose(tokens)]
  const [fault] = document?.errors ?? []
  if (fault) throw new SyntaxError(fault.message)
  return document?.toJS({ maxAliasCount: 100 })
}

function depthOf(tokens: readonly CST.Token[]): number {
  let deepest = 0
  const left: [token: CST.Token | null | undefined, depth: number][] = tokens.map((token) => [token, 0])
  for (let next = left.pop(); next; next = left.pop()) {
    const [token, depth] = next
    deepest = Math.max(deepest, depth)
    if (!token) continue
    if (token.type === 'document') left.push([token.value, depth])
    else if ('items' in token) for (const { key, value } of token.items) left.push([key, depth + 1], [value, depth + 1])
  }
  return deepest
}
