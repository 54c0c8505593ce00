import { agentInput } from './agent.ts'
import type { Input } from './input.ts'
import { syslogInput } from './syslog.ts'

/** Every way events come in. */
export const inputs: readonly Input[] = [agentInput, syslogInput]
