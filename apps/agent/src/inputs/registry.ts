import { fileInput } from './file.ts'
import type { InputType } from './input.ts'
import { journaldInput } from './journald.ts'
import { metricsInput } from './metrics.ts'

/** Every kind of input of the agent. */
const inputTypes: readonly InputType[] = [fileInput, journaldInput, metricsInput]

/** The input of a keyword; undefined for one that this agent does not know. */
export function inputTypeOf(type: string): InputType | undefined {
  return inputTypes.find((candidate) => candidate.type === type)
}
