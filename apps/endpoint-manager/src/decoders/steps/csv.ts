import { z } from 'zod'
import { defineStep } from './step.ts'

/** Splits one line of comma separated values; quotes may hold commas, doubled quotes stand for one. */
function splitLine(text: string, separator: string, columnsMax: number): string[] {
  const columns: string[] = []
  let at = 0
  while (at <= text.length && columns.length < columnsMax) {
    if (text[at] === '"') {
      let end = at + 1
      while (end < text.length && (text[end] !== '"' || text[end + 1] === '"')) end += text[end] === '"' ? 2 : 1
      columns.push(text.slice(at + 1, end).replaceAll('""', '"'))
      const next = text.indexOf(separator, end)
      at = next < 0 ? text.length + 1 : next + separator.length
    } else {
      const next = text.indexOf(separator, at)
      const end = next < 0 ? text.length : next
      columns.push(text.slice(at, end))
      at = end + separator.length
    }
  }
  return columns
}

/** `csv`: the names of columns in their order, `_` for one that is not wanted; an empty column has no value. `at_least` columns must be there. */
export const csvStep = defineStep({
  name: 'csv',
  options: z.strictObject({
    columns: z.array(z.string()).min(1),
    separator: z.string().min(1).default(','),
    at_least: z.number().int().min(1).default(2),
    group: z.string().optional(),
  }),
  compile({ columns, separator, at_least: atLeast, group }) {
    return (text, values) => {
      const from = group === undefined ? text : values.get(group)
      if (typeof from !== 'string') return false
      const found = splitLine(from, separator, columns.length)
      if (found.length < atLeast) return false
      for (const [index, name] of columns.entries()) {
        const value = found[index]?.trim()
        if (name !== '_' && value) values.set(name, value)
      }
      return true
    }
  },
})
