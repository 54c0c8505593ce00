import { z } from 'zod'
import { readQuotedPairs } from './read-pairs.ts'
import { defineStep, valuesMax } from './step.ts'

/**
 * `kv`: pairs of a text or, with `group`, of a value found before. With `pairs` (what stands between them) values go up to the next one; without it
 * values end at a space or comma, or are quoted.
 */
export const kvStep = defineStep({
  name: 'kv',
  options: z.strictObject({
    group: z.string().optional(),
    pairs: z.string().min(1).optional(),
    separator: z.string().min(1).default('='),
  }),
  compile({ group, pairs, separator }) {
    return (text, values) => {
      const from = group === undefined ? text : values.get(group)
      if (typeof from !== 'string') return group !== undefined
      if (pairs === undefined) return readQuotedPairs(from, separator, values) > 0 || group !== undefined
      let found = 0
      for (const pair of from.split(pairs, valuesMax)) {
        const at = pair.indexOf(separator)
        if (at <= 0) continue
        values.set(pair.slice(0, at).trim(), pair.slice(at + separator.length).trim())
        found += 1
      }
      return found > 0 || group !== undefined
    }
  },
})
