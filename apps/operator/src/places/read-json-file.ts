import { readFileSync } from 'node:fs'
import { AppError, operatorErrors } from '@logstack/errors'
import { z } from 'zod'

/**
 * What a JSON file holds, as its schema has it; `file_invalid` when it is cut off, overwritten or of another shape. `fix` says what to do
 * then. A file that cannot be opened throws as `readFileSync` does.
 */
export function readJsonFile<T>(file: string, schema: z.ZodType<T>, fix: string): T {
  const text = readFileSync(file, 'utf8')
  const value = jsonOrNothing(text)
  const found = schema.safeParse(value)
  if (found.success) return found.data
  const problem = value === undefined ? 'it is no JSON' : z.prettifyError(found.error).split('\n').join(' ')
  throw new AppError(operatorErrors.file_invalid, `cannot read ${file}: ${problem}`, { detail: { file }, fix })
}

/** What a text holds as JSON; undefined when it is none. */
export function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined
    throw thrown
  }
}
