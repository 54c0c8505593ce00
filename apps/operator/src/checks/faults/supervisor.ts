import { defineFault } from '../../doctor/define-fault.ts'
import { startAll, startAllCommands } from '../../doctor/start-all.ts'
import { isRunning } from '../../places/process-identity.ts'
import { readSupervisorState } from '../../places/supervisor-state.ts'

/** The supervisor of an embedded stack was killed: its parts run on without it, or its state is left behind. */
export const supervisor = defineFault<undefined>({
  name: 'supervisor',
  title: 'supervisor',
  runtimes: ['process'],
  async diagnose({ stack }) {
    const state = readSupervisorState(stack.paths)
    if (!state) return { status: 'healthy', detail: 'none was left behind' }
    if (isRunning(state.supervisor)) return { status: 'healthy', detail: `process ${state.supervisor.pid}` }
    const left = state.children.filter((child) => isRunning(child))
    return {
      status: 'fault',
      problem: `the supervisor (process ${state.supervisor.pid}) is gone and did not stop its parts`,
      evidence: [
        `${stack.paths.runDir}/supervisor.json`,
        ...left.map(({ name, pid }) => `${name} runs on as process ${pid}`),
      ],
      meaning: 'nothing starts a part that ends, and no command reaches the parts that run',
      found: undefined,
    }
  },
  plan: ({ stack }) => startAllCommands(stack),
  repair: ({ stack }, _found, progress) => startAll(stack, progress),
})
