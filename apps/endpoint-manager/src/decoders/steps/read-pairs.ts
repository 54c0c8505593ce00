import { type Values, valuesMax } from './step.ts'

const keyCharacter = /[A-Za-z0-9_.@%/-]/

/**
 * Reads `key=value key="a value" key='…'` in one pass; a backslash keeps the quote after it. Text that is no pair is skipped. Answers how many
 * pairs there were.
 */
export function readQuotedPairs(text: string, separator: string, values: Values): number {
  let count = 0
  let keyStart = -1
  let at = 0
  while (at < text.length && count < valuesMax) {
    const character = text[at] ?? ''
    if (keyStart >= 0 && text.startsWith(separator, at)) {
      const key = text.slice(keyStart, at)
      const value = valueAt(text, at + separator.length)
      values.set(key, value.text)
      count += 1
      at = value.end
      keyStart = -1
    } else {
      if (!keyCharacter.test(character)) keyStart = -1
      else if (keyStart < 0) keyStart = at
      at += 1
    }
  }
  return count
}

function valueAt(text: string, start: number): { readonly text: string; readonly end: number } {
  const quote = text[start]
  if (quote === '"' || quote === "'") {
    let end = start + 1
    while (end < text.length && text[end] !== quote) end += text[end] === '\\' ? 2 : 1
    const inner = text.slice(start + 1, end)
    return { text: inner.includes('\\') ? inner.replace(/\\(["'\\])/g, '$1') : inner, end: end + 1 }
  }
  let end = start
  while (end < text.length && text[end] !== ' ' && text[end] !== ',' && text[end] !== ';' && text[end] !== '\t')
    end += 1
  return { text: text.slice(start, end), end }
}
