import '@logstack/part/early-signals'
import { runPart } from '@logstack/part'
import { endpointManagerSettings } from './settings.ts'
import { startEndpointManager } from './start.ts'

await runPart({ name: 'endpoint-manager', settings: endpointManagerSettings, start: startEndpointManager })
