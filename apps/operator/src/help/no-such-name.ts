import { AppError, operatorErrors } from '@logstack/errors'
import { meantHint } from '@logstack/spelling'

/** What is answered to a name that is not one of a few, such as that of a part: an `option_invalid` with the one that was probably meant and all there are. */
export function noSuchName(kind: string, name: string, known: readonly string[]): AppError {
  return new AppError(operatorErrors.option_invalid, `there is no ${kind} [${name}]${meantHint(name, known)}`, {
    fix: `use one of: ${known.join(', ')}`,
  })
}
