import { endOfString } from './json-string.ts'

const quoteOrNumber = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** JSON text with what is given in place of its numbers, not of digits in strings; undefined leaves one as it is. */
export function replaceNumbers(text: string, instead: (token: string) => string | undefined): string {
  let replaced = ''
  let from = 0
  quoteOrNumber.lastIndex = 0
  for (let found = quoteOrNumber.exec(text); found; found = quoteOrNumber.exec(text)) {
    const [token] = found
    if (token === '"') {
      quoteOrNumber.lastIndex = endOfString(text, found.index)
      continue
    }
    const other = instead(token)
    if (other === undefined) continue
    replaced += text.slice(from, found.index) + other
    from = quoteOrNumber.lastIndex
  }
  return from === 0 ? text : replaced + text.slice(from)
}

/** Whether a number of JSON is an integer that a number of JavaScript cannot hold. */
export function isUnsafeInteger(token: string): boolean {
  return token.length >= 16 && /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token))
}
