import { z } from 'zod'
import { groupPattern } from './group-pattern.ts'
import { defineStep } from './step.ts'

/** `match`: a regular expression whose named groups are the values; look-around, back references and counts above some dozens are refused. */
export const matchStep = defineStep({
  name: 'match',
  options: z.string().refine((source) => groupPattern(source) !== undefined, 'not a pattern of bounded time'),
  compile(source) {
    const compiled = groupPattern(source)
    return (text, values) => {
      const found = compiled?.pattern.exec(text)
      if (!compiled || !found) return false
      for (const { name, at } of compiled.groups) {
        const value = found[at]
        if (value !== undefined) values.set(name, value)
      }
      return true
    }
  },
})
