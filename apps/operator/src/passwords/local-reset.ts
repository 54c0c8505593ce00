import { AppError, operatorErrors } from '@logstack/errors'
import { askLocal } from '@logstack/process'

/** Whose password to set; without one search makes a random one. */
export interface LocalReset {
  readonly username: string
  readonly password?: string
  /** The caller stores the password itself: search leaves no copy for the operator. */
  readonly handover?: false
}

/**
 * Sets a password in search through its local socket, which only its own user and root can open: no old password is needed. Answers the
 * password that holds now. `option_invalid` with search's words when it refuses, `part_unreachable` when it does not listen.
 */
export async function setInEngine(socketPath: string, request: LocalReset): Promise<string> {
  let answer: { password?: string; refused?: string }
  try {
    answer = (await askLocal(socketPath, request)) as typeof answer
  } catch (thrown) {
    throw new AppError(operatorErrors.part_unreachable, 'search does not answer on its local socket', {
      cause: thrown,
      fix: './logstack status',
    })
  }
  if (answer.password !== undefined) return answer.password
  throw new AppError(operatorErrors.option_invalid, answer.refused ?? 'search did not say the new password', {
    fix: './logstack password list shows the users',
  })
}
