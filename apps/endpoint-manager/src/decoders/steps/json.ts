import { z } from 'zod'
import { defineStep, type Values, valuesMax } from './step.ts'

const depthMax = 12

function flatten(node: object, prefix: string, depth: number, values: Values): void {
  for (const [key, value] of Object.entries(node)) {
    if (values.size >= valuesMax) return
    const name = `${prefix}${key}`
    if (value === null || value === '') continue
    if (typeof value !== 'object') values.set(name, value)
    else if (Array.isArray(value)) flattenList(value, name, depth, values)
    else if (depth < depthMax) flatten(value, `${name}.`, depth + 1, values)
  }
}

function flattenList(list: readonly unknown[], name: string, depth: number, values: Values): void {
  const plain = list.filter((item) => item !== null && typeof item !== 'object')
  if (plain.length > 0) values.set(name, plain.slice(0, valuesMax))
  const [first] = list
  if (plain.length === 0 && typeof first === 'object' && first !== null && !Array.isArray(first) && depth < depthMax) {
    flatten(first, `${name}.0.`, depth + 1, values)
  }
}

/** `json`: an object; its members are values by dotted path, `a.b`; of lists of objects the first, as `a.0.b`. */
export const jsonStep = defineStep({
  name: 'json',
  options: z.strictObject({ group: z.string().optional() }),
  compile({ group }) {
    return (text, values) => {
      const from = group === undefined ? text : values.get(group)
      if (typeof from !== 'string') return false
      const start = from.indexOf('{')
      if (start < 0 || (start > 0 && from.slice(0, start).trim() !== '')) return false
      let parsed: unknown
      try {
        parsed = JSON.parse(from)
      } catch (thrown) {
        if (thrown instanceof SyntaxError) return false
        throw thrown
      }
      if (typeof parsed !== 'object' || parsed === null) return false
      flatten(parsed, '', 0, values)
      return true
    }
  },
})
