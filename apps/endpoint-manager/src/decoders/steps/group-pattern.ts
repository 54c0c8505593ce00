import { linearPattern } from '@logstack/rules/linear-pattern'

/** A pattern of bounded time and the numbers of its named groups. */
export interface GroupPattern {
  /** Without names: the engine makes an object of them for every text that fits. */
  readonly pattern: RegExp
  readonly groups: readonly { readonly name: string; readonly at: number }[]
}

/** Compiles a regular expression with named groups; undefined for one that is none or whose time is not bounded. */
export function groupPattern(source: string): GroupPattern | undefined {
  // As it is written first: what names mean is the engine's to say.
  if (linearPattern(source) === undefined) return undefined
  const groups: { name: string; at: number }[] = []
  let plain = ''
  let count = 0
  let isInClass = false
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at] ?? ''
    plain += character
    if (character === '\\') {
      at += 1
      plain += source[at] ?? ''
    } else if (isInClass) isInClass = character !== ']'
    else if (character === '[') isInClass = true
    else if (character === '(') {
      const name = nameAt(source, at + 1)
      if (name !== undefined) at += `?<${name}>`.length
      if (name === undefined && source[at + 1] === '?') continue
      count += 1
      if (name !== undefined) groups.push({ name, at: count })
    }
  }
  const pattern = linearPattern(plain)
  return pattern && { pattern, groups }
}

function nameAt(source: string, at: number): string | undefined {
  if (!source.startsWith('?<', at)) return undefined
  const end = source.indexOf('>', at)
  const name = source.slice(at + 2, end)
  return end > 0 && !name.startsWith('=') && !name.startsWith('!') ? name : undefined
}
