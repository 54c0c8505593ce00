import { readFileSync } from 'node:fs'
import { AppError, operatorErrors, systemSentence } from '@logstack/errors'

/**
 * The text of a file that a person named. `option_invalid` where it cannot be read says which option or argument named it, what is wrong, and what
 * the file holds when it is the right one.
 */
export function readGivenFile(
  file: string,
  { named, holds }: { readonly named: string; readonly holds: string },
): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (thrown) {
    const problem = systemSentence(thrown)
    if (problem === undefined) throw thrown
    // The system does not tell of which file it speaks when it is a folder.
    throw new AppError(operatorErrors.option_invalid, `${named}: ${problem.replace(/^it /, `${file} `)}`, {
      cause: thrown,
      fix: `name a file that you may read, with ${holds}`,
    })
  }
}
