import { linearPattern } from '@logstack/rules/linear-pattern'
import { z } from 'zod'
import { defineStep } from './step.ts'

/** `match`: a regular expression whose named groups are the values; look-around, back references and counts above some dozens are refused. */
export const matchStep = defineStep({
  name: 'match',
  options: z.string().refine((source) => linearPattern(source) !== undefined, 'not a pattern of bounded time'),
  compile(source) {
    const pattern = linearPattern(source)
    return (text, values) => {
      const found = pattern?.exec(text)
      if (!found) return false
      for (const [name, value] of Object.entries(found.groups ?? {})) if (value !== undefined) values.set(name, value)
      return true
    }
  },
})
