import '@logstack/part/early-signals'
import { runPart } from '@logstack/part'
import { agentServerSettings } from './settings.ts'
import { startAgentServer } from './start.ts'

await runPart({ name: 'agent-server', settings: agentServerSettings, start: startAgentServer })
