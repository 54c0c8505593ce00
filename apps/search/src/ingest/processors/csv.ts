import { unfit } from '../../refusals/unfit.ts'
import { defineProcessor } from '../define-processor.ts'

/** The values of one line. A quoted value may hold the separator, and the quote twice. */
function readLine(line: string, separator: string, quote: string): string[] {
  const values: string[] = []
  let at = 0
  let start = 0
  while (at <= line.length) {
    // The separator may be blank itself: blanks are gone through once.
    start = Math.max(start, at)
    while (start < line.length && line.charAt(start).trim() === '') start++
    if (quote !== '' && line.startsWith(quote, start)) {
      const { value, end } = readQuoted(line, start + 1, quote)
      if (end < line.length && !line.startsWith(separator, end)) {
        throw unfit(`Illegal character after quoted field at ${end}`)
      }
      values.push(value)
      at = end + 1
      continue
    }
    const end = line.indexOf(separator, at)
    values.push(line.slice(at, end < 0 ? line.length : end))
    at = end < 0 ? line.length + 1 : end + 1
  }
  return values
}

function readQuoted(line: string, from: number, quote: string): { value: string; end: number } {
  let value = ''
  for (let at = from; at < line.length; at++) {
    if (line[at] !== quote) value += line[at]
    else if (line[at + 1] === quote) {
      value += quote
      at++
    } else return { value, end: at + 1 + (/^[ \t]*/.exec(line.slice(at + 1))?.[0].length ?? 0) }
  }
  throw unfit('Unmatched quote')
}

/** `csv`: fields from one line of comma-separated values. */
export const csvProcessor = defineProcessor('csv', (config) => {
  const field = config.text('field')
  const targets = config.texts('target_fields', true)
  if (targets.length === 0) throw config.fault('target_fields', "target fields list can't be empty")
  const separator = config.optionalText('separator') ?? ','
  const quote = config.optionalText('quote') ?? '"'
  if (separator.length !== 1)
    throw config.fault('separator', 'separator has to be a single character like comma or semicolon')
  if (quote.length > 1) throw config.fault('quote', 'quote has to be a single character')
  const trim = config.boolean('trim')
  const ignoreMissing = config.boolean('ignore_missing')
  const empty = config.any('empty_value')
  return (document) => {
    const line = document.text(field, ignoreMissing)
    if (line === undefined || line === '') return
    const values = readLine(line, separator, quote)
    for (const [at, target] of targets.entries()) {
      const value = trim ? values[at]?.trim() : values[at]
      if (value === undefined) break
      if (value !== '') document.set(target, value)
      else if (empty !== undefined) document.set(target, empty)
    }
  }
})
