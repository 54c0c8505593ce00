import { AppError, operatorErrors } from '@logstack/errors'

/** The error of a step whose effect was not there when it was read back. */
export function unproven(what: string, fix = './logstack verify'): AppError {
  return new AppError(operatorErrors.step_unproven, what, { fix })
}
