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
  explainedBy: ['mounts', 'units'],
  step: volumesStep,
  healthy: 'all are there',
  problem: (plan) => `${plan.length} of the volumes are missing`,
  meaning: 'the parts that keep their data there do not start; what was in a volume comes back only from a backup',
  afterwards,
})

/** A part's user cannot read or write its own volume or key, or others can; or it cannot read its settings or rules. */
export const owners = defineStepFault({
  name: 'owners',
  title: 'owners of files',
  runtimes: ['podman'],
  explainedBy: ['mounts', 'units', 'volumes', 'certificates', 'certificate-authority'],
  step: ownersStep,
  healthy: "volumes and keys belong to their part's user, settings and rules can be read",
  problem: (plan) => {
    const foreign = plan.filter((line) => line.startsWith('chown ')).length
    return [
      ...(foreign > 0 ? [`${foreign} volumes or keys do not belong to their part's user`] : []),
      ...(foreign < plan.length ? ['settings or rules cannot be read by the parts'] : []),
    ].join('; ')
  },
  meaning: 'a part that cannot write its volume, or read its settings, fails at its next write or start',
  afterwards,
})
