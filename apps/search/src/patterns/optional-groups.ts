/**
 * Writes `(…)?` as `(?:(…)|)`: JavaScript takes no turn of a quantifier that reads nothing, so that `(.*?)?` reads a letter at least where Java and
 * Oniguruma read none. Look-around stays as it is.
 */
export function withOptionalGroups(source: string): string {
  const open: number[] = []
  let out = ''
  for (let at = 0; at < source.length; at++) {
    const letter = source.charAt(at)
    const whole = letter === '\\' ? source.slice(at, at + 2) : letter === '[' ? classAt(source, at) : letter
    if (letter === '(') open.push(out.length)
    out += whole
    at += whole.length - 1
    const start = letter === ')' ? open.pop() : undefined
    if (start === undefined || source.charAt(at + 1) !== '?') continue
    const group = out.slice(start)
    if (/^\(\?<?[=!]/u.test(group)) continue
    const lazy = source.charAt(at + 2) === '?'
    out = `${out.slice(0, start)}(?:${lazy ? `|${group}` : `${group}|`})`
    at += lazy ? 2 : 1
  }
  return out
}

/** The class of letters that begins at a place, or its bracket where it has no end. */
function classAt(source: string, from: number): string {
  for (let at = from + 1; at < source.length; at++) {
    if (source.charAt(at) === '\\') at++
    else if (source.charAt(at) === ']') return source.slice(from, at + 1)
  }
  return '['
}
