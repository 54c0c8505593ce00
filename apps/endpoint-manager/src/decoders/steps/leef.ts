import { z } from 'zod'
import { defineStep, valuesMax } from './step.ts'

const headers = ['version', 'vendor', 'product', 'product_version', 'event']

function delimiterOf(text: string): string {
  const code = /^(?:0x|x)([0-9A-Fa-f]{1,4})$/.exec(text)?.[1]
  return code ? String.fromCharCode(Number.parseInt(code, 16)) : text.slice(0, 1) || '\t'
}

/** `leef`: QRadar's Log Event Extended Format 1.0 and 2.0; values `leef.vendor` … `leef.event` of the header, and the attributes. */
export const leefStep = defineStep({
  name: 'leef',
  options: z.strictObject({}),
  compile() {
    return (text, values) => {
      const at = text.indexOf('LEEF:')
      const parts = at < 0 ? [] : text.slice(at + 'LEEF:'.length).split('|')
      if (parts.length < headers.length + 1) return false
      for (const [index, name] of headers.entries()) values.set(`leef.${name}`, (parts[index] ?? '').trim())
      const isSecond = parts[0]?.startsWith('2') === true && parts.length > headers.length + 1
      const delimiter = isSecond ? delimiterOf(parts[headers.length] ?? '') : '\t'
      for (const pair of parts
        .slice(headers.length + (isSecond ? 1 : 0))
        .join('|')
        .split(delimiter, valuesMax)) {
        const middle = pair.indexOf('=')
        const value = pair.slice(middle + 1).trim()
        if (middle > 0 && value !== '') values.set(pair.slice(0, middle).trim(), value)
      }
      return true
    }
  },
})
