import { launchd } from './launchd.ts'
import { scheduledTask } from './scheduled-task.ts'
import type { ServiceDefinition } from './service-definition.ts'

/** Systems that `agent service` writes a definition for; Linux' unit comes with the installer. */
export const serviceDefinitions: readonly ServiceDefinition[] = [launchd, scheduledTask]
