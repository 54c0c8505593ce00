import { join } from 'node:path'
import { agentRuntime } from '@logstack/contracts'
import { logFileOf, type Paths } from '../../places/paths.ts'
import { agentName } from '../../places/process-names.ts'
import { type ChildSpec, inheritedEnvironment } from './child-spec.ts'

/** Where the agent of this machine keeps its identity and its spool. */
export function agentDataDir(paths: Paths): string {
  return paths.volume('logstack_agent')
}

/** The built program of the agent. */
export function agentProgram(paths: Paths): string {
  return join(paths.programDir, 'dist', 'agent.mjs')
}

/** The agent of this machine as a process of the supervisor. It is no part and has no definition: on other machines a service runs it. */
export function agentSpecOf(paths: Paths): ChildSpec {
  const data = agentDataDir(paths)
  return {
    name: agentName,
    argv: [process.execPath, ...agentRuntime.options, agentProgram(paths), 'run', '--data', data],
    cwd: data,
    env: {
      ...inheritedEnvironment(),
      ...agentRuntime.environment,
      LOGSTACK_CONFIG_FILE: join(paths.configDir, 'agent.yml'),
    },
    logFile: logFileOf(paths, agentName),
    readyFile: undefined,
    secrets: [],
    health: undefined,
    restart: { firstMs: 500, maxMs: 30_000, steps: 8 },
    stopTimeoutMs: 20_000,
  }
}
