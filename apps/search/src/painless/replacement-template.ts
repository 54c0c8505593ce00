import { JavaFault } from './java-fault.ts'

/** A piece of what stands in the place of a match: letters, or a group of the match. */
type Piece = string | { readonly group: number | string }

const beginsReference = new Set(['\\', '$'])

/**
 * Takes a replacement apart as `Matcher.appendReplacement` of Java reads it: `$12` is the highest group of these digits that there is, `${name}` a group
 * by its name, and a backslash takes the meaning from what follows. Throws a `JavaFault` for a group that there is not, and for a `$` alone.
 */
export function templateOf(replacement: string, groups: number): readonly Piece[] {
  const pieces: Piece[] = []
  let at = 0
  while (at < replacement.length) {
    const letter = replacement.charAt(at)
    if (!beginsReference.has(letter)) {
      const end = nextReference(replacement, at)
      pieces.push(replacement.slice(at, end))
      at = end
    } else if (letter === '\\') {
      if (at + 1 >= replacement.length)
        throw new JavaFault('illegal_argument_exception', 'character to be escaped is missing')
      pieces.push(replacement.charAt(at + 1))
      at += 2
    } else {
      const { group, end } = reference(replacement, at + 1, groups)
      pieces.push({ group })
      at = end
    }
  }
  return pieces
}

/** Where the next `$` or backslash stands, else the end. */
function nextReference(replacement: string, from: number): number {
  const places = [...beginsReference].map((letter) => replacement.indexOf(letter, from)).filter((at) => at >= 0)
  return Math.min(replacement.length, ...places)
}

function reference(replacement: string, from: number, groups: number): { group: number | string; end: number } {
  if (replacement.charAt(from) === '{') {
    const end = replacement.indexOf('}', from)
    if (end < 0) throw new JavaFault('illegal_argument_exception', "named capturing group is missing trailing '}'")
    return { group: replacement.slice(from + 1, end), end: end + 1 }
  }
  let group = digitAt(replacement, from)
  if (group === undefined) throw new JavaFault('illegal_argument_exception', 'Illegal group reference')
  if (group > groups) throw new JavaFault('index_out_of_bounds_exception', `No group ${group}`)
  let end = from + 1
  for (let digit = digitAt(replacement, end); digit !== undefined; digit = digitAt(replacement, end)) {
    if (group * 10 + digit > groups) break
    group = group * 10 + digit
    end += 1
  }
  return { group, end }
}

function digitAt(text: string, at: number): number | undefined {
  const code = text.charCodeAt(at)
  return code >= 0x30 && code <= 0x39 ? code - 0x30 : undefined
}
