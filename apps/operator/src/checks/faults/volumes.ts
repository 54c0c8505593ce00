import { startAll, startAllCommands } from '../../doctor/start-all.ts'
import { owners as ownersStep } from '../../steps/host/owners.ts'
import { volumes as volumesStep } from '../../steps/host/volumes.ts'
import { defineStepFault } from './step-fault.ts'

const afterwards = { commands: startAllCommands, run: startAll }

/** A named volume of the definitions is gone. */
export const volumes = defineStepFault({
  name: 'volumes',
  title: 'volumes',
  runtimes: ['podman'],
  explainedBy: ['units'],
  step: volumesStep,
  healthy: 'all are there',
  problem: (plan) => `${plan.length} of the volumes are missing`,
  meaning: 'the parts that keep their data there do not start; what was in a volume comes back only from a backup',
  afterwards,
})

/** A part's user cannot read or write its own volume or key, or others can. */
export const owners = defineStepFault({
  name: 'owners',
  title: 'owners of volumes',
  runtimes: ['podman'],
  explainedBy: ['units', 'volumes', 'certificates', 'certificate-authority'],
  step: ownersStep,
  healthy: "volumes and keys belong to their part's user",
  problem: (plan) => `${plan.length} volumes or keys do not belong to their part's user`,
  meaning: 'a part that cannot write its volume fails at its next write or start',
  afterwards,
})
