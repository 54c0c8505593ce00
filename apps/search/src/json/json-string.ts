/** Where a string of JSON text ends that begins at an offset: behind its closing quote, or at the end of the text. A regular expression would need a stack as deep as the string is long. */
export function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text.charAt(at - 1 - slashes) === '\\') slashes++
    if (slashes % 2 === 0) return at + 1
  }
  return text.length
}
