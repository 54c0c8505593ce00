import { agentInput } from './agent.ts'
import { fluentInput } from './fluent.ts'
import { gelfInput } from './gelf.ts'
import type { Input } from './input.ts'
import { syslogInput } from './syslog.ts'
import { wazuhInput } from './wazuh.ts'

/** Every way events come in but those that are paths of the HTTPS server (`http/registry.ts`). */
export const inputs: readonly Input[] = [agentInput, syslogInput, gelfInput, fluentInput, wazuhInput]
