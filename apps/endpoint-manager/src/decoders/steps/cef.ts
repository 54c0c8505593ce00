import { z } from 'zod'
import { defineStep, type Values, valuesMax } from './step.ts'

const headers = ['version', 'vendor', 'product', 'product_version', 'signature', 'name', 'severity']

/** Splits at bars that no backslash stands before, at most into `parts`; the last is the rest. */
function splitHeader(text: string, parts: number): string[] | undefined {
  const found: string[] = []
  let from = 0
  for (let at = 0; at < text.length && found.length < parts - 1; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '|') {
      found.push(text.slice(from, at).replace(/\\([\\|])/g, '$1'))
      from = at + 1
    }
  }
  if (found.length < parts - 1) return undefined
  return [...found, text.slice(from)]
}

/** Reads `key=value` of the extension: a value ends before the last word in front of the next `=` that is not escaped. */
function readExtension(text: string, values: Values): void {
  const keys: { readonly key: string; readonly start: number; readonly valueAt: number }[] = []
  for (let at = text.indexOf('='); at >= 0 && keys.length < valuesMax; at = text.indexOf('=', at + 1)) {
    if (text[at - 1] === '\\') continue
    let start = at
    while (start > 0 && /[\w.[\]-]/.test(text[start - 1] ?? '')) start -= 1
    if (start < at && (start === 0 || text[start - 1] === ' '))
      keys.push({ key: text.slice(start, at), start, valueAt: at + 1 })
  }
  for (const [index, { key, valueAt }] of keys.entries()) {
    const raw = text.slice(valueAt, keys[index + 1]?.start ?? text.length).trim()
    if (raw !== '')
      values.set(
        key,
        raw.replace(/\\([\\=nr])/g, (_, kept: string) => (kept === 'n' || kept === 'r' ? '\n' : kept)),
      )
  }
  // `cs1Label=Rule cs1=accept` is the pair Rule: accept.
  for (const { key } of keys) {
    const label = key.endsWith('Label') ? values.get(key) : undefined
    const value = values.get(key.slice(0, -'Label'.length))
    if (typeof label === 'string' && value !== undefined) values.set(`label.${label.replace(/\W+/g, '_')}`, value)
  }
}

/** `cef`: ArcSight's Common Event Format; values `cef.vendor` … `cef.severity` of the header, the extension's keys, and `label.X` of labelled ones. */
export const cefStep = defineStep({
  name: 'cef',
  options: z.strictObject({}),
  compile() {
    return (text, values) => {
      const at = text.indexOf('CEF:')
      const parts = at < 0 ? undefined : splitHeader(text.slice(at + 'CEF:'.length), headers.length + 1)
      if (!parts) return false
      for (const [index, name] of headers.entries()) values.set(`cef.${name}`, (parts[index] ?? '').trim())
      readExtension(parts[headers.length] ?? '', values)
      return true
    }
  },
})
