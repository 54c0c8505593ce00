import { checksInput } from './checks.ts'
import { dockerInput } from './docker.ts'
import { fileInput } from './file.ts'
import { fileIntegrityInput } from './file-integrity.ts'
import type { InputType } from './input.ts'
import { inventoryInput } from './inventory.ts'
import { journaldInput } from './journald.ts'
import { metricsInput } from './metrics.ts'
import { syslogInput } from './syslog.ts'
import { windowsEventLogInput } from './windows-event-log.ts'

/** Every kind of input of the agent. */
const inputTypes: readonly InputType[] = [
  fileInput,
  journaldInput,
  metricsInput,
  fileIntegrityInput,
  inventoryInput,
  checksInput,
  dockerInput,
  windowsEventLogInput,
  syslogInput,
]

/** The input of a keyword; undefined for one that this agent does not know. */
export function inputTypeOf(type: string): InputType | undefined {
  return inputTypes.find((candidate) => candidate.type === type)
}
